//! What is declared of tools that are alike: law, so it is looked at here only to be left alone.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ambit_model::declaration::{TwinGroup, VersionFamily};
use ambit_model::identity::ToolId;
use ambit_model::intake::LikenessKind;

/// A document that says of tools what they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Document {
    pub kind: LikenessKind,
    pub id: String,
    pub members: Vec<ToolId>,
    /// An operator wrote it; else it is proposed too.
    pub is_written: bool,
}

/// The declared twin groups and version families.
#[derive(Clone, Debug, Default)]
pub struct Declared {
    /// Tool to those that have it.
    of_tool: BTreeMap<ToolId, Vec<Arc<Document>>>,
    /// Ids that no proposal may take.
    ids: BTreeSet<(LikenessKind, String)>,
}

impl Declared {
    /// These.
    pub fn new(twins: &[TwinGroup], families: &[VersionFamily]) -> Self {
        let mut declared = Self::default();
        for one in twins {
            declared.add(LikenessKind::Twins, &one.id, one.members.iter().cloned());
        }
        for one in families {
            declared.add(LikenessKind::Versions, &one.id, one.members.iter().map(|member| member.tool.clone()));
        }
        declared
    }

    /// One more. Also one whose members intake refused has its id and its members: they may come back.
    pub fn add(&mut self, kind: LikenessKind, id: &str, members: impl IntoIterator<Item = ToolId>) {
        let members = members.into_iter().collect();
        self.put(Document { kind, id: id.to_owned(), members, is_written: true });
    }

    pub(super) fn put(&mut self, document: Document) {
        self.ids.insert((document.kind, document.id.clone()));
        let document = Arc::new(document);
        for member in &document.members {
            self.of_tool.entry(member.clone()).or_default().push(Arc::clone(&document));
        }
    }

    /// The first of this kind that has the tool.
    pub(super) fn home(&self, kind: LikenessKind, tool: &ToolId) -> Option<&Arc<Document>> {
        self.having(tool).find(|document| document.kind == kind)
    }

    /// One declaration has both.
    pub(super) fn together(&self, a: &ToolId, b: &ToolId) -> bool {
        self.having(a).any(|one| self.having(b).any(|other| Arc::ptr_eq(one, other)))
    }

    /// The members of whatever has this tool.
    pub(super) fn beside(&self, tool: &ToolId) -> impl Iterator<Item = &ToolId> {
        self.having(tool).flat_map(|document| &document.members)
    }

    /// Ids that a proposal of this kind must not take.
    pub(super) fn ids(&self, kind: LikenessKind) -> impl Iterator<Item = String> {
        self.ids.iter().filter(move |(of, _)| *of == kind).map(|(_, id)| id.clone())
    }

    /// A line of evidence for each tool that a declaration of this kind has already: the other belongs there.
    pub(super) fn standing(&self, kind: LikenessKind, tools: [&ToolId; 2]) -> Vec<String> {
        let noun = if kind == LikenessKind::Twins { "twin group" } else { "version family" };
        let known = |tool: &ToolId| -> Vec<String> {
            let documents = self.having(tool).filter(|document| document.kind == kind);
            documents.map(|document| format!("`{tool}` is in the {noun} `{}` already", document.id)).collect()
        };
        tools.into_iter().flat_map(known).collect()
    }

    fn having(&self, tool: &ToolId) -> impl Iterator<Item = &Arc<Document>> {
        self.of_tool.get(tool).into_iter().flatten()
    }
}
