//! What differs between two states, for people: raised ceilings first, then who gains and loses, then all else, short or in full.

mod authority;
mod proof;
mod sections;
mod values;

use ambit_model::diagnostic::Diagnostic;
use ambit_model::diff::{Alarm, CeilingChange, Diff};
use ambit_model::facts::Ceiling;
use ambit_model::proof::Proof;
use ambit_service::diff::{Comparison, End};

use super::snapshots::counted;
use crate::cli::diagnostics;

/// A comparison, and what goes with it.
pub(in crate::cli) struct Report<'a> {
    pub(in crate::cli) comparison: &'a Comparison,
    /// Problems of the workspace that nobody acknowledged.
    pub(in crate::cli) problems: &'a [Diagnostic],
    /// Why `apply` would refuse it as it stands.
    pub(in crate::cli) refusals: &'a [Diagnostic],
    /// What `--fail-on` names and this holds.
    pub(in crate::cli) stopped: &'a [Alarm],
    /// The file that the diff was saved in.
    pub(in crate::cli) saved: Option<&'a str>,
    /// Where one was asked for.
    pub(in crate::cli) proof: Option<&'a Proof>,
}

/// How much is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Detail {
    /// Names, and few of them.
    Short,
    /// Every name, and every field with its value.
    Full,
}

/// The whole comparison.
pub(in crate::cli) fn diff(report: &Report<'_>, detail: Detail) -> String {
    let Comparison { from, to, diff } = report.comparison;
    let ceilings: String = diff.ceilings.iter().map(ceiling).collect();
    let heading = format!("{} -> {}\n", end(from), end(to));
    let authority = authority::changes(&diff.authority, detail);
    let sections = sections::list(&diff.sections, detail);
    let refusals = diagnostics::render(report.refusals);
    let refusals = if refusals.is_empty() { refusals } else { format!("\n{refusals}") };
    let proof = report.proof.map(|proof| format!("\n{}", proof::proof(proof))).unwrap_or_default();
    format!(
        "{ceilings}{heading}{authority}{sections}{proof}{refusals}\n{}{}\n",
        stopped(report.stopped),
        last(report, detail)
    )
}

/// Everything beside ceilings and authority, in full.
pub(in crate::cli) fn sections_in_full(diff: &Diff) -> String {
    sections::list(&diff.sections, Detail::Full)
}

/// What was proved.
pub(in crate::cli) fn proof_text(of: &Proof) -> String {
    proof::proof(of)
}

/// A workspace that does not compile, so nothing can be compared.
pub(in crate::cli) fn uncompiled(problems: &[Diagnostic]) -> String {
    let count = diagnostics::count(problems).unwrap_or_default();
    format!("{}{count}; nothing can be compared before the errors are mended\n", diagnostics::render(problems))
}

/// One side, by its name.
pub(in crate::cli) fn end(end: &End) -> String {
    match end {
        End::Nothing => "nothing is live yet".to_owned(),
        End::Snapshot { name, .. } => format!("snapshot {} ({})", name.number, name.digest.short()),
        End::Workspace { digest, .. } => format!("the workspace ({})", digest.short()),
    }
}

/// `read_only`; `none` where there is no such project.
pub(in crate::cli) fn ceiling_word(ceiling: Option<Ceiling>) -> &'static str {
    ceiling.map_or("none", Ceiling::word)
}

fn ceiling(change: &CeilingChange) -> String {
    let what = match (change.from, change.to, change.raised) {
        (_, _, true) => "RAISED",
        (None, _, _) if change.is_alarming() => "NEW, above read_only",
        (None, _, _) => "new",
        (_, None, _) => "gone",
        _ => "lowered",
    };
    format!("ceiling of {} {what}: {} -> {}\n", change.project, ceiling_word(change.from), ceiling_word(change.to))
}

/// The counts of a diff: `1 ceiling raised, 2 gain, nobody loses`, and what else changes.
pub(in crate::cli) fn counts(diff: &Diff) -> (String, String) {
    let raised = diff.ceilings.iter().filter(|change| change.is_alarming()).count();
    let classes = &diff.authority.classes;
    let reaches = &diff.authority.reaches;
    let gain = classes.iter().filter(|class| !class.gains.is_empty()).count()
        + reaches.iter().filter(|reach| !reach.gains.is_empty()).count();
    let lose = classes.iter().filter(|class| !class.loses.is_empty()).count()
        + reaches.iter().filter(|reach| !reach.loses.is_empty()).count();
    let who = |count: usize, one: &str, many: &str| match count {
        0 => format!("nobody {one}"),
        1 => format!("1 {one}"),
        _ => format!("{count} {many}"),
    };
    let ceilings = if raised == 0 { String::new() } else { format!("{} raised, ", counted(raised, "ceiling")) };
    let (added, removed, changed) = diff.counts();
    (
        format!("{ceilings}{}, {}", who(gain, "gains", "gain"), who(lose, "loses", "lose")),
        format!("{added} added, {removed} removed, {changed} changed"),
    )
}

fn stopped(alarms: &[Alarm]) -> String {
    if alarms.is_empty() {
        return String::new();
    }
    let words: Vec<&str> = alarms.iter().map(|alarm| alarm.word()).collect();
    format!("stopped by --fail-on: {}\n", words.join(", "))
}

/// A count and the next step.
fn last(report: &Report<'_>, detail: Detail) -> String {
    let Comparison { to, diff, .. } = report.comparison;
    let problems = diagnostics::count(report.problems).map(|count| format!("; {count} in `ambit check`"));
    let problems = problems.unwrap_or_default();
    if diff.is_empty() {
        let next = if matches!(to, End::Workspace { .. }) { "; there is nothing to apply" } else { "" };
        return format!("they hold the same{problems}{next}");
    }
    let (authority, rest) = counts(diff);
    let apply = match (report.saved, report.stopped.is_empty()) {
        (Some(file), _) => format!("saved: `ambit apply --diff {file}` applies exactly this"),
        (None, true) => "`ambit apply` makes it live".to_owned(),
        (None, false) => "`ambit apply` makes it live, where this is meant".to_owned(),
    };
    let next = match (to, report.refusals.is_empty(), detail) {
        (End::Workspace { .. }, false, _) => "`ambit apply` would refuse it".to_owned(),
        (End::Workspace { .. }, true, Detail::Short) => format!("`--full` shows every field, {apply}"),
        (End::Workspace { .. }, true, Detail::Full) => apply,
        (_, _, Detail::Short) => "`--full` shows every field".to_owned(),
        (_, _, Detail::Full) => "`ambit show NUMBER` shows either whole".to_owned(),
    };
    format!("{authority}; {rest}{problems}; {next}")
}

#[cfg(test)]
pub(in crate::cli) mod tests;
