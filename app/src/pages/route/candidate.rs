//! The candidates of every step: signals, score, what became of each and why.

use ambit_model::declaration::Weights;
use ambit_model::identity::ToolId;
use ambit_model::route::{Candidate, Outcome, Step};
use leptos::prelude::*;

use crate::pages::route::score::{SIGNALS, legend, score_bar, signal};
use crate::pages::route::steps::status;
use crate::parts::count::count;
use crate::parts::icon::{Icon, tag};
use crate::parts::panel::Panel;
use crate::parts::table::{Column, head};
use crate::parts::tool::tool;
use crate::parts::words::words;

const COLUMNS: &[Column] = &[
    Column::Text("Tool"),
    Column::Text("semantic"),
    Column::Text("bm25"),
    Column::Text("param_fit"),
    Column::Text("output_fit"),
    Column::Wide("Score, weighted parts"),
    Column::Text("Outcome"),
    Column::Text("Notes"),
];

/// One group of rows per step.
pub(crate) fn candidates(steps: &[Step], weights: &Weights) -> impl IntoView + use<> {
    let scored: usize = steps.iter().map(|step| step.candidates.len()).sum();
    let groups = steps.iter().map(|step| group(step, weights)).collect_view();
    view! {
        <Panel
            id="candidates"
            title="Candidates"
            count=format!("{scored} scored, of this caller's view only")
            end=legend(weights).into_any()
        >
            <table class="tbl cards four-up cand" role="table" aria-label="Candidates by step">
                {head(COLUMNS)}
                {groups}
            </table>
        </Panel>
    }
}

fn group(step: &Step, weights: &Weights) -> impl IntoView + use<> {
    let index = step.index;
    let rows = step.candidates.iter().enumerate().map(|(at, one)| row(index, at + 1, one, weights)).collect_view();
    view! {
        <tbody role="rowgroup">
            <tr role="row" class="group" id=format!("step-{index}")>
                <th role="rowheader" scope="rowgroup" colspan="9">
                    {title(step)}
                    {because(step)}
                </th>
            </tr>
            {rows}
        </tbody>
    }
}

fn title(step: &Step) -> impl IntoView + use<> {
    let implicit = step.implicit.then(|| tag("plain", Icon::Info, "implicit"));
    let verb = step.verb.clone().map(|verb| view! { <b>{verb}</b> });
    view! {
        <div class="gh">
            <span class="stepn">{step.index}</span>
            {verb}
            <span class="what">{step.what.clone()}</span>
            {status(step.status)}
            {implicit}
            <span class="gate">{count(step.candidates.len(), "candidate", "candidates")}</span>
        </div>
    }
}

fn because(step: &Step) -> impl IntoView + use<> {
    let groups = (!step.groups.is_empty()).then(|| format!("Groups searched: {}.", step.groups.join(", ")));
    view! {
        <div class="gw">
            <span>{words(&step.because)}</span>
            {named("Also handed over: ", &step.also)}
            {named("In reserve: ", &step.reserve)}
            {groups.map(|groups| view! { <span class="dim">{groups}</span> })}
        </div>
    }
}

fn named(label: &'static str, ids: &[ToolId]) -> impl IntoView + use<> {
    (!ids.is_empty()).then(|| {
        let tools = ids.iter().map(|id| tool(id.as_str())).collect_view();
        view! { <span class="row">{label} {tools}</span> }
    })
}

fn row(step: usize, at: usize, candidate: &Candidate, weights: &Weights) -> impl IntoView + use<> {
    let id = format!("s{step}-{at}");
    let class = match candidate.outcome {
        Outcome::Picked => "pick",
        Outcome::TwinReserve => "",
        _ => "muted",
    };
    let signals = SIGNALS
        .iter()
        .map(|one| {
            view! {
                <td role="cell" data-l=one.name>
                    {signal(one, &candidate.signals)}
                </td>
            }
        })
        .collect_view();
    view! {
        <tr role="row" id=id.clone() class=class>
            <td role="cell" class="lead">
                <a class="quiet" href=format!("#{id}")>
                    {tool(candidate.tool.as_str())}
                </a>
            </td>
            {signals}
            <td role="cell" class="score">
                {score_bar(&candidate.signals, weights)}
            </td>
            <td role="cell" class="num" data-l="Score">
                <b>{candidate.score.0.to_string()}</b>
            </td>
            <td role="cell" class="corner" data-l="Outcome">
                {outcome(candidate.outcome)}
            </td>
            <td role="cell" class="why full">
                {candidate.notes.join(", ")}
            </td>
        </tr>
    }
}

fn outcome(of: Outcome) -> impl IntoView {
    match of {
        Outcome::Picked => tag("accent", Icon::Ok, "picked"),
        Outcome::TwinReserve => tag("info", Icon::Twin, "twin reserve"),
        Outcome::VersionReserve => tag("", Icon::Version, "version reserve"),
        Outcome::BelowFloor => tag("plain", Icon::Below, "below floor"),
        Outcome::BelowGate => tag("plain", Icon::Below, "below gate"),
        Outcome::GroupDropped => tag("plain", Icon::Removed, "group dropped"),
        Outcome::Cut => tag("plain", Icon::Removed, "cut"),
    }
}
