//! One tool: what it does, what is known of it and by whose word, its schemas, who may use it and why, and what became of it.

use ambit_model::card::{SchemaText, ToolCard};
use ambit_model::facts::Stated;
use ambit_service::cards::{CardDetails, CardVersion, MayUse};
use ambit_service::clock;
use leptos::either::Either;
use leptos::prelude::*;

use crate::data::Moment;
use crate::pages::{AUTHORITY, DIFF, TOOLS};
use crate::parts::anchor::anchors;
use crate::parts::command::{Command, copy_as, quoted};
use crate::parts::count::count;
use crate::parts::head::PageHead;
use crate::parts::icon::{Icon, tag};
use crate::parts::moment::moment;
use crate::parts::note::Empty;
use crate::parts::panel::Panel;
use crate::parts::policy::policies;
use crate::parts::query::encoded;
use crate::parts::table::{Column, head};

pub(super) fn card(details: CardDetails) -> impl IntoView {
    let CardDetails { snapshot, card, digest, facts, twins, family, may, may_not, not_asked, history } = details;
    let id = card.id.to_string();
    let callers = distinct(may.iter().filter(|one| one.invoke));
    let sentence = format!(
        "A {} tool of {} risk in snapshot {}; {} call it.",
        card.facts.effect.value.word(),
        card.facts.risk.value.word(),
        snapshot.number,
        count(callers, "principal may", "principals may"),
    );
    let kin = kin(&card, twins.map(|twins| (twins.id, twins.preferred.to_string())), family.map(|family| family.id));
    let commands = commands(&id);
    let who = who(&id, may, may_not, not_asked);
    let schemas = view! {
        {schema("input-schema", "Input schema", Some(card.input_schema.clone()))}
        {schema("output-schema", "Output schema", card.output_schema.clone())}
    };
    view! {
        <PageHead title=id sentence=sentence above=TOOLS>
            {copy_as(commands)}
        </PageHead>
        {about(&card, digest.map(|digest| digest.short()), kin)}
        {stated(facts)}
        {who}
        {schemas}
        {versions(history)}
    }
}

fn commands(id: &str) -> Vec<Command> {
    let address = format!("$AMBIT_URL/v1/cards/show?tool={}", encoded(id));
    let curl = format!("curl -sS \"{address}\" -H \"Authorization: Bearer $AMBIT_KEY\"");
    vec![
        Command::line(format!("ambit intake try --tool {} --description {}", quoted(id), quoted("…"))),
        Command { label: "curl", text: curl },
    ]
}

/// Its texts, and the declarations that speak of it.
fn about(card: &ToolCard, digest: Option<String>, kin: Vec<(&'static str, String)>) -> impl IntoView + use<> {
    let rows = [
        ("Title", card.title.clone()),
        ("Owner", Some(card.tenant.clone().unwrap_or_else(|| "shared by all tenants".to_owned()))),
        ("Since", card.since.clone()),
        ("Digest", digest),
    ];
    let rows = rows.into_iter().filter_map(|(name, value)| Some((name, value?))).chain(kin);
    let rows = rows.map(|(name, value)| view! { <dt>{name}</dt><dd>{value}</dd> }).collect_view();
    let examples = card.examples.iter().map(|example| view! { <li class="line">{example.clone()}</li> }).collect_view();
    let questions = count(card.examples.len(), "example question", "example questions");
    let description = card.description.clone();
    view! {
        <Panel id="about" title="What it does">
            <div class="body stack">
                <p>{description}</p>
                <dl class="kv">{rows}</dl>
            </div>
        </Panel>
        <Panel id="examples" title="Example questions" count=questions>
            <ul class="rows">{examples}</ul>
        </Panel>
    }
}

fn kin(card: &ToolCard, twins: Option<(String, String)>, family: Option<String>) -> Vec<(&'static str, String)> {
    let groups = if card.groups.is_empty() { "none".to_owned() } else { card.groups.join(", ") };
    let twins = twins.map(|(id, preferred)| ("Twin group", format!("{id}, of which {preferred} is preferred")));
    let family = family.map(|id| ("Version family", id));
    [Some(("Groups", groups)), twins, family].into_iter().flatten().collect()
}

fn stated(facts: Vec<Stated>) -> impl IntoView {
    const COLUMNS: &[Column] = &[Column::Text("Fact"), Column::Text("Value"), Column::Text("By whose word")];
    let rows = facts.into_iter().map(|Stated { fact, value, origin }| {
        let value = if value.is_empty() { "none".to_owned() } else { value };
        let origin = origin.map_or("not recorded", ambit_model::facts::Origin::phrase);
        view! {
            <tr role="row" id=format!("fact-{fact}")>
                <td role="cell" class="lead">
                    <span class="mono">{fact.clone()}</span>
                </td>
                <td role="cell" class="full" data-l="Value">
                    {value}
                </td>
                <td role="cell" data-l="By whose word">
                    {origin}
                </td>
            </tr>
        }
    });
    view! {
        <Panel id="facts" title="Facts">
            <table class="tbl cards two-up" role="table" aria-label="Facts, with where each came from">
                {head(COLUMNS)}
                <tbody role="rowgroup">{rows.collect_view()}</tbody>
            </table>
        </Panel>
    }
}

/// Principals, each counted once however many projects it is in.
fn distinct<'m>(may: impl Iterator<Item = &'m MayUse>) -> usize {
    may.map(|one| &one.principal).collect::<std::collections::BTreeSet<_>>().len()
}

fn who(id: &str, may: Vec<MayUse>, may_not: usize, not_asked: usize) -> impl IntoView + use<> {
    let counted = format!("{} may name it, {may_not} may not", count(distinct(may.iter()), "principal", "principals"));
    let left =
        (not_asked > 0).then(|| view! { <p class="lead-in">{format!("{not_asked} more were not asked about.")}</p> });
    let body = if may.is_empty() {
        Either::Left(view! {
            <Empty of=Icon::Shield title="Nobody may name it">
                <span>"Every declared principal was asked about, in every project that lists its catalog."</span>
            </Empty>
        })
    } else {
        Either::Right(allowed(id, may))
    };
    view! {
        <Panel id="who" title="Who may use it" count=counted>
            {body}
            {left}
        </Panel>
    }
}

fn allowed(id: &str, may: Vec<MayUse>) -> impl IntoView + use<> {
    const COLUMNS: &[Column] =
        &[Column::Text("Principal"), Column::Text("Project"), Column::Text("May"), Column::Text("Decided by")];
    let names: Vec<String> = may.iter().map(|one| format!("{} {}", one.principal, one.project)).collect();
    let ids = anchors("may", names.iter().map(String::as_str));
    let rows = may.into_iter().zip(ids).map(|(one, anchor)| may_row(id, one, anchor)).collect_view();
    view! {
        <table class="tbl cards two-up ledger" role="table" aria-label="Who may use the tool, and by which policies">
            {head(COLUMNS)}
            <tbody role="rowgroup">{rows}</tbody>
        </table>
    }
}

fn may_row(id: &str, one: MayUse, anchor: String) -> impl IntoView + use<> {
    let why = format!(
        "{}?as={}&project={}&tool={}&action=invoke#why",
        AUTHORITY.path,
        encoded(&one.principal.to_string()),
        encoded(&one.project.to_string()),
        encoded(id)
    );
    let (shape, says) = match (one.route, one.invoke, one.needs_confirmation) {
        (_, true, true) => (Icon::Ok, "invoke, once a person confirms"),
        (_, true, false) => (Icon::Ok, "invoke"),
        (true, false, _) => (Icon::Eye, "be offered it, not invoke it"),
        (false, false, _) => (Icon::Eye, "name it only"),
    };
    view! {
        <tr role="row" id=anchor>
            <td role="cell" class="lead">
                <a href=why title="Why?">
                    <span class="mono">{one.principal.to_string()}</span>
                </a>
            </td>
            <td role="cell" data-l="Project">
                {one.project.to_string()}
            </td>
            <td role="cell" data-l="May">
                {tag("plain", shape, says)}
            </td>
            <td role="cell" class="full" data-l="Decided by">
                {policies(AUTHORITY.path, one.policies)}
            </td>
        </tr>
    }
}

/// A schema with a key a line; the agent receives the text of the file.
fn schema(id: &'static str, title: &'static str, text: Option<SchemaText>) -> impl IntoView {
    let laid_out = text.map(|SchemaText(text)| {
        let value: Option<serde_json::Value> = serde_json::from_str(&text).ok();
        value.and_then(|value| serde_json::to_string_pretty(&value).ok()).unwrap_or(text)
    });
    let body = match laid_out {
        Some(text) => Either::Left(view! {
            <pre class="code" tabindex="0">
                <code>{text}</code>
            </pre>
        }),
        None => Either::Right(
            view! { <p class="lead-in">"None is declared, so no later action may refer to its result."</p> },
        ),
    };
    view! {
        <Panel id=id title=title>
            {body}
        </Panel>
    }
}

fn versions(history: Vec<CardVersion>) -> impl IntoView {
    let counted = count(history.len(), "version", "versions");
    let rows: Vec<_> = history
        .iter()
        .enumerate()
        .map(|(at, version)| version_row(version, history.get(at + 1).map(|older| older.to)))
        .collect();
    view! {
        <Panel id="history" title="History" count=counted>
            <ul class="rows">{rows}</ul>
        </Panel>
    }
}

/// `older` is the last snapshot before this stretch.
fn version_row(version: &CardVersion, older: Option<i64>) -> impl IntoView + use<> {
    let span = if version.from == version.to {
        format!("snapshot {}", version.from)
    } else {
        format!("snapshots {} to {}", version.from, version.to)
    };
    let what = match (&version.digest, older) {
        (None, _) => tag("plain", Icon::Removed, "not there"),
        (Some(_), None) => tag("plain", Icon::Added, "first seen"),
        (Some(_), Some(_)) => tag("plain", Icon::Diamond, "changed"),
    };
    let compare = older.map(|older| {
        let path = format!("{}?from={older}&to={}", DIFF.path, version.from);
        view! { <a href=path>"What changed"</a> }
    });
    let at = Moment { at: version.at.clone(), ago: clock::ago(&version.at) };
    let digest = version.digest.as_ref().map(ambit_model::digest::Digest::short);
    view! {
        <li class="line" id=format!("version-{}", version.from)>
            {what} <span>{span}</span> <span class="mono">{digest}</span> {moment(&at)} {compare}
        </li>
    }
}
