//! A diff as the comment of a pull request: raised ceilings, who gains, who loses, and the rest folded away.

use ambit_model::diagnostic::Diagnostic;
use ambit_model::diff::{CeilingChange, ClassChange, Diff, ReachChange, ToolChange};
use ambit_service::diff::End;

use super::{Page, code, plain, prose};
use crate::cli::bundle::{Bundle, bundles};
use crate::cli::diagnostics;
use crate::cli::text::diff::{Report, ceiling_word, counts, proof_text, sections_in_full};

/// What a job finds its own comment by.
const MARK: &str = "<!-- ambit diff -->\n";
/// Tools, and policies, of one cell.
const FEW: usize = 8;

/// The whole comment.
pub(in crate::cli) fn comment(report: &Report<'_>) -> String {
    let diff = &report.comparison.diff;
    let mut page = Page::new();
    let (authority, rest) = counts(diff);
    page.add(&format!("{MARK}## Ambit: {authority}\n"));
    ceilings(&mut page, &diff.ceilings);
    stopped(&mut page, report);
    page.add(&format!("\n{} → {}\n", end(&report.comparison.from), end(&report.comparison.to)));
    refusals(&mut page, report.refusals);
    authority_tables(&mut page, diff);
    if let Some(proof) = report.proof {
        page.folded(&format!("Proof: the policies: {}", proof.policies.word()), &proof_text(proof));
    }
    if !diff.sections.is_empty() {
        page.folded(&format!("What else changes: {rest}"), sections_in_full(diff).trim_start_matches('\n'));
    }
    let problems = diagnostics::count(report.problems).map(|count| format!("{count} in `ambit check`. "));
    page.finish(&format!("{}`ambit diff --full` prints everything.", problems.unwrap_or_default()))
}

/// The comment where the workspace does not compile.
pub(in crate::cli) fn uncompiled(problems: &[Diagnostic]) -> String {
    let mut page = Page::new();
    let count = diagnostics::count(problems).unwrap_or_default();
    page.add(&format!("{MARK}## Ambit: the workspace does not compile\n"));
    page.folded(&count, &diagnostics::render(problems));
    page.finish("Nothing can be compared before the errors are mended; `ambit check` prints them.")
}

fn end(end: &End) -> String {
    match end {
        End::Nothing => "Nothing is live yet".to_owned(),
        End::Snapshot { name, .. } => format!("Snapshot {} (`{}`)", name.number, name.digest.short()),
        End::Workspace { digest, source_digest } => {
            format!("the workspace (`{}`, source `{}`)", digest.short(), source_digest.short())
        }
    }
}

fn ceilings(page: &mut Page, changes: &[CeilingChange]) {
    let row = |change: &CeilingChange| {
        let what = match (change.raised, change.is_alarming()) {
            (true, _) => "**raised**",
            (false, true) => "**new**",
            _ => "",
        };
        vec![code(&change.project), code(ceiling_word(change.from)), code(ceiling_word(change.to)), what.to_owned()]
    };
    page.table("Ceilings", &["project", "before", "after", ""], &changes.iter().map(row).collect::<Vec<_>>());
}

fn stopped(page: &mut Page, report: &Report<'_>) {
    if !report.stopped.is_empty() {
        let words: Vec<&str> = report.stopped.iter().map(|alarm| alarm.word()).collect();
        page.add(&format!("\n**Stopped by `--fail-on`:** {}\n", words.join(", ")));
    }
}

fn refusals(page: &mut Page, refusals: &[Diagnostic]) {
    let row = |one: &Diagnostic| vec![format!("`{}`", one.code), prose(&one.message)];
    page.table("`ambit apply` would refuse it", &["code", "because"], &refusals.iter().map(row).collect::<Vec<_>>());
}

fn authority_tables(page: &mut Page, diff: &Diff) {
    const COLUMNS: [&str; 5] = ["project", "who", "may", "tools", "because"];
    let classes = &diff.authority.classes;
    let rows = |of: fn(&ClassChange) -> &Vec<ToolChange>| -> Vec<Vec<String>> {
        classes.iter().flat_map(|class| bundles(of(class)).into_iter().map(|bundle| row(class, &bundle))).collect()
    };
    page.table("Who gains", &COLUMNS, &rows(|class| &class.gains));
    page.table("Who loses", &COLUMNS, &rows(|class| &class.loses));
    let effects = classes.iter().flat_map(|class| {
        class.effects.iter().map(|change| {
            let effects = format!("{} → {}", code(change.from.word()), code(change.to.word()));
            vec![code(&class.project.to_string()), asked(class), code(change.tool.as_str()), effects]
        })
    });
    page.table("Effects", &["project", "who", "tool", "effect"], &effects.collect::<Vec<_>>());
    reaches(page, &diff.authority.reaches);
}

fn row(class: &ClassChange, bundle: &Bundle<'_>) -> Vec<String> {
    let ToolChange { condition, policies, because, .. } = bundle.of;
    let condition = condition.iter().map(|condition| format!(", {}", plain(condition))).collect::<String>();
    let tool = |change: &&ToolChange| format!("{} ({})", code(change.tool.as_str()), change.effect);
    let mut reasons: Vec<String> = because.iter().map(|line| prose(line)).collect();
    reasons.extend((!policies.is_empty()).then(|| format!("by {}", few(policies.iter().map(|id| code(id)).collect()))));
    vec![
        code(&class.project.to_string()),
        asked(class),
        format!("{}{condition}", bundle.actions()),
        few(bundle.tools.iter().map(tool).collect()),
        few(reasons),
    ]
}

/// The class, with an example where it does not begin with one.
fn asked(class: &ClassChange) -> String {
    let name = named(&class.class);
    match class.who.as_slice() {
        [first, others @ ..] if !class.class.starts_with(&first.to_string()) => {
            let more = if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
            format!("{name}: {}{more}", named(&first.to_string()))
        }
        _ => name,
    }
}

/// A name alone, or words of ours that quote names.
fn named(text: &str) -> String {
    if text.contains([' ', '`']) { prose(text) } else { code(text) }
}

fn few(parts: Vec<String>) -> String {
    crate::cli::bundle::shown(&parts, FEW)
}

fn reaches(page: &mut Page, changes: &[ReachChange]) {
    let list = |things: &[String]| few(things.iter().map(|thing| code(thing)).collect());
    let row = |reach: &ReachChange| {
        vec![named(&reach.who.to_string()), list(&reach.gains), list(&reach.loses), list(&reach.policies)]
    };
    let rows: Vec<Vec<String>> = changes.iter().map(row).collect();
    page.table("Administration and acting for others", &["who", "gains", "loses", "policies"], &rows);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::text::diff::tests::{hostile, report};

    #[test]
    fn a_comment_is_as_it_was_reviewed() {
        let comparison = hostile();
        let text = comment(&report(&comparison));
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/cli/markdown/expected.md");
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(path, &text).unwrap();
        }
        assert_eq!(text, std::fs::read_to_string(path).unwrap());
        // Outside of code, which is where a mention or a tag would count.
        let outside: String = text.split('`').step_by(2).collect();
        assert!(
            !outside.contains("@octocat") && !outside.contains("<img") && !outside.contains("<script"),
            "{outside}"
        );
    }
}
