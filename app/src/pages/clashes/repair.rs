//! The repair that is proposed for a clash: the YAML to copy, where it goes, and how the questions end without it and with it.

use ambit_model::intake::Likeness;
use ambit_model::repair::{ProposedRepair, RepairAdvice, RepairKind, Rerun, WrittenAt};
use leptos::prelude::*;

use super::list::yaml;
use crate::parts::count::count;
use crate::parts::panel::Panel;
use crate::parts::tool::tool;
use crate::parts::words::words;

/// The panel. `command` proposes the same from the workspace, and everything else that would help.
pub(super) fn proposed(advice: RepairAdvice, likenesses: Vec<Likeness>, command: String) -> impl IntoView {
    let RepairAdvice { proposed, tried, note } = advice;
    let declares = proposed.as_ref().is_some_and(|repair| repair.kind != RepairKind::Description);
    // What it looks like is worth declaring even where a description helps more.
    let declarations = likenesses.into_iter().filter(|_| !declares);
    let declarations = declarations.map(|like| yaml("Declare what they look like", like.proposal)).collect_view();
    let kind = proposed.as_ref().map(|repair| repair.kind.word()).unwrap_or_default();
    view! {
        <Panel id="repair" title="Proposed repair" count=kind>
            <div class="body stack">
                {proposed.map(repair)}
                {note.map(|note| view! { <p>{words(&capital(&note))}"."</p> })}
                {declarations}
                <p class="dim">
                    {count(tried, "repair was", "repairs were")}
                    " tried among the tools in your sight. In the workspace the command proposes all that help, and writes the first with "
                    <code>"--write"</code> "."
                </p>
                <code class="cmd" tabindex="0">
                    {command}
                </code>
            </div>
        </Panel>
    }
}

fn repair(of: ProposedRepair) -> impl IntoView {
    let ProposedRepair { kind, yaml, places, rerun } = of;
    let says = match kind {
        RepairKind::Family => "One is a version of the other: a document of its own says so.",
        RepairKind::Twins => "Both do the same: a document of its own says so, and which is preferred.",
        RepairKind::Description => {
            "Descriptions that say what sets the two apart, in the words of their own examples and inputs."
        }
    };
    view! {
        <p>{says} {goes(kind, &places)}</p>
        <pre class="code" tabindex="0">
            <code>{yaml}</code>
        </pre>
        {rerun.map(outcome)}
    }
}

/// Where it goes; nothing where that is not known.
fn goes(kind: RepairKind, places: &[WrittenAt]) -> Option<String> {
    let listed: Vec<String> = places.iter().map(|at| format!("{}:{}", at.file, at.line)).collect();
    let says = if kind == RepairKind::Description { "It goes to" } else { "It goes beside" };
    (!listed.is_empty()).then(|| format!(" {says} {}.", listed.join(" and ")))
}

fn outcome(rerun: Rerun) -> impl IntoView {
    let lost = |of: usize| count(of, "question lost", "questions lost");
    let Rerun { lost_before, lost_after, before, after } = rerun;
    let each = before.into_iter().zip(after).map(|(before, after)| {
        view! {
            <dt>{tool(&before.tool)}</dt>
            <dd>{format!("first for {} of {} before, {} after", before.first, before.of, after.first)}</dd>
        }
    });
    view! {
        <dl class="kv" id="rerun">
            <dt>"Before"</dt>
            <dd>{lost(lost_before)}</dd>
            <dt>"After"</dt>
            <dd>{lost(lost_after)}</dd>
            {each.collect_view()}
        </dl>
    }
}

/// The sentence with a capital letter.
fn capital(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use ambit_model::repair::Standing;

    use super::*;

    fn html(advice: RepairAdvice) -> String {
        proposed(advice, Vec::new(), "ambit repair 'a/x' 'a/y'".to_owned()).into_view().to_html()
    }

    #[test]
    fn a_repair_is_shown_with_its_place_and_both_outcomes() {
        let standings = |first| ["a/x", "a/y"].map(|tool| Standing { tool: tool.to_owned(), first, of: 3 });
        let repair = ProposedRepair {
            kind: RepairKind::Twins,
            yaml: "kind: TwinGroup\nid: <b>".to_owned(),
            places: vec![WrittenAt { file: "policies/a.yaml".to_owned(), line: 7 }],
            rerun: Some(Rerun::new(standings(1), standings(3))),
        };
        let html = html(RepairAdvice { proposed: Some(repair), tried: 4, note: None });
        for text in [
            "Proposed repair",
            "twins",
            "It goes beside policies/a.yaml:7.",
            "id: &lt;b&gt;",
            "4 questions lost",
            "0 questions lost",
            "4 repairs were",
            "first for 1 of 3 before, 3 after",
        ] {
            assert!(html.contains(text), "{text} is not in {html}");
        }
    }

    #[test]
    fn without_a_re_run_the_reason_is_said() {
        let html = html(RepairAdvice { note: Some("no model is at hand".to_owned()), ..RepairAdvice::default() });
        assert!(html.contains("No model is at hand") && html.contains("0 repairs were"), "{html}");
        assert!(!html.contains("id=\"rerun\""), "{html}");
    }
}
