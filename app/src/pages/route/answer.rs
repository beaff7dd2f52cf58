//! The answer, most urgent first: what weakens it, the steps, the candidates, the gaps, the tools.

use ambit_model::route::{Planner, RouteAnswer};
use leptos::prelude::*;

use crate::data::RoutedPage;
use crate::pages::route::candidate::candidates;
use crate::pages::route::facts::facts;
use crate::pages::route::gaps::gaps;
use crate::pages::route::steps::steps;
use crate::pages::route::tools::{handed, plan_hint};
use crate::parts::icon::{Icon, icon};

/// The whole answer.
pub(crate) fn answered(answer: RouteAnswer, routed: &RoutedPage) -> impl IntoView + use<> {
    let facts = facts(&answer, routed);
    view! {
        {weaker(&answer)}
        {steps(&answer.steps)}
        {candidates(&answer.steps, &routed.weights)}
        <div class="grid">
            <div class="c8 stack">{gaps(answer.gaps, answer.steps.len())} {handed(answer.tools)}</div>
            <div class="c4 stack">{plan_hint(answer.plan_hint)} {facts}</div>
        </div>
    }
}

fn weaker(answer: &RouteAnswer) -> impl IntoView + use<> {
    let degraded = (!answer.degraded.is_empty()).then(|| {
        note("note warn", Icon::Warn, format!("The answer is weaker than it could be: {}.", answer.degraded.join(", ")))
    });
    let incomplete = (!answer.complete)
        .then(|| note("note warn", Icon::Warn, "A limit cut something off; the gaps say what.".to_owned()));
    let planned = (answer.planner == Planner::Llm)
        .then(|| note("note info", Icon::Info, "The steps are a plan of the project's language model.".to_owned()));
    let asks = answer.question.clone().map(|question| note("note info", Icon::Info, question));
    view! {
        {degraded}
        {incomplete}
        {planned}
        {asks}
    }
}

fn note(class: &'static str, of: Icon, text: String) -> impl IntoView {
    view! {
        <div class=class>
            {icon(of)} <p>{text}</p>
        </div>
    }
}
