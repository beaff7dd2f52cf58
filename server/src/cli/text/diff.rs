//! What changes between two snapshots, as plain lists; a raised ceiling is the first line.

use ambit_model::diff::{CeilingChange, Changed, Section};
use ambit_service::snapshots::Compared;

/// Longest value that is printed whole, in characters.
const LONGEST: usize = 60;
/// Characters before the first difference that are shown too.
const BEFORE: usize = 20;

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
    let what = match (change.from, change.to, change.raised) {
        (_, _, true) => "RAISED",
        (None, _, _) => "new",
        (_, None, _) => "gone",
        _ => "lowered",
    };
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
        let same = common(field.from.as_deref().unwrap_or(""), field.to.as_deref().unwrap_or(""));
        let value = |value: &Option<String>| value.as_deref().map_or("nothing".to_owned(), |value| short(value, same));
        text.push_str(&format!("      {}: {} -> {}\n", field.field, value(&field.from), value(&field.to)));
    }
    text
}

/// Characters that both values begin with.
fn common(from: &str, to: &str) -> usize {
    from.chars().zip(to.chars()).take_while(|(a, b)| a == b).count()
}

/// One line. Of a long value the part around the first difference is shown, and its length is said.
fn short(value: &str, same: usize) -> String {
    let length = value.chars().count();
    let line = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    if length <= LONGEST {
        return line(value.to_owned());
    }
    let skipped = same.saturating_sub(BEFORE);
    let start = if skipped > 0 { "…" } else { "" };
    let kept = line(value.chars().skip(skipped).take(LONGEST).collect());
    let end = if length > skipped + LONGEST { "…" } else { "" };
    format!("{start}{kept}{end} ({length} characters)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_value_is_shown_where_it_differs() {
        let (from, to) = (format!("{}old", "same ".repeat(20)), format!("{}new and more", "same ".repeat(20)));
        let same = common(&from, &to);
        assert_eq!(short(&from, same), "…same same same same old (103 characters)");
        assert_eq!(short(&to, same), "…same same same same new and more (112 characters)");
        assert_eq!(short("a\n  b", 0), "a b");
    }
}
