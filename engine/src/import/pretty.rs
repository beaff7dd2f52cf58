//! A JSON text laid out for a diff in git: one member a line. Strings, number literals, the order of keys and keys that stand twice
//! stay as they are, so that the definition keeps its digest.

/// Spaces of one level.
const STEP: usize = 2;

/// Lays out a text that is JSON, whose first line begins `depth` levels deep; nothing where that takes more than `most` bytes, for
/// what nests deep takes many times its own.
pub(super) fn pretty(json: &str, depth: usize, most: usize) -> Option<String> {
    let mut out = String::with_capacity(json.len().min(most));
    let mut depth = depth;
    let mut rest = json.trim();
    while let Some(token) = next(&mut rest) {
        match token {
            "{" | "[" if closes(rest) => {
                out.push_str(token);
                out.extend(next(&mut rest));
            }
            "{" | "[" => {
                depth += 1;
                out.push_str(token);
                break_line(&mut out, depth);
            }
            "}" | "]" => {
                depth = depth.saturating_sub(1);
                break_line(&mut out, depth);
                out.push_str(token);
            }
            "," => {
                out.push(',');
                break_line(&mut out, depth);
            }
            ":" => out.push_str(": "),
            other => out.push_str(other),
        }
        if out.len() > most {
            return None;
        }
    }
    Some(out)
}

/// How deep a text that is JSON nests: 0 where it is no list and no object.
pub(super) fn depth(json: &str) -> usize {
    let (mut depth, mut deepest, mut rest) = (0_usize, 0, json);
    while let Some(token) = next(&mut rest) {
        match token {
            "{" | "[" => depth += 1,
            "}" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// The next token; white space between tokens is passed over.
fn next<'a>(rest: &mut &'a str) -> Option<&'a str> {
    *rest = rest.trim_start();
    let first = rest.chars().next()?;
    let length = match first {
        '{' | '}' | '[' | ']' | ',' | ':' => 1,
        '"' => string_length(rest),
        _ => rest.find(['{', '}', '[', ']', ',', ':', ' ', '\t', '\r', '\n']).unwrap_or(rest.len()),
    };
    let (token, after) = rest.split_at_checked(length.max(first.len_utf8()))?;
    *rest = after;
    Some(token)
}

/// Bytes of the string that the text begins with, both quotes included.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

fn closes(rest: &str) -> bool {
    rest.trim_start().starts_with(['}', ']'])
}

fn break_line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', depth * STEP));
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::canonical;

    fn check(json: &str, expected: &str) {
        let pretty = |json: &str| pretty(json, 0, 1000).unwrap();
        assert_eq!(pretty(json), expected);
        assert_eq!(pretty(expected), expected, "laid out twice");
    }

    #[test]
    fn each_member_has_its_line_and_nothing_else_changes() {
        check(
            r#"{"b":1.50,"a":[],"a":{ },"c":"x, {\"y\"}: \\"}"#,
            "{\n  \"b\": 1.50,\n  \"a\": [],\n  \"a\": {},\n  \"c\": \"x, {\\\"y\\\"}: \\\\\"\n}",
        );
        check("[ 1e5 , [true] ]", "[\n  1e5,\n  [\n    true\n  ]\n]");
        check("\"\\u0041\"", "\"\\u0041\"");
    }

    #[test]
    fn what_nests_deep_is_measured_and_not_laid_out_beyond_the_limit() {
        assert_eq!(["7", "{}", r#"[{"a[": [1]}, "[[[["]"#].map(depth), [0, 1, 3]);
        let deep = format!("{}{}", "[".repeat(1_000_000), "]".repeat(1_000_000));
        assert_eq!((depth(&deep), pretty(&deep, 0, 100_000)), (1_000_000, None));
        assert_eq!(pretty("[1,1]", 0, 12), Some("[\n  1,\n  1\n]".to_owned()));
        assert_eq!(pretty("[1,1]", 0, 11), None);
    }

    proptest! {
        #[test]
        fn a_laid_out_text_says_the_same(keys in prop::collection::btree_set("\\PC{0,6}", 0..5), text in "\\PC*") {
            let value: serde_json::Value = keys.iter().map(|key| (key.clone(), serde_json::json!([text, { "x": 1 }]))).collect();
            let json = value.to_string();
            prop_assert_eq!(canonical::sort_keys(&pretty(&json, 3, usize::MAX).unwrap()), canonical::sort_keys(&json));
        }
    }
}
