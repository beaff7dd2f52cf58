//! What one project's tools are found by: their words, the vectors of their texts, and their schemas walked once.
//! Built in memory from a snapshot and its vectors; document `n` is the `n`th tool by canonical id.

mod vectors;
mod words;

use ambit_model::card::ToolCard;
use ambit_model::digest::Digest;
use ambit_model::facts::Facts;
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
use roaring::RoaringBitmap;

pub use vectors::{Vectors, cosine};
pub use words::{AskedWords, IndexError, KnownWords, Sums, WordIndex, WordScores, bitmap};

use crate::catalog;
use crate::schema::{self, Input, Output};
use crate::text;

/// One tool, ready to be ranked.
pub struct IndexedTool {
    pub card: ToolCard,
    /// The card's facts as far as they may move a rank; what is shown stays in the card.
    pub facts: Facts,
    pub inputs: Vec<Input>,
    pub outputs: Vec<Output>,
    /// Digests of the texts it is matched by: its card's, then its examples'.
    pub texts: Vec<Digest>,
}

/// The tools of one project in canonical-id order.
pub struct ProjectIndex {
    pub tools: Vec<IndexedTool>,
    pub words: WordIndex,
}

impl ProjectIndex {
    /// Indexes these cards; they are sorted here.
    pub fn build(mut cards: Vec<ToolCard>) -> Result<Self, IndexError> {
        cards.sort_by(|a, b| a.id.cmp(&b.id));
        let words = WordIndex::build(&cards.iter().collect::<Vec<_>>())?;
        Ok(Self { tools: cards.into_par_iter().map(indexed).collect(), words })
    }

    /// Every position.
    pub fn all(&self) -> RoaringBitmap {
        (0..u32::try_from(self.tools.len()).unwrap_or(u32::MAX)).collect()
    }
}

fn indexed(card: ToolCard) -> IndexedTool {
    let inputs = schema::inputs(&schema::parse(&card.input_schema));
    let outputs = card.output_schema.as_ref().map(|text| schema::outputs(&schema::parse(text))).unwrap_or_default();
    let texts = card_texts(&card).iter().map(|text| Digest::of(text.as_bytes())).collect();
    IndexedTool { facts: catalog::ranked_by(&card), card, inputs, outputs, texts }
}

/// The texts a tool is matched by in meaning: its name as prose with its description, then each example question.
pub fn card_texts(card: &ToolCard) -> Vec<String> {
    let mut texts = vec![format!("{}: {}", text::name_as_prose(card.id.name()), card.description)];
    texts.extend(card.examples.iter().cloned());
    texts
}

/// The text a group is matched by in meaning.
pub fn group_text(title: &str, description: &str) -> String {
    format!("{title}: {description}")
}
