//! What is declared of tools that are alike: law, so it is looked at here only to be left alone.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::declaration::{TwinGroup, VersionFamily};
use ambit_model::identity::ToolId;
use ambit_model::intake::LikenessKind;

/// The declared twin groups and version families.
#[derive(Default)]
pub struct Declared<'a> {
    /// Tool to those that it is in.
    kin: BTreeMap<&'a ToolId, BTreeSet<(LikenessKind, &'a str)>>,
    /// The members of each, beside any of them.
    beside: BTreeMap<&'a ToolId, Vec<&'a ToolId>>,
    /// Ids that no proposal may take.
    ids: BTreeSet<(LikenessKind, &'a str)>,
}

impl<'a> Declared<'a> {
    /// These.
    pub fn new(twins: &'a [TwinGroup], families: &'a [VersionFamily]) -> Self {
        let mut declared = Self::default();
        for one in twins {
            declared.add(LikenessKind::Twins, &one.id, one.members.iter());
        }
        for one in families {
            declared.add(LikenessKind::Versions, &one.id, one.members.iter().map(|member| &member.tool));
        }
        declared
    }

    /// These ids are taken too: a declaration whose members intake refused holds nothing, and still has its id.
    #[must_use]
    pub fn with_ids(mut self, kind: LikenessKind, ids: impl IntoIterator<Item = &'a str>) -> Self {
        self.ids.extend(ids.into_iter().map(|id| (kind, id)));
        self
    }

    fn add(&mut self, kind: LikenessKind, id: &'a str, members: impl Iterator<Item = &'a ToolId> + Clone) {
        self.ids.insert((kind, id));
        for member in members.clone() {
            self.kin.entry(member).or_default().insert((kind, id));
            self.beside.entry(member).or_default().extend(members.clone());
        }
    }

    /// A declaration has it.
    pub(super) fn holds(&self, tool: &ToolId) -> bool {
        self.kin.contains_key(tool)
    }

    /// One declaration has both.
    pub(super) fn together(&self, a: &ToolId, b: &ToolId) -> bool {
        self.of_tool(a).any(|kin| self.of_tool(b).any(|other| kin == other))
    }

    /// The members of whatever has this tool.
    pub(super) fn beside(&self, tool: &ToolId) -> impl Iterator<Item = &'a ToolId> {
        self.beside.get(tool).into_iter().flatten().copied()
    }

    /// Ids that a proposal of this kind must not take.
    pub(super) fn ids(&self, kind: LikenessKind) -> BTreeSet<String> {
        self.ids.iter().filter(|(of, _)| *of == kind).map(|(_, id)| (*id).to_owned()).collect()
    }

    /// A line of evidence for each tool that a declaration of this kind has already: the other belongs there.
    pub(super) fn standing(&self, kind: LikenessKind, tools: [&ToolId; 2]) -> Vec<String> {
        let noun = if kind == LikenessKind::Twins { "twin group" } else { "version family" };
        let known = |tool: &ToolId| -> Vec<String> {
            let ids = self.of_tool(tool).filter(|(of, _)| *of == kind);
            ids.map(|(_, id)| format!("`{tool}` is in the {noun} `{id}` already")).collect()
        };
        tools.into_iter().flat_map(known).collect()
    }

    fn of_tool(&self, tool: &ToolId) -> impl Iterator<Item = (LikenessKind, &'a str)> {
        self.kin.get(tool).into_iter().flatten().copied()
    }
}
