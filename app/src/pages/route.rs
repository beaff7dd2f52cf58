//! The Route page: ask a question as whoever is signed in would, for a user or for nobody else, and see every reason.

mod answer;
mod ask;
mod candidate;
mod facts;
mod gaps;
mod score;
mod steps;
mod tools;

use ambit_model::codes::E_INTERNAL;
use ambit_model::route::RouteAnswer;
use leptos::either::EitherOf3;
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;
use leptos_router::params::ParamsMap;

use crate::data::{self, RoutePage};
use crate::pages::ROUTE;
use crate::pages::route::answer::answered;
use crate::pages::route::ask::{ask, commands};
use crate::parts::command::copy_as;
use crate::parts::count::count;
use crate::parts::head::PageHead;
use crate::parts::loaded::loaded;
use crate::parts::note::plain_problem;
use crate::problem::Problem;

/// What the URL asks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// Without white space around it.
    pub question: String,
    pub strict: bool,
    /// Empty: the first that there is.
    pub project: String,
    /// Empty: nobody else.
    pub acting_for: String,
}

impl Asked {
    /// Reads `q`, `strict=true`, `project` and `for`.
    fn read(query: &ParamsMap) -> Self {
        let text = |key: &str| query.get(key).unwrap_or_default().trim().to_owned();
        Self {
            question: text("q"),
            strict: text("strict") == "true",
            project: text("project"),
            acting_for: text("for"),
        }
    }
}

/// The page.
pub fn page() -> AnyView {
    let query = use_query_map();
    let asked = Memo::new(move |_| query.with(Asked::read));
    let answer = Resource::new(
        move || asked.get(),
        |asked| async move {
            let Asked { question, strict, project, acting_for } = asked;
            data::route(question, strict, project, acting_for).await
        },
    );
    view! {
        <Title text=ROUTE.title />
        {loaded(ROUTE.title, answer, move |page| found(page, asked.get_untracked()))}
    }
    .into_any()
}

fn found(page: RoutePage, asked: Asked) -> impl IntoView {
    let RoutePage { projects, asker, refused, answer, examples } = page;
    let read = answer.as_ref().map(|routed| routed.answer.read());
    let sentence = match &read {
        Some(Ok(answer)) => sentence(answer),
        _ => "Which tools may answer a question, in which order, and why these.".to_owned(),
    };
    let commands = asker.as_ref().filter(|_| answer.is_some()).map(|asker| copy_as(commands(asker, &asked)));
    let below = match (answer, read) {
        (Some(routed), Some(Ok(answer))) => EitherOf3::A(answered(answer, &routed)),
        (Some(_), _) => EitherOf3::B(plain_problem(&Problem::new(E_INTERNAL))),
        (None, _) => EitherOf3::C(()),
    };
    view! {
        <PageHead title=ROUTE.title sentence=sentence>
            {commands}
        </PageHead>
        {ask(asker, projects, &asked, examples)}
        {refused.map(|problem| plain_problem(&problem))}
        {below}
    }
}

fn sentence(answer: &RouteAnswer) -> String {
    let gaps = if answer.gaps.is_empty() { "no gap".to_owned() } else { count(answer.gaps.len(), "gap", "gaps") };
    format!(
        "{} for {}, {gaps}. {} of prompt handed over instead of {}.",
        count(answer.tools.len(), "tool", "tools"),
        count(answer.steps.len(), "step", "steps"),
        count(answer.tokens.handed, "token", "tokens"),
        answer.tokens.view,
    )
}
