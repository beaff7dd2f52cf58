//! What a page shows to the letter: spans and blocks of code (CommonMark 0.31, 4.4, 4.5 and 6.1). A tool that writes HTML may speak of it
//! there; everywhere else a page takes markup for markup.

use std::borrow::Cow;
use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// The text with every letter of code as an `x`: what is found in it stands outside of code, at the same place.
pub(super) fn masked(text: &str) -> Cow<'_, str> {
    if !text.contains(['`', '~']) {
        return Cow::Borrowed(text);
    }
    let (mut shown, indented) = blocks(text);
    // Texts that were copied from a program are indented as a whole, and whoever takes the indent away no longer shows all of them as
    // code: only what is code without it counts.
    for block in indented {
        let inner = text.get(block.clone()).unwrap_or("");
        shown.extend(blocks(inner).0.into_iter().map(|range| block.start + range.start..block.start + range.end));
    }
    shown.sort_by_key(|range| range.start);
    Cow::Owned(mask(text, &shown))
}

/// Code between backticks or fences, and each paragraph of what is code because it is indented.
fn blocks(text: &str) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
    let (mut shown, mut paragraphs, mut fenced): (Vec<_>, Vec<Range<usize>>, Option<bool>) =
        (Vec::new(), Vec::new(), None);
    for (event, range) in Parser::new_ext(text, Options::empty()).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => fenced = Some(matches!(kind, CodeBlockKind::Fenced(_))),
            Event::End(TagEnd::CodeBlock) => fenced = None,
            // Neither the fence nor what stands beside it is part of the text.
            Event::Text(_) if fenced == Some(true) => shown.push(range),
            Event::Text(_) if fenced == Some(false) => push_lines(text, range, &mut paragraphs),
            Event::Code(_) => shown.push(range),
            _ => {}
        }
    }
    (shown, paragraphs)
}

/// Adds lines to the last paragraph, or begins one behind a blank line; without their indent.
fn push_lines(text: &str, range: Range<usize>, paragraphs: &mut Vec<Range<usize>>) {
    let mut at = range.start;
    for line in text.get(range).unwrap_or("").split_inclusive('\n') {
        let (start, end) = (at + (line.len() - line.trim_start().len()), at + line.len());
        at = end;
        match paragraphs.last_mut() {
            _ if line.trim().is_empty() => {}
            Some(last) if text.get(last.end..start).is_some_and(|gap| gap.trim().is_empty() && !gap.contains('\n')) => {
                last.end = end;
            }
            _ => paragraphs.push(start..end),
        }
    }
}

fn mask(text: &str, shown: &[Range<usize>]) -> String {
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for range in shown.iter().filter(|range| range.start < range.end) {
        let (start, end) = (range.start.max(at), range.end.max(at));
        out.push_str(text.get(at..start).unwrap_or(""));
        let code = text.get(start..end).unwrap_or("");
        out.extend(code.bytes().map(|byte| if byte == b'\n' { '\n' } else { 'x' }));
        at = end;
    }
    out.push_str(text.get(at..).unwrap_or(""));
    debug_assert_eq!(out.len(), text.len(), "places stay where they are");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(masked(text), expected);
    }

    #[test]
    fn what_is_code_is_masked() {
        check("a `<b>` c", "a xxxxx c");
        check("a ``<`b`>`` `é`", "a xxxxxxxxx xxxx");
        check("```html\n<b>\n\n<i>\n```\n<u>", "```html\nxxx\n\nxxx\n```\n<u>");
        check(
            "a\n\n    b `<c>` d\n    e `<f>\n    g>`\n\n    <h> `<i>`",
            "a\n\n    b xxxxx d\n    e xxxx\nxxxxxxx\n\n    <h> xxxxx",
        );
    }

    #[test]
    fn what_only_looks_like_code_is_not() {
        for text in [
            "Use 5` or more.\n\n<b>\n\nAlso 6` of it.",
            "```x <b> `",
            "``<b>` c",
            "\\`<b>\\`",
            "~~~ <b>\n~~~",
            "<div>\n`<b>`\n</div>",
            "a\n\n    <b> ~",
        ] {
            check(text, text);
        }
    }
}
