//! Diagnostics as short lines for the tables of the tests, the underlined text included.
//! The same form in every stage, so that tables read alike.

use ambit_model::diagnostic::{Diagnostic, Place};

use crate::source::SourceTree;

/// `a.yaml:2:5 E_CODE <underlined> message | help`, then one indented line for each related place.
pub(crate) fn rendered(problems: &[Diagnostic]) -> String {
    let mut lines = Vec::new();
    for problem in problems {
        let help = problem.help.as_ref().map_or_else(String::new, |help| format!(" | {help}"));
        let place = problem.place.as_ref().map_or_else(|| "nowhere".to_owned(), |place| at(place, &problem.code));
        lines.push(format!("{place} {}{help}", problem.message));
        lines.extend(
            problem.related.iter().map(|related| format!("  {} {}", at(&related.place, "see"), related.message)),
        );
    }
    lines.join("\n")
}

/// A tree of these files in the folder that is the root itself.
pub(crate) fn tree(files: &[(&str, &str)]) -> SourceTree {
    let mut tree = SourceTree::default();
    for (path, text) in files {
        tree.insert(*path, *text);
    }
    tree
}

fn at(place: &Place, word: &str) -> String {
    let underlined: String = place.text.chars().skip(place.column as usize - 1).take(place.length as usize).collect();
    format!("{}:{}:{} {word} <{underlined}>", place.file, place.line, place.column)
}
