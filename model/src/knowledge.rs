//! Documents of a project's knowledge folders, cut into passages, and what a search in them answers.
//! INVARIANT: a passage is answered only to whoever may invoke the project's `knowledge.search`, and only inside that project.

use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::identity::{ProjectId, ToolId};
use crate::ratio::Score;
use crate::snapshot::SnapshotName;

/// The name of the tool that searches a project's documents.
pub const TOOL_NAME: &str = "knowledge.search";
/// How the ids of the catalogs of these tools begin; no declared Catalog has such an id.
pub const CATALOG_PREFIX: &str = "knowledge.";
/// Most passages of one answer.
pub const MOST_PASSAGES: usize = 20;
/// Passages of an answer where nobody says how many.
pub const USUAL_PASSAGES: usize = 5;

/// One Markdown document of one project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnowledgeDocument {
    pub project: ProjectId,
    /// Relative to the workspace's root.
    pub path: String,
    pub title: String,
    /// Of the whole text, with line breaks made alike.
    pub digest: Digest,
    /// In the order of the text.
    pub chunks: Vec<KnowledgeChunk>,
}

/// A run of a document that is found as one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnowledgeChunk {
    /// The headings it stands under, the outermost first, without the document's title.
    pub headings: Vec<String>,
    /// Where it begins, from 1.
    pub line: u32,
    pub text: String,
}

impl KnowledgeDocument {
    /// What it is called among the documents of all projects: `acme/support:knowledge/returns.md`.
    pub fn key(&self) -> String {
        format!("{}:{}", self.project, self.path)
    }
}

/// The catalog of a project's one tool: `knowledge.acme.support`.
pub fn catalog_id(project: &ProjectId) -> String {
    format!("{CATALOG_PREFIX}{}.{}", project.tenant, project.project)
}

/// The tool that searches a project's documents: `knowledge.acme.support/knowledge.search`.
pub fn tool_id(project: &ProjectId) -> ToolId {
    ToolId::new(&catalog_id(project), TOOL_NAME)
}

/// A passage that answers to a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passage {
    pub path: String,
    pub title: String,
    /// The headings it stands under, `Returns > Damaged goods`; empty where there is none.
    pub heading: String,
    /// From 1.
    pub line: u32,
    /// Markdown.
    pub text: String,
    pub score: Score,
}

/// The answer to a search. Same snapshot, question and limit: the same bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnowledgeAnswer {
    pub snapshot: SnapshotName,
    pub view: Digest,
    /// Of the blocks in force of tools that the caller may name.
    pub overlay: Option<Digest>,
    pub project: ProjectId,
    /// Why the answer is weaker than it could be: `words_only`.
    pub degraded: Vec<String>,
    /// The best first.
    pub results: Vec<Passage>,
}
