//! What changed beside authority, by kind: names and counts where it is to be short, every field with its value in full.

use ambit_model::diff::{Changed, DiffKind, Section};

use super::Detail;
use super::values::change;
use crate::cli::bundle::shown;

/// Names of one line.
const FEW: usize = 8;

/// All kinds, in their order.
pub(super) fn list(sections: &[Section], detail: Detail) -> String {
    match detail {
        Detail::Full => sections.iter().map(full).collect(),
        Detail::Short if sections.is_empty() => String::new(),
        Detail::Short => format!("\n{}", sections.iter().map(short).collect::<String>()),
    }
}

fn short(section: &Section) -> String {
    let changed: Vec<String> = match section.kind {
        // There is one of each, so its fields are what can be named.
        DiffKind::Schema | DiffKind::Settings => {
            section.changed.iter().flat_map(|one| &one.fields).map(|field| field.field.clone()).collect()
        }
        _ => section.changed.iter().map(|one| one.id.clone()).collect(),
    };
    let parts = [(&section.added, "added"), (&section.removed, "removed"), (&changed, "changed")];
    let parts: Vec<String> = parts
        .into_iter()
        .filter(|(names, _)| !names.is_empty())
        .map(|(names, what)| format!("{} {what} ({})", names.len(), shown(names, FEW)))
        .collect();
    format!("{}: {}\n", section.kind.title(), parts.join(", "))
}

fn full(section: &Section) -> String {
    let mut text = format!("\n{}\n", section.kind.title());
    section.added.iter().for_each(|id| text.push_str(&format!("  + {id}\n")));
    section.removed.iter().for_each(|id| text.push_str(&format!("  - {id}\n")));
    section.changed.iter().for_each(|changed| text.push_str(&one(changed)));
    text
}

fn one(changed: &Changed) -> String {
    let mut text = format!("  ~ {}\n", changed.id);
    for field in &changed.fields {
        text.push_str(&format!("      {}: {}\n", field.field, change(field)));
    }
    text
}
