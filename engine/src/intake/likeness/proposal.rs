//! The declaration that would say that tools are twins or versions, as a YAML document that compiles as it is.

use ambit_model::declaration::{FamilyMember, TwinGroup, VersionFamily};
use ambit_model::identity::ToolId;
use ambit_model::intake::LikenessKind;

use super::declared::Document;
use super::traits::Traits;
use super::version::Mark;
use crate::scalar::{quoted, scalar};

/// A declaration that nobody wrote yet.
#[derive(Clone, Debug, PartialEq)]
pub enum Proposal {
    Twins(TwinGroup),
    Versions(VersionFamily),
}

impl Proposal {
    /// These, of which the first that is not old by its name is preferred; nothing where there are none.
    pub(super) fn twins(id: String, twins: &[&Traits<'_>]) -> Option<Self> {
        let preferred = twins.iter().find(|one| !one.is_old()).or(twins.first())?.card.id.clone();
        Some(Self::Twins(TwinGroup {
            id,
            members: twins.iter().map(|one| one.card.id.clone()).collect(),
            preferred,
            reason: "the same inputs, the same outputs, and alike in what they say".to_owned(),
        }))
    }

    /// These, the oldest first. The numbers are those of the names where each has one of its own, else they are counted.
    pub(super) fn versions(id: String, versions: &[&Traits<'_>]) -> Self {
        let named: Option<Vec<u32>> = versions.iter().map(|one| number(one.name.mark)).collect();
        let rising = |numbers: &Vec<u32>| numbers.is_sorted_by(|a, b| a < b);
        let numbers = named.filter(rising).unwrap_or_else(|| (1..).take(versions.len()).collect());
        let current = numbers.last().copied().unwrap_or(1);
        let member = |(one, version): (&&Traits<'_>, u32)| FamilyMember {
            tool: one.card.id.clone(),
            version,
            deprecated: one.is_old(),
            retired_on: None,
            pin: Vec::new(),
        };
        Self::Versions(VersionFamily { id, members: versions.iter().zip(numbers).map(member).collect(), current })
    }

    /// The tools that it is about.
    pub fn members(&self) -> Vec<&ToolId> {
        match self {
            Self::Twins(twins) => twins.members.iter().collect(),
            Self::Versions(family) => family.members.iter().map(|member| &member.tool).collect(),
        }
    }

    /// It is about this tool.
    pub(super) fn has(&self, tool: &ToolId) -> bool {
        match self {
            Self::Twins(twins) => twins.members.contains(tool),
            Self::Versions(family) => family.members.iter().any(|member| member.tool == *tool),
        }
    }

    /// As a document to which more can be added.
    pub(super) fn document(&self) -> Document {
        let (kind, id) = match self {
            Self::Twins(twins) => (LikenessKind::Twins, twins.id.clone()),
            Self::Versions(family) => (LikenessKind::Versions, family.id.clone()),
        };
        Document { kind, id, members: self.members().into_iter().cloned().collect(), is_written: false }
    }

    /// The document.
    pub fn yaml(&self) -> String {
        self.yaml_with("")
    }

    /// The document with a comment behind its id.
    pub fn yaml_with(&self, comment: &str) -> String {
        let comment = if comment.is_empty() { String::new() } else { format!(" # {comment}") };
        match self {
            Self::Twins(twins) => {
                let members: String =
                    twins.members.iter().map(|member| format!("  - {}\n", scalar(member.as_str()))).collect();
                format!(
                    "kind: TwinGroup\nid: {}{comment}\nmembers:\n{members}preferred: {}\nreason: {}\n",
                    scalar(&twins.id),
                    scalar(twins.preferred.as_str()),
                    quoted(&twins.reason)
                )
            }
            Self::Versions(family) => {
                let members: String = family.members.iter().map(member_line).collect();
                let id = scalar(&family.id);
                format!("kind: VersionFamily\nid: {id}{comment}\ncurrent: {}\nmembers:\n{members}", family.current)
            }
        }
    }
}

fn member_line(member: &FamilyMember) -> String {
    let old = if member.deprecated { ", deprecated: true" } else { "" };
    format!("  - {{ tool: {}, version: {}{old} }}\n", scalar(member.tool.as_str()), member.version)
}

/// A tool without a version is the first.
fn number(mark: Mark) -> Option<u32> {
    match mark {
        Mark::None => Some(1),
        Mark::Number(major, 0) => Some(major),
        Mark::Day(day) => Some(day),
        Mark::Number(..) | Mark::Old => None,
    }
}
