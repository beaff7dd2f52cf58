//! Routing: a question in, the few tools a caller needs for it out, in order, each with its reasons.
//! INVARIANT: nothing outside the caller's `route` set is ranked, counted, widened to, held in reserve or named.

mod answer;
pub mod asking;
mod bind;
mod chain;
mod chosen;
mod deeds;
mod groups;
pub mod handed;
mod kin;
#[cfg(test)]
mod language_tests;
mod languages;
mod named;
mod plan;
mod planner;
mod signals;
mod speech;
#[cfg(test)]
mod split_tests;
mod steps;
mod supply;
#[cfg(test)]
mod tests;
mod values;
mod vocabulary;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use ambit_model::declaration::{Group, Settings, TwinGroup, VersionFamily};
use ambit_model::diagnostic::Diagnostic;
use ambit_model::digest::Digest;
use ambit_model::identity::ProjectId;
use ambit_model::route::{MOST_TURNS, RouteAnswer, RouteRequest};
use ambit_model::snapshot::{Snapshot, SnapshotName};

pub(crate) use answer::tokens;
pub use plan::{MOST_STEPS, Plan, PlannedStep};
pub(crate) use speech::Part;
pub use vocabulary::with_built_in;

use crate::authority::View;
use crate::index::{self, IndexError, ProjectIndex, Vectors};
use crate::knowledge;

/// Longest question, in characters.
pub const LONGEST_QUESTION: usize = 4_000;
/// Most texts that a route embeds, in one batch: the question and its first clauses.
pub const MOST_TEXTS: usize = 5;

/// One project of one snapshot, ready to answer. Built once, asked from many threads.
pub struct ProjectRouter {
    index: ProjectIndex,
    vectors: Vectors,
    languages: languages::Languages,
    /// Words of the tools by the stems of other languages, each made when a question first needs it.
    kin: BTreeMap<String, OnceLock<kin::Kin>>,
    /// What each tool does, by position.
    deeds: Vec<deeds::Deed>,
    settings: Settings,
    /// Each with the digest of the text it is matched by.
    groups: Vec<(Group, Digest)>,
    twins: Vec<TwinGroup>,
    families: Vec<VersionFamily>,
}

impl ProjectRouter {
    /// Indexes the tools of the project's catalogs. `vectors` holds what is known of [`texts`]; without any, words alone decide.
    pub fn build(snapshot: &Snapshot, project: &ProjectId, vectors: Vectors) -> Result<Self, IndexError> {
        let cards = project_cards(snapshot, project).cloned().collect();
        let groups = snapshot
            .groups
            .iter()
            .map(|g| (g.clone(), Digest::of(index::group_text(&g.title, &g.description).as_bytes())));
        let index = ProjectIndex::build(cards)?;
        let languages = languages::Languages::new(&snapshot.vocabularies);
        Ok(Self {
            deeds: index.tools.iter().map(|tool| deeds::Deed::of(tool, languages.of_catalogs())).collect(),
            index,
            vectors,
            kin: languages.others().map(|language| (language.to_owned(), OnceLock::new())).collect(),
            languages,
            settings: snapshot.settings.clone(),
            groups: groups.collect(),
            twins: snapshot.twins.clone(),
            families: snapshot.families.clone(),
        })
    }

    /// The texts whose vectors [`Self::route`] wants, at most [`MOST_TEXTS`]: the question, then its first clauses.
    pub fn question_texts(&self, question: &str) -> Vec<String> {
        self.texts_of(question, &self.plan(question))
    }

    /// The same for a plan that was made elsewhere.
    pub fn texts_of(&self, question: &str, plan: &Plan) -> Vec<String> {
        let mut texts = vec![question.trim().to_owned()];
        if !plan.is_whole() {
            texts.extend(plan.local.clauses.iter().map(|c| c.text.clone()).take(MOST_TEXTS - 1));
        }
        texts.dedup();
        texts
    }

    /// Goes by other weights and thresholds from now on; only a measurement does.
    pub(crate) fn set_settings(&mut self, settings: Settings) {
        self.settings = settings;
    }

    /// What the tools are found by.
    pub(crate) fn index(&self) -> &ProjectIndex {
        &self.index
    }

    /// What is known of their texts.
    pub(crate) fn vectors(&self) -> &Vectors {
        &self.vectors
    }

    /// Words of the tools by the stems of this language; nothing for the catalogs' own.
    fn kin(&self, language: &str) -> Option<&kin::Kin> {
        self.kin.get(language).map(|made| made.get_or_init(|| kin::Kin::of(&self.index.tools, language)))
    }

    /// A text as it may be kept: values replaced by their types.
    pub fn typed(&self, text: &str) -> String {
        values::typed(text, self.languages.of(text).words)
    }

    /// Answers from the caller's view. Same snapshot, view, request and vectors: the same bytes.
    pub fn route(
        &self,
        name: &SnapshotName,
        view: &View,
        request: &RouteRequest,
        asked: &Vectors,
    ) -> Result<RouteAnswer, IndexError> {
        self.route_by(name, view, request, asked, &self.plan(&request.question))
    }

    /// The same by a plan that was made elsewhere; `asked` holds what is known of [`Self::texts_of`].
    pub fn route_by(
        &self,
        name: &SnapshotName,
        view: &View,
        request: &RouteRequest,
        asked: &Vectors,
        plan: &Plan,
    ) -> Result<RouteAnswer, IndexError> {
        let drafted = steps::draft(self, view, request, asked, plan)?;
        Ok(RouteAnswer { planner: plan.by(), ..answer::assemble(self, name, view, request, drafted) })
    }
}

/// The cards that a project's catalogs hold.
pub fn project_cards<'a>(
    snapshot: &'a Snapshot,
    project: &ProjectId,
) -> impl Iterator<Item = &'a ambit_model::card::ToolCard> {
    let catalogs = snapshot.projects.iter().find(|p| p.id == *project).map(|p| p.catalogs.clone()).unwrap_or_default();
    snapshot.tools.iter().filter(move |card| catalogs.iter().any(|c| c == card.id.catalog()))
}

/// Every text of a snapshot that is matched by meaning, each once, sorted.
pub fn texts(snapshot: &Snapshot) -> Vec<String> {
    let cards = snapshot.tools.iter().flat_map(index::card_texts);
    let groups = snapshot.groups.iter().map(|g| index::group_text(&g.title, &g.description));
    let passages = knowledge::texts(&snapshot.knowledge);
    let all: std::collections::BTreeSet<String> = cards.chain(groups).chain(passages).collect();
    all.into_iter().collect()
}

/// What is wrong with a request before anything is looked at.
pub fn check_request(request: &RouteRequest) -> Result<(), Box<Diagnostic>> {
    use ambit_model::codes::E_LIMIT;
    check_question(&request.question)?;
    if request.k == 0 || request.k > ambit_model::route::MOST_TOOLS {
        let message =
            format!("`k` is {}, and 1 to {} tools can be asked for", request.k, ambit_model::route::MOST_TOOLS);
        return Err(Box::new(Diagnostic::error(E_LIMIT, message).help("leave `k` out for the most")));
    }
    let turns = &request.context.turns;
    if turns.len() > MOST_TURNS {
        let message = format!("the context has {} turns, and at most {MOST_TURNS} are read", turns.len());
        return Err(Box::new(Diagnostic::error(E_LIMIT, message).help("send the latest turns")));
    }
    if turns.iter().any(|turn| turn.text.chars().count() > LONGEST_QUESTION) {
        let message = format!("a turn of the context has more than {LONGEST_QUESTION} characters");
        return Err(Box::new(Diagnostic::error(E_LIMIT, message).help("shorten it to what was said")));
    }
    Ok(())
}

/// What is wrong with the text of a question.
pub fn check_question(question: &str) -> Result<(), Box<Diagnostic>> {
    use ambit_model::codes::E_QUESTION;
    let length = question.chars().count();
    if question.trim().is_empty() {
        return Err(Box::new(
            Diagnostic::error(E_QUESTION, "the question is empty")
                .help("say what is to be done, in one or a few sentences"),
        ));
    }
    if length > LONGEST_QUESTION {
        let message = format!("the question has {length} characters, and at most {LONGEST_QUESTION} are read");
        return Err(Box::new(
            Diagnostic::error(E_QUESTION, message)
                .help("shorten it to what is to be done; pass documents to the agent, not to the router"),
        ));
    }
    Ok(())
}
