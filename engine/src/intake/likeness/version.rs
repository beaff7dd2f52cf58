//! The version that a name speaks of, and the name without it: `send_email_v2`, `sendEmailV2`, `/v2/emails`, `report.2024-01-15`,
//! `legacy_send_email`. A bare number at the end says nothing: `step_2` is no second version of `step`.

use crate::text;

/// Words that call a tool the old one.
const OLD: &[&str] = &["legacy", "old", "deprecated", "obsolete"];

/// What a name says of its version, the oldest first where all are there: none is what was there before versions were counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mark {
    Old,
    None,
    /// `v2` or `v2.1`.
    Number(u32, u32),
    /// A day, as 20240115.
    Day(u32),
}

impl Mark {
    /// As people say it.
    pub(super) fn shown(self) -> String {
        match self {
            Self::Old => "the old one by its name".to_owned(),
            Self::None => "no version".to_owned(),
            Self::Number(major, 0) => format!("v{major}"),
            Self::Number(major, minor) => format!("v{major}.{minor}"),
            Self::Day(day) => format!("{}-{:02}-{:02}", day / 10_000, day / 100 % 100, day % 100),
        }
    }
}

/// A name taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Versioned {
    /// The catalog's name without a version.
    pub catalog: String,
    /// The tool's name as prose, without a version.
    pub base: String,
    pub mark: Mark,
}

impl Versioned {
    pub(super) fn of(catalog: &str, name: &str) -> Self {
        let (catalog, of_catalog) = part(catalog);
        let (base, own) = part(name);
        let mark = if own == Mark::None { of_catalog } else { own };
        Self { catalog, base, mark }
    }
}

/// The words of a name without those that speak of its version, and the first that did.
fn part(name: &str) -> (String, Mark) {
    let prose = text::name_as_prose(name);
    let words: Vec<&str> = prose.split(' ').collect();
    let mut kept: Vec<&str> = Vec::new();
    let mut mark = Mark::None;
    let mut rest = words.as_slice();
    while let Some((word, after)) = rest.split_first() {
        let (found, stem, used) = marked(word, after);
        match found {
            Some(found) if mark == Mark::None => mark = found,
            _ if found.is_none() => kept.push(word),
            _ => {}
        }
        kept.extend(stem);
        rest = after.get(used..).unwrap_or(&[]);
    }
    (kept.join(" "), mark)
}

/// What a word, with those after it, says of a version; what is left of it; and how many words after it belong to it.
fn marked<'w>(word: &'w str, after: &[&str]) -> (Option<Mark>, Option<&'w str>, usize) {
    if OLD.contains(&word) {
        return (Some(Mark::Old), None, 0);
    }
    if let Some((day, used)) = day(word, after) {
        return (Some(Mark::Day(day)), None, used);
    }
    let Some((stem, digits)) = word.rsplit_once('v') else { return (None, None, 0) };
    // `ipv4` and `mp4v2` are words; three letters before the `v` are a name.
    let glued = stem.chars().count() >= 3 && stem.chars().all(char::is_alphabetic);
    let number = digits.parse().ok().filter(|_| digits.len() <= 4 && (stem.is_empty() || glued));
    let Some(major) = number else { return (None, None, 0) };
    let minor = after.first().filter(|next| next.len() <= 3).and_then(|next| next.parse().ok());
    (Some(Mark::Number(major, minor.unwrap_or(0))), Some(stem).filter(|s| !s.is_empty()), usize::from(minor.is_some()))
}

/// `20240115`, or `2024`, `01` and `15`.
fn day(word: &str, after: &[&str]) -> Option<(u32, usize)> {
    let (text, used) = match (word.len(), after) {
        (8, _) => (word.to_owned(), 0),
        (4, [month, day, ..]) if month.len() == 2 && day.len() == 2 => (format!("{word}{month}{day}"), 2),
        _ => return None,
    };
    let number: u32 = text.parse().ok()?;
    let (year, month, day) = (number / 10_000, number / 100 % 100, number % 100);
    ((1990..2100).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day)).then_some((number, used))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, base: &str, mark: Mark) {
        let found = Versioned::of("mail", name);
        assert_eq!((found.base.as_str(), found.mark), (base, mark), "for {name}");
    }

    #[test]
    fn a_version_is_told_from_a_name() {
        check("send_email", "send email", Mark::None);
        check("send_email_v2", "send email", Mark::Number(2, 0));
        check("sendEmailV2", "send email", Mark::Number(2, 0));
        check("sendEmailv2", "send email", Mark::Number(2, 0));
        check("email.v2.send", "email send", Mark::Number(2, 0));
        check("/v2/emails", "emails", Mark::Number(2, 0));
        check("api/v2.1/emails", "api emails", Mark::Number(2, 1));
        check("report.2024-01-15", "report", Mark::Day(20_240_115));
        check("report_20240115", "report", Mark::Day(20_240_115));
        check("legacy_send_email", "send email", Mark::Old);
        check("sendEmailDeprecated", "send email", Mark::Old);
    }

    #[test]
    fn numbers_that_are_no_version_stay() {
        for name in ["step 2", "resolve ipv4", "top 10", "mp4v2 encode", "order 12345678", "gold", "get 2024 report"] {
            check(&name.replace(' ', "_"), name, Mark::None);
        }
    }

    #[test]
    fn a_catalog_may_be_the_version() {
        let found = Versioned::of("mail-v2", "send");
        assert_eq!((found.catalog.as_str(), found.base.as_str(), found.mark), ("mail", "send", Mark::Number(2, 0)));
    }
}
