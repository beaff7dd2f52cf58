//! The tags of a text as a browser reads them (WHATWG HTML, 13.2.5.6 to 13.2.5.40), which forgives more than a person would guess:
//! `<div/hidden>` has an attribute, and a `>` in quotes ends nothing.

use std::ops::Range;

/// How often the bytes of a text may be read on the search for tags: honest markup takes little more than once.
const MOST_PASSES: usize = 8;
/// Bytes that are read in any case.
const FREE: usize = 4096;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HtmlTag {
    pub place: Range<usize>,
    /// In lower case.
    pub name: String,
    pub closes: bool,
    /// Names in lower case, and values with their character references resolved.
    pub attributes: Vec<(String, Option<String>)>,
}

impl HtmlTag {
    pub(super) fn has(&self, attribute: &str) -> bool {
        self.attributes.iter().any(|(name, _)| name == attribute)
    }

    pub(super) fn value(&self, attribute: &str) -> Option<&str> {
        self.attributes.iter().find(|(name, _)| name == attribute)?.1.as_deref()
    }
}

/// Every tag, and where reading was given up: in markup that is nested into itself on purpose.
pub(super) fn all(text: &str) -> (Vec<HtmlTag>, Option<usize>) {
    let (mut found, mut budget) = (Vec::new(), text.len() * MOST_PASSES + FREE);
    let last = text.rfind('>').unwrap_or(0);
    for (at, _) in text.match_indices('<').take_while(|(at, _)| *at < last) {
        let mut reader = Reader { text, at: at + 1 };
        let tag = reader.tag(at);
        match budget.checked_sub(reader.at - at) {
            Some(left) => budget = left,
            None => return (found, Some(at)),
        }
        found.extend(tag);
    }
    (found, None)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn tag(&mut self, start: usize) -> Option<HtmlTag> {
        let closes = self.eat('/');
        if !self.peek()?.is_ascii_alphabetic() {
            return None;
        }
        let name = self.take_while(|c| !is_space(c) && !matches!(c, '/' | '>')).to_ascii_lowercase();
        let mut attributes = Vec::new();
        loop {
            self.take_while(|c| is_space(c) || c == '/');
            if self.peek()? == '>' {
                self.at += 1;
                return Some(HtmlTag { place: start..self.at, name, closes, attributes });
            }
            attributes.push(self.attribute()?);
        }
    }

    /// A name, and a value where one follows; nothing where the text ends before it does.
    fn attribute(&mut self) -> Option<(String, Option<String>)> {
        let first = self.peek()?;
        self.at += first.len_utf8();
        let rest = self.take_while(|c| !is_space(c) && !matches!(c, '/' | '>' | '='));
        let name = format!("{first}{rest}").to_ascii_lowercase();
        let before = self.at;
        self.take_while(is_space);
        if !self.eat('=') {
            self.at = before;
            return Some((name, None));
        }
        self.take_while(is_space);
        let quote = self.peek()?;
        let value = if matches!(quote, '"' | '\'') {
            self.at += 1;
            let value = self.take_while(|c| c != quote);
            self.eat(quote).then_some(value)?
        } else {
            self.take_while(|c| !is_space(c) && c != '>')
        };
        Some((name, Some(resolved(value))))
    }

    fn peek(&self) -> Option<char> {
        self.text.get(self.at..)?.chars().next()
    }

    fn eat(&mut self, c: char) -> bool {
        let eaten = self.peek() == Some(c);
        self.at += if eaten { c.len_utf8() } else { 0 };
        eaten
    }

    fn take_while(&mut self, is: impl Fn(char) -> bool) -> &'a str {
        let rest = self.text.get(self.at..).unwrap_or("");
        let taken = rest.get(..rest.find(|c| !is(c)).unwrap_or(rest.len())).unwrap_or("");
        self.at += taken.len();
        taken
    }
}

fn is_space(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\u{c}' | '\r' | ' ')
}

/// A value with the references that could spell an address or a style (WHATWG HTML, 13.2.5.72 on).
fn resolved(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(at) = rest.find('&') {
        out.push_str(rest.get(..at).unwrap_or(""));
        rest = rest.get(at..).unwrap_or("");
        let (character, length) = reference(rest).unwrap_or(('&', 1));
        out.push(character);
        rest = rest.get(length..).unwrap_or("");
    }
    out + rest
}

/// The character of a reference at the beginning of a text, and the length of the reference.
fn reference(text: &str) -> Option<(char, usize)> {
    const NAMED: &[(&str, char)] = &[
        ("&amp;", '&'),
        ("&lt;", '<'),
        ("&gt;", '>'),
        ("&quot;", '"'),
        ("&apos;", '\''),
        ("&lcub;", '{'),
        ("&lbrace;", '{'),
        ("&rcub;", '}'),
        ("&rbrace;", '}'),
        ("&colon;", ':'),
        ("&semi;", ';'),
        ("&sol;", '/'),
        ("&quest;", '?'),
        ("&num;", '#'),
        ("&percnt;", '%'),
        ("&dollar;", '$'),
        ("&lpar;", '('),
        ("&lsqb;", '['),
        ("&lbrack;", '['),
        ("&Tab;", '\t'),
        ("&NewLine;", '\n'),
    ];
    if let Some((name, character)) = NAMED.iter().find(|(name, _)| text.starts_with(name)) {
        return Some((*character, name.len()));
    }
    let number = text.strip_prefix("&#")?;
    let (digits, radix) = match number.strip_prefix(['x', 'X']) {
        Some(hexadecimal) => (hexadecimal, 16),
        None => (number, 10),
    };
    let digits = digits.get(..digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len()))?;
    let character = char::from_u32(u32::from_str_radix(digits, radix).ok()?)?;
    let length = text.len() - number.len() + usize::from(radix == 16) + digits.len();
    Some((character, length + usize::from(text.get(length..).is_some_and(|after| after.starts_with(';')))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let said = |tag: &HtmlTag| {
            let attributes = tag.attributes.iter().map(|(name, value)| match value {
                Some(value) => format!(" {name}={value}"),
                None => format!(" {name}"),
            });
            format!("{}{}{}", if tag.closes { "/" } else { "" }, tag.name, attributes.collect::<String>())
        };
        assert_eq!(all(text).0.iter().map(said).collect::<Vec<_>>().join("|"), expected, "for {text}");
    }

    #[test]
    fn tags_are_read_as_a_browser_reads_them() {
        check("a <b>c</b> d", "b|/b");
        check("<DIV\n Hidden>", "div hidden");
        check("<div/hidden/>", "div hidden");
        check("<a title='>' href = \"x y\" b=c>", "a title=> href=x y b=c");
        check("<i style=display&#58;none&#x3B&amp;>", "i style=display:none;&");
        check("<path to <file>>", "path to <file|file");
        check("a < b, c <d and e>", "d and e");
        check("<a b='> <i", "");
        check("<3 </> <!-- x --> <?x?>", "");
    }

    #[test]
    fn what_is_nested_on_purpose_is_given_up() {
        assert!(all(&format!("{}>", "<a b ".repeat(20_000))).1.is_some());
        assert_eq!(all(&"<b>x</b> ".repeat(20_000)).1, None);
    }
}
