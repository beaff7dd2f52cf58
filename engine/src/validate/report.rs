//! What the checks of one plan found, and the small words they share: pointers, quotes and nearest names.
//! Texts here name only what the caller may know, and never a value of an argument.

use std::collections::BTreeSet;

use ambit_model::plan::{MOST_VIOLATIONS, ReferenceStanding, Standing, Violation, ViolationCode};

use crate::nearest::nearest;

/// Most characters of a user's word that a message repeats.
const LONGEST_QUOTE: usize = 80;
/// Longest name, in bytes, for which a nearest one is sought.
const LONGEST_NAME: usize = 128;
/// Most names listed in a help line.
const MOST_NAMES: usize = 8;

/// Everything found so far.
#[derive(Debug, Default)]
pub(super) struct Report {
    violations: Vec<Violation>,
    /// Violations past the most that a verdict lists.
    unlisted: usize,
    /// The first action that breaks a rule.
    first_unsound: Option<usize>,
    /// Places that were not read whole.
    unread: Vec<String>,
    pub(super) references: Vec<ReferenceStanding>,
    pub(super) unproved: BTreeSet<String>,
}

impl Report {
    pub(super) fn violation(
        &mut self,
        at: &str,
        code: ViolationCode,
        rule: impl Into<String>,
        help: impl Into<String>,
    ) {
        if let Some(action) = action_of(at) {
            self.first_unsound = Some(self.first_unsound.map_or(action, |first| first.min(action)));
        }
        if self.violations.len() < MOST_VIOLATIONS {
            self.violations.push(Violation { at: at.to_owned(), code, rule: rule.into(), help: help.into() });
        } else {
            self.unlisted += 1;
        }
    }

    pub(super) fn shape(&mut self, at: &str, rule: impl Into<String>, help: impl Into<String>) {
        self.violation(at, ViolationCode::PlanShape, rule, help);
    }

    pub(super) fn reference(&mut self, at: &str, standing: Standing) {
        self.references.push(ReferenceStanding { at: at.to_owned(), standing });
    }

    /// Something at this place was refused while reading and is not kept.
    pub(super) fn skipped(&mut self, at: &str, rule: impl Into<String>, help: impl Into<String>) {
        self.shape(at, rule, help);
        if self.unread.len() < MOST_VIOLATIONS {
            self.unread.push(at.to_owned());
        } else if self.unread.len() == MOST_VIOLATIONS {
            // Past so many, no part of the plan counts as read.
            self.unread.push(String::new());
        }
    }

    /// The place, or a part of it, was not read.
    pub(super) fn unread(&self, place: &str) -> bool {
        self.unread.iter().any(|at| is_within(at, place)) || self.lost(place)
    }

    /// The place itself, or one above it, was not read.
    pub(super) fn lost(&self, place: &str) -> bool {
        self.unread.iter().any(|at| is_within(place, at))
    }

    /// How many actions from the first on break no rule.
    pub(super) fn sound(&self, actions: usize) -> usize {
        self.first_unsound.map_or(actions, |first| first.min(actions))
    }

    /// Every violation once, by place and code; the last word says how many are not listed.
    pub(super) fn sorted(&mut self) -> Vec<Violation> {
        if self.unlisted > 0 {
            let rule =
                format!("a verdict lists at most {MOST_VIOLATIONS} violations; {} more were found", self.unlisted);
            self.violations.push(Violation {
                at: String::new(),
                code: ViolationCode::PlanShape,
                rule,
                help: "mend the listed ones first, then ask again".to_owned(),
            });
        }
        self.violations.sort();
        self.violations.dedup();
        std::mem::take(&mut self.violations)
    }
}

/// The action that a pointer leads into.
fn action_of(at: &str) -> Option<usize> {
    at.strip_prefix("/actions/")?.split('/').next()?.parse().ok()
}

/// `at` is the place or lies below it.
fn is_within(at: &str, place: &str) -> bool {
    at.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The pointer one member below `at` (RFC 6901).
pub(super) fn below(at: &str, member: &str) -> String {
    let mut pointer = at.to_owned();
    push(&mut pointer, member);
    pointer
}

/// Adds one member to a pointer.
pub(super) fn push(pointer: &mut String, member: &str) {
    pointer.push('/');
    pointer.push_str(&member.replace('~', "~0").replace('/', "~1"));
}

/// A user's word in backticks, cut where it is long.
pub(super) fn quote(word: &str) -> String {
    match word.char_indices().nth(LONGEST_QUOTE) {
        None => format!("`{word}`"),
        Some((end, _)) => format!("`{}…`", word.get(..end).unwrap_or("")),
    }
}

/// Names in backticks, the first eight of them, and how many more there are.
pub(super) fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = names.into_iter().map(quote).collect();
    let shown = quoted.iter().take(MOST_NAMES).cloned().collect::<Vec<_>>().join(", ");
    match quoted.len().saturating_sub(MOST_NAMES) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// `did you mean …?`, where a candidate is near.
pub(super) fn near<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest_of(name, candidates).map(|candidate| format!("did you mean {}?", quote(candidate)))
}

/// The nearest candidate; a name too long to be a slip of the pen has none.
pub(super) fn nearest_of<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    (name.len() <= LONGEST_NAME).then(|| nearest(name, candidates)).flatten()
}

/// The last step of a pointer, as a word in backticks for a sentence.
pub(super) fn last(at: &str) -> String {
    let member = at.rsplit_once('/').map_or("", |(_, member)| member);
    quote(&member.replace("~1", "/").replace("~0", "~"))
}
