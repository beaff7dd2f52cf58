//! The intake report: what every offered tool met at the gate, and which tools answer to the same questions.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::card::ToolCard;
use crate::diagnostic::{Place, Severity};
use crate::repair::WrittenAt;

/// One broken rule of one tool.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Finding {
    /// Canonical id, or `catalog/#3` for the third tool of a catalog that gives no usable name.
    pub tool: String,
    pub severity: Severity,
    pub code: Cow<'static, str>,
    /// RFC 6901 pointer into the tool's definition; empty for the whole tool.
    pub pointer: String,
    pub message: String,
    pub remedy: String,
    /// The Catalog acknowledges this rejection: it is no finding for exit codes.
    pub acknowledged: bool,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub place: Option<Place>,
    /// The other tool that message and remedy speak of, where they speak of one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub other: Option<String>,
}

/// Two tools of which one or both lost example questions to the other. A pair stands once, the first by canonical id first.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Clash {
    pub tool: String,
    pub rival: String,
    /// Questions of `tool` that went to `rival`.
    pub questions: Vec<ClashQuestion>,
    /// Questions of `rival` that went to `tool`. (Reports of older snapshots hold them as a clash of their own.)
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub taken: Vec<ClashQuestion>,
    /// Words that both names and descriptions have, as written in the first, the rarest in the project first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<String>,
    /// The cosine of the two cards' texts, in 1/10000.
    #[serde(default)]
    pub likeness: i32,
}

impl Clash {
    /// How many questions went to the wrong tool: what lists are sorted by.
    pub fn damage(&self) -> usize {
        self.questions.len() + self.taken.len()
    }
}

/// One example question that went to the wrong tool. Scores are in 1/10000; a margin is own less rival. For a reader of less than the
/// whole report all but the margin of meaning is 0: words count by how rare they are among all tools of a project.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ClashQuestion {
    pub question: String,
    pub own_score: i32,
    pub rival_score: i32,
    /// The place of the tool whose question it is among all tools of the project but its kin, from 1; 9 stands for all places after
    /// the eighth, and 0 for nothing, in reports of older snapshots.
    #[serde(default)]
    pub own_rank: usize,
    /// Of meaning alone.
    #[serde(default)]
    pub semantic_margin: i32,
    /// Of words alone.
    #[serde(default)]
    pub bm25_margin: i32,
}

/// Two tools that look like twins or like versions of one tool, and are not declared so. Nothing is done about it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Likeness {
    pub kind: LikenessKind,
    /// The first by canonical id.
    pub tool: String,
    pub other: String,
    /// What speaks for it, one fact a line: `same inputs: customer_id, limit`.
    pub evidence: Vec<String>,
    /// The declaration that would say so of all that are alike, as a YAML document: the same for every pair of them. A comment where some
    /// of them are in a document already: what to add to it.
    pub proposal: String,
    /// Every tool that evidence or proposal speaks of, sorted: whoever may not see them all sees nothing of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub speaks_of: Vec<String>,
}

/// What two tools look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LikenessKind {
    Twins,
    Versions,
}

/// A group that clustering proposes for the tools of a project that are members of none.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ProposedGroup {
    /// `tenant/project`.
    pub project: String,
    pub id: String,
    pub title: String,
    pub description: String,
    /// Canonical ids, sorted.
    pub members: Vec<String>,
}

/// How a tool fares: what the rules say of it, and how its example questions and those of others end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fared {
    pub findings: Vec<Finding>,
    /// Its example questions.
    pub asked: usize,
    /// Those for which it comes first.
    pub first: usize,
    /// Tools that came first instead, with how often, most often first.
    pub lost: Vec<(String, usize)>,
    /// Questions of other tools for which it comes first.
    pub taken: usize,
}

impl Fared {
    /// It would not be admitted.
    pub fn is_refused(&self) -> bool {
        self.findings.iter().any(|finding| finding.severity == Severity::Error)
    }
}

/// Everything intake found, in order of tool, code and pointer, whatever the order of the files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IntakeReport {
    /// Tools offered by all catalogs.
    pub offered: usize,
    /// Canonical ids that entered, sorted.
    pub accepted: Vec<String>,
    pub findings: Vec<Finding>,
    /// The cards of refused tools, by id, so that their owners see what was refused; at most 64 kB
    /// of each catalog.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<ToolCard>,
    /// By pair.
    pub clashes: Vec<Clash>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub likenesses: Vec<Likeness>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub proposed_groups: Vec<ProposedGroup>,
    /// Lines that import proposed and nobody reviewed yet: Catalog to how many.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub unreviewed: BTreeMap<String, usize>,
    /// Where the Catalogs and tools of clashes are declared: ids of Catalogs, and canonical ids of tools that theirs speak of.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub written: BTreeMap<String, WrittenAt>,
}

impl IntakeReport {
    /// What is kept of refused tools, in order of id.
    pub fn refused_cards(mut cards: Vec<ToolCard>) -> Vec<ToolCard> {
        const LARGEST: usize = 64 * 1024;
        let texts = |card: &ToolCard| {
            let optional = [&card.output_schema, &card.annotations];
            let schemas = optional.into_iter().flatten().chain(card.extras.values()).map(|text| text.0.len());
            card.description.len() + card.input_schema.0.len() + schemas.sum::<usize>()
        };
        cards.sort_by(|a, b| a.id.cmp(&b.id));
        cards.dedup_by(|a, b| a.id == b.id);
        // Of each catalog by itself, so that what is kept of one says nothing of another.
        let mut kept: BTreeMap<String, usize> = BTreeMap::new();
        cards.retain(|card| {
            let of_catalog = kept.entry(card.id.catalog().to_owned()).or_default();
            let fits = *of_catalog + texts(card) <= LARGEST;
            *of_catalog += if fits { texts(card) } else { 0 };
            fits
        });
        cards
    }

    /// Tools that were left out.
    pub fn rejected(&self) -> usize {
        self.offered - self.accepted.len().min(self.offered)
    }
}
