//! Addresses with a place for data: an image or a link that is followed carries out whatever was put into it.

use std::sync::LazyLock;

use regex::Regex;

use super::Hidden;

const CARRIES: &str = "an address that would carry data out";

/// A place in an address that is to be filled: `{…}`, `${…}`, `%7B…`, `&#123;…`, `<…>`, `[DATA]`, `%s`.
const PLACE: &str = r"(?:\{[^)]*\}|%7B|&(?:#123|#x7b|lcub|lbrace);|<[A-Za-z_ ]+>|\[[A-Z_ ]{2,}\]|%s)";
/// A place for what no address of a document asks for.
const PLACE_OF_SECRETS: &str = r"(?:\{|%7B|<|\[)\s*(?:(?:the|whole|entire|full|chat|user|message|your|all)[\s_-]*)*(?:conversation|history|transcript|secrets?|credentials|passwords?|system[\s_-]?prompt|everything[^{}<>\[\]]*)\s*(?:\}|%7D|>|\])";

/// In Markdown, and in tags that are not finished; `@` stands for a place, `§` for one of secrets. What is followed only by a click
/// may have places in its path, as documents have them: `/items/{id}`.
const PATTERNS: &[&str] = &[
    r"(?is)!\[[^\]]*\]\(\s*<?(?:https?:)?//[^)\s]*?@[^)]*\)?",
    r"(?is)\]\(\s*<?(?:https?:)?//(?:[^)\s?#]*[?#][^)\s]*?@|[^)\s]*?§)[^)]*\)?",
    r"(?is)<(?:img|iframe|script|link)\b[^>]*\b(?:src|href)\s*=\s*['\x22]?(?:https?:)?//[^'\x22>]*@",
    r"(?im)^[ \t>]*\[[^\[\]]+\]:\s*<?(?:https?:)?//(?:[^\s?#]*[?#]\S*?@|\S*?§)\S*",
];
/// A definition whose address an image may have.
const OF_AN_IMAGE: &str = r"(?im)^[ \t>]*\[[^\[\]]+\]:\s*<?(?:https?:)?//\S*?@\S*";
/// The value of an attribute, whose target is fetched by itself, or where a reader follows it.
const FETCHED: &str = r"(?is)^\s*(?:https?:)?[/\\]{2}.*@";
const FOLLOWED: &str = r"(?is)^\s*(?:https?:)?[/\\]{2}(?:[^?#]*[?#].*@|.*§)";

/// The words that ask for it, beside an address: `append the whole conversation to the link`.
const ASKED: &str = r"(?is)\b(?:append|add|attach|encode|put|insert|include|embed)\b(?:\W+\w+){0,6}?\W+(?:(?:whole|entire|full|this|the)\s+conversation(?:\s+(?:so\s+far|above))?|conversation\s+history|chat\s+history|message\s+history|(?:previous|earlier)\s+messages|system\s+prompt|(?:user|personal)\s+data|credentials|secrets|contents?\s+of\s+(?:the|this|that|every|any)\s+files?)\s+(?:to|in|into|as|onto|at|of)\b(?:\W+\w+){0,5}?\W+(?:url|link|query|image|address)s?\b";

static CARRYING: LazyLock<Vec<Regex>> = LazyLock::new(|| PATTERNS.iter().filter_map(|it| compiled(it)).collect());
static IMAGED: LazyLock<Option<Regex>> = LazyLock::new(|| compiled(OF_AN_IMAGE));
static FETCHING: LazyLock<Option<Regex>> = LazyLock::new(|| compiled(FETCHED));
static FOLLOWING: LazyLock<Option<Regex>> = LazyLock::new(|| compiled(FOLLOWED));
static ASKING: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(ASKED).ok());

fn compiled(pattern: &str) -> Option<Regex> {
    Regex::new(&pattern.replace('@', PLACE).replace('§', PLACE_OF_SECRETS)).ok()
}

/// The first address of a text without its code.
pub(super) fn first(masked: &str) -> Option<Hidden> {
    let imaged = IMAGED.iter().filter(|_| masked.contains("!["));
    let found = CARRYING.iter().chain(imaged).filter_map(|regex| regex.find(masked));
    found.min_by_key(|found| found.start()).map(|found| Hidden { place: found.range(), what: CARRIES })
}

/// The words that ask for an address to be filled.
pub(super) fn asked(text: &str) -> Option<Hidden> {
    if !text.contains("://") {
        return None;
    }
    Some(Hidden { place: ASKING.as_ref()?.find(text)?.range(), what: CARRIES })
}

/// An attribute of a tag carries data out; what it is where it does.
pub(super) fn of_attribute(tag: &str, attribute: &str, value: &str) -> Option<&'static str> {
    let regex = match attribute {
        "href" | "xlink:href" if matches!(tag, "a" | "area") => &FOLLOWING,
        "src" | "srcset" | "href" | "xlink:href" | "action" | "formaction" | "data" | "poster" | "background"
        | "ping" => &FETCHING,
        _ => return None,
    };
    regex.as_ref()?.is_match(value).then_some(CARRIES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles() {
        assert_eq!(CARRYING.len(), PATTERNS.len());
        assert!([&IMAGED, &FETCHING, &FOLLOWING, &ASKING].iter().all(|regex| regex.is_some()));
    }
}
