//! Cuts Cedar text into single policies before Cedar parses them, so that one that is broken hides no other.
//! The tokens are those of Cedar's grammar as far as cutting needs them: strings, comments, words, `::` and slots.

use std::ops::Range;

use cedar_policy::{EntityId, EntityUid, PolicySet};

/// One policy as written, with its annotations and without the comments around it.
#[derive(Clone, Debug)]
pub(super) struct Statement {
    /// Bytes of the source's text.
    pub(super) span: Range<usize>,
    tokens: Vec<Token>,
}

#[derive(Clone, Debug)]
struct Token {
    kind: Kind,
    span: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Word,
    String,
    /// `::`
    Join,
    /// `?principal`
    Slot,
    Mark(char),
}

/// The policies of a text. A forgotten `;` ends a policy where the next one opens, and a forgotten quote takes nothing along.
pub(super) fn statements(text: &str) -> Vec<Statement> {
    let broken = text.parse::<PolicySet>().is_err();
    let mut cutter = Cutter { text, done: Vec::new(), tokens: Vec::new(), depth: 0, opened: false };
    let tokens = Tokens { text, at: 0, strings_end_with_line: broken };
    for token in tokens {
        cutter.take(token);
    }
    cutter.cut();
    cutter.done
}

struct Cutter<'a> {
    text: &'a str,
    done: Vec<Statement>,
    tokens: Vec<Token>,
    /// Open brackets of the current policy.
    depth: usize,
    /// Its `permit` or `forbid` has been seen.
    opened: bool,
}

impl Cutter<'_> {
    fn take(&mut self, token: Token) {
        let opens = token.kind == Kind::Word && matches!(self.text.get(token.span.clone()), Some("permit" | "forbid"));
        if self.depth == 0 && self.opened && (opens || token.kind == Kind::Mark('@')) {
            self.cut();
        }
        self.opened |= opens && self.depth == 0;
        match token.kind {
            Kind::Mark('(' | '[' | '{') => self.depth += 1,
            Kind::Mark(')' | ']' | '}') => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        let ends = token.kind == Kind::Mark(';');
        self.tokens.push(token);
        if ends {
            self.cut();
        }
    }

    fn cut(&mut self) {
        let tokens = std::mem::take(&mut self.tokens);
        (self.depth, self.opened) = (0, false);
        if let (Some(first), Some(last)) = (tokens.first(), tokens.last()) {
            self.done.push(Statement { span: first.span.start..last.span.end, tokens });
        }
    }
}

impl Statement {
    /// The text of the policy alone.
    pub(super) fn text<'a>(&self, source: &'a str) -> &'a str {
        source.get(self.span.clone()).unwrap_or("")
    }

    /// The value of `@id("…")` as written between its quotes, and where the string stands. `@id` alone is an empty id.
    pub(super) fn id(&self, source: &str) -> Option<(String, Range<usize>)> {
        let tokens = self.tokens.windows(4).take_while(|window| !is_effect(window.first(), source));
        let mut annotated = tokens
            .filter(|window| matches!(window, [at, name, ..] if at.kind == Kind::Mark('@') && is(name, source, "id")));
        match annotated.next()? {
            [_, _, open, value] if open.kind == Kind::Mark('(') && value.kind == Kind::String => {
                let written = source.get(value.span.clone()).unwrap_or("");
                Some((written.trim_matches('"').to_owned(), value.span.clone()))
            }
            [at, name, ..] => Some((String::new(), at.span.start..name.span.end)),
            _ => None,
        }
    }

    /// `permit` or `forbid`, else the first token.
    pub(super) fn head(&self, source: &str) -> Range<usize> {
        let head = self.tokens.iter().find(|token| is_effect(Some(token), source)).or(self.tokens.first());
        head.map_or(self.span.clone(), |token| token.span.clone())
    }

    /// It has a `?principal` or a `?resource`.
    pub(super) fn has_slots(&self) -> bool {
        self.tokens.iter().any(|token| token.kind == Kind::Slot)
    }

    /// The text of a template as a policy with this id. Cedar allows slots in the scope alone, where each stands for one entity,
    /// so that the words can be put in their place as they are; everything else stays as the operator wrote it.
    pub(super) fn filled(&self, source: &str, id: &str, fill: impl Fn(&str) -> Option<String>) -> String {
        let id = self.id(source).map(|(_, span)| (span, format!("\"{id}\"")));
        let slots = self.tokens.iter().filter(|token| token.kind == Kind::Slot);
        let slots =
            slots.filter_map(|token| Some((token.span.clone(), fill(source.get(token.span.clone()).unwrap_or(""))?)));
        let (mut text, mut at) = (String::new(), self.span.start);
        // Annotations stand before the scope.
        for (span, word) in id.into_iter().chain(slots) {
            text.push_str(source.get(at..span.start).unwrap_or(""));
            text.push_str(&word);
            at = span.end;
        }
        text.push_str(source.get(at..self.span.end).unwrap_or(""));
        text
    }

    /// The token that holds this byte, else the last one, for an error at the end of the text.
    pub(super) fn token_at(&self, at: usize) -> Range<usize> {
        let token = self.tokens.iter().find(|token| token.span.contains(&at)).or(self.tokens.last());
        token.map_or(self.span.clone(), |token| token.span.clone())
    }

    /// Every entity that is named outright, `Ambit::Role::"acme:role:analyst"`, and where.
    pub(super) fn entities(&self, source: &str) -> Vec<(EntityUid, Range<usize>)> {
        let strings = self.tokens.iter().enumerate().filter(|(_, token)| token.kind == Kind::String);
        strings.filter_map(|(index, _)| self.entity_ending_at(index, source)).collect()
    }

    fn entity_ending_at(&self, string: usize, source: &str) -> Option<(EntityUid, Range<usize>)> {
        let before = self.tokens.get(..string)?;
        let path: Vec<&Token> = before.iter().rev().take_while(|t| matches!(t.kind, Kind::Join | Kind::Word)).collect();
        // Words stand between joins: `when Ambit::Tool::"x"` must not take the `when`.
        let named = path
            .chunks_exact(2)
            .take_while(|pair| matches!(pair, [join, word] if join.kind == Kind::Join && word.kind == Kind::Word));
        let start = named.last().and_then(|pair| pair.last())?.span.start;
        let string_span = self.tokens.get(string)?.span.clone();
        let end = string_span.end;
        let written = before.iter().filter(|t| t.span.start >= start);
        let path: String = written.filter_map(|t| source.get(t.span.clone())).collect();
        Some((uid(path.trim_end_matches(':'), source.get(string_span)?)?, start..end))
    }
}

/// Escapes are left to Cedar, which reads the normal form only; without one the text is the id.
fn uid(path: &str, string: &str) -> Option<EntityUid> {
    let id = string.strip_prefix('"')?.strip_suffix('"')?;
    if id.contains('\\') {
        return format!("{path}::{string}").parse().ok();
    }
    Some(EntityUid::from_type_name_and_id(path.parse().ok()?, EntityId::new(id)))
}

fn is(token: &Token, source: &str, word: &str) -> bool {
    token.kind == Kind::Word && source.get(token.span.clone()) == Some(word)
}

fn is_effect(token: Option<&Token>, source: &str) -> bool {
    token.is_some_and(|token| is(token, source, "permit") || is(token, source, "forbid"))
}

struct Tokens<'a> {
    text: &'a str,
    at: usize,
    strings_end_with_line: bool,
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        self.skip_blanks();
        let rest = self.text.get(self.at..)?;
        let (kind, length) = self.first(rest)?;
        let span = self.at..self.at + length;
        self.at = span.end;
        Some(Token { kind, span })
    }
}

impl Tokens<'_> {
    fn skip_blanks(&mut self) {
        loop {
            let rest = self.text.get(self.at..).unwrap_or("");
            let blank = rest.len() - rest.trim_start().len();
            self.at += blank;
            let rest = rest.trim_start();
            if !rest.starts_with("//") {
                return;
            }
            self.at += rest.find(['\n', '\r']).unwrap_or(rest.len());
        }
    }

    fn first(&self, rest: &str) -> Option<(Kind, usize)> {
        let first = rest.chars().next()?;
        let word = |from: usize| from + rest.get(from..).map_or(0, word_length);
        Some(match first {
            '"' => self.string_length(rest).map_or((Kind::Mark('"'), 1), |length| (Kind::String, length)),
            '?' if word(1) > 1 => (Kind::Slot, word(1)),
            ':' if rest.starts_with("::") => (Kind::Join, 2),
            _ if word(0) > 0 => (Kind::Word, word(0)),
            other => (Kind::Mark(other), other.len_utf8()),
        })
    }

    /// With both quotes; nothing where no quote closes it. In a text that is broken a string ends on its line, or a forgotten
    /// quote would pair with one of the next policy.
    fn string_length(&self, rest: &str) -> Option<usize> {
        let mut escaped = false;
        for (at, character) in rest.char_indices().skip(1) {
            match character {
                '"' if !escaped => return Some(at + 1),
                '\n' if self.strings_end_with_line => return None,
                _ => escaped = character == '\\' && !escaped,
            }
        }
        None
    }
}

fn word_length(text: &str) -> usize {
    text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, expected: &[&str]) {
        let found: Vec<&str> = statements(source).iter().map(|s| s.text(source)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn policies_are_cut_at_semicolons_outside_strings_and_comments() {
        check("", &[]);
        check("// only a comment; with a semicolon", &[]);
        check("permit (a, b, c); // one\n\nforbid (a, b, c);", &["permit (a, b, c);", "forbid (a, b, c);"]);
        check(
            "@id(\"a;b\")\npermit (a, b, c) when { x == \"\\\";\" };",
            &["@id(\"a;b\")\npermit (a, b, c) when { x == \"\\\";\" };"],
        );
        check("permit (a, b, c) // why; not\n;", &["permit (a, b, c) // why; not\n;"]);
    }

    #[test]
    fn a_broken_policy_does_not_take_the_next_one_along() {
        check("permit (a, b, c)\nforbid (a, b, c);", &["permit (a, b, c)", "forbid (a, b, c);"]);
        check(
            "permit (a, b, c)\n@id(\"x\") @reason(\"y\") permit (a, b, c);",
            &["permit (a, b, c)", "@id(\"x\") @reason(\"y\") permit (a, b, c);"],
        );
        check("permit (a, b, \"c);\npermit (a, b, \"c\");", &["permit (a, b, \"c);", "permit (a, b, \"c\");"]);
        check("permit (a, b, c) when { x ;\npermit (a, b, c);", &["permit (a, b, c) when { x ;", "permit (a, b, c);"]);
    }

    #[test]
    fn entities_are_found_where_they_stand() {
        let source =
            "@id(\"x\") permit (principal in A::B :: \"it's\", action, resource) when { \"A::B\" == A::\"\\\"\" };";
        let Some(statement) = statements(source).pop() else { return assert_eq!(source, "a statement") };
        let found: Vec<(String, &str)> = statement
            .entities(source)
            .into_iter()
            .map(|(uid, span)| (uid.id().unescaped().to_owned(), source.get(span).unwrap_or("")))
            .collect();
        assert_eq!(found, [("it's".to_owned(), "A::B :: \"it's\""), ("\"".to_owned(), "A::\"\\\"\"")]);
        assert_eq!(statement.id(source).map(|(id, _)| id).as_deref(), Some("x"));
    }
}
