//! One kind of thing in a diff: what was added, removed and changed, field by field.

use ambit_model::diff::{Changed, DiffKind, FieldChange, Piece, PieceKind, Section};
use leptos::either::EitherOf3;
use leptos::prelude::*;

use crate::parts::anchor::anchors;
use crate::parts::count::count;
use crate::parts::icon::{Icon, classed_icon, icon, tag};
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
        <li id=id.clone() class="line">
            {tag("", shape, word)} <span class="id">{name.clone()}</span> {link_to(&id, &name)}
        </li>
    }
}

fn changed_row(id: String, changed: Changed) -> impl IntoView {
    let fields = count(changed.fields.len(), "field", "fields");
    let link = link_to(&id, &changed.id);
    view! {
        <li id=id>
            <details class="fold drift" open>
                <summary>
                    {classed_icon(Icon::Chevron, "i chev")}
                    <span class="row">{tag("", Icon::Diamond, "changed")} <span class="id">{changed.id}</span></span>
                    <span class="dim">{fields}</span>
                </summary>
                <div class="in-fold">
                    <dl class="fields">{by_schema(changed.fields).into_iter().map(grouped).collect_view()}</dl>
                    <p class="sub">{link}</p>
                </div>
            </details>
        </li>
    }
}

/// The row's address, to be sent to somebody.
fn link_to(id: &str, name: &str) -> impl IntoView + use<> {
    view! {
        <a class="lnk" href=format!("#{id}") aria-label=format!("Link to {name}")>
            {icon(Icon::Link)}
        </a>
    }
}

/// Fields that stand by themselves, and fields inside one schema.
enum Group {
    One(FieldChange),
    Schema(String, Vec<FieldChange>),
}

/// Changes inside a schema stand together, by their path in it.
fn by_schema(fields: Vec<FieldChange>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for change in fields {
        let inside = change.field.split_once('.').filter(|(schema, _)| schema.ends_with("_schema"));
        let Some((schema, path)) = inside.map(|(schema, path)| (schema.to_owned(), path.to_owned())) else {
            groups.push(Group::One(change));
            continue;
        };
        let change = FieldChange { field: path, ..change };
        match groups.last_mut() {
            Some(Group::Schema(last, changes)) if *last == schema => changes.push(change),
            _ => groups.push(Group::Schema(schema, vec![change])),
        }
    }
    groups
}

fn grouped(group: Group) -> AnyView {
    match group {
        Group::One(change) => field(change).into_any(),
        Group::Schema(schema, changes) => view! {
            <dt>{schema}</dt>
            <dd>
                <dl class="fields inside">{changes.into_iter().map(field).collect_view()}</dl>
            </dd>
        }
        .into_any(),
    }
}

fn field(change: FieldChange) -> impl IntoView {
    let FieldChange { field, from, to, pieces } = change;
    let long = [&from, &to].into_iter().flatten().any(|value| value.len() > SHORT || value.contains('\n'));
    let values = match (pieces.is_empty(), long) {
        (false, _) => EitherOf3::A(pieces.into_iter().map(piece).collect_view()),
        (true, true) => EitherOf3::B(folded(from, to)),
        (true, false) => EitherOf3::C(in_line(from, to)),
    };
    view! {
        <dt>{field}</dt>
        <dd>{values}</dd>
    }
}

/// A run of words; what is added and removed differs by shape and by word, not by colour alone.
fn piece(of: Piece) -> impl IntoView {
    match of.kind {
        PieceKind::Same => EitherOf3::A(of.text),
        PieceKind::Removed => EitherOf3::B(gone(of.text)),
        PieceKind::Added => EitherOf3::C(new(of.text)),
    }
}

fn gone(text: String) -> impl IntoView {
    view! {
        <del>
            <span class="sr">"removed: "</span>
            {text}
        </del>
    }
}

fn new(text: String) -> impl IntoView {
    view! {
        <ins>
            <span class="sr">"added: "</span>
            {text}
        </ins>
    }
}

fn in_line(from: Option<String>, to: Option<String>) -> impl IntoView {
    view! {
        {from.map(gone)}
        " "
        {to.map(new)}
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
    use ambit_model::diff::{DiffKind, FieldChange};

    use super::{Group, by_schema, heading, section_id};

    #[test]
    fn a_kind_has_a_heading_and_an_id() {
        assert_eq!(heading(DiffKind::TwinGroups), "Twin groups");
        assert_eq!(section_id(DiffKind::Schema), "cedar-schema");
    }

    #[test]
    fn what_changed_inside_a_schema_stands_together() {
        let fields = ["description", "input_schema.a.type", "input_schema.b", "output_schema.a", "risk"];
        let fields = fields.map(|field| FieldChange { field: field.to_owned(), ..FieldChange::default() });
        let said: Vec<String> = by_schema(fields.into())
            .into_iter()
            .map(|group| match group {
                Group::One(change) => change.field,
                Group::Schema(schema, changes) => {
                    let inside: Vec<String> = changes.into_iter().map(|change| change.field).collect();
                    format!("{schema}({})", inside.join(" "))
                }
            })
            .collect();
        assert_eq!(said, ["description", "input_schema(a.type b)", "output_schema(a)", "risk"]);
    }
}
