//! The texts of a project's tools as rows of numbers, tools of the same texts once; and every question compared with them in batches.
//! INVARIANT: each nearness is to the bit what `index::cosine` gives, whatever the batch and however many threads there are.

use std::collections::BTreeMap;

use ambit_model::digest::Digest;
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use rayon::slice::ParallelSlice as _;

use super::screen::Screen;
use super::winners::{Key, Listed, Lists, NOBODY, Name, place};
use crate::index::{Vectors, cosine};

/// So many tools are kept of each question: the eight that could be handed out, the question's own, and some kin.
const LISTED: usize = 12;
/// A list that changes left shorter than this is made again.
const FEWEST: usize = 4;
/// Questions of one batch: their vectors stay in the processor's cache while all tools pass by.
const BATCH: usize = 128;

/// An example question, whichever tools declare it.
pub(super) struct Question<'a> {
    pub(super) key: Key,
    pub(super) vector: &'a [f32],
    pub(super) words: Vec<String>,
}

/// The different texts of tools.
pub(super) struct Wordings<'a> {
    /// Sorted.
    names: Vec<Name>,
    /// The vectors of each one's texts, those that are known.
    rows: Vec<Vec<&'a [f32]>>,
    /// The tools of each.
    tools: Vec<Vec<usize>>,
    /// The wording of each tool.
    of: Vec<usize>,
}

impl<'a> Wordings<'a> {
    /// From the texts of each tool.
    pub(super) fn new(texts: &[Vec<Digest>], vectors: &'a Vectors) -> Self {
        let named: Vec<Name> = texts.par_iter().map(|texts| name(texts, vectors)).collect();
        let mut by_name: BTreeMap<Name, Vec<usize>> = BTreeMap::new();
        for (tool, name) in named.iter().enumerate() {
            by_name.entry(*name).or_default().push(tool);
        }
        let mut wordings = Self { names: Vec::new(), rows: Vec::new(), tools: Vec::new(), of: vec![0; texts.len()] };
        for (at, (name, tools)) in by_name.into_iter().enumerate() {
            for tool in &tools {
                if let Some(of) = wordings.of.get_mut(*tool) {
                    *of = at;
                }
            }
            let texts = tools.first().and_then(|tool| texts.get(*tool)).into_iter().flatten();
            wordings.rows.push(texts.filter_map(|text| vectors.get(text)).collect());
            wordings.names.push(name);
            wordings.tools.push(tools);
        }
        wordings
    }

    /// The wording of a tool.
    pub(super) fn of(&self, tool: usize) -> usize {
        self.of.get(tool).copied().unwrap_or(usize::MAX)
    }

    /// The tools of a wording.
    pub(super) fn tools(&self, wording: u32) -> &[usize] {
        self.tools.get(place(wording)).map(Vec::as_slice).unwrap_or_default()
    }

    /// How near a tool is to a question in meaning: the best cosine of its texts, 0 or more (MaxSim).
    pub(super) fn nearness(&self, asked: &[f32], tool: usize) -> f64 {
        let rows = self.rows.get(self.of(tool)).into_iter().flatten();
        rows.map(|row| cosine(asked, row)).fold(0.0, f64::max)
    }

    /// The nearest tools of each question; `questions` are in the order of their keys, each once. What `former` knows of tools and
    /// questions that are still the same is taken over: only the others are compared.
    pub(super) fn lists(&self, questions: &[Question<'_>], former: &Lists) -> Lists {
        let moved: Vec<Option<u32>> = former.wordings.iter().map(|name| self.find(name)).collect();
        let fresh: Vec<u32> = (0_u32..)
            .zip(&self.names)
            .filter(|(_, n)| former.wordings.binary_search(n).is_err())
            .map(|(at, _)| at)
            .collect();
        let every: Vec<u32> = (0_u32..).zip(&self.names).map(|(at, _)| at).collect();
        let kept: Vec<Option<Nearest>> = questions
            .par_iter()
            .map(|question| former.of(&question.key).and_then(|listed| Nearest::kept(listed, &moved)))
            .collect();
        let mut parted: [Vec<(&Question<'_>, Nearest)>; 2] = [Vec::new(), Vec::new()];
        let [known, unknown] = &mut parted;
        for (question, kept) in questions.iter().zip(kept) {
            match kept {
                Some(nearest) => known.push((question, nearest)),
                None => unknown.push((question, Nearest::default())),
            }
        }
        let mut listed = self.compare(known, &fresh);
        listed.extend(self.compare(unknown, &every));
        listed.sort_by_key(|listed| listed.key);
        Lists { wordings: self.names.clone(), questions: listed }
    }

    fn find(&self, name: &Name) -> Option<u32> {
        self.names.binary_search(name).ok().and_then(|at| u32::try_from(at).ok())
    }

    /// Compares these questions with these wordings, a batch a thread.
    fn compare(&self, asked: &[(&Question<'_>, Nearest)], wordings: &[u32]) -> Vec<Listed> {
        asked.par_chunks(BATCH).flat_map_iter(|batch| self.compare_batch(batch, wordings)).collect()
    }

    fn compare_batch(&self, batch: &[(&Question<'_>, Nearest)], wordings: &[u32]) -> Vec<Listed> {
        let vectors: Vec<&[f32]> = batch.iter().map(|(question, _)| question.vector).collect();
        let rows = |wording: &u32| self.rows.get(place(*wording)).map(Vec::as_slice).unwrap_or_default();
        let screen = Screen::new(&vectors, wordings.iter().map(rows), LISTED + 1);
        let compared = batch.iter().enumerate().map(|(at, (question, kept))| {
            let mut nearest = kept.clone();
            for wording in screen.passes(at).filter_map(|at| wordings.get(at)) {
                let of_rows = rows(wording).iter().map(|row| cosine(question.vector, row));
                nearest.meet(*wording, of_rows.fold(0.0, f64::max));
            }
            nearest.listed(question.key)
        });
        compared.collect()
    }
}

/// The nearest tools that were met so far.
#[derive(Clone)]
struct Nearest {
    /// The nearest first, equals by place.
    nearest: Vec<(u32, f32)>,
    bound: f32,
}

impl Default for Nearest {
    fn default() -> Self {
        Self { nearest: Vec::new(), bound: NOBODY }
    }
}

impl Nearest {
    /// What a former list says of tools that are still there; nothing where that is too little to be of use.
    fn kept(listed: &Listed, moved: &[Option<u32>]) -> Option<Self> {
        let still = listed.nearest.iter().filter_map(|(at, nearness)| Some(((*moved.get(place(*at))?)?, *nearness)));
        let mut nearest: Vec<(u32, f32)> = still.collect();
        nearest.sort_by(order);
        let enough = nearest.len() >= FEWEST || listed.bound < 0.0;
        enough.then_some(Self { nearest, bound: listed.bound })
    }

    fn meet(&mut self, wording: u32, nearness: f64) {
        // A cosine is an f32 and loses nothing.
        #[expect(clippy::cast_possible_truncation, reason = "it was made of an f32")]
        let met = (wording, nearness as f32);
        let full = self.nearest.len() >= LISTED;
        if full && self.nearest.last().is_some_and(|last| order(last, &met).is_lt()) {
            self.bound = self.bound.max(met.1);
            return;
        }
        let at = self.nearest.partition_point(|known| order(known, &met).is_lt());
        self.nearest.insert(at, met);
        if full {
            self.bound = self.nearest.pop().map_or(self.bound, |(_, dropped)| self.bound.max(dropped));
        }
    }

    fn listed(self, key: Key) -> Listed {
        Listed { key, bound: self.bound, nearest: self.nearest }
    }
}

fn order(a: &(u32, f32), b: &(u32, f32)) -> std::cmp::Ordering {
    b.1.total_cmp(&a.1).then(a.0.cmp(&b.0))
}

/// The name of a question.
pub(super) fn key(text: &Digest, vector: &[f32]) -> Key {
    let mut key = [0; 40];
    let bytes = text.bytes().into_iter().chain(fingerprint(vector).to_le_bytes());
    for (slot, byte) in key.iter_mut().zip(bytes) {
        *slot = byte;
    }
    key
}

/// The name of a tool's texts: their digests, and fingerprints of those vectors that are known.
fn name(texts: &[Digest], vectors: &Vectors) -> Name {
    let mut bytes = Vec::new();
    for text in texts {
        bytes.extend_from_slice(&text.bytes());
        match vectors.get(text) {
            Some(vector) => {
                bytes.push(1);
                bytes.extend_from_slice(&fingerprint(vector).to_le_bytes());
            }
            None => bytes.push(0),
        }
    }
    Digest::of(&bytes).bytes()
}

/// Tells the vectors of one text apart that two machines made: FNV-1a (Fowler, Noll, Vo) over whole numbers in place of bytes.
fn fingerprint(vector: &[f32]) -> u64 {
    const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    vector.iter().fold(BASIS, |hash, number| (hash ^ u64::from(number.to_bits())).wrapping_mul(PRIME).rotate_left(23))
}
