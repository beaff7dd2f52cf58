//! What the pages show: plain values that travel from the server to the page, and the server functions that fetch them.
//! INVARIANT: a server function decodes, calls one use case with the Caller of the request, and encodes; it decides nothing.

pub mod audit;
pub mod authority;
pub mod clashes;
pub mod keys;
pub mod tools;

use std::collections::BTreeSet;

use ambit_model::administration::AdminAction;
use ambit_model::declaration::Weights;
use ambit_model::route::RouteAnswer;
use leptos::server;
use serde::{Deserialize, Serialize};

use crate::parts::made::Made;
use crate::problem::Problem;

pub use audit::{Act, Audit, AuditPage, AuditRow, HeadRow, Verification, audit};
pub use authority::{
    AskedAbout, AuthorityPage, DecidedRow, PolicyRow, ReadAuthority, TestRow, ToolRow, ViewPage, WhyPage, authority,
};
pub use clashes::{ReadClash, ReadClashes, clash, clashes};
pub use keys::{
    CreateKey, Key, KeyRow, KeyState, Keys, KeysPage, MadeKey, RevokeKey, create_key, key, keys, revoke_key,
};
pub use tools::{ReadCard, SearchTools, card, tools};

/// What every page's frame shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    pub signed_in: Option<SignedIn>,
    /// Nothing before the first apply, and nothing for who is not signed in.
    pub live: Option<Live>,
    pub version: String,
}

/// Who is signed in: the holder of a key, or a person for whom an identity provider vouches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignedIn {
    /// The key's name, or the person's.
    pub name: String,
    /// The id of the key; absent for a person.
    pub key: Option<String>,
    /// The identity provider; absent for a key.
    pub issuer: Option<String>,
    pub principal: String,
    /// The only project it asks in; absent: any of the tenant's.
    pub project: Option<String>,
    /// What it may administer anywhere; the menu is made of it.
    pub may: BTreeSet<AdminAction>,
}

/// The live snapshot in the top bar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Live {
    pub number: i64,
    /// The first digits of its digest.
    pub digest: String,
    pub since: Moment,
}

/// A time as people read it: relative, with the absolute one on hover. Made by the server, so both renderings agree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moment {
    /// RFC 3339, UTC.
    pub at: String,
    /// `2 h ago`, `just now`.
    pub ago: String,
}

/// A snapshot's record, without its report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SnapshotRow {
    pub number: i64,
    pub live: bool,
    pub digest: String,
    pub short: String,
    pub parent: Option<i64>,
    pub created: Moment,
    /// `workspace` where the reader may not know.
    pub author: String,
    pub message: Option<String>,
    pub commit: Option<String>,
    pub tools: i64,
    pub refused: usize,
}

/// One line of the list of what was live when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActivationRow {
    pub sequence: i64,
    pub snapshot: i64,
    /// `apply` or `rollback`.
    pub kind: String,
    pub at: Moment,
    pub by: String,
    pub reason: Option<String>,
}

/// The Overview page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overview {
    pub live: SnapshotRow,
    /// The one that made it live.
    pub activation: ActivationRow,
    pub model: String,
    pub policies: usize,
    pub groups: usize,
    /// Tools that are blocked, by tool.
    pub blocks: Vec<BlockRow>,
    pub projects: Vec<ProjectRow>,
    pub catalogs: Vec<CatalogRow>,
    /// Findings that are not acknowledged.
    pub open_findings: usize,
    pub clashes: usize,
    /// The newest activations, at most eight.
    pub activations: Vec<ActivationRow>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockRow {
    pub tool: String,
    /// Absent where the reader may not know.
    pub reason: Option<String>,
    /// `until 2027-01-31T18:00:00Z`, `until it is unblocked`, `ended 2026-…`; and that the live snapshot lacks the tool.
    pub until: String,
    pub ended: bool,
    pub at: Moment,
    pub by: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProjectRow {
    pub id: String,
    pub name: String,
    /// `read_only`, `confirm_writes`, `open`.
    pub ceiling: String,
    pub catalogs: Vec<String>,
    pub tools: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CatalogRow {
    pub id: String,
    /// Absent where every tenant's projects may list it.
    pub tenant: Option<String>,
    pub admitted: usize,
    pub refused: usize,
}

/// The Intake page: what was refused and what is worth a look, by rule, most urgent rule first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IntakePage {
    pub snapshot: i64,
    pub compiled: Moment,
    pub offered: usize,
    pub admitted: usize,
    pub refused: usize,
    /// After the filter; `shown` counts their findings.
    pub rules: Vec<RuleRows>,
    pub shown: usize,
    pub total: usize,
    /// Pairs of tools.
    pub clashes: usize,
    /// In place of the rules, where it is asked for by tool.
    pub tools: Option<Made>,
    pub trend: Made,
    /// What can be filtered by: every catalog and code that the report names.
    pub catalogs: Vec<String>,
    pub codes: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleRows {
    pub code: String,
    /// What the code means, from the table of codes.
    pub meaning: String,
    /// `error`, `warning`, `note`.
    pub severity: String,
    pub findings: Vec<FindingRow>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FindingRow {
    pub tool: String,
    /// JSON pointer into the tool; empty where the whole tool is meant.
    pub pointer: String,
    pub message: String,
    pub remedy: String,
    pub acknowledged: bool,
}

/// The Snapshots page, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SnapshotsPage {
    pub live: Option<i64>,
    pub snapshots: Vec<SnapshotRow>,
    pub activations: Vec<ActivationRow>,
}

/// Two snapshots and what differs. On the rollback page `from` is live and `to` is the target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiffPage {
    pub from: SnapshotRow,
    pub to: SnapshotRow,
    /// The counts in a sentence.
    pub counts: String,
    /// Somebody may do more than before.
    pub widens: bool,
    pub difference: Made,
    /// All numbers, newest first, to choose from.
    pub numbers: Vec<i64>,
}

/// The Route page: whom it routes for, and the answer where something was asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoutePage {
    /// Those in which the caller may use something.
    pub projects: Vec<String>,
    /// Nobody where it was refused.
    pub asker: Option<Asker>,
    /// What was wrong with what was asked; something else can be asked.
    pub refused: Option<Problem>,
    pub answer: Option<RoutedPage>,
    /// Example questions of tools in the caller's `route` set, at most six.
    pub examples: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asker {
    pub principal: String,
    /// The user it acts for.
    pub acting_for: Option<String>,
    pub project: String,
    /// Tools in its `route` set.
    pub routes: usize,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoutedPage {
    pub answer: Answer,
    /// What each signal counted, from the snapshot.
    pub weights: Weights,
    /// Milliseconds, one decimal: `6.1`.
    pub embed: String,
    pub route: String,
}

/// A route answer, as the JSON text of the API, so that what the page shows is what an application gets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer(String);

impl Answer {
    /// Keeps the text.
    pub fn new(answer: &RouteAnswer) -> Result<Self, serde_json::Error> {
        serde_json::to_string(answer).map(Self)
    }

    /// The answer.
    pub fn read(&self) -> Result<RouteAnswer, serde_json::Error> {
        serde_json::from_str(&self.0)
    }
}

/// The frame of a page.
#[server(name = ReadFrame, prefix = "/api/ui", endpoint = "frame")]
pub async fn frame() -> Result<Frame, Problem> {
    crate::answers::frame().await
}

/// The Overview page; nothing for who may not read snapshots, whose first page is Route.
#[server(name = ReadOverview, prefix = "/api/ui", endpoint = "overview")]
pub async fn overview() -> Result<Option<Overview>, Problem> {
    crate::answers::overview().await
}

/// The Intake page, filtered; an empty filter lets everything through. `by` is `tool`, or anything else for by rule.
#[server(prefix = "/api/ui", endpoint = "intake")]
pub async fn intake(catalog: String, code: String, acknowledged: bool, by: String) -> Result<IntakePage, Problem> {
    crate::answers::intake(&catalog, &code, acknowledged, &by).await
}

/// What intake found of one tool, and how it would fare with a description; an empty one tries nothing.
#[server(name = ReadToolIntake, prefix = "/api/ui", endpoint = "tool_intake")]
pub async fn tool_intake(tool: String, description: String) -> Result<Made, Problem> {
    crate::answers::tool_intake(tool, description).await
}

/// The Snapshots page.
#[server(prefix = "/api/ui", endpoint = "snapshots")]
pub async fn snapshots() -> Result<SnapshotsPage, Problem> {
    crate::answers::snapshots().await
}

/// Two snapshots compared. Without `to` it is the live one, and `from` what was live before it; with `to` alone, `from` is its parent.
#[server(prefix = "/api/ui", endpoint = "diff")]
pub async fn diff(from: Option<i64>, to: Option<i64>) -> Result<DiffPage, Problem> {
    crate::answers::diff(from, to).await
}

/// What rolling back to this snapshot would change.
#[server(prefix = "/api/ui", endpoint = "rollback_preview")]
pub async fn rollback_preview(number: i64) -> Result<DiffPage, Problem> {
    crate::answers::rollback_preview(number).await
}

/// Makes an earlier snapshot live again. `from` is the one that was live when the page was made: where another is live by
/// now, nothing changes; where somebody would gain by it, nothing either, unless `accept_gains`.
#[server(prefix = "/api/ui", endpoint = "rollback")]
pub async fn rollback(
    number: i64,
    from: i64,
    reason: String,
    confirm: Option<String>,
    #[server(default)] accept_gains: bool,
) -> Result<(), Problem> {
    crate::answers::rollback(number, from, reason, confirm.is_some(), accept_gains).await
}

/// The Route page; an empty question asks nothing, an empty project is the first that there is, and an empty `acting_for` nobody.
#[server(prefix = "/api/ui", endpoint = "route")]
pub async fn route(question: String, strict: bool, project: String, acting_for: String) -> Result<RoutePage, Problem> {
    crate::answers::route(question, strict, &project, &acting_for).await
}

/// Opens a session with a key and goes on to `next`, a path of ours.
#[server(prefix = "/api/ui", endpoint = "sign_in")]
pub async fn sign_in(key: String, next: String) -> Result<(), Problem> {
    crate::answers::sign_in(&key, &next).await
}

/// Ends the session.
#[server(prefix = "/api/ui", endpoint = "sign_out")]
pub async fn sign_out() -> Result<(), Problem> {
    crate::answers::sign_out().await
}
