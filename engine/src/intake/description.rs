//! A description has to say more than the name does, in any language; it is what a tool is found by.

use std::collections::BTreeSet;

use ambit_model::codes;
use ambit_model::diagnostic::Severity;
use ambit_model::intake::Finding;

use super::Offer;
use crate::text;

/// Fewer words than this are worth a look.
const SHORT: usize = 4;
const POINTER: &str = "/description";

pub(super) fn check(offer: &Offer<'_>, findings: &mut Vec<Finding>) {
    let description = offer.description().map(str::trim).unwrap_or_default();
    if description.is_empty() {
        let flawed = offer.tool.flaws.iter().any(|f| f.code == codes::E_DESC_MISSING);
        if !flawed {
            findings.push(offer.finding(
                Severity::Error,
                codes::E_DESC_MISSING,
                POINTER,
                "the tool has no description",
                "say what it does, on what, and what it returns; or write a `description` in its Catalog",
            ));
        }
        return;
    }
    let name: BTreeSet<String> = text::words(offer.tool.name.as_deref().unwrap_or("")).into_iter().collect();
    let words = text::words(description);
    if words.iter().all(|word| name.contains(word)) {
        findings.push(offer.finding(
            Severity::Error,
            codes::E_DESC_VAGUE,
            POINTER,
            format!("the description `{}` adds no word to the name", shortened(description)),
            "say what it does, on what, and what it returns",
        ));
    } else if description.split_whitespace().count() < SHORT && description.is_ascii() {
        findings.push(offer.finding(
            Severity::Warning,
            codes::W_DESC_SHORT,
            POINTER,
            format!("the description `{}` has fewer than {SHORT} words", shortened(description)),
            "say what it does, on what, and what it returns",
        ));
    }
}

fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    let line: String = text.chars().take(LONGEST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().count() > LONGEST { format!("{line}…") } else { line }
}
