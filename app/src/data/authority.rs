//! The Authority page: who may do what, why, by which policies, and how their tests ended.

use leptos::server;
use serde::{Deserialize, Serialize};

use crate::parts::made::Made;
use crate::problem::Problem;

/// What is asked; an empty text is nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskedAbout {
    pub principal: String,
    pub acting_for: String,
    /// Empty: the first of the principal's tenant.
    pub project: String,
    pub tool: String,
    /// `discover`, `route` or `invoke`; any other word is `invoke`.
    pub action: String,
}

/// The page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuthorityPage {
    pub snapshot: i64,
    /// Everybody who can be asked about, and the projects.
    pub principals: Vec<String>,
    pub projects: Vec<String>,
    /// With the project that was chosen where none was named.
    pub asked: AskedAbout,
    /// What kept a question from an answer: a name that is not known, nothing that may be used.
    pub trouble: Vec<String>,
    pub view: Option<ViewPage>,
    pub why: Option<WhyPage>,
    pub policies: Vec<PolicyRow>,
    pub tests: Vec<TestRow>,
}

/// The tools that somebody may name, those that pass the filter, one page of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ViewPage {
    /// Each filter: its word in the URL, what it lets through, and how many.
    pub filters: Vec<(String, String, usize)>,
    pub filter: String,
    /// Of this page, from 1, and how many pages there are.
    pub page: usize,
    pub pages: usize,
    pub rows: Vec<ToolRow>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolRow {
    pub tool: String,
    pub effect: String,
    /// Discover, route, invoke.
    pub decided: Vec<DecidedRow>,
}

/// One decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecidedRow {
    /// Who and what is decided: `route`, `acme:user:ada: route`.
    pub of: String,
    pub allow: bool,
    /// `allow`, `deny`, `allow, confirmed`.
    pub verdict: String,
    /// `permitted by`, `no permit applies`.
    pub by: String,
    pub policies: Vec<String>,
}

/// Why somebody may do something, or may not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WhyPage {
    pub allow: bool,
    pub answer: String,
    /// Policies out of sight decide too.
    pub unseen: bool,
    /// Of the tool, the project, and who is asked about.
    pub facts: Vec<(String, String)>,
    pub decided: Vec<DecidedRow>,
    pub above_changes: String,
    /// Each with the permits that come near.
    pub changes: Vec<(String, Vec<String>)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyRow {
    pub id: String,
    /// `permit` or `forbid`.
    pub effect: String,
    pub built_in: bool,
    pub reason: Option<String>,
    pub cedar: String,
    /// `policies/payments.cedar:12`.
    pub place: Option<String>,
    /// What is worth a look: `no test reaches it`.
    pub marks: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestRow {
    /// `PolicyTest`, `GoldenRoute`.
    pub kind: String,
    pub says: String,
    pub passed: bool,
    /// `policies/tests.yaml:4`.
    pub place: Option<String>,
    pub instead: Vec<String>,
}

/// The Authority page. `filter` is a word of its filters, and `page` one of its pages, from 1.
#[server(name = ReadAuthority, prefix = "/api/ui", endpoint = "authority")]
pub async fn authority(
    principal: String,
    acting_for: String,
    project: String,
    tool: String,
    action: String,
    filter: String,
    page: usize,
) -> Result<Made, Problem> {
    let asked = AskedAbout { principal, acting_for, project, tool, action };
    let found = crate::answers::authority(asked, &filter, page).await?;
    Ok(crate::pages::authority::content(found, filter, page))
}
