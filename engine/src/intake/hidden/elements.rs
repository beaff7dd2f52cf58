//! Elements and attributes of HTML that a page does not show.

use std::collections::BTreeMap;

use super::tags::{self, HtmlTag};
use super::{Hidden, addresses, style};

const UNSEEN: &str = "markup that is not shown";

/// What stands in these is never shown, and where they are not closed, nothing after them is (WHATWG HTML, 15.3.1).
const NEVER_SHOWN: &[&str] = &["script", "style", "template", "noscript", "noframes", "noembed"];
/// What stands in these is shown nowhere, or only to browsers that lack them. Their names alone may be places to fill: `<title>`.
const SELDOM_SHOWN: &[&str] = &["head", "title", "iframe", "audio", "video", "canvas", "datalist", "dialog", "rp"];
/// What follows the name of a tag that is spoken of.
const SPOKEN_OF: &[&str] = &["tag", "tags", "element", "elements", "block", "blocks", "node", "nodes"];
/// Elements that a text is put into; `a` is missing, because `<a hidden field>` is a place to fill.
const ELEMENTS: &[&str] = &[
    "abbr",
    "address",
    "article",
    "aside",
    "b",
    "bdi",
    "bdo",
    "big",
    "blockquote",
    "body",
    "button",
    "caption",
    "center",
    "cite",
    "code",
    "dd",
    "del",
    "details",
    "dfn",
    "div",
    "dl",
    "dt",
    "em",
    "fieldset",
    "figcaption",
    "figure",
    "font",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hgroup",
    "html",
    "i",
    "img",
    "ins",
    "kbd",
    "label",
    "legend",
    "li",
    "main",
    "mark",
    "menu",
    "nav",
    "ol",
    "output",
    "p",
    "pre",
    "q",
    "s",
    "samp",
    "section",
    "small",
    "span",
    "strike",
    "strong",
    "sub",
    "summary",
    "sup",
    "svg",
    "table",
    "tbody",
    "td",
    "textarea",
    "tfoot",
    "th",
    "thead",
    "tr",
    "tt",
    "u",
    "ul",
    "var",
];

/// The first tag that hides, or whose address carries data out, in a text without its code.
pub(super) fn first(masked: &str) -> Option<Hidden> {
    if !masked.contains('<') {
        return None;
    }
    let (tags, given_up) = tags::all(masked);
    let closing: BTreeMap<&str, usize> =
        tags.iter().filter(|tag| tag.closes).map(|tag| (tag.name.as_str(), tag.place.start)).collect();
    let found = tags.iter().find_map(|tag| {
        let closed = closing.get(tag.name.as_str()).copied().filter(|at| *at >= tag.place.end);
        let inside = closed.and_then(|end| masked.get(tag.place.end..end));
        let after = masked.get(tag.place.end..).unwrap_or("");
        let what = if hides(tag, inside, after) { Some(UNSEEN) } else { carries(tag) };
        Some(Hidden { place: tag.place.clone(), what: what? })
    });
    found.or_else(|| given_up.map(|at| Hidden { place: at..masked.len(), what: UNSEEN }))
}

/// The tag, what stands between it and where its element ends, and all that stands behind it.
fn hides(tag: &HtmlTag, inside: Option<&str>, after: &str) -> bool {
    let name = tag.name.as_str();
    // A browser takes no attributes from the end of an element.
    if tag.closes {
        return tag.attributes.len() > 1;
    }
    let says = inside.is_some_and(|inside| inside.contains(char::is_alphabetic));
    (NEVER_SHOWN.contains(&name) && !(inside.is_none() && is_spoken_of(tag, after)))
        || (SELDOM_SHOWN.contains(&name) && says && !(name == "dialog" && tag.has("open")))
        || (is_element(tag, inside.is_some()) && (tag.has("hidden") || tag.has("popover")))
        || (name == "input" && tag.value("type").is_some_and(|kind| kind.trim().eq_ignore_ascii_case("hidden")))
        || tag.value("style").is_some_and(style::hides)
}

/// A tag that the text speaks of, as in "adds a <script> tag to the page".
fn is_spoken_of(tag: &HtmlTag, after: &str) -> bool {
    let word = after.strip_prefix(' ').map(|after| after.split(|c: char| !c.is_alphabetic()).next().unwrap_or(""));
    tag.attributes.is_empty() && word.is_some_and(|word| SPOKEN_OF.contains(&word))
}

/// Markup, and no place to fill such as `<the hidden layer>`.
fn is_element(tag: &HtmlTag, closed: bool) -> bool {
    closed || ELEMENTS.contains(&tag.name.as_str()) || tag.attributes.iter().any(|(_, value)| value.is_some())
}

fn carries(tag: &HtmlTag) -> Option<&'static str> {
    let values = tag.attributes.iter().filter_map(|(name, value)| Some((name, value.as_deref()?)));
    values.into_iter().find_map(|(name, value)| addresses::of_attribute(&tag.name, name, value))
}
