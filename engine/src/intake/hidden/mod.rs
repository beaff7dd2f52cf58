//! Text that a person who reviews a tool does not see and a model does: characters without a picture, hidden markup, and addresses
//! that would carry data out. (Tool poisoning: OWASP LLM01:2025; Invariant Labs, April 2025; Unicode TR 36 and TR 39 for characters.)

mod addresses;
mod code;
mod definitions;
mod elements;
mod markup;
mod style;
mod tags;

use std::ops::Range;

use ambit_model::codes;
use ambit_model::diagnostic::Severity;
use ambit_model::hidden::{Found, found, may_hide};
use ambit_model::intake::Finding;

use super::Offer;
use super::texts::{Kind, SourceText};

/// Characters shown before and after the place.
const AROUND: usize = 20;
/// Longest quotation, in characters of the text.
const LONGEST: usize = 60;

/// Something hidden: where in the text, in bytes, and what it is.
pub(super) struct Hidden {
    pub place: Range<usize>,
    pub what: &'static str,
}

pub(super) fn check(offer: &Offer<'_>, findings: &mut Vec<Finding>) {
    for text in &offer.texts {
        let markup = if text.kind == Kind::ForMachines { None } else { markup::first(&text.text) };
        for hidden in [character(text), markup].into_iter().flatten() {
            let message = format!("the text holds {}: `{}`", hidden.what, quoted(&text.text, &hidden.place));
            findings.push(offer.finding(
                Severity::Error,
                codes::E_HIDDEN_TEXT,
                &text.pointer,
                message,
                "ask its owner what it is for, and take it out where the tool comes from",
            ));
        }
    }
}

/// The first character that hides.
fn character(source: &SourceText) -> Option<Hidden> {
    let means = |found: &Found| source.kind == Kind::ForMachines && bounds_a_range(&source.text, found);
    let first = found(&source.text).into_iter().find(|found| !means(found))?;
    Some(Hidden { place: first.place, what: first.what })
}

/// The end of a range of a pattern, as in `[\u{0}-\u{1f}]`: what begins an order to a terminal is none.
fn bounds_a_range(pattern: &str, found: &Found) -> bool {
    let c = found.character;
    let may = (c.is_control() && !matches!(c, '\u{1b}' | '\u{9b}')) || u32::from(c) & 0xfffe == 0xfffe;
    let before = pattern.get(..found.place.start).is_some_and(|before| before.ends_with('-'));
    may && (before || pattern.get(found.place.end..).is_some_and(|after| after.starts_with('-')))
}

/// The place with a little of what stands around it, on one line, with everything that cannot be seen as its escape.
pub(super) fn quoted(text: &str, place: &Range<usize>) -> String {
    let before: Vec<char> = text.get(..place.start).unwrap_or("").chars().rev().take(AROUND).collect();
    let rest: Vec<char> = text.get(place.start..).unwrap_or("").chars().collect();
    let inside = text.get(place.clone()).map_or(0, |inside| inside.chars().count());
    let shown = (inside + AROUND).min(LONGEST);
    let mut quote = String::new();
    if text.get(..place.start).is_some_and(|all| all.chars().count() > AROUND) {
        quote.push('…');
    }
    for character in before.iter().rev().chain(rest.iter().take(shown)) {
        match character {
            '\n' | '\r' | '\t' => quote.push(' '),
            c if may_hide(*c) => quote.extend(c.escape_unicode()),
            c => quote.push(*c),
        }
    }
    if rest.len() > shown {
        quote.push('…');
    }
    quote
}
