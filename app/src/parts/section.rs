//! One kind of thing in a diff: what was added, removed and changed, field by field.

use ambit_model::diff::{Changed, DiffKind, FieldChange, Section};
use leptos::either::Either;
use leptos::prelude::*;

use crate::parts::anchor::anchors;
use crate::parts::count::count;
use crate::parts::icon::{Icon, classed_icon, tag};
use crate::parts::panel::Panel;

/// Longer values are folded.
const SHORT: usize = 120;

/// The heading of a kind, with a capital.
pub fn heading(kind: DiffKind) -> String {
    let mut letters = kind.title().chars();
    letters.next().map_or_else(String::new, |first| format!("{}{}", first.to_ascii_uppercase(), letters.as_str()))
}

/// The id of a section on its page.
pub fn section_id(kind: DiffKind) -> String {
    kind.title().to_ascii_lowercase().replace(' ', "-")
}

/// The section: changed things first, because they are what a reader has to compare.
pub fn section(given: Section) -> impl IntoView {
    let Section { kind, added, removed, changed } = given;
    let id = section_id(kind);
    let counted = format!("{} added, {} removed, {} changed", added.len(), removed.len(), changed.len());
    let names: Vec<&str> =
        changed.iter().map(|one| one.id.as_str()).chain(added.iter().chain(&removed).map(String::as_str)).collect();
    let mut ids = anchors(&id, names.into_iter()).into_iter();
    let changed = ids.by_ref().take(changed.len()).zip(changed).map(|(id, one)| changed_row(id, one)).collect_view();
    let added: Vec<_> =
        ids.by_ref().take(added.len()).zip(added).map(|(id, name)| plain_row(id, name, "added", Icon::Added)).collect();
    let removed: Vec<_> = ids.zip(removed).map(|(id, name)| plain_row(id, name, "removed", Icon::Removed)).collect();
    view! {
        <Panel id=id title=heading(kind) count=counted>
            <ul class="rows">{changed} {added} {removed}</ul>
        </Panel>
    }
}

fn plain_row(id: String, name: String, word: &'static str, shape: Icon) -> impl IntoView {
    view! {
        <li id=id class="line">
            {tag("", shape, word)} <span class="id">{name}</span>
        </li>
    }
}

fn changed_row(id: String, changed: Changed) -> impl IntoView {
    let fields = count(changed.fields.len(), "field", "fields");
    view! {
        <li id=id>
            <details class="fold drift" open>
                <summary>
                    {classed_icon(Icon::Chevron, "i chev")}
                    <span class="row">{tag("", Icon::Diamond, "changed")} <span class="id">{changed.id}</span></span>
                    <span class="dim">{fields}</span>
                </summary>
                <div class="in-fold">
                    <dl class="fields">{changed.fields.into_iter().map(field).collect_view()}</dl>
                </div>
            </details>
        </li>
    }
}

fn field(change: FieldChange) -> impl IntoView {
    let FieldChange { field, from, to, .. } = change;
    let long = [&from, &to].into_iter().flatten().any(|value| value.len() > SHORT || value.contains('\n'));
    let values = if long { Either::Left(folded(from, to)) } else { Either::Right(in_line(from, to)) };
    view! {
        <dt>{field}</dt>
        <dd>{values}</dd>
    }
}

fn in_line(from: Option<String>, to: Option<String>) -> impl IntoView {
    let old = from.map(|value| view! { <del>{value}</del> });
    let new = to.map(|value| view! { <ins>{value}</ins> });
    view! {
        {old}
        " "
        {new}
    }
}

fn folded(from: Option<String>, to: Option<String>) -> impl IntoView {
    let lines = |value: &Option<String>| value.as_ref().map_or(0, |value| value.lines().count());
    let says = format!("{} before, {} after", count(lines(&from), "line", "lines"), count(lines(&to), "line", "lines"));
    view! {
        <details class="asdata">
            <summary>{classed_icon(Icon::Chevron, "i chev")} {says}</summary>
            {from.map(|value| block("Before", "code old", value))}
            {to.map(|value| block("After", "code new", value))}
        </details>
    }
}

// The text stands in a `<code>`: right inside `<pre>`, a leading line break would be lost.
fn block(label: &'static str, class: &'static str, value: String) -> impl IntoView {
    view! {
        <p class="label">{label}</p>
        <pre class=class tabindex="0">
            <code>{value}</code>
        </pre>
    }
}

#[cfg(test)]
mod tests {
    use ambit_model::diff::DiffKind;

    use super::{heading, section_id};

    #[test]
    fn a_kind_has_a_heading_and_an_id() {
        assert_eq!(heading(DiffKind::TwinGroups), "Twin groups");
        assert_eq!(section_id(DiffKind::Schema), "cedar-schema");
    }
}
