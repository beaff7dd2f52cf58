//! Compiling the small sample workspace: digests that are golden, what refuses, and self-retrieval's judgement.

use ambit_model::codes;
use ambit_model::diagnostic::Severity;

use crate::authority::FORGETS_TOOLS;
use crate::parts::{self, Bodies, Broken};
use crate::sample::{self, OFFICE, WORKSPACE};
use crate::source::SourceTree;

/// Change only with the format of parts, the small workspace or the built-in words; both are the same on every machine.
const SOURCE_DIGEST: &str = "sha256:2b894f72b22b41a391adab0f8bfa252e57ff52b35494125b103000841c97fd31";
const SNAPSHOT_DIGEST: &str = "sha256:d574fe58d969f31d959e81cff5b227294ea0b09b7a4b28dfb4c1f41866e0f418";

#[test]
fn digests_are_golden() {
    let compiled = sample::compile(&sample::tree()).unwrap();
    assert_eq!(compiled.diagnostics, []);
    assert_eq!(compiled.source_digest.as_str(), SOURCE_DIGEST);
    let parts = parts::split(&compiled.snapshot.unwrap()).unwrap();
    assert_eq!(parts.last().unwrap().digest.as_str(), SNAPSHOT_DIGEST);
}

#[test]
fn digests_ignore_order_comments_line_breaks_and_layout() {
    let expected = sample::compile(&sample::tree()).unwrap();
    let mut documents: Vec<&str> = WORKSPACE.split("\n---\n").collect();
    documents.reverse();
    let (first, second) = documents.split_at(5);
    let mut tree = SourceTree::default();
    tree.insert("b.yaml", first.join("\n---\n# a remark\n").replace('\n', "\r\n"));
    tree.insert("a.yaml", second.join("\n---\n"));
    let mut tools: serde_json::Value = serde_json::from_str(OFFICE).unwrap();
    tools["tools"].as_array_mut().unwrap().reverse();
    tree.insert("office.json", serde_json::to_string_pretty(&tools).unwrap());
    tree.insert("vault.json", sample::VAULT);
    let found = sample::compile(&tree).unwrap();
    assert_eq!(found.source_digest, expected.source_digest);
    let root = |snapshot| parts::split(&snapshot).unwrap().last().unwrap().digest.clone();
    assert_eq!(root(found.snapshot.unwrap()), root(expected.snapshot.unwrap()));
}

#[test]
fn views_that_are_not_what_cedar_says_are_never_published() {
    let mut tree = sample::tree();
    tree.insert("open.cedar", "@id(\"open\") permit (principal, action, resource);");
    FORGETS_TOOLS.set(true);
    let parted = sample::compile(&tree).unwrap();
    FORGETS_TOOLS.set(false);
    let errors: Vec<_> = parted.diagnostics.iter().filter(|found| found.is_error()).collect();
    let [error] = errors.as_slice() else { unreachable!("{errors:?}") };
    assert_eq!(error.code, codes::E_INTERNAL);
    assert!(
        error.message.contains("its view says false, and policies asked about this tool alone say true"),
        "{error:?}"
    );
    assert!(error.help.as_ref().is_some_and(|help| help.contains("nothing was published")), "{error:?}");
    assert_eq!(parted.snapshot, None, "there is nothing to apply");
    assert!(sample::compile(&tree).unwrap().snapshot.is_some(), "the workspace is not to blame");
}

fn bodies(parts: &[parts::Part]) -> Bodies {
    parts.iter().map(|part| (part.digest.clone(), part.body.clone())).collect()
}

#[test]
fn parts_give_the_snapshot_back() {
    let snapshot = sample::snapshot().unwrap();
    let parts = parts::split(&snapshot).unwrap();
    let root = &parts.last().unwrap().digest;
    assert_eq!(parts::assemble(root, &bodies(&parts)).unwrap(), snapshot);
}

#[test]
fn a_part_that_is_missing_or_altered_is_found() {
    let parts = parts::split(&sample::snapshot().unwrap()).unwrap();
    let root = &parts.last().unwrap().digest;
    for part in &parts {
        let mut without = bodies(&parts);
        without.remove(&part.digest);
        assert_eq!(parts::assemble(root, &without), Err(Broken::Missing(part.digest.clone())));
        let mut altered = bodies(&parts);
        let swapped = part.body.replacen("\"id\"", "\"ie\"", 1);
        let swapped = if swapped == part.body { format!("{} ", part.body) } else { swapped };
        altered.insert(part.digest.clone(), swapped);
        let found = parts::assemble(root, &altered);
        assert!(found.is_err(), "{:?} {}", part.kind, part.body);
    }
}

#[test]
fn one_changed_tool_changes_three_parts() {
    let mut tree = sample::tree();
    tree.insert("office.json", OFFICE.replace("Wipes a whole disk", "Erases a whole disk"));
    let digests = |tree: &SourceTree| -> std::collections::BTreeSet<_> {
        let snapshot = sample::compile(tree).unwrap().snapshot.unwrap();
        parts::split(&snapshot).unwrap().into_iter().map(|part| part.digest).collect()
    };
    assert_eq!(digests(&tree).difference(&digests(&sample::tree())).count(), 3);
}

/// A workspace of two tools that answer to the same questions; `dates` are their `since`.
#[track_caller]
fn check_clash(dates: [&str; 2], expected: &[(&str, &str)]) {
    let yaml = format!(
        "kind: Workspace\nname: w\n---\nkind: Tenant\nid: a\nname: A\n---\nkind: Project\nid: p\ntenant: a\nname: P\ncatalogs: [c]\n---\n\
         kind: Catalog\nid: c\nfile: c.json\ntools:\n\
         \x20 one: {{ effect: read, since: {}, examples: [show late parcels today, which parcels are late] }}\n\
         \x20 two: {{ effect: read, since: {}, examples: [show late parcels today, which parcels are late] }}\n---\n\
         kind: Group\nid: g\ntitle: G\ndescription: All.\nmembers: [\"c/*\"]\n",
        dates[0], dates[1]
    );
    let mut tree = SourceTree::default();
    tree.insert("w.yaml", yaml);
    tree.insert(
        "c.json",
        r#"[{"name": "one", "description": "Lists parcels that are late today.", "input_schema": {"type": "object"}, "output_schema": {"type": "object"}},
            {"name": "two", "description": "Lists parcels that are late today.", "input_schema": {"type": "object"}, "output_schema": {"type": "object"}}]"#,
    );
    let report = sample::compile(&tree).unwrap().report;
    let of_questions = report.findings.iter().filter(|f| f.code != codes::W_TWIN_UNDECLARED);
    let found: Vec<(&str, &str)> = of_questions.map(|f| (f.tool.as_str(), f.code.as_ref())).collect();
    assert_eq!(found, expected, "for {dates:?}");
    assert!(!report.clashes.is_empty());
    assert_eq!(report.likenesses.len(), 1, "a refused twin is still told to be one");
    let refused = report.findings.iter().filter(|f| f.severity == Severity::Error).count();
    assert_eq!(report.rejected(), refused);
}

#[test]
fn in_a_clash_the_later_tool_is_refused_and_equals_are_warned() {
    check_clash(
        ["2026-01-01", "2026-01-01"],
        &[("c/one", codes::W_SELF_RETRIEVAL), ("c/two", codes::W_SELF_RETRIEVAL)],
    );
    check_clash(
        ["2026-01-01", "2026-02-01"],
        &[("c/one", codes::W_SELF_RETRIEVAL), ("c/two", codes::E_SELF_RETRIEVAL)],
    );
    check_clash(
        ["2026-02-01", "2026-01-01"],
        &[("c/one", codes::E_SELF_RETRIEVAL), ("c/two", codes::W_SELF_RETRIEVAL)],
    );
}

#[test]
fn a_tool_that_does_not_enter_takes_no_question() {
    let yaml = "kind: Workspace\nname: w\n---\nkind: Tenant\nid: a\nname: A\nusers: [{ id: u }]\n---\n\
         kind: Project\nid: p\ntenant: a\nname: P\ncatalogs: [c]\n---\n\
         kind: Catalog\nid: c\nfile: c.json\ntools:\n\
         \x20 one: { effect: read, since: 2026-01-01, examples: [show late parcels today] }\n\
         \x20 two: { effect: read, operation: list, since: 2026-02-01, examples: [show late parcels today] }\n---\n\
         kind: Policy\nid: q\ncedar: |\n\
         \x20 permit (principal in Ambit::Tenant::\"a\", action == Ambit::Action::\"invoke\", resource)\n\
         \x20 when { resource.operation == Ambit::Operation::\"list\" };\n";
    let mut tree = SourceTree::default();
    tree.insert("w.yaml", yaml);
    tree.insert(
        "c.json",
        r#"[{"name": "one", "description": "Lists parcels that are late today.", "input_schema": {"type": "object"}},
            {"name": "two", "description": "Lists parcels that are late today.", "input_schema": {"type": "object"}}]"#,
    );
    let compiled = sample::compile(&tree).unwrap();
    assert_eq!(compiled.diagnostics.iter().filter(|d| d.is_error()).count(), 0, "{:?}", compiled.diagnostics);
    assert_eq!(compiled.report.accepted, ["c/two"]);
    let errors = compiled.report.findings.iter().filter(|finding| finding.severity == Severity::Error);
    assert_eq!(errors.map(|finding| finding.code.as_ref()).collect::<Vec<_>>(), [codes::E_FACT_INFERRED]);
}

#[test]
fn declared_twins_need_not_beat_each_other() {
    let report = sample::compile(&sample::tree()).unwrap().report;
    assert!(report.findings.iter().all(|finding| finding.severity != Severity::Error), "{:?}", report.findings);
}
