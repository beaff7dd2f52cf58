//! Every clash by damage, the graph, what looks undeclared, and groups that clustering proposes.

use std::collections::BTreeSet;

use ambit_model::intake::{Clash, IntakeReport, Likeness, LikenessKind, ProposedGroup};
use ambit_model::snapshot::SnapshotRecord;
use ambit_service::clashes::{DeclaredKin, by_damage};
use leptos::either::Either;
use leptos::prelude::*;

use super::graph::{Graph, graph};
use super::pair_path;
use crate::pages::CLASHES;
use crate::parts::anchor::anchors;
use crate::parts::command::{Command, copy_as};
use crate::parts::count::count;
use crate::parts::head::PageHead;
use crate::parts::icon::{Icon, tag};
use crate::parts::note::Empty;
use crate::parts::panel::Panel;
use crate::parts::table::{Column, head};
use crate::parts::tool::tool;
use crate::parts::words::words;

pub(super) fn list(record: SnapshotRecord, kin: &DeclaredKin) -> impl IntoView + use<> {
    let SnapshotRecord { number, report, .. } = record;
    let sentence = sentence(number, &report);
    let drawn = Graph::of(&report, kin).map(graph);
    let clashes = by_damage(&report.clashes);
    let body = if clashes.is_empty() { Either::Left(nothing(&report, number)) } else { Either::Right(table(&clashes)) };
    let commands = vec![Command::line("ambit intake"), Command::line(format!("ambit show {number}"))];
    let pairs = report.clashes.len();
    view! {
        <PageHead title=CLASHES.title sentence=sentence>
            {copy_as(commands)}
        </PageHead>
        <Panel id="clashes" title="Clashes" count=count(pairs, "pair", "pairs")>
            {body}
        </Panel>
        {drawn}
        {(!report.likenesses.is_empty()).then(|| undeclared(report.likenesses))}
        {(!report.proposed_groups.is_empty()).then(|| groups(report.proposed_groups))}
    }
}

fn sentence(number: i64, report: &IntakeReport) -> String {
    let lost: usize = report.clashes.iter().map(Clash::damage).sum();
    format!(
        "{} to another tool in {} of snapshot {number}; {} undeclared.",
        count(lost, "example question goes", "example questions go"),
        count(report.clashes.len(), "pair", "pairs"),
        count(report.likenesses.len(), "likeness is", "likenesses are"),
    )
}

fn nothing(report: &IntakeReport, number: i64) -> impl IntoView + use<> {
    let tools = count(report.accepted.len(), "tool", "tools");
    view! {
        <Empty of=Icon::Ok title="No clash">
            <span>{format!("When snapshot {number} was compiled, {tools} were asked their own example questions, and each came first.")}</span>
        </Empty>
    }
}

fn table(clashes: &[&Clash]) -> impl IntoView + use<> {
    const COLUMNS: &[Column] = &[
        Column::Text("Tool"),
        Column::Text("And"),
        Column::Number("Lost by the first"),
        Column::Number("Lost by the second"),
        Column::Number("Likeness"),
        Column::Text("Words in both"),
    ];
    let named: Vec<String> = clashes.iter().map(|clash| format!("{}-{}", clash.tool, clash.rival)).collect();
    let ids = anchors("clash", named.iter().map(String::as_str));
    let rows = clashes.iter().zip(ids).map(|(clash, id)| row(clash, id)).collect_view();
    view! {
        <table class="tbl cards four-up" role="table" aria-label="Pairs of tools, those that cost most questions first">
            {head(COLUMNS)}
            <tbody role="rowgroup">{rows}</tbody>
        </table>
    }
}

fn row(clash: &Clash, id: String) -> impl IntoView + use<> {
    let Clash { tool: first, rival, questions, taken, words, likeness } = clash.clone();
    let (one, other) = if rival.is_empty() {
        // Who may see one side alone is told what was lost, and nothing of who took it.
        let other = view! { <span class="what">"another tool, which you may not read"</span> };
        (Either::Left(tool(&first)), Either::Left(other))
    } else {
        let path = pair_path(&first, &rival);
        (Either::Right(view! { <a href=path>{tool(&first)}</a> }), Either::Right(tool(&rival)))
    };
    view! {
        <tr role="row" id=id>
            <td role="cell" class="lead">
                {one}
            </td>
            <td role="cell" class="full" data-l="And">
                {other}
            </td>
            <td role="cell" class="num" data-l="Lost by the first">
                {questions.len()}
            </td>
            <td role="cell" class="num" data-l="Lost by the second">
                {taken.len()}
            </td>
            <td role="cell" class="num" data-l="Likeness">
                {ambit_model::ratio::Ratio(likeness).to_string()}
            </td>
            <td role="cell" class="full" data-l="Words in both">
                {words.join(", ")}
            </td>
        </tr>
    }
}

fn undeclared(likenesses: Vec<Likeness>) -> impl IntoView {
    let counted = count(likenesses.len(), "pair", "pairs");
    let named: Vec<String> = likenesses.iter().map(|like| format!("{}-{}", like.tool, like.other)).collect();
    let ids = anchors("like", named.iter().map(String::as_str));
    let mut shown: BTreeSet<String> = BTreeSet::new();
    let row = |(like, id): (Likeness, String)| {
        let says = if shown.insert(like.proposal.clone()) { "The declaration" } else { "The declaration, as above" };
        likeness(like, id, says)
    };
    let rows = likenesses.into_iter().zip(ids).map(row).collect_view();
    view! {
        <Panel id="undeclared" title="Not declared" count=counted>
            <p class="lead-in">
                "These look like twins or like versions of one tool. Only a declaration changes what is done about them."
            </p>
            <ul class="rows">{rows}</ul>
        </Panel>
    }
}

fn likeness(like: Likeness, id: String, says: &'static str) -> impl IntoView {
    let Likeness { kind, tool: first, other, evidence, proposal, .. } = like;
    let kind = match kind {
        LikenessKind::Twins => tag("plain", Icon::Twin, "twins?"),
        LikenessKind::Versions => tag("plain", Icon::Version, "versions?"),
    };
    let evidence = evidence.iter().map(|line| view! { <p class="sub">{words(line)}</p> }).collect_view();
    view! {
        <li class="line stack" id=id>
            <div class="row">{kind} {tool(&first)} "and" {tool(&other)}</div>
            {evidence}
            {yaml(says, proposal)}
        </li>
    }
}

/// A document to copy, folded.
pub(super) fn yaml(says: &'static str, text: String) -> impl IntoView {
    view! {
        <details class="asdata">
            <summary>{crate::parts::icon::classed_icon(Icon::Chevron, "i chev")} {says}</summary>
            <pre class="code" tabindex="0">
                <code>{text}</code>
            </pre>
        </details>
    }
}

fn groups(proposed: Vec<ProposedGroup>) -> impl IntoView {
    let counted = count(proposed.len(), "group", "groups");
    let ids = anchors("group", proposed.iter().map(|group| group.id.as_str()));
    let rows = proposed.into_iter().zip(ids).map(|(group, id)| {
        let members = count(group.members.len(), "tool", "tools");
        let listed = group.members.iter().map(|member| view! { <li>{tool(member)}</li> }).collect_view();
        view! {
            <li class="line stack" id=id>
                <div class="row">
                    <b>{group.title}</b> <span class="dim">{group.project} ", " {members}</span>
                </div>
                <p class="sub">{group.description}</p>
                <details class="asdata">
                    <summary>{crate::parts::icon::classed_icon(Icon::Chevron, "i chev")} "Its tools"</summary>
                    <ul>{listed}</ul>
                </details>
            </li>
        }
    });
    view! {
        <Panel id="groups" title="Groups that are proposed" count=counted>
            <p class="lead-in">"Tools that are members of no Group, clustered by meaning; "<code>"ambit intake"</code>" prints the documents."</p>
            <ul class="rows">{rows.collect_view()}</ul>
        </Panel>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_undeclared_is_shown_with_its_evidence_and_the_declaration() {
        let like = Likeness {
            kind: LikenessKind::Versions,
            tool: "a/x".to_owned(),
            other: "a/x_v2".to_owned(),
            evidence: vec!["one name but for the version: `x`".to_owned(), "inputs of both: <id>".to_owned()],
            proposal: "kind: VersionFamily\nid: a-x\n".to_owned(),
            speaks_of: Vec::new(),
        };
        let html = undeclared(vec![like]).into_view().to_html();
        for text in
            ["1 pair", "versions?", "but for the version: ", "inputs of both: &lt;id&gt;", "kind: VersionFamily"]
        {
            assert!(html.contains(text), "{text} is not in {html}");
        }
    }
}
