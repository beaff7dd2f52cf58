//! One clash: both tools side by side, the questions with ranks and margins, what fails to tell them apart, and how to end it.

use std::collections::BTreeSet;

use ambit_model::card::ToolCard;
use ambit_model::intake::{Clash, ClashQuestion};
use ambit_model::ratio::Ratio;
use ambit_service::clashes::ClashDetails;
use leptos::either::Either;
use leptos::prelude::*;

use super::pair_path;
use super::repair::proposed;
use crate::pages::CLASHES;
use crate::pages::tools::card_path;
use crate::parts::anchor::anchors;
use crate::parts::command::{Command, copy_as, quoted};
use crate::parts::count::count;
use crate::parts::head::PageHead;
use crate::parts::panel::Panel;
use crate::parts::table::{Column, head};
use crate::parts::tool::tool;

pub(super) fn pair(details: ClashDetails) -> impl IntoView {
    let ClashDetails { snapshot, clash, cards, likenesses, repair, neighbours, place } = details;
    let title = format!("{} and {} answer to the same questions", short(&clash.tool), short(&clash.rival));
    let sentence = format!(
        "{} the other tool first, in snapshot {snapshot}; clash {} of {} by damage.",
        count(clash.damage(), "example question finds", "example questions find"),
        place.0,
        place.1
    );
    let command = Command::line(format!("ambit repair {} {}", quoted(&clash.tool), quoted(&clash.rival)));
    let repair = proposed(repair, likenesses, command.text.clone());
    let [first, second] = cards;
    let alike: BTreeSet<String> = clash.words.iter().map(|word| word.to_lowercase()).collect();
    let [before, next] = neighbours;
    view! {
        <PageHead title=title sentence=sentence above=CLASHES>
            {neighbour("Before", before)}
            {neighbour("Next", next)}
            {copy_as(vec![command])}
        </PageHead>
        <div class="grid fill">
            {side("a", "A", &clash.tool, first, &alike)}
            {side("b", "B", &clash.rival, second, &alike)}
        </div>
        {questions(&clash)}
        {repair}
    }
}

fn short(tool: &str) -> &str {
    tool.split_once('/').map_or(tool, |(_, name)| name)
}

fn neighbour(says: &'static str, pair: Option<(String, String)>) -> impl IntoView {
    // A clash of which one side is out of sight has no page.
    let pair = pair.filter(|(_, rival)| !rival.is_empty());
    pair.map(|(tool, rival)| view! { <a class="btn" href=pair_path(&tool, &rival)>{says}</a> })
}

fn side(
    class: &'static str,
    letter: &'static str,
    id: &str,
    card: Option<ToolCard>,
    alike: &BTreeSet<String>,
) -> impl IntoView + use<> {
    let body = match card {
        Some(card) => {
            let inputs = card.input_schema.0.parse::<serde_json::Value>().ok().map(|schema| properties(&schema));
            let outputs =
                card.output_schema.as_ref().and_then(|text| text.0.parse().ok()).map(|schema| properties(&schema));
            let examples = format!("{} in YAML", card.examples.len());
            Either::Left(view! {
                <p class="desc">{marked(&card.description, alike)}</p>
                <dl class="kv">
                    <dt>"Inputs"</dt>
                    <dd class="mono">{inputs.filter(|text| !text.is_empty()).unwrap_or_else(|| "none".to_owned())}</dd>
                    <dt>"Output"</dt>
                    <dd class="mono">{outputs.filter(|text| !text.is_empty()).unwrap_or_else(|| "not declared".to_owned())}</dd>
                    <dt>"Examples"</dt>
                    <dd>{examples}</dd>
                    <dt>"Since"</dt>
                    <dd>{card.since.unwrap_or_else(|| "not said".to_owned())}</dd>
                </dl>
            })
        }
        None => Either::Right(view! { <p class="dim">"Its definition was not kept."</p> }),
    };
    view! {
        <article class="panel c6 tool-card" aria-labelledby=format!("side-{class}")>
            <header>
                <span class=format!("side {class}")>{letter}</span>
                <h2 id=format!("side-{class}")>
                    <a href=card_path(id)>{tool(id)}</a>
                </h2>
            </header>
            <div class="body">{body}</div>
        </article>
    }
}

/// The names of an object's properties, those that may be left out with a `?`.
fn properties(schema: &serde_json::Value) -> String {
    let required: BTreeSet<&str> = schema
        .get("required")
        .and_then(serde_json::Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(serde_json::Value::as_str)
        .collect();
    let names =
        schema.get("properties").and_then(serde_json::Value::as_object).into_iter().flat_map(|members| members.keys());
    let names: Vec<String> =
        names.map(|name| if required.contains(name.as_str()) { name.clone() } else { format!("{name}?") }).collect();
    names.join(", ")
}

/// The text with the words that the other has too as marks.
fn marked(text: &str, alike: &BTreeSet<String>) -> impl IntoView + use<> {
    let parts: Vec<_> = text
        .split_inclusive(|c: char| !c.is_alphanumeric())
        .map(|part| {
            let word = part.trim_end_matches(|c: char| !c.is_alphanumeric());
            let rest = part.strip_prefix(word).unwrap_or_default().to_owned();
            let word = word.to_owned();
            if alike.contains(&word.to_lowercase()) {
                Either::Left(view! { <mark>{word}</mark> {rest} })
            } else {
                Either::Right(format!("{word}{rest}"))
            }
        })
        .collect();
    parts.into_iter().collect_view()
}

fn questions(clash: &Clash) -> impl IntoView + use<> {
    const COLUMNS: &[Column] = &[
        Column::Text("Question"),
        Column::Text("Of"),
        Column::Number("Rank"),
        Column::Number("Margin"),
        Column::Number("By meaning"),
        Column::Number("By words"),
    ];
    let of_first = clash.questions.iter().map(|asked| ("a", "A", asked.clone()));
    let of_second = clash.taken.iter().map(|asked| ("b", "B", asked.clone()));
    let rows: Vec<(&str, &str, ClashQuestion)> = of_first.chain(of_second).collect();
    let ids = anchors("q", rows.iter().map(|(_, _, asked)| asked.question.as_str()));
    let lost = count(rows.len(), "question lost", "questions lost");
    let rows =
        rows.into_iter().zip(ids).map(|((class, letter, asked), id)| row(class, letter, asked, id)).collect_view();
    view! {
        <Panel id="questions" title="Example questions" count=lost>
            <p class="lead-in">"A margin is the score of the question's own tool less that of the other, from -1 to 1."</p>
            <table class="tbl cards five-up" role="table" aria-label="Questions that went to the other tool">
                {head(COLUMNS)}
                <tbody role="rowgroup">{rows}</tbody>
            </table>
        </Panel>
    }
}

fn row(class: &'static str, letter: &'static str, asked: ClashQuestion, id: String) -> impl IntoView {
    let margin = |of: i32| Ratio(of).to_string();
    // What tools out of sight have a part in is not told.
    let told = asked.own_rank != 0 || asked.own_score != 0 || asked.rival_score != 0;
    let among_all = |of: i32| if told { margin(of) } else { "not told".to_owned() };
    let rank = if asked.own_rank == 0 { "not told".to_owned() } else { asked.own_rank.to_string() };
    view! {
        <tr role="row" id=id.clone()>
            <td role="cell" class="lead">
                <a href=format!("#{id}")>{asked.question}</a>
            </td>
            <td role="cell" data-l="Of">
                <span class=format!("side {class}")>{letter}</span>
            </td>
            <td role="cell" class="num" data-l="Rank">
                {rank}
            </td>
            <td role="cell" class="num" data-l="Margin">
                <b>{among_all(asked.own_score - asked.rival_score)}</b>
            </td>
            <td role="cell" class="num" data-l="By meaning">
                {margin(asked.semantic_margin)}
            </td>
            <td role="cell" class="num" data-l="By words">
                {among_all(asked.bm25_margin)}
            </td>
        </tr>
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn properties_are_listed_with_what_may_be_left_out() {
        let schema = json!({"type": "object", "properties": {"a": {}, "b": {}}, "required": ["b"]});
        assert_eq!(properties(&schema), "a?, b");
        assert_eq!(properties(&json!({"type": "object"})), "");
        assert_eq!(properties(&json!(true)), "");
    }

    #[test]
    fn words_in_both_are_marked_and_nothing_is_lost() {
        let alike = BTreeSet::from(["revenue".to_owned()]);
        let html = marked("Get Revenue, <b>now</b>", &alike).into_view().to_html();
        assert!(html.contains("<mark>Revenue</mark>") && html.contains("&lt;"), "{html}");
    }
}
