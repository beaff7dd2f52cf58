//! What intake found, rule by rule, and what a trial gave.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::codes;
use ambit_model::diagnostic::Severity;
use ambit_model::intake::{Clash, Fared, Finding, IntakeReport};
use ambit_service::clashes::by_damage;
use ambit_service::trial::Tried;

use super::snapshots::counted;

/// What of a report is printed.
#[derive(Clone, Copy)]
pub(in crate::cli) struct Shown {
    /// What is acknowledged too.
    pub(in crate::cli) all: bool,
    /// Proposed declarations as YAML.
    pub(in crate::cli) proposals: bool,
}

/// Errors first, then the rules that most tools broke; then pairs of tools; the last line says what was admitted.
pub(in crate::cli) fn report(report: &IntakeReport, shown: Shown) -> String {
    let mut text = String::new();
    for ((severity, code), findings) in by_rule(report, shown.all) {
        let meaning = codes::find(code).map_or("", |entry| entry.meaning);
        text.push_str(&format!("{code}  {}  {meaning}\n", severity.word()));
        for finding in findings {
            text.push_str(&line(finding));
        }
        text.push('\n');
    }
    text.push_str(&clashes(report));
    text.push_str(&likenesses(report, shown.proposals));
    text.push_str(&groups(report, shown.proposals));
    text.push_str(&last(report));
    text
}

fn by_rule(report: &IntakeReport, all: bool) -> Vec<((Severity, &str), Vec<&Finding>)> {
    let mut rules: BTreeMap<(Severity, &str), Vec<&Finding>> = BTreeMap::new();
    for finding in report.findings.iter().filter(|finding| all || !finding.acknowledged) {
        rules.entry((finding.severity, &finding.code)).or_default().push(finding);
    }
    let mut rules: Vec<_> = rules.into_iter().collect();
    rules.sort_by(|(a, these), (b, those)| a.0.cmp(&b.0).then(those.len().cmp(&these.len())).then(a.1.cmp(b.1)));
    rules
}

fn line(finding: &Finding) -> String {
    let Finding { tool, pointer, message, remedy, acknowledged, place, .. } = finding;
    let place = place.as_ref().map(|place| format!("  {}:{}", place.file, place.line)).unwrap_or_default();
    let known = if *acknowledged { " (acknowledged)" } else { "" };
    let pointer = if pointer.is_empty() { String::new() } else { format!(" at {pointer}") };
    format!("  {tool}{pointer}{known}{place}\n    {message}\n    help: {remedy}\n")
}

fn clashes(report: &IntakeReport) -> String {
    let lines: String = by_damage(&report.clashes).into_iter().map(clash).collect();
    if lines.is_empty() { lines } else { format!("pairs of tools that answer to the same questions\n{lines}\n") }
}

/// Questions of a pair that are printed of each side.
const QUESTIONS: usize = 2;

fn clash(clash: &Clash) -> String {
    let Clash { tool, rival, questions, taken, .. } = clash;
    let mut text =
        format!("  {tool} and {rival}: {} lost by the first, {} by the second\n", questions.len(), taken.len());
    for (side, questions) in [(tool, questions), (rival, taken)] {
        for question in questions.iter().take(QUESTIONS) {
            text.push_str(&format!(
                "    “{}”: {side} is number {}, in meaning {}, in words {}\n",
                question.question,
                question.own_rank,
                margin(question.semantic_margin),
                margin(question.bm25_margin)
            ));
        }
    }
    text.push_str(&format!("    help: `ambit repair {tool} {rival}` proposes what sets them apart\n"));
    text
}

/// Signed, on the scale of scores from 0 to 1.
fn margin(of_10_000: i32) -> String {
    format!("{:+.2}", f64::from(of_10_000) / 10_000.0)
}

fn likenesses(report: &IntakeReport, proposals: bool) -> String {
    let mut text = String::new();
    // One document is of many pairs, and all that is printed can be taken over at once.
    let mut printed: BTreeSet<&str> = BTreeSet::new();
    for like in &report.likenesses {
        text.push_str(&format!("  {} and {}\n", like.tool, like.other));
        for evidence in &like.evidence {
            text.push_str(&format!("    {evidence}\n"));
        }
        if proposals {
            let again = !printed.insert(&like.proposal);
            text.push_str(&indented(if again { "# as above" } else { &like.proposal }));
        }
    }
    if text.is_empty() {
        text
    } else {
        format!("pairs that look like twins or versions, and are not declared so\n{text}\n")
    }
}

fn groups(report: &IntakeReport, proposals: bool) -> String {
    let mut text = String::new();
    for group in &report.proposed_groups {
        text.push_str(&format!("  {} ({}): {}\n", group.title, group.project, counted(group.members.len(), "tool")));
        if proposals {
            text.push_str(&indented(&ambit_service::intake::group_as_yaml(group)));
        }
    }
    if text.is_empty() { text } else { format!("groups that are proposed for tools of none\n{text}\n") }
}

fn indented(yaml: &str) -> String {
    yaml.lines().map(|line| format!("      {line}\n")).collect()
}

fn last(report: &IntakeReport) -> String {
    let open = report.findings.iter().filter(|f| f.severity == Severity::Error && !f.acknowledged);
    let open: BTreeSet<&str> = open.map(|finding| finding.tool.as_str()).collect();
    let next = match open.len() {
        0 => "no refusal is open".to_owned(),
        number => format!(
            "{} {} repair or an acknowledgement; `ambit intake try` tries a description",
            counted(number, "refused tool"),
            if number == 1 { "wants" } else { "want" }
        ),
    };
    format!("{} offered, {} admitted, {} refused; {next}\n", report.offered, report.accepted.len(), report.rejected())
}

/// Before and after, and what is still to be said.
pub(in crate::cli) fn tried(tried: &Tried) -> String {
    let Tried { tool, before, after, .. } = tried;
    let mut text = format!("{tool}\n  before  {}\n  after   {}\n", fared(before), fared(after));
    for finding in &after.findings {
        text.push_str(&line(finding));
    }
    for clash in &after.lost {
        text.push_str(&format!("  {} to {}\n", counted(clash.1, "question"), clash.0));
    }
    let verdict = if after.is_refused() { "it would be refused" } else { "it would be admitted" };
    format!("{text}{verdict}; nothing was written: put the description into its Catalog under `tools`\n")
}

fn fared(of: &Fared) -> String {
    let standing = if of.is_refused() { "refused" } else { "admitted" };
    let questions = match of.asked {
        0 => "no example questions".to_owned(),
        asked => format!("first for {} of {}", of.first, counted(asked, "example question")),
    };
    format!("{standing}, {questions}, {} of others taken", counted(of.taken, "question"))
}

#[cfg(test)]
mod tests {
    use ambit_model::intake::{Likeness, LikenessKind};

    use super::*;

    #[test]
    fn a_document_of_many_pairs_is_printed_once() {
        let like = |other: &str| Likeness {
            kind: LikenessKind::Twins,
            tool: "c/a".to_owned(),
            other: other.to_owned(),
            evidence: Vec::new(),
            proposal: "kind: TwinGroup\nid: c-a\n".to_owned(),
            speaks_of: Vec::new(),
        };
        let report = IntakeReport { likenesses: vec![like("c/b"), like("c/c")], ..IntakeReport::default() };
        let text = likenesses(&report, true);
        let document = "      kind: TwinGroup\n      id: c-a\n";
        assert!(text.ends_with(&format!("  c/a and c/b\n{document}  c/a and c/c\n      # as above\n\n")), "{text}");
        assert!(!likenesses(&report, false).contains("kind:"));
    }
}
