//! Lines are added and nothing else changes: a table of layouts, and a law over drawn ones.

use proptest::prelude::*;

use super::*;
use crate::format;

fn source(text: &str) -> SourceFile {
    SourceFile { path: "c.yaml".to_owned(), text: text.to_owned() }
}

fn examples(tool: &str, remark: Option<&str>) -> Addition {
    let lines = list("examples", &["Who is late?".to_owned(), "What: # is it".to_owned()]);
    Addition {
        catalog: "crm".to_owned(),
        tool: tool.to_owned(),
        key: "examples".to_owned(),
        lines,
        extends: false,
        remark: remark.map(str::to_owned),
    }
}

/// `>` marks the lines that are expected to be added; what is refused is `!` and the reason.
#[track_caller]
fn check(text: &str, tool: &str, expected: &str) {
    let file = source(text);
    let told = match set(&file, &examples(tool, None)) {
        Ok(edit) => {
            let after = apply(text, &[edit]);
            let added = similar::TextDiff::from_lines(text, &after);
            let marks = |change: similar::Change<&str>| {
                let mark = if change.tag() == similar::ChangeTag::Insert { ">" } else { "" };
                format!("{mark}{}\n", change.value().trim_end_matches('\n'))
            };
            added.iter_all_changes().map(marks).collect()
        }
        Err(problem) => format!("! {}\n", problem.message),
    };
    assert_eq!(told, expected);
}

const HEAD: &str = "kind: Catalog\nid: crm\nfile: c.json\n";

#[test]
fn a_tool_gets_its_lines_at_its_end() {
    check(
        &format!("{HEAD}tools:\n  a:\n    effect: read\n    # of a\n\n  # of b\n  b:\n    effect: write\n"),
        "a",
        &format!(
            "{HEAD}tools:\n  a:\n    effect: read\n    # of a\n>    examples:\n>      - \"Who is late?\"\n>      - \"What: # is it\"\n\n  # of b\n  b:\n    effect: write\n"
        ),
    );
    check(
        &format!(
            "{HEAD}tools:\n    \"a\": # first\n        description: |\n            text\n            # of the text\nsince: 2026-01-01\n"
        ),
        "a",
        &format!(
            "{HEAD}tools:\n    \"a\": # first\n        description: |\n            text\n            # of the text\n>        examples:\n>          - \"Who is late?\"\n>          - \"What: # is it\"\nsince: 2026-01-01\n"
        ),
    );
}

#[test]
fn a_tool_without_an_entry_gets_one() {
    check(
        &format!("{HEAD}tools:\n  b:\n     effect: read\nsince: 2026-01-01\n"),
        "a.x y",
        &format!(
            "{HEAD}tools:\n  b:\n     effect: read\n>  \"a.x y\":\n>     examples:\n>       - \"Who is late?\"\n>       - \"What: # is it\"\nsince: 2026-01-01\n"
        ),
    );
    check(
        &format!("---\n{HEAD}# the end\n\n---\nkind: Workspace\nname: w\n"),
        "a",
        &format!(
            "---\n{HEAD}>tools:\n>  a:\n>    examples:\n>      - \"Who is late?\"\n>      - \"What: # is it\"\n# the end\n\n---\nkind: Workspace\nname: w\n"
        ),
    );
}

#[test]
fn what_takes_no_lines_is_left_to_a_person() {
    let cannot = |why: &str| format!("! `examples` of `crm/a` cannot be added: {why}\n");
    let flow = "it is written in braces: write it in block style, one key a line";
    check(&format!("{HEAD}tools:\n  a: {{ effect: read }}\n"), "a", &cannot(flow));
    check(&format!("{HEAD}tools: {{ a: {{ effect: read }} }}\n"), "a", &cannot(flow));
    check(&format!("{HEAD}tools: {{}}\n"), "a", &cannot(flow));
    check("{ kind: Catalog, id: crm, file: c.json }\n", "a", &cannot(flow));
    check("kind: Catalog\nid: other\nfile: c.json\n", "a", &cannot("the Catalog is not declared in this file"));
    check(
        &format!("{HEAD}tools:\n  a:\n    examples: [Who?]\n"),
        "a",
        &cannot("the key is written already, or would not be read as it was meant"),
    );
    check(
        &format!("{HEAD}tools:\n  a:\n    description: |+\n      text\n\n  b:\n    effect: read\n"),
        "a",
        &cannot("something else in the file would change with it"),
    );
}

#[test]
fn many_tools_are_written_at_once_and_each_line_is_marked() {
    let text = format!("{HEAD}tools:\n  b:\n    effect: read\n");
    let wanted = [examples("c", Some("proposed")), examples("a", Some("proposed")), examples("b", Some("proposed"))];
    let (edits, problems) = set_all(&source(&text), &wanted);
    assert_eq!(problems, []);
    let after = apply(&text, &edits);
    assert_eq!(after.matches("# proposed\n").count(), 11);
    assert_eq!(after.lines().count(), text.lines().count() + 11);
}

#[test]
fn a_list_of_examples_is_extended() {
    let more = |lines: &[&str]| Addition {
        lines: items(&lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>()),
        extends: true,
        ..examples("a", Some("proposed"))
    };
    let check = |written: &str, expected: Option<&str>| {
        let text = format!("{HEAD}tools:\n  a:\n    examples:{written}    effect: read\n");
        let edited = set(&source(&text), &more(&["Who?", "Why?"])).ok().map(|edit| apply(&text, &[edit]));
        let expected = expected.map(|written| format!("{HEAD}tools:\n  a:\n    examples:{written}    effect: read\n"));
        assert_eq!(edited, expected, "{written}");
    };
    let added = "- \"Who?\" # proposed";
    check(
        "\n      - One # first\n      - \"Two\"\n",
        Some(&format!("\n      - One # first\n      - \"Two\"\n      {added}\n      - \"Why?\" # proposed\n")),
    );
    check("\n    - One\n", Some(&format!("\n    - One\n    {added}\n    - \"Why?\" # proposed\n")));
    check(
        "\n    - One that\n      goes on\n",
        Some(&format!("\n    - One that\n      goes on\n    {added}\n    - \"Why?\" # proposed\n")),
    );
    check(" [One]\n", None);
}

#[test]
fn line_breaks_and_a_missing_last_one_are_kept_in_kind() {
    let edit = |line: usize| Edit { path: "c.yaml".to_owned(), line, lines: vec!["n".to_owned()] };
    for (text, line, expected) in [
        ("a\r\nb\r\n", 1, "a\r\nn\r\nb\r\n"),
        ("a\nb", 2, "a\nb\nn\n"),
        ("a\nb\n", 9, "a\nb\nn\n"),
        ("a\n", 0, "n\na\n"),
        ("", 0, "n\n"),
    ] {
        assert_eq!(apply(text, &[edit(line)]), expected, "{text:?}");
    }
}

#[test]
fn a_new_document_stands_at_the_end() {
    let file = source("kind: Workspace\nname: w");
    let edit = new_document("c.yaml", Some(&file), "kind: Group\nid: g\n");
    assert_eq!(apply(&file.text, &[edit]), "kind: Workspace\nname: w\n---\nkind: Group\nid: g\n");
    assert_eq!(apply("", &[new_document("g.yaml", None, "kind: Group\n")]), "kind: Group\n");
}

#[test]
fn a_difference_is_unified() {
    let told = difference("c.yaml", "a\nb\n", "a\nn\nb\n");
    assert_eq!(told, "--- a/c.yaml\n+++ b/c.yaml\n@@ -1,2 +1,3 @@\n a\n+n\n b\n");
}

/// A drawn piece of a tool's entry, at its column.
fn piece() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        Just("effect: read"),
        Just("# a remark"),
        Just(""),
        Just("identity: [id, code]"),
        Just("description: |\n  some text\n  # of the text\n\n  more"),
        Just("requires:\n  - x\n  - y"),
        Just("produces:\n- x"),
        Just("entity: \"a: b\" # trailing"),
        Just("facts_are: # no key of a tool, but a comment follows"),
    ]
}

fn entry() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..5).prop_map(|pieces| {
        let mut seen = std::collections::BTreeSet::new();
        let known = |piece: &&str| !piece.starts_with("facts_are");
        let once = pieces.into_iter().filter(known).filter(|piece| piece.starts_with(['#']) || seen.insert(*piece));
        once.collect::<Vec<_>>().join("\n")
    })
}

fn at_column(text: &str, column: usize) -> String {
    let line = |line: &str| if line.is_empty() { "\n".to_owned() } else { format!("{}{line}\n", " ".repeat(column)) };
    text.split('\n').map(line).collect()
}

proptest! {
    #[test]
    fn only_what_was_asked_for_is_added(
        entries in prop::collection::btree_map("[a-d]", entry(), 0..4),
        step in 2..5_usize,
        tail in prop_oneof![Just(""), Just("# the end\n"), Just("since: 2026-01-01\n"), Just("---\nkind: Tenant\nid: t\nname: T\n")],
        tool in "[a-e]",
        remark in prop::option::of(Just("proposed")),
    ) {
        let mut text = format!("# head\n{HEAD}");
        if !entries.is_empty() {
            text.push_str("tools:\n");
        }
        for (name, entry) in &entries {
            text.push_str(&at_column(&format!("{name}:"), step));
            text.push_str(&at_column(entry, 2 * step));
        }
        text.push_str(tail);
        let file = source(&text);
        prop_assume!(parse::bodies(&file).1.is_empty());
        let edit = set(&file, &examples(&tool, remark)).map_err(|problem| TestCaseError::fail(format!("{problem:?}\n{text}")))?;
        let after = apply(&text, std::slice::from_ref(&edit));
        // Every former line is still there, in order, and no other byte came.
        let mut left = after.lines();
        for line in text.lines() {
            prop_assert!(left.any(|one| one == line), "{line:?} is gone from\n{after}");
        }
        prop_assert_eq!(after.lines().count(), text.lines().count() + edit.lines.len());
        let mut bodies = parse::bodies(&source(&after)).0;
        let mut before = parse::bodies(&file).0;
        for body in &mut bodies {
            if let Body::Catalog(catalog) = body {
                let added: Vec<String> = catalog.tools.iter_mut().filter(|(name, _)| name.value == tool)
                    .flat_map(|(_, written)| std::mem::take(&mut written.examples)).map(|at| at.value).collect();
                prop_assert_eq!(added, ["Who is late?", "What: # is it"]);
                catalog.tools.retain(|name, written| entries.contains_key(&name.value) || *written != Default::default());
            }
        }
        for body in &mut before {
            if let Body::Catalog(catalog) = body {
                catalog.tools.retain(|name, _| entries.contains_key(&name.value));
            }
        }
        prop_assert_eq!(bodies, before);
        let formatted = format::format("c.yaml", &after);
        let as_before = format::format("c.yaml", &text);
        prop_assert_eq!(formatted.text.is_some(), as_before.text.is_some(), "{:?}\n{}", formatted.diagnostics, after);
    }
}
