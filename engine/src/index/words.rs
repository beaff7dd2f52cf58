//! The words of one project, in memory: a tantivy index of one segment, documents in canonical-id order.
//! INVARIANT: every statistic of a score is counted over the `route` set asked for, so no tool outside it moves a score.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::card::ToolCard;
use ambit_model::identity::ToolId;
use rayon::iter::{IntoParallelIterator as _, IntoParallelRefIterator as _, ParallelIterator as _};
use roaring::RoaringBitmap;
use tantivy::collector::{Collector, SegmentCollector};
use tantivy::query::{Bm25StatisticsProvider, TermQuery};
use tantivy::schema::{Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::{
    DocId, DocSet, Index, IndexSettings, Score, Searcher, SegmentOrdinal, SegmentReader, TERMINATED, TantivyDocument,
    Term,
};

use crate::schema;
use crate::text;

/// How often a name's words count beside the words of the description.
const NAME_WEIGHT: usize = 2;
/// Memory that building may take before it would spill, in bytes.
const BUILD_MEMORY: usize = 15_000_000;
/// BM25's saturation, as in tantivy (Robertson and Zaragoza 2009).
const K1: f64 = 1.2;

/// Why an index could not be built or asked; a bug or exhausted memory, never the user's fault.
#[derive(Debug, thiserror::Error)]
#[error("the word index failed while {doing}")]
pub struct IndexError {
    doing: &'static str,
    #[source]
    source: tantivy::TantivyError,
}

/// What words say of tools.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WordScores {
    shares: Vec<f64>,
    /// How much of the question's weight in words the `route` set knows at all: 0 to 1.
    pub coverage: f64,
}

impl WordScores {
    /// The tool's score as a share of the most that the words known in the `route` set could give: 0 to 1.
    pub fn share(&self, document: usize) -> f64 {
        self.shares.get(document).copied().unwrap_or(0.0)
    }
}

/// Words of a set of tools, ready to be asked.
pub struct WordIndex {
    searcher: Searcher,
    field: Field,
    /// Words in each document, by document.
    lengths: Vec<u64>,
}

impl WordIndex {
    /// Indexes name, title, description and parameter texts of each card; document `n` is `cards[n]`.
    pub fn build(cards: &[&ToolCard]) -> Result<Self, IndexError> {
        Self::of_words(&cards.par_iter().map(|card| card_words(card)).collect::<Vec<_>>())
    }

    /// Indexes texts as their words; document `n` is `documents[n]`.
    pub fn of_words(documents: &[Vec<String>]) -> Result<Self, IndexError> {
        let mut builder = Schema::builder();
        let indexing =
            TextFieldIndexing::default().set_tokenizer("whitespace").set_index_option(IndexRecordOption::WithFreqs);
        let field = builder.add_text_field("words", TextOptions::default().set_indexing_options(indexing));
        let mut writer = Index::builder()
            .schema(builder.build())
            .settings(IndexSettings::default())
            .single_segment_index_writer(tantivy::directory::RamDirectory::create(), BUILD_MEMORY)
            .map_err(doing("opening it"))?;
        let mut lengths = Vec::with_capacity(documents.len());
        for words in documents {
            lengths.push(u64::try_from(words.len()).unwrap_or(u64::MAX));
            let mut document = TantivyDocument::default();
            document.add_text(field, words.join(" "));
            writer.add_document(document).map_err(doing("adding a text"))?;
        }
        let index = writer.finalize().map_err(doing("closing it"))?;
        let searcher = index.reader().map_err(doing("reading it"))?.searcher();
        Ok(Self { searcher, field, lengths })
    }

    /// Looks words up over all tools, to ask many questions that are made of them.
    pub fn known(&self, words: BTreeSet<String>) -> Result<KnownWords, IndexError> {
        let all = (0..u32::try_from(self.lengths.len()).unwrap_or(u32::MAX)).collect();
        let statistics = Statistics::new(self, &all);
        let found = words.into_par_iter().map(|word| self.look_up(&word, &statistics).map(|found| (word, found)));
        Ok(KnownWords { found: found.collect::<Result<_, _>>()? })
    }

    /// BM25 of each tool of `route` for these words.
    ///
    /// Okapi BM25 (k1 1.2, b 0.75) with document count, lengths and frequencies of the `route` set alone. Terms are summed in
    /// sorted order, so that the sum is the same on every run.
    pub fn scores(&self, words: &[String], route: &RoaringBitmap) -> Result<WordScores, IndexError> {
        let statistics = Statistics::new(self, route);
        let mut sums = vec![0.0; self.lengths.len()];
        let (mut known, mut all) = (0.0, 0.0);
        for word in words.iter().collect::<BTreeSet<_>>() {
            let found = self.look_up(word, &statistics)?;
            all += found.most;
            if found.hits.is_empty() {
                continue;
            }
            known += found.most;
            for (document, score) in &found.hits {
                if let Some(sum) = sums.get_mut(place(*document)) {
                    *sum += f64::from(*score);
                }
            }
        }
        if known > 0.0 {
            for sum in &mut sums {
                *sum /= known;
            }
        }
        Ok(WordScores { shares: sums, coverage: if all > 0.0 { known / all } else { 0.0 } })
    }

    /// Whether a tool of `route` has this word.
    pub fn has(&self, word: &str, route: &RoaringBitmap) -> Result<bool, IndexError> {
        let term = Term::from_field_text(self.field, word);
        Ok(self.frequency(&term, route).map_err(doing("counting a word"))? > 0)
    }

    fn look_up(&self, word: &str, statistics: &Statistics<'_>) -> Result<WordFound, IndexError> {
        let route = statistics.route;
        let term = Term::from_field_text(self.field, word);
        let frequency = statistics.doc_freq(&term).map_err(doing("counting a word"))?;
        let most = idf(frequency, route.len()) * (K1 + 1.0);
        if frequency == 0 {
            return Ok(WordFound { most, hits: Vec::new(), greatest: 0.0 });
        }
        let query = TermQuery::new(term, IndexRecordOption::WithFreqs);
        let collector = Within { route: route.clone() };
        let hits = self.searcher.search_with_statistics_provider(&query, &collector, statistics);
        let hits = hits.map_err(doing("looking a word up"))?;
        let greatest = hits.iter().map(|(_, score)| f64::from(*score)).fold(0.0, f64::max);
        Ok(WordFound { most, hits, greatest })
    }

    fn frequency(&self, term: &Term, route: &RoaringBitmap) -> tantivy::Result<u64> {
        let mut count = 0;
        for segment in self.searcher.segment_readers() {
            let inverted = segment.inverted_index(term.field())?;
            if let Some(mut postings) = inverted.read_postings(term, IndexRecordOption::Basic)? {
                while postings.doc() != TERMINATED {
                    count += u64::from(route.contains(postings.doc()));
                    postings.advance();
                }
            }
        }
        Ok(count)
    }
}

/// What the index says of one word.
struct WordFound {
    /// The most that the word can give a tool.
    most: f64,
    /// By document.
    hits: Vec<(DocId, Score)>,
    /// The most that it gives one.
    greatest: f64,
}

impl WordFound {
    fn score(&self, document: usize) -> Option<f64> {
        let at = self.hits.binary_search_by(|(hit, _)| place(*hit).cmp(&document)).ok()?;
        self.hits.get(at).map(|(_, score)| f64::from(*score))
    }
}

/// Words of many questions, each looked up once over all tools of an index.
pub struct KnownWords {
    found: BTreeMap<String, WordFound>,
}

impl KnownWords {
    /// A question of these words; one that was not looked up counts as one that no tool has.
    pub fn asked(&self, words: &[String]) -> AskedWords<'_> {
        let sorted: BTreeSet<&String> = words.iter().collect();
        let found: Vec<&WordFound> = sorted.into_iter().filter_map(|word| self.found.get(word)).collect();
        let found: Vec<&WordFound> = found.into_iter().filter(|found| !found.hits.is_empty()).collect();
        let known = found.iter().map(|found| found.most).fold(0.0, |sum, most| sum + most);
        AskedWords { found, known }
    }

    /// How many tools have this word.
    pub fn frequency(&self, word: &str) -> usize {
        self.found.get(word).map_or(0, |found| found.hits.len())
    }
}

/// One question's words, asked of single tools: what it costs does not grow with the number of tools.
pub struct AskedWords<'k> {
    /// In the order of words, in which [`WordIndex::scores`] sums.
    found: Vec<&'k WordFound>,
    known: f64,
}

impl AskedWords<'_> {
    /// To the bit the share that [`WordIndex::scores`] gives this tool over all tools.
    pub fn share(&self, document: usize) -> f64 {
        let sum = self.found.iter().filter_map(|found| found.score(document)).fold(0.0, |sum, score| sum + score);
        if self.known > 0.0 { sum / self.known } else { sum }
    }

    /// Every tool whose share may be `least`, which is above 0, or more; some that it is not may be among them.
    ///
    /// Words that cannot reach it even together bring no tool up (MaxScore: Turtle and Flood 1995).
    pub fn reaching(&self, least: f64, sums: &mut Sums) -> Vec<usize> {
        let least = least * self.known - ROUNDING;
        let mut by_greatest = self.found.clone();
        by_greatest.sort_by(|a, b| a.greatest.total_cmp(&b.greatest));
        let mut spared = 0.0;
        let mut rest = by_greatest.into_iter().peekable();
        while let Some(found) = rest.next_if(|found| spared + found.greatest < least) {
            spared += found.greatest;
        }
        for found in rest {
            sums.add(&found.hits);
        }
        sums.take(least - spared)
    }
}

/// More than what sums in another order may differ by.
const ROUNDING: f64 = 1e-9;

/// Room for the sums of all tools, used again for each question.
#[derive(Default)]
pub struct Sums {
    sums: Vec<f64>,
    touched: Vec<usize>,
}

impl Sums {
    /// For an index of so many tools.
    pub fn new(tools: usize) -> Self {
        Self { sums: vec![0.0; tools], touched: Vec::new() }
    }

    fn add(&mut self, hits: &[(DocId, Score)]) {
        for (document, score) in hits {
            let document = place(*document);
            if let Some(sum) = self.sums.get_mut(document) {
                // INVARIANT: a score is above 0, as every idf is, so what is 0 was not touched.
                if *sum == 0.0 {
                    self.touched.push(document);
                }
                *sum += f64::from(*score);
            }
        }
    }

    /// Those of at least this sum, in order; everything is 0 again.
    fn take(&mut self, least: f64) -> Vec<usize> {
        let mut reached = Vec::new();
        for document in self.touched.drain(..) {
            if let Some(sum) = self.sums.get_mut(document) {
                if *sum >= least {
                    reached.push(document);
                }
                *sum = 0.0;
            }
        }
        reached.sort_unstable();
        reached
    }
}

fn place(document: DocId) -> usize {
    usize::try_from(document).unwrap_or(usize::MAX)
}

fn idf(frequency: u64, documents: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "counts of tools are far below 2^52")]
    let (frequency, documents) = (frequency as f64, documents as f64);
    (1.0 + (documents - frequency + 0.5) / (frequency + 0.5)).ln()
}

/// The words a tool is found by. Example questions are left out: they are matched by meaning.
fn card_words(card: &ToolCard) -> Vec<String> {
    let name = text::words(card.id.name());
    let mut words: Vec<String> = std::iter::repeat_n(name, NAME_WEIGHT).flatten().collect();
    if let Some(title) = &card.title {
        words.extend(text::words(title));
    }
    words.extend(text::words(&card.description));
    for (name, description) in schema::words(&schema::parse(&card.input_schema)) {
        words.extend(text::words(&name));
        words.extend(description.iter().flat_map(|text| text::words(text)));
    }
    words
}

/// Statistics of the `route` set alone.
struct Statistics<'a> {
    index: &'a WordIndex,
    route: &'a RoaringBitmap,
    /// Words of all its tools, counted once for all words asked.
    tokens: u64,
}

impl<'a> Statistics<'a> {
    fn new(index: &'a WordIndex, route: &'a RoaringBitmap) -> Self {
        let length = |document: u32| index.lengths.get(place(document)).copied();
        Self { index, route, tokens: route.iter().filter_map(length).sum() }
    }
}

impl Bm25StatisticsProvider for Statistics<'_> {
    fn total_num_tokens(&self, _field: Field) -> tantivy::Result<u64> {
        Ok(self.tokens)
    }

    fn total_num_docs(&self) -> tantivy::Result<u64> {
        Ok(self.route.len())
    }

    fn doc_freq(&self, term: &Term) -> tantivy::Result<u64> {
        self.index.frequency(term, self.route)
    }
}

/// Collects every hit inside a bitmap with its score.
struct Within {
    route: RoaringBitmap,
}

impl Collector for Within {
    type Fruit = Vec<(DocId, Score)>;
    type Child = WithinSegment;

    fn for_segment(&self, _ordinal: SegmentOrdinal, _segment: &SegmentReader) -> tantivy::Result<Self::Child> {
        Ok(WithinSegment { route: self.route.clone(), found: Vec::new() })
    }

    fn requires_scoring(&self) -> bool {
        true
    }

    fn merge_fruits(&self, fruits: Vec<Self::Fruit>) -> tantivy::Result<Self::Fruit> {
        Ok(fruits.into_iter().flatten().collect())
    }
}

struct WithinSegment {
    route: RoaringBitmap,
    found: Vec<(DocId, Score)>,
}

impl SegmentCollector for WithinSegment {
    type Fruit = Vec<(DocId, Score)>;

    fn collect(&mut self, document: DocId, score: Score) {
        if self.route.contains(document) {
            self.found.push((document, score));
        }
    }

    fn harvest(self) -> Self::Fruit {
        self.found
    }
}

/// The positions in `cards` of the tools that `keep` names.
pub fn bitmap<'a>(cards: impl Iterator<Item = &'a ToolId>, keep: impl Fn(&ToolId) -> bool) -> RoaringBitmap {
    (0u32..).zip(cards).filter(|(_, id)| keep(id)).map(|(position, _)| position).collect()
}

fn doing(doing: &'static str) -> impl Fn(tantivy::TantivyError) -> IndexError {
    move |source| IndexError { doing, source }
}
