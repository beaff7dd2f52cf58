//! Feedback: whoever had a question routed says what became of it, and whoever may read gaps reads that. It is written at once, so that
//! who hears an answer knows it is kept.
//! INVARIANT: it changes no answer. What it leads to is a proposal of lines that a person reviews.

mod compare;
mod served;
mod suggest;

use std::collections::BTreeSet;

use ambit_engine::authority::{Reach, View};
use ambit_engine::nearest::did_you_mean;
use ambit_engine::route;
use ambit_model::administration::AdminAction;
use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;
use ambit_model::feedback::FeedbackOutcome;
use ambit_model::identity::{ProjectId, ToolId};
use ambit_model::snapshot::SnapshotName;
use serde::Serialize;

pub use compare::{Compared, Evaluation, GoldenRate, Retrieval};
pub use served::{FEWEST, LeftOut};
pub use suggest::{SuggestRequest, SuggestedExample, Suggestion, Suggestions, suggest_examples};

use crate::administration::reach;
use crate::caller::{Caller, Wanted, wrong};
use crate::live::Live;
use crate::loaded::Loaded;
use crate::store::{FeedbackScope, MOST_KEPT, NewFeedback, Questions, StoreError};
use crate::{Error, clock};

/// Most characters that are kept of a question, and of a step.
const LONGEST_KEPT: usize = 500;
/// Longest id that is looked for, in bytes: no tool's is as long.
const LONGEST_ID: usize = 1_000;
/// What one page of the list holds.
pub const PAGE: usize = 50;
/// The last page that can be asked for.
const LAST_PAGE: usize = 10_000;

/// What became of a route, as somebody wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewOutcome {
    pub question: String,
    /// The step that it is about.
    pub step: Option<String>,
    /// The number of the snapshot that answered; absent: the live one.
    pub snapshot: Option<i64>,
    pub outcome: FeedbackOutcome,
    pub tool: Option<String>,
    pub instead: Option<String>,
}

/// What was kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reported {
    /// That the tools were looked up in.
    pub live: SnapshotName,
    pub feedback: NewFeedback,
}

/// Keeps what became of a route. A tool that is not offered to whoever asks is answered like one that does not exist.
pub async fn report_outcome(
    caller: &Caller,
    live: &Live,
    wanted: &Wanted,
    new: &NewOutcome,
) -> Result<Reported, Error> {
    let loaded = live.current().await?;
    let seen = caller.view(&loaded, wanted)?;
    route::check_question(&new.question).map_err(Error::Request)?;
    if let Some(step) = &new.step {
        route::check_question(step).map_err(Error::Request)?;
    }
    let (tool, instead) = tools(&loaded, &seen.view, new)?;
    let snapshot = match new.snapshot {
        Some(number) => known(live, &loaded, number).await?,
        None => loaded.record.number,
    };
    let router = loaded.router(live.store(), &seen.asker.project).await?;
    let kept = |text: &str| router.typed(text).chars().take(LONGEST_KEPT).collect::<String>();
    let feedback = NewFeedback {
        at: clock::now(),
        snapshot,
        project: seen.asker.project.clone(),
        principal: seen.asker.principal.clone(),
        question: Some(kept(&new.question)),
        step: new.step.as_deref().map(kept),
        outcome: new.outcome,
        tool,
        instead,
        questions: Questions::Typed,
    };
    let dropped = live.store().add_feedback(&feedback, MOST_KEPT).await?;
    if dropped > 0 {
        tracing::debug!(dropped, project = %feedback.project, "the oldest feedback of a project made room");
    }
    Ok(Reported { live: loaded.name(), feedback })
}

/// The tools that it names, as far as the outcome has room for them.
fn tools(loaded: &Loaded, view: &View, new: &NewOutcome) -> Result<(Option<ToolId>, Option<ToolId>), Error> {
    let offered = |text: &Option<String>| text.as_deref().map(|text| offered(loaded, view, text)).transpose();
    let (tool, instead) = (offered(&new.tool)?, offered(&new.instead)?);
    let slip = match (new.outcome, &tool, &instead) {
        (FeedbackOutcome::Used | FeedbackOutcome::Wrong, None, _) => {
            Some(("it names no `tool`", "name the tool that served, or that did not fit"))
        }
        (FeedbackOutcome::Used, Some(_), Some(_)) => {
            Some(("a tool that was used has no `instead`", "leave `instead` out, or report `wrong`"))
        }
        (FeedbackOutcome::Wrong, Some(tool), Some(instead)) if tool == instead => {
            Some(("`tool` and `instead` are the same", "name in `instead` the tool that served"))
        }
        (FeedbackOutcome::Missing, Some(_), _) => Some((
            "what is `missing` has no `tool`",
            "leave it out, or name in `instead` the tool that would have served",
        )),
        _ => None,
    };
    match slip {
        None => Ok((tool, instead)),
        Some((message, help)) => Err(refused(codes::E_VALUE, message.to_owned(), help.to_owned())),
    }
}

/// A tool of the `route` set; nothing else is named, not even as the nearest.
fn offered(loaded: &Loaded, view: &View, text: &str) -> Result<ToolId, Error> {
    let text = text.trim();
    if text.len() > LONGEST_ID {
        let message = format!("the id of a tool has {} bytes, and none is longer than {LONGEST_ID}", text.len());
        return Err(refused(codes::E_VALUE, message, "write its id, `catalog/tool`".to_owned()));
    }
    let ids = || loaded.snapshot.tools.iter().map(|card| &card.id).filter(|id| view.routes(id));
    if let Some(id) = ids().find(|id| id.as_str() == text) {
        return Ok(id.clone());
    }
    let nearest = did_you_mean(text, ids().map(ToolId::as_str));
    let help = nearest.unwrap_or_else(|| "name a tool that a route offered, by its id".to_owned());
    Err(refused(codes::E_UNRESOLVED, format!("no tool `{text}` is offered here"), help))
}

/// A snapshot that was stored.
async fn known(live: &Live, loaded: &Loaded, number: i64) -> Result<i64, Error> {
    if number == loaded.record.number {
        return Ok(number);
    }
    match live.store().record(number).await {
        Ok(record) => Ok(record.number),
        Err(StoreError::NoSuchSnapshot { .. }) => {
            let help = "send the number that the route's answer names";
            Err(refused(codes::E_SNAPSHOT, format!("there is no snapshot {number}"), help.to_owned()))
        }
        Err(other) => Err(other.into()),
    }
}

/// Which feedback is wanted, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeedbackQuery {
    /// The only project, with or without the caller's own tenant.
    pub project: Option<String>,
    /// The only tool, whether it served or not.
    pub tool: Option<String>,
    /// From 1; absent: the first.
    pub page: Option<usize>,
}

/// Feedback, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FeedbackList {
    pub feedback: Vec<NewFeedback>,
    pub page: usize,
    /// There is no page after this one.
    pub complete: bool,
}

/// Lists what was reported, as much of it as the caller may read. A project that it may not read is answered like one that nobody has:
/// by an empty list.
pub async fn list_feedback(caller: &Caller, live: &Live, query: &FeedbackQuery) -> Result<FeedbackList, Error> {
    let reach = reach(caller, live, AdminAction::ReadGaps).await?;
    let page = query.page.unwrap_or(1);
    if !(1..=LAST_PAGE).contains(&page) {
        let message = format!("the page is {page}, and 1 to {LAST_PAGE} can be asked for");
        return Err(refused(codes::E_LIMIT, message, "pages are numbered from 1".to_owned()));
    }
    let own = caller.principal().map(|principal| principal.tenant.as_str());
    let project = query.project.as_deref().map(|text| ProjectId::parse(text, own));
    let project = project.transpose().map_err(|form| wrong(&form))?;
    let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
    let (skip, more) = (count((page - 1) * PAGE), count(PAGE + 1));
    let stored = live.store().feedback(&scope(&reach, project), query.tool.as_deref(), skip, more).await?;
    let complete = stored.len() <= PAGE;
    let feedback = stored.into_iter().take(PAGE).map(|stored| stored.feedback).collect();
    Ok(FeedbackList { feedback, page, complete })
}

/// As far as the reach, and no further than the project that is asked for.
fn scope(reach: &Reach, project: Option<ProjectId>) -> FeedbackScope {
    match (project, &reach.tenant) {
        (Some(project), _) if reach.covers(&project.tenant, Some(&project)) => {
            FeedbackScope::Projects(BTreeSet::from([project]))
        }
        (Some(_), _) => FeedbackScope::Projects(BTreeSet::new()),
        (None, _) if reach.everything => FeedbackScope::Everything,
        (None, Some(tenant)) => FeedbackScope::Tenant(tenant.clone()),
        (None, None) => FeedbackScope::Projects(reach.projects.clone()),
    }
}

fn refused(code: &'static str, message: String, help: String) -> Error {
    Error::Request(Box::new(Diagnostic::error(code, message).help(help)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project(text: &str) -> ProjectId {
        ProjectId::parse(text, None).unwrap()
    }

    #[test]
    fn nobody_reads_further_than_its_reach() {
        let only = |text: &str| FeedbackScope::Projects(BTreeSet::from([project(text)]));
        let nothing = FeedbackScope::Projects(BTreeSet::new());
        let (all, acme) = (Reach::unlimited(), Reach { tenant: Some("acme".to_owned()), ..Reach::default() });
        let finance = Reach { projects: BTreeSet::from([project("acme/finance")]), ..Reach::default() };
        assert_eq!(scope(&all, None), FeedbackScope::Everything);
        assert_eq!(scope(&all, Some(project("globex/people"))), only("globex/people"));
        assert_eq!(scope(&acme, None), FeedbackScope::Tenant("acme".to_owned()));
        assert_eq!(scope(&acme, Some(project("acme/finance"))), only("acme/finance"));
        assert_eq!(scope(&acme, Some(project("globex/people"))), nothing);
        assert_eq!(scope(&finance, None), only("acme/finance"));
        assert_eq!(scope(&finance, Some(project("acme/support"))), nothing);
    }
}
