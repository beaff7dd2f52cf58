//! The search form and what it found, a page at a time.

use ambit_model::card::ToolCard;
use ambit_service::cards::{CardList, CardQuery};
use leptos::either::Either;
use leptos::prelude::*;

use super::card_path;
use crate::pages::TOOLS;
use crate::parts::anchor::anchors;
use crate::parts::command::{Command, copy_as};
use crate::parts::count::count;
use crate::parts::head::PageHead;
use crate::parts::icon::{Icon, icon};
use crate::parts::note::Empty;
use crate::parts::panel::Panel;
use crate::parts::query::encoded;
use crate::parts::table::{Column, head};
use crate::parts::tool::tool;

/// Longest part of a description in a row; the card has it whole.
const SHORT: usize = 160;

pub(super) fn list(list: CardList, query: &CardQuery) -> impl IntoView {
    let CardList { snapshot, of, found, page, pages, catalogs, tools } = list;
    let sentence = if found == of {
        format!("{} in snapshot {}.", count(of, "tool", "tools"), snapshot.number)
    } else {
        format!("{found} of {} in snapshot {} fit.", count(of, "tool", "tools"), snapshot.number)
    };
    let address = address(query, page);
    let body = if tools.is_empty() { Either::Left(nothing(of)) } else { Either::Right(table(tools)) };
    view! {
        <PageHead title=TOOLS.title sentence=sentence>
            {copy_as(vec![curl(&address)])}
        </PageHead>
        {form(query, &catalogs)}
        <Panel id="tools" title="Tools" count=count(found, "tool", "tools")>
            {body}
        </Panel>
        {turn(query, page, pages)}
    }
}

fn curl(address: &str) -> Command {
    let text = format!("curl -sS \"$AMBIT_URL/v1/cards{address}\" -H \"Authorization: Bearer $AMBIT_KEY\"");
    Command { label: "curl", text }
}

fn address(query: &CardQuery, page: usize) -> String {
    let page = if page > 1 { page.to_string() } else { String::new() };
    let pairs = [("q", &query.words), ("catalog", &query.catalog), ("page", &page)];
    let given = pairs.into_iter().filter(|(_, value)| !value.is_empty());
    let given: Vec<String> = given.map(|(name, value)| format!("{name}={}", encoded(value))).collect();
    if given.is_empty() { String::new() } else { format!("?{}", given.join("&")) }
}

fn form(query: &CardQuery, catalogs: &[String]) -> impl IntoView + use<> {
    let chosen = query.catalog.clone();
    let unknown = (!chosen.is_empty() && !catalogs.contains(&chosen)).then(|| chosen.clone());
    let options = catalogs.iter().chain(&unknown).map(|id| {
        view! {
            <option value=id.clone() selected=*id == chosen>
                {id.clone()}
            </option>
        }
    });
    let options = options.collect_view();
    view! {
        <form class="panel filter" method="get" action=TOOLS.path role="search" aria-label="Tools">
            <label class="field">
                <span>"Words, or a piece of an id"</span>
                <input class="in" type="search" name="q" value=query.words.clone() maxlength="200" autocomplete="off" />
            </label>
            <label class="field">
                <span>"Catalog"</span>
                <select class="in" name="catalog">
                    <option value="" selected=chosen.is_empty()>
                        "All catalogs"
                    </option>
                    {options}
                </select>
            </label>
            <button class="btn primary" type="submit">
                {icon(Icon::Tool)}
                "Search"
            </button>
        </form>
    }
}

fn nothing(of: usize) -> impl IntoView {
    view! {
        <Empty of=Icon::Tool title="No tool fits">
            <span>{format!("The cards of {} were looked at.", count(of, "tool", "tools"))}</span>
            <a href=TOOLS.path>"Show all"</a>
        </Empty>
    }
}

fn table(tools: Vec<ToolCard>) -> impl IntoView {
    const COLUMNS: &[Column] = &[
        Column::Text("Tool"),
        Column::Text("What it does"),
        Column::Text("Entity"),
        Column::Text("Operation"),
        Column::Text("Effect"),
        Column::Text("Risk"),
    ];
    let ids = anchors("tool", tools.iter().map(|card| card.id.as_str()));
    let rows = tools.into_iter().zip(ids).map(|(card, id)| row(card, id)).collect_view();
    view! {
        <table class="tbl cards four-up" role="table" aria-label="Tools">
            {head(COLUMNS)}
            <tbody role="rowgroup">{rows}</tbody>
        </table>
    }
}

fn row(card: ToolCard, id: String) -> impl IntoView {
    let facts = card.facts;
    view! {
        <tr role="row" id=id>
            <td role="cell" class="lead">
                <a href=card_path(card.id.as_str())>{tool(card.id.as_str())}</a>
            </td>
            <td role="cell" class="full" data-l="What it does">
                {shortened(&card.description)}
            </td>
            <td role="cell" data-l="Entity">
                {facts.entity.value}
            </td>
            <td role="cell" data-l="Operation">
                {facts.operation.value.word()}
            </td>
            <td role="cell" data-l="Effect">
                {facts.effect.value.word()}
            </td>
            <td role="cell" data-l="Risk">
                {facts.risk.value.word()}
            </td>
        </tr>
    }
}

fn shortened(text: &str) -> String {
    let first: String = text.chars().take(SHORT).collect();
    if first.len() < text.len() { format!("{}…", first.trim_end()) } else { first }
}

fn turn(query: &CardQuery, page: usize, pages: usize) -> impl IntoView + use<> {
    let to = |page: usize| format!("{}{}", TOOLS.path, address(query, page));
    let before = (page > 1).then(|| view! { <a class="btn" href=to(page - 1)>"Before"</a> });
    let next = (page < pages).then(|| view! { <a class="btn" href=to(page + 1)>"Next"</a> });
    (pages > 1).then(|| {
        view! {
            <nav class="row" aria-label="Pages of tools">
                {before} {next} <span class="dim">{format!("page {page} of {pages}")}</span>
            </nav>
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_says_what_is_looked_for() {
        let query = |words: &str, catalog: &str| CardQuery { words: words.into(), catalog: catalog.into(), page: 1 };
        assert_eq!(address(&query("", ""), 1), "");
        assert_eq!(address(&query("a b", "mail"), 2), "?q=a%20b&catalog=mail&page=2");
    }

    #[test]
    fn a_long_description_is_cut_between_characters() {
        assert_eq!(shortened("ü"), "ü");
        let long = "ü".repeat(SHORT + 1);
        assert_eq!(shortened(&long), format!("{}…", "ü".repeat(SHORT)));
    }
}
