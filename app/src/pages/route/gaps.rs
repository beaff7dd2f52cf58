//! Needs that nothing this caller may use can meet, with what came nearest.

use ambit_model::route::{Gap, Nearest};
use leptos::either::Either;
use leptos::prelude::*;

use crate::parts::count::count;
use crate::parts::icon::{Icon, tag};
use crate::parts::note::Empty;
use crate::parts::panel::Panel;
use crate::parts::tool::tool;

/// The gaps of one answer.
pub(crate) fn gaps(gaps: Vec<Gap>, steps: usize) -> impl IntoView {
    let counted = gaps.len().to_string();
    let body = if gaps.is_empty() {
        Either::Left(view! {
            <Empty of=Icon::Ok title="No gap">
                <span>{count(steps, "step was", "steps were")} " looked at, and each has what it needs."</span>
            </Empty>
        })
    } else {
        let listed = gaps.into_iter().enumerate().map(|(at, one)| gap(at + 1, one)).collect_view();
        Either::Right(view! { <ul class="rows">{listed}</ul> })
    };
    view! {
        <Panel id="gaps" title="Gaps" count=counted>
            {body}
        </Panel>
    }
}

fn gap(at: usize, gap: Gap) -> impl IntoView {
    let nearest = if gap.nearest.is_empty() {
        Either::Left(view! { <p class="dim">"Nothing of this caller's view comes near."</p> })
    } else {
        Either::Right(view! { <ul class="near">{gap.nearest.iter().map(near).collect_view()}</ul> })
    };
    view! {
        <li id=format!("gap-{at}") class="line">
            <span class="row">
                {tag("warn", Icon::Gap, gap.cause.word())} <span>{gap.text}</span>
                <a href=format!("#step-{}", gap.step)>"step " {gap.step}</a>
            </span>
            {nearest}
        </li>
    }
}

fn near(nearest: &Nearest) -> impl IntoView + use<> {
    view! {
        <li>
            {tool(nearest.tool.as_str())} <span class="dim">"nearest, " {nearest.score.0.to_string()}</span>
        </li>
    }
}
