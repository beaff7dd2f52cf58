//! English nouns: one and many of a thing, as far as plain rules and a short list of exceptions go.

/// Things that are not counted: the same word for one and for many.
const UNCOUNTED: &[&str] = &[
    "revenue",
    "weather",
    "money",
    "news",
    "inventory",
    "information",
    "data",
    "stock",
    "traffic",
    "time",
    "status",
    "availability",
    "history",
    "feedback",
    "content",
    "usage",
    "leave",
    "staff",
    "access",
    "consent",
    "software",
    "equipment",
    "cash",
    "analytics",
    "metadata",
    "payroll",
    "turnover",
    "knowledge",
    "advice",
    "text",
    "code",
    "metrics",
    "logistics",
    "health",
    "sales",
];

/// Nouns whose plural follows no rule.
const IRREGULAR: &[(&str, &str)] = &[
    ("person", "people"),
    ("child", "children"),
    ("analysis", "analyses"),
    ("index", "indexes"),
    ("criterion", "criteria"),
    ("series", "series"),
    ("address", "addresses"),
    ("bus", "buses"),
    ("news", "news"),
];

/// It has no plural of its own.
pub(super) fn is_uncounted(word: &str) -> bool {
    UNCOUNTED.contains(&word)
}

/// The word for many.
pub(super) fn plural(word: &str) -> String {
    if is_uncounted(word) || IRREGULAR.iter().any(|(_, many)| *many == word) {
        return word.to_owned();
    }
    if let Some((_, many)) = IRREGULAR.iter().find(|(one, _)| *one == word) {
        return (*many).to_owned();
    }
    let ends = |ending: &str| word.ends_with(ending);
    if singular(word) != word {
        return word.to_owned();
    }
    match word.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'i', 'o', 'u']) => format!("{stem}ies"),
        _ if ["s", "x", "z", "ch", "sh"].iter().any(|ending| ends(ending)) => format!("{word}es"),
        _ => format!("{word}s"),
    }
}

/// The word for one.
pub(super) fn singular(word: &str) -> String {
    if is_uncounted(word) {
        return word.to_owned();
    }
    if let Some((one, _)) = IRREGULAR.iter().find(|(one, many)| *many == word || *one == word) {
        return (*one).to_owned();
    }
    if let Some(stem) = word.strip_suffix("ies").filter(|stem| stem.chars().count() > 1) {
        return format!("{stem}y");
    }
    for ending in ["sses", "xes", "ches", "shes", "zes"] {
        if word.ends_with(ending) {
            return word.strip_suffix("es").unwrap_or(word).to_owned();
        }
    }
    let kept = ["ss", "us", "is"].iter().any(|ending| word.ends_with(ending));
    match word.strip_suffix('s') {
        Some(stem) if !kept && stem.chars().count() > 1 => stem.to_owned(),
        _ => word.to_owned(),
    }
}

/// The word with `a` or `an`; a thing that is not counted has neither.
pub(super) fn one_of(phrase: &str) -> String {
    let last = phrase.rsplit(' ').next().unwrap_or(phrase);
    let first = phrase.chars().next().unwrap_or(' ').to_ascii_lowercase();
    // By sound where the letter misleads.
    let vowel = matches!(first, 'a' | 'e' | 'i' | 'o' | 'u')
        && !["user", "uni", "eu", "one", "use"].iter().any(|word| phrase.starts_with(word));
    match (is_uncounted(last), vowel) {
        (true, _) => phrase.to_owned(),
        (false, true) => format!("an {phrase}"),
        (false, false) => format!("a {phrase}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_and_many() {
        for (one, many) in [
            ("invoice", "invoices"),
            ("company", "companies"),
            ("box", "boxes"),
            ("branch", "branches"),
            ("class", "classes"),
            ("person", "people"),
            ("day", "days"),
            ("revenue", "revenue"),
            ("address", "addresses"),
            ("stock", "stock"),
        ] {
            assert_eq!((singular(many).as_str(), plural(one).as_str()), (one, many));
            assert_eq!((singular(one).as_str(), plural(many).as_str()), (one, many));
        }
        assert_eq!(
            [one_of("invoice"), one_of("user"), one_of("open order"), one_of("stock")],
            ["an invoice", "a user", "an open order", "stock"]
        );
    }
}
