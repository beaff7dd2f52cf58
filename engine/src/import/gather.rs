//! The tools of every text of a source as one catalog file: each as its source has it, in the order of the texts.
//! Of definitions that are the same, one stays; tools of one name that differ all stay, for intake to refuse.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;
use ambit_model::digest::Digest;

use super::pretty::{depth, pretty};
use super::texts::{self, DEEPEST, Input, RawTool};
use super::{MOST_BYTES, MOST_TOOLS};
use crate::catalog::{self, Format, OfferedTool};
use crate::source::SourceFile;

const MCP: &str = "mcp";
const OPENAPI: &str = "openapi";
/// Most tools that are named for nesting too deep; the others are counted.
const MOST_NAMED: usize = 20;

/// What a source offers.
#[derive(Debug, Default)]
pub struct Gathered {
    /// The catalog file: an object whose `tools` is the list.
    pub text: String,
    /// The tools of that file.
    pub tools: Vec<OfferedTool>,
    /// `mcp`, `openai`, `anthropic` or `openapi`: the commonest among the tools.
    pub format: &'static str,
    /// Names that more than one tool has, sorted.
    pub duplicates: Vec<Duplicate>,
    /// What is wrong with the texts; nothing of the rest can be trusted where there is an error.
    pub diagnostics: Vec<Diagnostic>,
}

/// A name that more than one tool of a source has.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Duplicate {
    pub tool: String,
    /// `file:line` of each, in order; the file alone where it is not JSON.
    pub places: Vec<String>,
    /// All are the same definition, so that one of them stays.
    pub same: bool,
}

/// A tool, and the text it came from.
struct Found<'a> {
    raw: RawTool,
    input: &'a Input,
}

/// Reads every text and joins what they offer; `catalog` is the id that the tools will belong to.
pub fn gather(catalog: &str, inputs: &[Input]) -> Gathered {
    let (mut found, mut deep, mut diagnostics) = (Vec::new(), Vec::new(), Vec::new());
    for input in inputs {
        let (tools, mut problems) = texts::tools(input);
        for (position, raw) in (1..).zip(tools) {
            match depth(&raw.json) {
                0..=DEEPEST => found.push(Found { raw, input }),
                _ => deep.push((position, Found { raw, input })),
            }
        }
        diagnostics.append(&mut problems);
    }
    diagnostics.extend(too_deep(&deep, found.is_empty()));
    if found.is_empty() && diagnostics.is_empty() {
        diagnostics.push(none(inputs));
    } else if found.len() > MOST_TOOLS {
        let message = format!("the source offers {} tools, and {MOST_TOOLS} are the most", found.len());
        diagnostics.push(Diagnostic::error(codes::E_CATALOG, message).help("import it in parts"));
        found.clear();
    }
    let (text, tools) = joined(catalog, &found).unwrap_or_else(|| {
        let message = format!("the catalog file would be larger than {} MiB", MOST_BYTES / 1024 / 1024);
        diagnostics.push(Diagnostic::error(codes::E_CATALOG, message).help("import it in parts"));
        Default::default()
    });
    let (duplicates, repeated) = duplicates(&tools, &found);
    if repeated.is_empty() {
        return Gathered { format: format(&tools, &found), text, tools, duplicates, diagnostics };
    }
    let mut at = 0;
    found.retain(|_| {
        at += 1;
        !repeated.contains(&(at - 1))
    });
    // Fewer tools than what had room already.
    let (text, tools) = joined(catalog, &found).unwrap_or_default();
    Gathered { format: format(&tools, &found), text, tools, duplicates, diagnostics }
}

fn none(inputs: &[Input]) -> Diagnostic {
    let place = inputs.first().map(|input| catalog::without_meta(&input.file, input.file.whole()));
    Diagnostic::error(codes::E_CATALOG, "the source offers no tools").at(place).help("name another source")
}

/// Of tools that nest deeper than anything that is read; an error where the source has no others.
fn too_deep(deep: &[(usize, Found<'_>)], alone: bool) -> Vec<Diagnostic> {
    let diagnostic = |message: String| {
        let (code, help) = (codes::W_SOURCE, "flatten its definition, or name what repeats in it with `$ref`");
        let diagnostic =
            if alone { Diagnostic::error(codes::E_CATALOG, message) } else { Diagnostic::warning(code, message) };
        diagnostic.help(help)
    };
    let named = deep.iter().take(MOST_NAMED).map(|(position, Found { raw, input })| {
        let file = &input.file;
        let place = raw.start.map_or_else(|| file.whole(), |start| file.place(start, start));
        let message = format!(
            "`{}`: the tool at position {position} nests deeper than {DEEPEST} levels, and is left out",
            file.path
        );
        diagnostic(message).at(catalog::without_meta(file, place))
    });
    let more = deep.len().saturating_sub(MOST_NAMED);
    let counted = (more > 0).then(|| diagnostic(format!("{more} more tools nest too deep, and are left out")));
    named.chain(counted).collect()
}

/// The catalog file, and what a compile will read of it; nothing where it would be too large.
fn joined(catalog: &str, found: &[Found<'_>]) -> Option<(String, Vec<OfferedTool>)> {
    let mut text = "{\n  \"tools\": [".to_owned();
    for (index, from) in found.iter().enumerate() {
        text.push_str(if index == 0 { "\n    " } else { ",\n    " });
        text.push_str(&pretty(&from.raw.json, 2, MOST_BYTES.checked_sub(text.len())?)?);
    }
    text.push_str("\n  ]\n}\n");
    let file = SourceFile { path: format!("{catalog}.json"), text };
    let (tools, _) = catalog::read(catalog, &file);
    Some((file.text, tools))
}

/// Names that stand more than once, and the indexes of definitions that stand before already.
fn duplicates(tools: &[OfferedTool], found: &[Found<'_>]) -> (Vec<Duplicate>, BTreeSet<usize>) {
    let mut named: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, tool) in tools.iter().enumerate() {
        named.entry(tool.name.as_deref().unwrap_or_default()).or_default().push(index);
    }
    let (mut duplicates, mut repeated) = (Vec::new(), BTreeSet::new());
    for (name, indexes) in named.into_iter().filter(|(name, indexes)| !name.is_empty() && indexes.len() > 1) {
        let mut digests: BTreeSet<Digest> = BTreeSet::new();
        for index in &indexes {
            let seen = tools.get(*index).is_none_or(|tool| !digests.insert(tool.definition_digest()));
            repeated.extend(seen.then_some(*index));
        }
        let places = indexes.iter().filter_map(|index| found.get(*index)).map(place).collect();
        duplicates.push(Duplicate { tool: name.to_owned(), places, same: digests.len() == 1 });
    }
    (duplicates, repeated)
}

fn place(from: &Found<'_>) -> String {
    let file = &from.input.file;
    match from.raw.start {
        Some(start) => format!("{}:{}", file.path, file.place(start, start).line),
        None => file.path.clone(),
    }
}

/// The commonest format, the first by its word among equals. `openapi` is said only where every tool is of it: it makes the HTTP
/// method of a tool count, and that must not be said of a tool that some other source wrote.
fn format(tools: &[OfferedTool], found: &[Found<'_>]) -> &'static str {
    let word = |(tool, from): (&OfferedTool, &Found<'_>)| match tool.format {
        _ if from.raw.is_openapi => OPENAPI,
        Format::Mcp => MCP,
        Format::OpenAi => "openai",
        Format::Anthropic => "anthropic",
    };
    let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
    for word in tools.iter().zip(found).map(word) {
        *counts.entry(word).or_default() += 1;
    }
    if counts.len() > 1 {
        counts.remove(OPENAPI);
    }
    let most = counts.values().max().copied();
    counts.into_iter().find(|(_, count)| Some(*count) == most).map_or(MCP, |(word, _)| word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::Syntax;

    #[track_caller]
    fn check(texts: &[(&str, &str)], expected: &[&str]) {
        let inputs: Vec<Input> = texts.iter().map(|(path, text)| Input::new(*path, text, Syntax::of(path))).collect();
        let gathered = gather("c", &inputs);
        let mut lines = vec![gathered.format.to_owned()];
        lines.extend(gathered.tools.iter().map(OfferedTool::label));
        lines.extend(gathered.duplicates.iter().map(|d| format!("{} {} {}", d.tool, d.places.join(" "), d.same)));
        lines.extend(gathered.diagnostics.iter().map(|d| d.message.clone()));
        assert_eq!(lines, expected, "for {texts:?}");
    }

    #[test]
    fn tools_keep_their_text_and_digest() {
        let json = r#"[{"name":"a","description":"d","inputSchema":{"maximum":9007199254740993,"b":1,"a":1.0}}]"#;
        let gathered = gather("c", &[Input::new("x.json", json, Syntax::Json)]);
        assert!(gathered.text.contains("\"maximum\": 9007199254740993,\n        \"b\": 1,\n        \"a\": 1.0\n"));
        let (before, _) = catalog::read("c", &SourceFile { path: "x.json".into(), text: json.into() });
        let digest = |tools: &[OfferedTool]| tools.first().map(OfferedTool::definition_digest);
        assert_eq!(digest(&gathered.tools), digest(&before));
    }

    #[test]
    fn formats_are_told_tool_by_tool() {
        check(&[("a", r#"[{"name":"a","inputSchema":{}}]"#)], &["mcp", "c/a"]);
        check(
            &[("a", r#"[{"name":"a","input_schema":{}},{"name":"b","parameters":{}}]"#)],
            &["anthropic", "c/a", "c/b"],
        );
    }

    #[test]
    fn what_stands_twice_is_reported() {
        let one = "[\n{\"name\":\"a\",\"inputSchema\":{}}]";
        let other = r#"[{"name":"a","inputSchema":{"type":"object"}}]"#;
        check(&[("a", one), ("b", one)], &["mcp", "c/a", "a a:2 b:2 true"]);
        check(&[("a", one), ("b", other), ("d", one)], &["mcp", "c/a", "c/a", "a a:2 b:1 d:2 false"]);
        let tool = r#"{"type":"function","name":"a","parameters":{}}"#;
        let spaced = format!(
            r#"[{{"type":"namespace","name":"n","tools":[{tool},{tool}]}},{}]"#,
            tool.replace("\"a\"", "\"b\"")
        );
        check(&[("x", &spaced)], &["openai", "c/a", "c/b", "a x:1 x:1 true"]);
    }

    #[test]
    fn a_tool_that_nests_too_deep_is_left_out_and_named() {
        let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        let told = |at: usize| format!("`a`: the tool at position {at} nests deeper than 128 levels, and is left out");
        let fits = format!(r#"{{"name":"a","inputSchema":{{}},"x":{}}}"#, nested(127));
        let text = format!("[{fits},\n{{\"name\":\"b\",\"inputSchema\":{{\"x\":{}}}}}]", nested(128));
        check(&[("a", &text)], &["mcp", "c/a", &told(2)]);
        let gathered = gather("c", &[Input::new("a", &text, Syntax::Either)]);
        let problem = gathered.diagnostics.first().unwrap();
        assert!(!problem.is_error() && problem.place.as_ref().unwrap().line == 2, "{problem:?}");
        let text = nested(200_000);
        check(&[("a", &text)], &["mcp", &told(1)]);
        assert!(gather("c", &[Input::new("a", &text, Syntax::Either)]).diagnostics.iter().any(Diagnostic::is_error));
        let many = format!("[{}]", vec![nested(129); 30].join(","));
        let lines: Vec<String> =
            (1..=20).map(told).chain(["10 more tools nest too deep, and are left out".to_owned()]).collect();
        check(&[("a", &many)], &["mcp"].into_iter().chain(lines.iter().map(String::as_str)).collect::<Vec<_>>());
    }

    #[test]
    fn what_grows_beyond_a_catalog_file_is_not_laid_out() {
        let wide = format!("[{}{}0{}]", "[".repeat(100), "0,".repeat(400_000), "]".repeat(100));
        check(&[("a", &wide)], &["mcp", "the catalog file would be larger than 64 MiB"]);
    }

    #[test]
    fn a_broken_text_hides_no_other() {
        check(&[("a", "[]")], &["mcp", "the source offers no tools"]);
        check(
            &[("a.json", "{"), ("b", "3"), ("c", r#"[{"name":"a","inputSchema":{}}]"#)],
            &[
                "mcp",
                "c/a",
                "`a.json` is not JSON: EOF while parsing an object",
                "`b` holds no list of tools: it is neither an object nor a list",
            ],
        );
    }
}
