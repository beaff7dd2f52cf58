//! One text of a source as the tools in it: JSON or YAML; a list, MCP's answer or its pages, an OpenAPI document, or one tool alone.
//! A tool keeps the JSON text that its source wrote; what is not JSON is written as JSON first.

use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;
use serde::Deserialize as _;
use serde_json::value::RawValue;

use super::openapi;
use crate::canonical::{self, Members};
use crate::catalog::{list, without_meta, yaml};
use crate::source::SourceFile;

/// Deepest nesting of a YAML text, and of a tool.
pub(super) const DEEPEST: usize = 128;
/// Most values of a YAML text: about 100,000 tools.
const MOST_NODES: usize = 5_000_000;
/// Most aliases of a YAML text; what they repeat counts as values.
const MOST_ALIASES: usize = 10_000;

/// What a text is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    Json,
    Yaml,
    /// Whichever it begins like.
    Either,
}

impl Syntax {
    /// By the ending of a file's name, or of a URL's path.
    pub fn of(path: &str) -> Self {
        match path.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).as_deref() {
            Some("json") => Self::Json,
            Some("yaml" | "yml") => Self::Yaml,
            _ => Self::Either,
        }
    }
}

/// One text of a source; the path is what messages call it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    pub file: SourceFile,
    pub syntax: Syntax,
}

impl Input {
    /// A leading byte order mark is no part of the text.
    pub fn new(path: impl Into<String>, text: &str, syntax: Syntax) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text).to_owned();
        Self { file: SourceFile { path: path.into(), text }, syntax }
    }
}

/// A tool as JSON text, and where it came from.
pub(super) struct RawTool {
    pub(super) json: String,
    /// The byte of its text at which it begins; nothing where the text was not JSON.
    pub(super) start: Option<usize>,
    pub(super) is_openapi: bool,
}

/// The tools of one text, in its order, and every problem.
pub(super) fn tools(input: &Input) -> (Vec<RawTool>, Vec<Diagnostic>) {
    let file = &input.file;
    let begins = file.text.trim_start().chars().next();
    let looks_like_json = matches!(begins, Some('{' | '['));
    match (input.syntax, begins) {
        (_, Some('<')) => refused(file, "is HTML or XML, not a list of tools"),
        (_, None) => refused(file, "is empty"),
        // No JSON and no YAML holds one; every second byte of UTF-16 without its mark is one.
        _ if file.text.contains('\0') => {
            let message = format!("`{}` holds a NUL character, as UTF-16 does", file.path);
            let problem = Diagnostic::error(codes::E_CATALOG, message).at(without_meta(file, file.whole()));
            (Vec::new(), vec![problem.help("save it as UTF-8")])
        }
        (Syntax::Json, _) => of_json(file, &file.text, true),
        (Syntax::Either, _) if looks_like_json => of_json(file, &file.text, true),
        (Syntax::Yaml, _) if looks_like_json && serde_json::from_str::<&RawValue>(&file.text).is_ok() => {
            of_json(file, &file.text, true)
        }
        _ => match of_yaml(file) {
            Ok(json) => of_json(file, &json, false),
            Err(problem) => (Vec::new(), vec![*problem]),
        },
    }
}

/// `own` says that the text is the file's, so that positions in it are places.
fn of_json(file: &SourceFile, json: &str, own: bool) -> (Vec<RawTool>, Vec<Diagnostic>) {
    let root: &RawValue = match serde_json::from_str(json) {
        Ok(root) => root,
        Err(error) => return (Vec::new(), vec![not_json(file, &error)]),
    };
    if openapi::is_openapi(root) {
        return openapi::tools(file);
    }
    let listed = match listed(root) {
        Ok(listed) => listed,
        Err(why) => return refused(file, &format!("holds no list of tools: {why}")),
    };
    let start = |raw: &RawValue| own.then(|| (raw.get().as_ptr() as usize).saturating_sub(json.as_ptr() as usize));
    let tool = |raw: &&RawValue| RawTool { json: raw.get().to_owned(), start: start(raw), is_openapi: false };
    (listed.iter().map(tool).collect(), Vec::new())
}

/// The tools of a value as a compile would find them, or the value as the only tool.
fn listed(root: &RawValue) -> Result<Vec<&RawValue>, String> {
    if let Ok(Members(members)) = serde_json::from_str(root.get()) {
        let has = |name: &str| members.iter().any(|(key, _)| key == name);
        if !has("tools") && !has("result") {
            if has("error") {
                return Err("it is an answer that says `error`".to_owned());
            }
            if has("name") || has("function") {
                return Ok(vec![root]);
            }
        }
    }
    list::listed(root).map(|listed| listed.tools).map_err(str::to_owned)
}

/// The text as JSON.
fn of_yaml(file: &SourceFile) -> Result<String, Box<Diagnostic>> {
    let options = serde_saphyr::options! {
        strict_booleans: true,
        with_snippet: false,
        budget: serde_saphyr::budget! {
            max_aliases: MOST_ALIASES,
            max_depth: DEEPEST,
            max_nodes: MOST_NODES,
            max_events: 3 * MOST_NODES,
        },
    };
    let value = serde_saphyr::with_deserializer_from_str_with_options(&file.text, options, |deserializer| {
        serde_json::Value::deserialize(deserializer)
    });
    value.map(|value| ordered(&value)).map_err(|error| {
        let place = error.location().map(|at| {
            let number = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
            without_meta(file, file.place_at(number(at.line()), number(at.column()), 1))
        });
        let (why, help) = yaml::unread(&error);
        Box::new(
            Diagnostic::error(codes::E_CATALOG, format!("`{}` cannot be read as YAML: {why}", file.path))
                .at(place.unwrap_or_else(|| without_meta(file, file.whole())))
                .help(help),
        )
    })
}

/// A value as JSON with its keys sorted: in which order a `Value` keeps them depends on how `serde_json` was built.
pub(super) fn ordered(value: &serde_json::Value) -> String {
    let json = value.to_string();
    canonical::sort_keys(&json).unwrap_or(json)
}

fn not_json(file: &SourceFile, error: &serde_json::Error) -> Diagnostic {
    let message = error.to_string();
    let reason = message.split(" at line ").next().unwrap_or("it cannot be read");
    Diagnostic::error(codes::E_CATALOG, format!("`{}` is not JSON: {reason}", file.path))
        .at(without_meta(file, file.place_at(error.line(), error.column(), 1)))
        .help("where it is YAML, its name has to end in `.yaml` or `.yml`")
}

fn refused(file: &SourceFile, why: &str) -> (Vec<RawTool>, Vec<Diagnostic>) {
    let problem = Diagnostic::error(codes::E_CATALOG, format!("`{}` {why}", file.path))
        .at(without_meta(file, file.whole()))
        .help("import takes a list of tools, an object whose `tools` is one, or an OpenAPI document");
    (Vec::new(), vec![problem])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, text: &str, expected: &[&str]) {
        let (tools, problems) = tools(&Input::new(path, text, Syntax::of(path)));
        let mut lines: Vec<String> = tools.into_iter().map(|tool| tool.json).collect();
        lines.extend(problems.iter().map(|p| {
            let place = p.place.as_ref().map(|place| format!("{}:{}", place.line, place.column));
            format!("{} {}", place.unwrap_or_default(), p.message)
        }));
        assert_eq!(lines, expected, "for {text}");
    }

    #[test]
    fn the_list_is_found_wherever_it_stands() {
        check("a.json", r#"[{"name":"a"}, 7]"#, &[r#"{"name":"a"}"#, "7"]);
        check("a.json", "\u{feff}{\"tools\": [{\"b\":1, \"a\":2.50}]}", &[r#"{"b":1, "a":2.50}"#]);
        check("a", r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a"}]}}"#, &[r#"{"name":"a"}"#]);
        check(
            "a",
            r#"[{"tools":[{"name":"a"}],"nextCursor":"x"},{"tools":[{"name":"b"}]}]"#,
            &[r#"{"name":"a"}"#, r#"{"name":"b"}"#],
        );
        check("a", r#"{"name": "alone", "inputSchema": {}}"#, &[r#"{"name": "alone", "inputSchema": {}}"#]);
        check("a.yaml", "tools:\n  - name: a\n    big: 7\n", &[r#"{"big":7,"name":"a"}"#]);
        check("a", "- name: \"yes\"\n", &[r#"{"name":"yes"}"#]);
    }

    #[test]
    fn an_operation_of_openapi_is_a_tool() {
        let document = "openapi: 3.1.0\ninfo: { title: T, version: \"1\" }\npaths:\n  /orders:\n    get:\n      operationId: \
                        orders.list\n      summary: Lists the orders.\n      responses: { \"200\": { description: ok } }\n";
        let (found, problems) = tools(&Input::new("a.yaml", document, Syntax::Yaml));
        assert!(problems.iter().all(|problem| !problem.is_error()), "{problems:?}");
        let names: Vec<bool> =
            found.iter().map(|tool| tool.is_openapi && tool.json.contains("\"orders.list\"")).collect();
        assert_eq!(names, [true]);
        let (found, problems) = tools(&Input::new("a.yaml", "openapi: 9.9.9\npaths: {}\n", Syntax::Yaml));
        assert!(found.is_empty() && problems.iter().any(Diagnostic::is_error), "{problems:?}");
    }

    #[test]
    fn what_is_no_list_is_said_with_its_place() {
        check("a.json", "tools:\n  - a\n", &["1:2 `a.json` is not JSON: expected ident"]);
        check("a.json", "{\"tools\": [\n", &["2:1 `a.json` is not JSON: EOF while parsing a list"]);
        check("a", "<!doctype html>", &["1:1 `a` is HTML or XML, not a list of tools"]);
        check("a", " \n", &["1:1 `a` is empty"]);
        check("a.json", "[\0{\0}\0]\0", &["1:1 `a.json` holds a NUL character, as UTF-16 does"]);
        check("a", "\0[\0]", &["1:1 `a` holds a NUL character, as UTF-16 does"]);
        check(
            "a.yaml",
            "- name: a\n---\n- name: b\n",
            &["3:1 `a.yaml` cannot be read as YAML: another document begins in it"],
        );
        check(
            "a.yaml",
            "- &a [*a]\n",
            &["1:7 `a.yaml` cannot be read as YAML: an alias stands inside what it repeats"],
        );
        check("a", "{}", &["1:1 `a` holds no list of tools: it has no member `tools`"]);
        check("a", "{\"tools\": 3}", &["1:1 `a` holds no list of tools: `tools` is not a list"]);
        check("a", "just words", &["1:1 `a` holds no list of tools: it is neither an object nor a list"]);
        check("a", r#"{"error": {"code": 1}}"#, &["1:1 `a` holds no list of tools: it is an answer that says `error`"]);
    }

    #[test]
    fn an_alias_bomb_is_a_problem() {
        let mut bomb = "a: &a [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for (name, former) in ["b", "c", "d", "e", "f", "g", "h"].iter().zip(["a", "b", "c", "d", "e", "f", "g"]) {
            bomb.push_str(&format!("{name}: &{name} [{}]\n", vec![format!("*{former}"); 10].join(", ")));
        }
        let (found, problems) = tools(&Input::new("a.yaml", &bomb, Syntax::Yaml));
        assert!(found.is_empty() && problems.len() == 1, "{problems:?}");
    }
}
