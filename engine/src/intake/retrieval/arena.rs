//! One project's tools, asked their own questions. A question's outcome is exactly that of comparing it with every tool; most tools
//! are never looked at, because a bound on their meaning and on their words shows that they cannot come first.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::card::ToolCard;
use ambit_model::declaration::Settings;
use ambit_model::digest::Digest;
use ambit_model::identity::ToolId;
use ambit_model::intake::ClashQuestion;
use ambit_model::ratio::Ratio;
use ambit_model::route::MOST_TOOLS;
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use super::winners::{Listed, Lists};
use super::wordings::{self, Question, Wordings};
use super::{Kin, Trial};
use crate::index::{AskedWords, IndexError, KnownWords, Sums, Vectors, WordIndex, card_texts, cosine};
use crate::text;

/// The tools of a project, with everything that is looked up once for all questions.
pub(super) struct Arena<'a> {
    /// By canonical id.
    pub(super) cards: Vec<&'a ToolCard>,
    pub(super) index: WordIndex,
    /// Digests of the texts of each tool: its card's, then its examples'.
    texts: Vec<Vec<Digest>>,
    /// Their vectors, where they are known.
    rows: Vec<Vec<Option<&'a [f32]>>>,
    vectors: &'a Vectors,
    wordings: Wordings<'a>,
    /// The tools that are asked their own questions.
    asked: Vec<usize>,
    /// By key, each once.
    questions: Vec<Question<'a>>,
    words: KnownWords,
    /// The places of each tool's kin.
    kin: Vec<BTreeSet<usize>>,
    weights: Weights,
}

/// How much meaning and words count.
#[derive(Clone, Copy)]
struct Weights {
    semantic: f64,
    bm25: f64,
}

impl Weights {
    /// The text signals alone, in the proportion of their weights.
    fn mixed(self, semantic: f64, bm25: f64) -> f64 {
        (self.semantic * semantic + self.bm25 * bm25) / self.whole()
    }

    fn whole(self) -> f64 {
        (self.semantic + self.bm25).max(f64::EPSILON)
    }

    /// The share of words that a tool of at most this meaning needs to come to a score.
    fn least_share(self, score: f64, semantic: f64) -> f64 {
        if self.bm25 > 0.0 {
            return (score * self.whole() - self.semantic * semantic) / self.bm25;
        }
        if self.mixed(semantic, 0.0) >= score { 0.0 } else { f64::INFINITY }
    }
}

/// How a tool stands to a question.
#[derive(Clone, Copy)]
struct Standing {
    semantic: f64,
    bm25: f64,
    score: Ratio,
}

/// More than what a bound may be off by rounding.
const ROUNDING: f64 = 1e-9;

impl<'a> Arena<'a> {
    pub(super) fn new(
        mut cards: Vec<&'a ToolCard>,
        vectors: &'a Vectors,
        kin: &Kin,
        settings: &Settings,
        is_asked: impl Fn(&ToolId) -> bool,
    ) -> Result<Self, IndexError> {
        cards.sort_by(|a, b| a.id.cmp(&b.id));
        let index = WordIndex::build(&cards)?;
        let digests = |card: &&ToolCard| card_texts(card).iter().map(|text| Digest::of(text.as_bytes())).collect();
        let texts: Vec<Vec<Digest>> = cards.par_iter().map(digests).collect();
        let asked = cards.iter().enumerate().filter(|(_, card)| is_asked(&card.id));
        let asked: Vec<usize> = asked.map(|(place, _)| place).collect();
        let of_asked = asked.iter().filter_map(|place| Some((*cards.get(*place)?, texts.get(*place)?)));
        let questions = questions(of_asked, vectors);
        let words = index.known(questions.iter().flat_map(|question| &question.words).cloned().collect())?;
        let places: BTreeMap<_, usize> = cards.iter().enumerate().map(|(place, card)| (&card.id, place)).collect();
        let kin_of = |card: &&ToolCard| {
            let kin = kin.0.get(&card.id).into_iter().flatten();
            kin.filter_map(|id| places.get(id).copied()).collect()
        };
        Ok(Self {
            kin: cards.iter().map(kin_of).collect(),
            wordings: Wordings::new(&texts, vectors),
            rows: texts.par_iter().map(|texts| vectors.rows(texts)).collect(),
            weights: Weights { semantic: settings.weights.semantic.to_f64(), bm25: settings.weights.bm25.to_f64() },
            cards,
            index,
            texts,
            vectors,
            asked,
            questions,
            words,
        })
    }

    /// The tools nearest to each question, with what is still true of a former list.
    pub(super) fn lists(&self, former: &Lists) -> Lists {
        self.wordings.lists(&self.questions, former)
    }

    /// Asks those tools their questions. Parallel over tools, and each tool's sums by one thread: the outcome does not depend on how
    /// many there are.
    pub(super) fn ask(&self, lists: &Lists) -> Vec<Trial> {
        let room = || Sums::new(self.cards.len());
        self.asked.par_iter().map_init(room, |sums, tool| self.ask_one(*tool, lists, sums)).collect()
    }

    /// The cosine of two tools' cards.
    pub(super) fn likeness(&self, tool: usize, other: usize) -> Ratio {
        let card = |tool: usize| self.texts.get(tool).and_then(|texts| self.vectors.get(texts.first()?));
        let both = card(tool).zip(card(other));
        both.map(|(a, b)| Ratio::from_f64(cosine(a, b))).unwrap_or_default()
    }

    fn ask_one(&self, tool: usize, lists: &Lists, sums: &mut Sums) -> Trial {
        let mut trial = Trial { tool, asked: 0, first: 0, lost: BTreeMap::new() };
        let (Some(card), Some(texts)) = (self.cards.get(tool), self.texts.get(tool)) else { return trial };
        for (example, text) in card.examples.iter().zip(texts.iter().skip(1)) {
            let Some((question, listed)) = self.question(text, lists) else { continue };
            let contest = self.contest(tool, text, question, listed, sums);
            trial.asked += 1;
            match contest.best.filter(|(_, best)| best.score >= contest.own.score) {
                Some((rival, best)) => trial.lost.entry(rival).or_default().push(contest.lost(example, &best)),
                None => trial.first += 1,
            }
        }
        trial
    }

    fn question<'l>(&self, text: &Digest, lists: &'l Lists) -> Option<(&Question<'a>, &'l Listed)> {
        let key = wordings::key(text, self.vectors.get(text)?);
        let at = self.questions.binary_search_by(|question| question.key.cmp(&key)).ok()?;
        Some((self.questions.get(at)?, lists.of(&key)?))
    }

    fn contest(
        &self,
        tool: usize,
        text: &Digest,
        question: &Question<'_>,
        listed: &Listed,
        sums: &mut Sums,
    ) -> Contest {
        let words = self.words.asked(&question.words);
        let own = self.standing(self.own_nearness(tool, text, question.vector), words.share(tool));
        let mut contest = Contest { own, ahead: 0, best: None };
        for (wording, nearness) in &listed.nearest {
            for rival in self.wordings.tools(*wording) {
                if self.is_rival(tool, *rival) {
                    contest.meet(*rival, self.standing(f64::from(*nearness), words.share(*rival)));
                }
            }
        }
        if listed.bound >= 0.0 {
            let unlisted = |rival: usize| {
                let wording = self.wordings.of(rival);
                self.is_rival(tool, rival)
                    && !listed.nearest.iter().any(|(at, _)| super::winners::place(*at) == wording)
            };
            self.meet_unlisted(&mut contest, question.vector, f64::from(listed.bound), &words, unlisted, sums);
        }
        contest
    }

    /// Meets those of the others that a bound does not rule out.
    fn meet_unlisted(
        &self,
        contest: &mut Contest,
        asked: &[f32],
        bound: f64,
        words: &AskedWords<'_>,
        is_one: impl Fn(usize) -> bool,
        sums: &mut Sums,
    ) {
        let least = self.weights.least_share(contest.wanted(), bound);
        let maybe = if least > ROUNDING { words.reaching(least, sums) } else { (0..self.cards.len()).collect() };
        for rival in maybe.into_iter().filter(|rival| is_one(*rival)) {
            let bm25 = words.share(rival);
            if self.weights.mixed(bound, bm25) >= contest.wanted() - ROUNDING {
                contest.meet(rival, self.standing(self.wordings.nearness(asked, rival), bm25));
            }
        }
    }

    /// With the question itself left out, and texts of the same words.
    fn own_nearness(&self, tool: usize, asked: &Digest, vector: &[f32]) -> f64 {
        let texts = self.texts.get(tool).into_iter().flatten().zip(self.rows.get(tool).into_iter().flatten());
        let others = texts.filter(|(text, _)| *text != asked).filter_map(|(_, row)| *row);
        others.map(|row| cosine(vector, row)).fold(0.0, f64::max)
    }

    fn is_rival(&self, tool: usize, other: usize) -> bool {
        other != tool && !self.kin.get(tool).is_some_and(|kin| kin.contains(&other))
    }

    fn standing(&self, semantic: f64, bm25: f64) -> Standing {
        Standing { semantic, bm25, score: Ratio::from_f64(self.weights.mixed(semantic, bm25)) }
    }
}

/// What is known so far of one question: how its own tool stands, how many are ahead, and the best of them.
struct Contest {
    own: Standing,
    /// Rivals that are as good or better, at most as many as are ever handed out.
    ahead: usize,
    best: Option<(usize, Standing)>,
}

impl Contest {
    fn meet(&mut self, rival: usize, standing: Standing) {
        self.ahead = (self.ahead + usize::from(standing.score >= self.own.score)).min(MOST_TOOLS);
        // The first of equals, which is the first by id.
        let better = self.best.is_none_or(|(place, best)| (best.score, rival) < (standing.score, place));
        if better {
            self.best = Some((rival, standing));
        }
    }

    /// Whoever scores less changes nothing any more.
    fn wanted(&self) -> f64 {
        let best = self.best.map_or(self.own.score, |(_, best)| best.score.max(self.own.score));
        let score = if self.ahead < MOST_TOOLS { self.own.score } else { best };
        // Scores are rounded to whole numbers of 1/10000 before they are compared.
        (f64::from(score.0) - 0.5) / 10_000.0
    }

    fn lost(&self, question: &str, rival: &Standing) -> ClashQuestion {
        let margin = |own: f64, rival: f64| Ratio::from_f64(own).0 - Ratio::from_f64(rival).0;
        ClashQuestion {
            question: question.to_owned(),
            own_score: self.own.score.0,
            rival_score: rival.score.0,
            own_rank: self.ahead + 1,
            semantic_margin: margin(self.own.semantic, rival.semantic),
            bm25_margin: margin(self.own.bm25, rival.bm25),
        }
    }
}

/// Every example question of these tools that has a vector, each text once.
fn questions<'a, 't>(
    tools: impl Iterator<Item = (&'t ToolCard, &'t Vec<Digest>)>,
    vectors: &'a Vectors,
) -> Vec<Question<'a>> {
    let mut by_text: BTreeMap<&Digest, &str> = BTreeMap::new();
    for (card, texts) in tools {
        by_text.extend(texts.iter().skip(1).zip(card.examples.iter().map(String::as_str)));
    }
    let by_text: Vec<(&Digest, &str)> = by_text.into_iter().collect();
    let question = |(digest, example): &(&Digest, &str)| {
        let vector = vectors.get(digest)?;
        Some(Question { key: wordings::key(digest, vector), vector, words: text::words(example) })
    };
    by_text.par_iter().filter_map(question).collect()
}
