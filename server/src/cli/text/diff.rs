//! What changes between two snapshots, as plain lists; a raised ceiling is the first line.

use ambit_model::diff::{CeilingChange, Changed, Section};
use ambit_service::snapshots::Compared;

/// Longest value that is printed whole, in characters.
const LONGEST: usize = 60;

/// The whole comparison.
pub(in crate::cli) fn diff(compared: &Compared) -> String {
    let Compared { from, to, diff } = compared;
    let heading =
        format!("snapshot {} ({}) -> {} ({})\n", from.number, from.digest.short(), to.number, to.digest.short());
    if diff.is_empty() {
        return format!("{heading}\nthey hold the same\n");
    }
    let ceilings: String = diff.ceilings.iter().map(ceiling).collect();
    let sections: String = diff.sections.iter().map(section).collect();
    let (added, removed, changed) = diff.counts();
    format!("{ceilings}{heading}{sections}\n{added} added, {removed} removed, {changed} changed\n")
}

fn ceiling(change: &CeilingChange) -> String {
    let word = |ceiling: Option<ambit_model::facts::Ceiling>| ceiling.map_or("none", |ceiling| ceiling.word());
    let what = if change.raised { "RAISED" } else { "lowered" };
    format!("ceiling of {} {what}: {} -> {}\n", change.project, word(change.from), word(change.to))
}

fn section(section: &Section) -> String {
    let mut text = format!("\n{}\n", section.kind.title());
    section.added.iter().for_each(|id| text.push_str(&format!("  + {id}\n")));
    section.removed.iter().for_each(|id| text.push_str(&format!("  - {id}\n")));
    section.changed.iter().for_each(|changed| text.push_str(&one(changed)));
    text
}

fn one(changed: &Changed) -> String {
    let mut text = format!("  ~ {}\n", changed.id);
    for field in &changed.fields {
        let value = |value: &Option<String>| value.as_deref().map_or("nothing".to_owned(), short);
        text.push_str(&format!("      {}: {} -> {}\n", field.field, value(&field.from), value(&field.to)));
    }
    text
}

/// One line; a long value is cut, and its length is said.
fn short(value: &str) -> String {
    let line = value.split_whitespace().collect::<Vec<_>>().join(" ");
    let length = line.chars().count();
    if length <= LONGEST {
        return line;
    }
    let kept: String = line.chars().take(LONGEST).collect();
    format!("{kept}… ({length} characters)")
}
