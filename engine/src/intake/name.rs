//! A tool needs a name that can be spoken of: present, one line, no spaces, once per catalog.
//! Dotted and slashed names and any script are welcome; nothing is renamed silently.

use std::collections::BTreeMap;

use ambit_model::codes;
use ambit_model::diagnostic::Severity;
use ambit_model::hidden::{characters, is_selector, may_hide};
use ambit_model::intake::Finding;

use super::Offer;
use crate::catalog::OfferedTool;

/// Longest name in characters; MCP's own recommendation (SEP-986).
const LONGEST: usize = 128;

pub(super) fn check(offer: &Offer<'_>, findings: &mut Vec<Finding>) {
    for flaw in &offer.tool.flaws {
        findings.push(offer.finding(Severity::Error, flaw.code, &flaw.pointer, &flaw.message, &flaw.remedy));
    }
    let Some(name) = &offer.tool.name else { return };
    let problem = if name.is_empty() {
        "the name is empty".to_owned()
    } else if name.chars().count() > LONGEST {
        format!("the name has more than {LONGEST} characters")
    } else if characters(name).into_iter().any(|(c, hides)| hides || cannot_be_spoken(c)) {
        format!("the name `{}` holds white space, hidden characters or signs", name.escape_debug())
    } else {
        return;
    };
    findings.push(offer.finding(
        Severity::Error,
        codes::E_NAME,
        offer.pointer("name"),
        problem,
        "use letters, digits, `_`, `-`, `.` and `/`",
    ));
}

/// White space and control characters; what may hide, but for a selector of how an emoji or an ideograph is drawn; and ASCII signs other
/// than `_ - . / :`, which could forge a step of a plan hint.
fn cannot_be_spoken(character: char) -> bool {
    let hidden = may_hide(character) && !is_selector(character);
    let sign = character.is_ascii_punctuation() && !matches!(character, '_' | '-' | '.' | '/' | ':');
    character.is_whitespace() || character.is_control() || hidden || sign
}

/// How often each label is offered, where more than once.
pub(super) fn doubles(offered: &[OfferedTool]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for tool in offered.iter().filter(|t| t.name.is_some()) {
        *counts.entry(tool.label()).or_insert(0) += 1;
    }
    counts.retain(|_, count| *count > 1);
    counts
}

/// Both of two tools with one name are refused: which is meant cannot be known.
pub(super) fn refuse_double(offer: &Offer<'_>, doubles: &BTreeMap<String, usize>, findings: &mut Vec<Finding>) {
    if let Some(count) = doubles.get(&offer.tool.label()) {
        let message = format!("the catalog offers {count} tools of this name, and none of them is taken");
        findings.push(offer.finding(
            Severity::Error,
            codes::E_DUPLICATE,
            offer.pointer("name"),
            message,
            "rename or remove all but one",
        ));
    }
}
