//! Self-retrieval: a tool has to come first for its own example questions, each asked with itself left out of the tool's texts.
//! Everything is measured against all tools that passed the other rules, at once, so that no order of files matters.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use ambit_model::codes;
use ambit_model::declaration::{Settings, TwinGroup, VersionFamily};
use ambit_model::diagnostic::Severity;
use ambit_model::identity::ToolId;
use ambit_model::intake::{Clash, ClashQuestion, Finding};
use ambit_model::ratio::Ratio;
use rayon::iter::{IndexedParallelIterator as _, IntoParallelRefIterator as _, ParallelIterator as _};

use crate::index::{IndexError, IndexedTool, ProjectIndex, Repeated, Vectors, cosine};
use crate::text;

/// Tools that need not beat each other: twins, and versions of one family.
#[derive(Default)]
pub struct Kin(BTreeMap<ToolId, BTreeSet<ToolId>>);

impl Kin {
    /// From the declared twin groups and version families.
    pub fn new(twins: &[TwinGroup], families: &[VersionFamily]) -> Self {
        let mut kin = Self::default();
        for twin in twins {
            kin.join(twin.members.iter());
        }
        for family in families {
            kin.join(family.members.iter().map(|m| &m.tool));
        }
        kin
    }

    fn join<'a>(&mut self, members: impl Iterator<Item = &'a ToolId> + Clone) {
        for member in members.clone() {
            self.0.entry(member.clone()).or_default().extend(members.clone().cloned());
        }
    }
}

/// How one tool fared in one project.
pub(super) struct Trial {
    tool: ToolId,
    pub(super) asked: usize,
    pub(super) first: usize,
    /// Rival to the questions it took.
    pub(super) lost: BTreeMap<ToolId, Vec<ClashQuestion>>,
}

/// Asks every tool of every project its own questions. Returns findings, clashes, and the tools to refuse.
pub fn check(
    projects: &[ProjectIndex],
    vectors: &Vectors,
    kin: &Kin,
    settings: &Settings,
) -> Result<(Vec<Finding>, Vec<Clash>), IndexError> {
    let mut trials: BTreeMap<ToolId, Trial> = BTreeMap::new();
    let mut since: BTreeMap<ToolId, Option<String>> = BTreeMap::new();
    for project in projects {
        let arena = Arena::new(project, vectors, kin, settings);
        // Parallel over tools, and each tool's sums by one thread: the outcome does not depend on how many there are.
        let tried: Vec<Trial> =
            project.tools.par_iter().enumerate().map(|(at, tool)| arena.ask(at, tool)).collect::<Result<_, _>>()?;
        since.extend(project.tools.iter().map(|tool| (tool.card.id.clone(), tool.card.since.clone())));
        for trial in tried {
            let worse = trials.get(&trial.tool).is_none_or(|known| share(&trial) < share(known));
            if worse {
                trials.insert(trial.tool.clone(), trial);
            }
        }
    }
    let told = trials.values().flat_map(|trial| judge(trial, &since, settings.thresholds.self_retrieval));
    let findings = gravest(told);
    let clashes = clashes(trials.into_values());
    Ok((findings, clashes))
}

/// One finding a tool: a refusal says enough.
fn gravest(told: impl Iterator<Item = Finding>) -> Vec<Finding> {
    let mut of: BTreeMap<String, Finding> = BTreeMap::new();
    for finding in told {
        match of.get(&finding.tool) {
            Some(known) if *known <= finding => {}
            _ => drop(of.insert(finding.tool.clone(), finding)),
        }
    }
    of.into_values().collect()
}

/// The tools of a project, with everything that is looked up once for all questions.
pub(super) struct Arena<'a> {
    project: &'a ProjectIndex,
    words: Repeated<'a>,
    /// The vectors of each tool's texts.
    rows: Vec<Vec<Option<&'a [f32]>>>,
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

impl<'a> Arena<'a> {
    pub(super) fn new(project: &'a ProjectIndex, vectors: &'a Vectors, kin: &Kin, settings: &Settings) -> Self {
        let places: BTreeMap<&ToolId, usize> =
            project.tools.iter().enumerate().map(|(place, tool)| (&tool.card.id, place)).collect();
        let kin_of = |tool: &IndexedTool| {
            let kin = kin.0.get(&tool.card.id).into_iter().flatten();
            kin.filter_map(|id| places.get(id).copied()).collect()
        };
        Self {
            project,
            words: project.words.all_tools(),
            rows: project.tools.iter().map(|tool| vectors.rows(&tool.texts)).collect(),
            kin: project.tools.iter().map(kin_of).collect(),
            weights: Weights { semantic: settings.weights.semantic.to_f64(), bm25: settings.weights.bm25.to_f64() },
        }
    }

    pub(super) fn ask(&self, position: usize, tool: &IndexedTool) -> Result<Trial, IndexError> {
        let mut trial = Trial { tool: tool.card.id.clone(), asked: 0, first: 0, lost: BTreeMap::new() };
        let rows = self.rows.get(position).map(Vec::as_slice).unwrap_or_default();
        for (example, (asked, digest)) in tool.card.examples.iter().zip(rows.iter().zip(&tool.texts).skip(1)) {
            let Some(asked) = *asked else { continue };
            let bm25 = self.words.scores(&text::words(example))?;
            // Asked with itself left out, and with texts of the same words.
            let others = rows.iter().zip(&tool.texts).filter(|(_, text)| *text != digest).map(|(row, _)| *row);
            let own = self.score(asked, others, bm25.share(position));
            let kin = self.kin.get(position);
            let rivals = (0..self.rows.len()).filter(|at| *at != position && !kin.is_some_and(|kin| kin.contains(at)));
            // The first of equals, which is the first by id.
            let best = rivals
                .map(|at| (self.score(asked, self.rows.get(at).into_iter().flatten().copied(), bm25.share(at)), at))
                .max_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1)));
            trial.asked += 1;
            match best.and_then(|(score, at)| Some((score, self.project.tools.get(at)?))) {
                Some((rival_score, rival)) if rival_score >= own => {
                    let question = ClashQuestion {
                        question: example.clone(),
                        own_score: own.0,
                        rival_score: rival_score.0,
                        ..ClashQuestion::default()
                    };
                    trial.lost.entry(rival.card.id.clone()).or_default().push(question);
                }
                _ => trial.first += 1,
            }
        }
        Ok(trial)
    }

    /// How many questions of other tools this one comes first for, before the tool whose question it is.
    pub(super) fn taken_by(&self, position: usize) -> Result<usize, IndexError> {
        let taker = self.rows.get(position).map(Vec::as_slice).unwrap_or_default();
        let kin = self.kin.get(position);
        let mut taken = 0;
        for (at, (tool, rows)) in self.project.tools.iter().zip(&self.rows).enumerate() {
            if at == position || kin.is_some_and(|kin| kin.contains(&at)) {
                continue;
            }
            for (example, (asked, digest)) in tool.card.examples.iter().zip(rows.iter().zip(&tool.texts).skip(1)) {
                let Some(asked) = *asked else { continue };
                let bm25 = self.words.scores(&text::words(example))?;
                let others = rows.iter().zip(&tool.texts).filter(|(_, text)| *text != digest).map(|(row, _)| *row);
                let own = self.score(asked, others, bm25.share(at));
                taken += usize::from(self.score(asked, taker.iter().copied(), bm25.share(position)) >= own);
            }
        }
        Ok(taken)
    }

    /// The text signals alone, in the proportion of their weights: what a question can tell without knowing its steps.
    fn score<'r>(&self, asked: &[f32], rows: impl Iterator<Item = Option<&'r [f32]>>, bm25: f64) -> Ratio {
        let semantic = rows.flatten().map(|row| cosine(asked, row)).fold(0.0, f64::max);
        let Weights { semantic: of_meaning, bm25: of_words } = self.weights;
        let whole = (of_meaning + of_words).max(f64::EPSILON);
        Ratio::from_f64((of_meaning * semantic + of_words * bm25) / whole)
    }
}

fn share(trial: &Trial) -> Ratio {
    if trial.asked == 0 {
        return Ratio::ONE;
    }
    #[expect(clippy::cast_precision_loss, reason = "a tool has a handful of examples")]
    let share = trial.first as f64 / trial.asked as f64;
    Ratio::from_f64(share)
}

/// The tool with the later `since` is refused; with equal dates both are warned; a share above the threshold is worth a look.
pub(super) fn judge(trial: &Trial, since: &BTreeMap<ToolId, Option<String>>, threshold: Ratio) -> Vec<Finding> {
    let Some((rival, _)) = trial.lost.iter().max_by(|a, b| a.1.len().cmp(&b.1.len()).then_with(|| b.0.cmp(a.0))) else {
        return Vec::new();
    };
    let told = format!(
        "ranks first for {} of its {} example questions; `{rival}` comes first for others",
        trial.first, trial.asked
    );
    if share(trial) >= threshold {
        return vec![finding(&trial.tool, rival, Severity::Warning, told)];
    }
    let date = |tool: &ToolId| since.get(tool).cloned().flatten().unwrap_or_default();
    match date(&trial.tool).cmp(&date(rival)) {
        std::cmp::Ordering::Greater => vec![finding(&trial.tool, rival, Severity::Error, told)],
        std::cmp::Ordering::Less => {
            let taken = format!(
                "comes first for {} of the example questions of the older `{}`",
                trial.asked - trial.first,
                trial.tool
            );
            vec![
                finding(rival, &trial.tool, Severity::Error, taken),
                finding(&trial.tool, rival, Severity::Warning, told),
            ]
        }
        std::cmp::Ordering::Equal => {
            let taken =
                format!("comes first for {} of the example questions of `{}`", trial.asked - trial.first, trial.tool);
            vec![
                finding(&trial.tool, rival, Severity::Warning, told),
                finding(rival, &trial.tool, Severity::Warning, taken),
            ]
        }
    }
}

fn finding(tool: &ToolId, other: &ToolId, severity: Severity, message: String) -> Finding {
    let code = if severity == Severity::Error { codes::E_SELF_RETRIEVAL } else { codes::W_SELF_RETRIEVAL };
    Finding {
        tool: tool.to_string(),
        severity,
        code: Cow::Borrowed(code),
        pointer: String::new(),
        message,
        remedy: format!("say in the description what sets it apart from `{other}`, or declare the two as twins"),
        acknowledged: false,
        place: None,
        other: Some(other.to_string()),
    }
}

/// One record a pair, however many of its questions went astray, and whichever way.
fn clashes(trials: impl Iterator<Item = Trial>) -> Vec<Clash> {
    let mut pairs: BTreeMap<(ToolId, ToolId), Clash> = BTreeMap::new();
    for trial in trials {
        for (rival, mut questions) in trial.lost {
            let first = trial.tool < rival;
            let key = if first { (trial.tool.clone(), rival) } else { (rival, trial.tool.clone()) };
            let (tool, rival) = (key.0.to_string(), key.1.to_string());
            let clash = pairs.entry(key).or_insert_with(|| Clash { tool, rival, ..Clash::default() });
            if first { &mut clash.questions } else { &mut clash.taken }.append(&mut questions);
        }
    }
    pairs.into_values().collect()
}
