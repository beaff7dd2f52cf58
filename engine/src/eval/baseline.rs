//! What the router is held against: rankings that anybody would try first, each over the same view.

use std::collections::BTreeMap;

use ambit_model::route::Tokens;

use super::measures::Given;
use super::world::World;
use crate::index::{IndexError, Vectors, bitmap};
use crate::route::ProjectRouter;
use ambit_model::digest::Digest;

/// Tools that a plain top-k hands over.
const TOP: usize = 5;
/// The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009, SIGIR).
const RRF: f64 = 60.0;

/// A way to hand tools over without a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Baseline {
    /// The five tools nearest in meaning.
    Similarity,
    /// The five tools that share most words (BM25).
    Words,
    /// Both rankings by reciprocal ranks.
    Fusion,
    /// The whole catalog in the prompt; what a model picks of it is not measured here.
    AllTools,
}

impl Baseline {
    /// In the order of the table.
    pub const ALL: [Self; 4] = [Self::Similarity, Self::Words, Self::Fusion, Self::AllTools];

    /// Its row.
    pub fn name(self) -> &'static str {
        match self {
            Self::Similarity => "top-5 similarity",
            Self::Words => "top-5 BM25",
            Self::Fusion => "top-5 fusion",
            Self::AllTools => "all tools in the prompt",
        }
    }

    /// What it hands over for a question.
    pub fn ask(self, world: &World, question: &str, vectors: &Vectors) -> Result<Given, IndexError> {
        let router = world.router();
        let view = world.view(None);
        let route = bitmap(router.index().tools.iter().map(|tool| &tool.card.id), |id| view.routes(id));
        let ranked: Vec<usize> = match self {
            Self::Similarity => by_meaning(router, question, vectors),
            Self::Words => by_words(router, question, &route)?,
            Self::Fusion => fused(&[by_meaning(router, question, vectors), by_words(router, question, &route)?]),
            Self::AllTools => (0..router.index().tools.len()).collect(),
        };
        let name = |at: &usize| router.index().tools.get(*at).map(|tool| tool.card.id.name().to_owned());
        let handed = if self == Self::AllTools { ranked.len() } else { TOP };
        let ranking: Vec<String> = ranked.iter().filter_map(name).collect();
        let of = |count: usize| {
            let cards = ranked.iter().take(count).filter_map(|at| router.index().tools.get(*at));
            cards.map(|tool| crate::route::tokens(&tool.card)).sum()
        };
        let tokens = Tokens { view: of(ranked.len()), handed: of(handed) };
        Ok(Given {
            tools: ranking.iter().take(handed).cloned().collect(),
            ranking: if self == Self::AllTools { Vec::new() } else { ranking },
            tokens,
            confidence: 1.0,
            ..Given::default()
        })
    }
}

fn by_meaning(router: &ProjectRouter, question: &str, vectors: &Vectors) -> Vec<usize> {
    let asked = vectors.get(&Digest::of(question.trim().as_bytes()));
    let near = |texts: &[Digest]| {
        asked.and_then(|asked| router.vectors().best(asked, texts)).map_or(0.0, |(_, cosine)| cosine)
    };
    sorted(router.index().tools.iter().map(|tool| near(&tool.texts)))
}

fn by_words(router: &ProjectRouter, question: &str, route: &roaring::RoaringBitmap) -> Result<Vec<usize>, IndexError> {
    let scores = router.index().words.scores(&crate::text::words(question), route)?;
    Ok(sorted((0..router.index().tools.len()).map(|at| scores.share(at))))
}

fn fused(rankings: &[Vec<usize>]) -> Vec<usize> {
    let mut sums: BTreeMap<usize, f64> = BTreeMap::new();
    for ranking in rankings {
        for (at, rank) in ranking.iter().zip(1_u32..) {
            *sums.entry(*at).or_default() += 1.0 / (RRF + f64::from(rank));
        }
    }
    sorted(sums.into_values())
}

/// Positions, the greatest first; equal ones by canonical id.
fn sorted(scores: impl Iterator<Item = f64>) -> Vec<usize> {
    let mut at: Vec<(usize, f64)> = scores.enumerate().collect();
    at.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    at.into_iter().map(|(at, _)| at).collect()
}
