//! What is counted of answers whose truth is known, and how it is summed up. Sources: recall and precision at a rank, and NDCG with
//! binary gains (Järvelin and Kekäläinen 2002, ACM TOIS 20(4)), as BEIR and MTEB count them.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use ambit_model::route::Tokens;
use serde::Serialize;

use super::interval::{Interval, wilson};
use super::set::Question;

/// Ranks that recall looks at.
const RECALL_AT: usize = 8;
/// Ranks that NDCG looks at.
const NDCG_AT: usize = 5;
/// Shares of false gaps at which the curve of gaps is read.
const CURVE: [f64; 7] = [0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5];

/// One answer.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// Names of the tools that were handed over, in step order.
    pub tools: Vec<String>,
    /// Those, then the other tools that were considered, best first.
    pub ranking: Vec<String>,
    /// Some of what was asked for has no tool, says the answer.
    pub has_gap: bool,
    /// How near the weakest pick came to what was asked for, from 0 to 1; 0 where there is a gap.
    pub confidence: f64,
    pub tokens: Tokens,
    pub embedding: Duration,
    pub routing: Duration,
}

/// A question, its answer, and where it was looked at what was answered while a tool that it needs was away.
#[derive(Clone, Debug)]
pub struct Asked<'q> {
    pub question: &'q Question,
    pub given: Given,
    pub without: Option<Given>,
}

/// The numbers of some questions. Shares are from 0 to 1.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Measures {
    pub n: usize,
    /// Share of the wanted tools among the first eight of the ranking.
    pub recall_at_8: f64,
    pub ndcg_at_5: f64,
    /// The tools that were handed over are the wanted ones, no more and no fewer.
    pub exact_set: f64,
    /// The same, in the order of first use, over the questions whose order is known.
    pub exact_sequence: Option<f64>,
    pub precision: f64,
    pub mean_tools: f64,
    /// Of the answers with a gap, those to questions of which a tool was away.
    pub abstention_precision: Option<f64>,
    /// Of the questions of which a tool was away, those answered with a gap.
    pub abstention_recall: Option<f64>,
    /// What was handed over, in tokens, by what the whole `route` set takes.
    pub tokens_ratio: f64,
    pub p50_ms: f64,
    pub p99_ms: f64,
    /// Embedding's share of the time.
    pub embed_share: f64,
    /// 95 % intervals of shares, by name.
    pub ci95: BTreeMap<&'static str, Interval>,
    /// Right gaps that can be had for so many false ones, by how near a pick has to come.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gaps: Vec<GapRate>,
}

/// A point of the curve of gaps.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct GapRate {
    /// Share of the questions that could be answered and would not be, at most.
    pub false_gaps: f64,
    /// Share of the questions that could not be answered, and would not be.
    pub right_gaps: f64,
    /// What the weakest pick has to reach.
    pub least: f64,
}

impl Measures {
    /// Sums up; nothing where nothing was asked.
    pub fn of(asked: &[Asked<'_>]) -> Option<Self> {
        let n = asked.len();
        if n == 0 {
            return None;
        }
        let exact: f64 = asked.iter().map(|one| share_of(is_exact(one))).sum();
        let ordered: Vec<f64> =
            asked.iter().filter(|one| one.question.ordered).map(|one| share_of(is_sequence(one))).collect();
        let sequence: f64 = ordered.iter().sum();
        let time = |one: &Asked<'_>| one.given.embedding + one.given.routing;
        let whole: f64 = asked.iter().map(|one| time(one).as_secs_f64()).sum();
        let embedding: f64 = asked.iter().map(|one| one.given.embedding.as_secs_f64()).sum();
        let mut times: Vec<f64> = asked.iter().map(|one| time(one).as_secs_f64() * 1000.0).collect();
        times.sort_by(f64::total_cmp);
        let view: f64 = asked.iter().map(|one| count(one.given.tokens.view)).sum();
        let handed: f64 = asked.iter().map(|one| count(one.given.tokens.handed)).sum();
        let intervals = [("exact_set", wilson(exact, n)), ("exact_sequence", wilson(sequence, ordered.len()))];
        let abstention = Abstention::of(asked);
        Some(Self {
            n,
            recall_at_8: mean(asked, recall),
            ndcg_at_5: mean(asked, ndcg),
            exact_set: exact / count(n),
            exact_sequence: (!ordered.is_empty()).then(|| sequence / count(ordered.len())),
            precision: mean(asked, precision),
            mean_tools: mean(asked, |one| count(one.given.tools.len())),
            abstention_precision: abstention.precision(),
            abstention_recall: abstention.recall(),
            tokens_ratio: if view > 0.0 { handed / view } else { 0.0 },
            p50_ms: at_share(&times, 0.50),
            p99_ms: at_share(&times, 0.99),
            embed_share: if whole > 0.0 { embedding / whole } else { 0.0 },
            ci95: intervals.into_iter().filter_map(|(name, interval)| Some((name, interval?))).collect(),
            gaps: curve(asked),
        })
    }
}

/// The tools that were handed over are the wanted ones.
pub fn hits(question: &Question, given: &Given) -> bool {
    let found: BTreeSet<&String> = given.tools.iter().collect();
    found == question.gold.iter().collect()
}

fn is_exact(one: &Asked<'_>) -> bool {
    hits(one.question, &one.given)
}

fn is_sequence(one: &Asked<'_>) -> bool {
    one.given.tools == one.question.gold
}

fn recall(one: &Asked<'_>) -> f64 {
    let gold: BTreeSet<&String> = one.question.gold.iter().collect();
    if gold.is_empty() {
        return share_of(one.given.tools.is_empty());
    }
    count(one.given.ranking.iter().take(RECALL_AT).filter(|name| gold.contains(name)).count()) / count(gold.len())
}

fn ndcg(one: &Asked<'_>) -> f64 {
    let gold: BTreeSet<&String> = one.question.gold.iter().collect();
    if gold.is_empty() {
        return share_of(one.given.tools.is_empty());
    }
    let gain = |rank: usize| 1.0 / (count(rank) + 2.0).log2();
    let ranks = one.given.ranking.iter().take(NDCG_AT).enumerate();
    let got: f64 = ranks.filter(|(_, name)| gold.contains(name)).map(|(rank, _)| gain(rank)).sum();
    let best: f64 = (0..gold.len().min(NDCG_AT)).map(gain).sum();
    got / best
}

fn precision(one: &Asked<'_>) -> f64 {
    let gold: BTreeSet<&String> = one.question.gold.iter().collect();
    let tools = &one.given.tools;
    if tools.is_empty() {
        return share_of(gold.is_empty());
    }
    count(tools.iter().filter(|name| gold.contains(name)).count()) / count(tools.len())
}

/// Gaps in answers, by whether there should be one.
struct Abstention {
    right: f64,
    wrong: f64,
    wanted: f64,
}

impl Abstention {
    fn of(asked: &[Asked<'_>]) -> Self {
        let abstains = |given: &Given| given.has_gap || given.tools.is_empty();
        let hopeless = |one: &&Asked<'_>| one.question.gold.is_empty();
        let away = asked.iter().filter_map(|one| one.without.as_ref());
        let without_truth = asked.iter().filter(hopeless).map(|one| &one.given);
        let unanswerable: Vec<&Given> = away.chain(without_truth).collect();
        let answerable = asked.iter().filter(|one| !hopeless(one)).map(|one| &one.given);
        Self {
            right: count(unanswerable.iter().filter(|given| abstains(given)).count()),
            wrong: count(answerable.filter(|given| abstains(given)).count()),
            wanted: count(unanswerable.len()),
        }
    }

    fn precision(&self) -> Option<f64> {
        (self.wanted > 0.0 && self.right + self.wrong > 0.0).then(|| self.right / (self.right + self.wrong))
    }

    fn recall(&self) -> Option<f64> {
        (self.wanted > 0.0).then(|| self.right / self.wanted)
    }
}

/// For each share of false gaps, the most right ones: the least confidence is moved up until no more false gaps are to be had.
fn curve(asked: &[Asked<'_>]) -> Vec<GapRate> {
    let mut answerable: Vec<f64> = asked.iter().map(|one| one.given.confidence).collect();
    let away: Vec<f64> = asked.iter().filter_map(|one| one.without.as_ref()).map(|given| given.confidence).collect();
    if away.is_empty() {
        return Vec::new();
    }
    answerable.sort_by(f64::total_cmp);
    let point = |most: f64| {
        let least = answerable.iter().copied().find(|least| share_below(&answerable, *least) > most);
        let least = answerable.iter().copied().rev().find(|at| share_below(&answerable, *at) <= most).or(least)?;
        Some(GapRate { false_gaps: share_below(&answerable, least), right_gaps: share_below(&away, least), least })
    };
    CURVE.into_iter().filter_map(point).collect()
}

fn share_below(values: &[f64], least: f64) -> f64 {
    count(values.iter().filter(|value| **value < least).count()) / count(values.len())
}

/// The value that this share of them does not exceed (nearest rank).
fn at_share(sorted: &[f64], share: f64) -> f64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a rank is at least 1 and at most the length"
    )]
    let rank = (share * count(sorted.len())).ceil().max(1.0) as usize;
    sorted.get(rank - 1).copied().unwrap_or(0.0)
}

fn mean(asked: &[Asked<'_>], of: impl Fn(&Asked<'_>) -> f64) -> f64 {
    asked.iter().map(of).sum::<f64>() / count(asked.len())
}

fn share_of(holds: bool) -> f64 {
    f64::from(u8::from(holds))
}

#[expect(clippy::cast_precision_loss, reason = "tools, tokens and questions are far fewer than 2^52")]
fn count(of: usize) -> f64 {
    of as f64
}
