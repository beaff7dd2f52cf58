//! What changes between two snapshots, as plain lists. Authority comes first: a raised ceiling is the first line.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::declaration::Action;
use crate::facts::{Ceiling, Effect};
use crate::identity::{Principal, ProjectId, ToolId};

/// Everything that differs; what is equal is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diff {
    /// Raised ones first, then by project.
    pub ceilings: Vec<CeilingChange>,
    /// Who may do more or less than before.
    #[serde(default)]
    pub authority: AuthorityChanges,
    /// In the order of [`DiffKind`], only where something changed.
    pub sections: Vec<Section>,
}

/// A project whose ceiling is another; absent where the project is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CeilingChange {
    /// `acme/finance`.
    pub project: String,
    pub from: Option<Ceiling>,
    pub to: Option<Ceiling>,
    /// Callers of the project may do more than before.
    pub raised: bool,
}

/// Who may do more or less, complete over every declared principal, each role alone and each mapping of a claim.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuthorityChanges {
    /// Use of tools, sorted by project, those that gain first.
    pub classes: Vec<ClassChange>,
    /// Administration and acting for others, sorted by principal.
    pub reaches: Vec<ReachChange>,
    /// How many askers were compared, in all projects of their tenants.
    pub compared: usize,
}

/// Askers of one project whose views change in the same way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassChange {
    pub project: ProjectId,
    /// What they have in common, in words: `whoever holds acme:role:analyst`, or the only one there is.
    pub class: String,
    /// All of them, sorted; the first is the example.
    pub who: Vec<Who>,
    /// Sorted by tool, in this and in the lists below.
    pub gains: Vec<ToolChange>,
    pub loses: Vec<ToolChange>,
    /// Tools that they may use before and after, and whose effect is another.
    pub effects: Vec<EffectChange>,
}

/// Somebody whose view is compared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Who {
    /// A declared user or agent with all it holds, or a role alone.
    Principal { principal: Principal },
    /// Whoever a provider vouches for with this value of this claim, taken as somebody who is not declared and holds nothing else.
    Claim { tenant: String, issuer: String, claim: String, value: String, role: String },
    /// Somebody for whom providers vouch with several of the roles that claims map to: a declared user, or one who is not declared.
    Vouched { tenant: String, user: Option<Principal>, roles: Vec<String> },
    /// Whoever a provider lets in: not who may do what, but who is taken for whom.
    Provider { tenant: String, issuer: String },
}

/// A tool that may be used in more or fewer ways.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ToolChange {
    pub tool: ToolId,
    /// Those that are gained or lost, from the widest to the narrowest.
    pub actions: Vec<Action>,
    /// The tool's effect, where it is gained: after; where it is lost: before.
    pub effect: Effect,
    /// What it depends on, in words: `when a person confirms each call`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub condition: Option<String>,
    /// The policies that decide now and did not before, or did before and do not now, sorted.
    pub policies: Vec<String>,
    /// What changed to make it so, one line each: `` `finance-writes` is new ``, `the ceiling was raised to open`.
    pub because: Vec<String>,
}

/// A tool whose effect is another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EffectChange {
    pub tool: ToolId,
    pub from: Effect,
    pub to: Effect,
}

/// What somebody may administer, or for whom it may act, gained and lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReachChange {
    pub who: Who,
    /// `rollback on workspace`, `read_audit on tenant:acme`, `act_for acme:role:analyst`, sorted.
    pub gains: Vec<String>,
    pub loses: Vec<String>,
    /// The policies that decide now and did not before, or the other way round.
    pub policies: Vec<String>,
}

/// What a diff can hold that a pull request may have to be stopped for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Alarm {
    /// Somebody may do more.
    Gains,
    /// A ceiling was raised.
    Ceiling,
    /// A tool that may be used before and after has another effect.
    Effect,
    /// Somebody may do less.
    Loss,
}

impl Alarm {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Gains, Self::Ceiling, Self::Effect, Self::Loss];

    /// The word of `--fail-on`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Gains => "gains",
            Self::Ceiling => "ceiling",
            Self::Effect => "effect",
            Self::Loss => "loss",
        }
    }
}

/// The kinds of thing that a snapshot holds, and their order in a diff.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DiffKind {
    Policies,
    Schema,
    Tenants,
    Projects,
    Tools,
    Documents,
    Catalogs,
    Groups,
    TwinGroups,
    VersionFamilies,
    Vocabularies,
    Settings,
}

impl DiffKind {
    /// The heading that people read.
    pub fn title(self) -> &'static str {
        match self {
            Self::Policies => "policies",
            Self::Schema => "Cedar schema",
            Self::Tenants => "tenants",
            Self::Projects => "projects",
            Self::Tools => "tools",
            Self::Documents => "documents",
            Self::Catalogs => "catalogs",
            Self::Groups => "groups",
            Self::TwinGroups => "twin groups",
            Self::VersionFamilies => "version families",
            Self::Vocabularies => "vocabularies",
            Self::Settings => "settings",
        }
    }
}

/// What changed among the things of one kind, each list sorted by id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    pub kind: DiffKind,
    pub added: Vec<String>,
    pub removed: Vec<String>,
    pub changed: Vec<Changed>,
}

/// A thing that is in both and differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Changed {
    pub id: String,
    /// Sorted by field.
    pub fields: Vec<FieldChange>,
}

/// A field that differs. Texts are given as they are, other values as JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldChange {
    /// The field's path: `facts.effect`, `input_schema.properties.customer.type`. A member that a list gained or lost has a
    /// line of its own, with the list's path: `from` is absent where it was gained, `to` where it was lost.
    pub field: String,
    pub from: Option<String>,
    pub to: Option<String>,
    /// Of prose that is there before and after: its words, joined as they are the text before (without those added) and after
    /// (without those removed). Empty for anything else, and where the texts are too long or have too little in common.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub pieces: Vec<Piece>,
}

/// A run of words of a text that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    pub kind: PieceKind,
    pub text: String,
}

/// Where a run of words stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PieceKind {
    /// Before and after.
    Same,
    /// Only after.
    Added,
    /// Only before.
    Removed,
}

impl std::fmt::Display for Who {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Principal { principal } => principal.fmt(f),
            Self::Claim { tenant, issuer, claim, value, .. } => {
                let (claim, value) = (claim.escape_debug(), value.escape_debug());
                write!(f, "whoever `{issuer}` vouches for in `{tenant}` with `{value}` in `{claim}`")
            }
            Self::Vouched { tenant, user, roles } => {
                let roles = roles.join("`, `");
                match user {
                    Some(user) => write!(f, "`{user}` where a provider vouches for `{roles}` too"),
                    None => write!(f, "whoever a provider vouches for in `{tenant}` with `{roles}` together"),
                }
            }
            Self::Provider { tenant, issuer } => write!(f, "whoever `{issuer}` lets into `{tenant}`"),
        }
    }
}

impl AuthorityChanges {
    /// Nobody may do more or less, and no tool that somebody may use has another effect.
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty() && self.reaches.is_empty()
    }
}

impl CeilingChange {
    /// Worth stopping for: a ceiling was raised, or a new project has one above `read_only`, which is what it has when nobody
    /// writes one.
    pub fn is_alarming(&self) -> bool {
        self.raised || (self.from.is_none() && self.to > Some(Ceiling::ReadOnly))
    }
}

impl Diff {
    /// The two snapshots hold the same.
    pub fn is_empty(&self) -> bool {
        self.ceilings.is_empty() && self.authority.is_empty() && self.sections.is_empty()
    }

    /// Things added, removed and changed.
    pub fn counts(&self) -> (usize, usize, usize) {
        let sum = |of: fn(&Section) -> usize| self.sections.iter().map(of).sum();
        (sum(|s| s.added.len()), sum(|s| s.removed.len()), sum(|s| s.changed.len()))
    }

    /// What in it a pull request may have to be stopped for.
    pub fn alarms(&self) -> BTreeSet<Alarm> {
        let AuthorityChanges { classes, reaches, .. } = &self.authority;
        let gains = classes.iter().any(|c| !c.gains.is_empty()) || reaches.iter().any(|r| !r.gains.is_empty());
        let losses = classes.iter().any(|c| !c.loses.is_empty()) || reaches.iter().any(|r| !r.loses.is_empty());
        let holds = |alarm: &Alarm| match alarm {
            Alarm::Gains => gains,
            Alarm::Ceiling => self.ceilings.iter().any(CeilingChange::is_alarming),
            Alarm::Effect => classes.iter().any(|class| !class.effects.is_empty()),
            Alarm::Loss => losses,
        };
        Alarm::ALL.into_iter().filter(holds).collect()
    }

    /// Somebody may do more than before, or may be given more by a policy than before: a rollback has to be told that this is meant.
    pub fn widens(&self) -> bool {
        self.alarms().iter().any(|alarm| matches!(alarm, Alarm::Gains | Alarm::Ceiling))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(diff: &Diff, expected: &str) {
        let words: Vec<&str> = diff.alarms().into_iter().map(Alarm::word).collect();
        assert_eq!(words.join(" "), expected);
    }

    #[test]
    fn a_diff_says_what_it_may_be_stopped_for() {
        let ceiling = |from, to, raised| Diff {
            ceilings: vec![CeilingChange { project: "acme/desk".to_owned(), from, to, raised }],
            ..Diff::default()
        };
        check(&Diff::default(), "");
        check(&ceiling(Some(Ceiling::ReadOnly), Some(Ceiling::Open), true), "ceiling");
        check(&ceiling(Some(Ceiling::Open), Some(Ceiling::ReadOnly), false), "");
        check(&ceiling(Some(Ceiling::Open), None, false), "");
        check(&ceiling(None, Some(Ceiling::ReadOnly), false), "");
        check(&ceiling(None, Some(Ceiling::ConfirmWrites), false), "ceiling");
        let reach = |gains: &[&str], loses: &[&str]| {
            let lines = |of: &[&str]| of.iter().map(|line| (*line).to_owned()).collect();
            let who = Who::Principal {
                principal: Principal {
                    tenant: "acme".to_owned(),
                    kind: crate::identity::PrincipalKind::User,
                    name: "ada".to_owned(),
                },
            };
            let change = ReachChange { who, gains: lines(gains), loses: lines(loses), policies: Vec::new() };
            Diff {
                authority: AuthorityChanges { reaches: vec![change], ..AuthorityChanges::default() },
                ..Diff::default()
            }
        };
        check(&reach(&["apply on workspace"], &[]), "gains");
        check(&reach(&[], &["apply on workspace"]), "loss");
        check(&reach(&["read_audit on tenant:acme"], &["apply on workspace"]), "gains loss");
        assert!(!reach(&[], &["apply on workspace"]).is_empty());
    }
}
