//! What compiling found out about policies beside whether they hold: where each stands, what it does, and which test looks at it.
//! A record beside the snapshot, in neither digest: the same policy may stand in another file.

use serde::{Deserialize, Serialize};

use crate::explain::NamedPolicy;
use crate::snapshot::SnapshotName;

/// What is known of the policies of a snapshot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyReport {
    /// The operator's policies, sorted by id.
    pub policies: Vec<PolicyNote>,
    /// PolicyTests and GoldenRoutes that were run, in the order of files and lines.
    pub tests: Vec<TestOutcome>,
}

impl PolicyReport {
    /// What is known of one policy.
    pub fn note(&self, id: &str) -> Option<&PolicyNote> {
        self.policies.iter().find(|note| note.id == id)
    }
}

/// All policies of a snapshot, those of ours first, and what is known of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyList {
    pub snapshot: SnapshotName,
    /// Nothing was left off that the reader may see.
    pub complete: bool,
    pub policies: Vec<ListedPolicy>,
    /// As they ended when the snapshot was compiled.
    pub tests: Vec<TestOutcome>,
}

/// One policy of a snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedPolicy {
    pub id: String,
    /// It is ours: part of every snapshot, and no operator can lift it.
    pub built_in: bool,
    #[serde(flatten)]
    pub named: NamedPolicy,
    /// Absent of a built-in one, and where the snapshot was published before there were any.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub note: Option<PolicyNote>,
}

/// One policy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyNote {
    pub id: String,
    /// Relative to the workspace's root, with `/`; empty where its reader may not know.
    pub file: String,
    /// 1-based.
    pub line: u32,
    /// The template that it was linked from.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub template: Option<String>,
    /// A test decides by it.
    pub tested: bool,
    /// Nothing changes where it is taken away.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub idle: Option<Idle>,
}

impl PolicyNote {
    /// `policies/payments.cedar:12`; nothing where its reader may not know.
    pub fn place(&self) -> Option<String> {
        (!self.file.is_empty()).then(|| format!("{}:{}", self.file, self.line))
    }
}

/// A policy that decides nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Idle {
    pub kind: IdleKind,
    /// The policies that decide in its place, sorted; none where it never applies.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub by: Vec<String>,
    /// How this is known.
    pub shown: Shown,
}

/// Why a policy decides nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IdleKind {
    /// No declared principal, action and tool meet it.
    NeverApplies,
    /// It applies, and others decide the same, or overrule it, wherever it does.
    Shadowed,
}

/// How something is known about a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shown {
    /// For every declared principal, role, claims mapping, project and tool of this snapshot.
    Enumeration,
    /// For whatever may ever be declared, by a solver.
    Proof,
}

/// A test of the operator's that was run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestOutcome {
    pub kind: TestKind,
    pub file: String,
    pub line: u32,
    /// The test in one line: `acme:user:analyst may invoke billing/* in acme/finance`.
    pub says: String,
    pub passed: bool,
    /// What was decided instead and by which policies, one line each; empty where it passed.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub instead: Vec<String>,
}

/// What kind of test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum TestKind {
    PolicyTest,
    GoldenRoute,
}
