//! What differs between two snapshots. Authority comes first: raised ceilings, who may do more or less, then the sections in order.

use ambit_model::diff::{CeilingChange, Diff};
use ambit_model::facts::Ceiling;
use leptos::prelude::*;

use crate::parts::anchor::anchor;
use crate::parts::authority::{authority, authority_counts, gained_and_lost};
use crate::parts::ceiling::ceiling;
use crate::parts::count::count;
use crate::parts::icon::{Icon, tag};
use crate::parts::note::Empty;
use crate::parts::panel::Panel;
use crate::parts::section::{heading, section, section_id};
use crate::parts::table::{Column, head};

/// The counts of a diff in one sentence.
pub fn counts(diff: &Diff) -> String {
    let (added, removed, changed) = diff.counts();
    if diff.is_empty() {
        return "Both hold the same.".to_owned();
    }
    let ceilings = match (diff.ceilings.len(), diff.ceilings.iter().filter(|change| change.is_alarming()).count()) {
        (0, _) => "No ceiling is changed".to_owned(),
        (all, 0) => format!("{} changed, none raised", count(all, "ceiling is", "ceilings are")),
        (all, raised) => format!("{} changed, {raised} raised", count(all, "ceiling is", "ceilings are")),
    };
    let authority = authority_counts(&diff.authority);
    format!("{ceilings}. {authority}. {added} added, {removed} removed, {changed} changed.")
}

/// Links to the parts, then the parts.
pub fn difference(diff: Diff) -> impl IntoView {
    if diff.is_empty() {
        return view! {
            <div class="panel">
                <Empty of=Icon::Ok title="Nothing differs">
                    <span>
                        "Ceilings, what every declared principal, role and claim may do, policies, schema, tenants, projects, tools, catalogs, groups, twin groups, version families, vocabularies and settings were compared."
                    </span>
                </Empty>
            </div>
        }
        .into_any();
    }
    view! {
        {on_this_page(&diff)}
        {ceilings(diff.ceilings)}
        {authority(diff.authority)}
        {diff.sections.into_iter().map(section).collect_view()}
    }
    .into_any()
}

fn on_this_page(diff: &Diff) -> impl IntoView + use<> {
    let changes_of_authority: usize = gained_and_lost(&diff.authority).iter().sum();
    let links = diff
        .sections
        .iter()
        .map(|section| {
            let changes = section.added.len() + section.removed.len() + section.changed.len();
            view! {
                <a href=format!("#{}", section_id(section.kind))>
                    {heading(section.kind)} " " <span class="n">{changes}</span>
                </a>
            }
        })
        .collect_view();
    view! {
        <nav class="seg" aria-label="On this page">
            <a href="#ceilings">"Ceilings " <span class="n">{diff.ceilings.len()}</span></a>
            <a href="#authority">"Authority " <span class="n">{changes_of_authority}</span></a>
            {links}
        </nav>
    }
}

fn ceilings(changes: Vec<CeilingChange>) -> impl IntoView {
    const COLUMNS: &[Column] =
        &[Column::Text("Project"), Column::Text("Change"), Column::Text("Before"), Column::Text("After")];
    if changes.is_empty() {
        return view! {
            <Panel id="ceilings" title="Ceilings">
                <p class="lead-in">"No project may do more or less than before by its ceiling."</p>
            </Panel>
        }
        .into_any();
    }
    view! {
        <Panel id="ceilings" title="Ceilings" count=changes.len().to_string()>
            <table class="tbl cards two-up" role="table" aria-label="Changed ceilings">
                {head(COLUMNS)}
                <tbody role="rowgroup">{changes.into_iter().map(changed_ceiling).collect_view()}</tbody>
            </table>
        </Panel>
    }
    .into_any()
}

fn changed_ceiling(change: CeilingChange) -> impl IntoView {
    let id = anchor("ceiling", &change.project);
    let what = match (change.from, change.to) {
        (None, _) if change.is_alarming() => tag("warn", Icon::Up, "new project, above read_only"),
        (None, _) => tag("info", Icon::Added, "new project"),
        (_, None) => tag("info", Icon::Down, "project removed"),
        _ if change.raised => tag("warn", Icon::Up, "raised"),
        _ => tag("info", Icon::Down, "lowered"),
    };
    view! {
        <tr role="row" id=id.clone()>
            <td role="cell" class="lead">
                <a class="id" href=format!("#{id}")>
                    {change.project}
                </a>
            </td>
            <td role="cell" class="full">
                {what}
            </td>
            <td role="cell" data-l="Before">
                {side(change.from)}
            </td>
            <td role="cell" data-l="After">
                {side(change.to)}
            </td>
        </tr>
    }
}

fn side(of: Option<Ceiling>) -> impl IntoView {
    match of {
        Some(of) => ceiling(of.word()).into_any(),
        None => view! { <span class="dim">"no project"</span> }.into_any(),
    }
}
