//! The law that the order of files and documents leaves no trace in the declarations, places aside.

use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

use super::*;
use crate::parse::parse;
use crate::parse::rendered::{rendered, tree};

const DOCUMENTS: [&str; 16] = [
    "kind: Workspace\nname: w\nthresholds: { gate: 0.9 }\n",
    "kind: Tenant\nid: acme\nname: A\nroles: [{ id: r, includes: [s] }, { id: s }]\nusers: [{ id: u, roles: [r] }]\n",
    "kind: Tenant\nid: beta\nname: B\nagents: [{ id: b }]\n",
    "kind: Project\nid: p\ntenant: acme\nname: P\ncatalogs: [c, d]\n",
    "kind: Project\nid: p\ntenant: beta\nname: P\ncatalogs: [d]\n",
    "kind: Catalog\nid: c\ntenant: acme\nfile: c.json\ntools: { b: { next: [a] }, a: {} }\n",
    "kind: Catalog\nid: d\nfile: d.json\nacknowledged: [{ tool: y, code: E_NAME, reason: r }, { tool: x, code: E_NAME, reason: r }]\n",
    "kind: Group\nid: g\ntitle: G\ndescription: d\nmembers: ['d/*', c/a]\n",
    "kind: TwinGroup\nid: t\nmembers: [c/a, c/b]\npreferred: c/b\nreason: r\n",
    "kind: VersionFamily\nid: f\ncurrent: 2\nmembers: [{ tool: d/x, version: 2 }, { tool: d/y, version: 1 }]\n",
    "kind: Policy\nid: p1\ncedar: permit (principal, action, resource);\n",
    "kind: Policy\nid: p2\ncedar: forbid (principal, action, resource);\n",
    "kind: Vocabulary\nlanguage: en\nverbs: { send: [b, a] }\n",
    "kind: Vocabulary\nlanguage: en\nverbs: { send: [c, a] }\nsynonyms: { x: [y] }\n",
    "kind: PolicyTest\nprincipal: acme:user:u\nproject: p\naction: route\ntool: d/*\nexpect: allow\n",
    "kind: GoldenRoute\nquestion: q?\nprincipal: beta:agent:b\nproject: p\ntools: [d/x]\n",
];

/// The declarations as text without whatever depends on where a document stands.
fn declared(files: &[(String, String)]) -> Result<String, TestCaseError> {
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let tree = tree(&files);
    let (written, mut problems) = parse(&tree);
    let (declarations, more) = resolve(&written, &tree);
    problems.extend(more);
    prop_assert_eq!(rendered(&problems), "");
    Ok(without_places(&format!("{declarations:#?}")))
}

/// Drops `place: Place { … }` and the lines that say where a policy stands from pretty debug text.
fn without_places(text: &str) -> String {
    let mut kept = Vec::new();
    let mut inside: Option<usize> = None;
    for line in text.lines() {
        let indent = line.len() - line.trim_start().len();
        match inside {
            Some(opened) if indent == opened => inside = None,
            Some(_) => {}
            None if line.ends_with("place: Place {") => inside = Some(indent),
            None if ["file: \"f", "first_line:", "indent:"].iter().any(|key| line.trim_start().starts_with(key)) => {}
            None => kept.push(line),
        }
    }
    kept.join("\n")
}

fn same_in_any_order(order: &[usize], homes: &[usize]) -> TestCaseResult {
    let first: Vec<(String, String)> = vec![("f0.yaml".into(), DOCUMENTS.join("---\n"))];
    let mut files: Vec<(String, String)> =
        (0..4).map(|number| (format!("f{number}.yaml"), "# a comment\n".to_owned())).collect();
    for (document, home) in order.iter().zip(homes) {
        if let (Some(text), Some(file)) = (DOCUMENTS.get(*document), files.get_mut(*home)) {
            file.1.push_str("---\n");
            file.1.push_str(text);
        }
    }
    prop_assert_eq!(declared(&first)?, declared(&files)?);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn declarations_do_not_depend_on_order(
        order in Just((0..DOCUMENTS.len()).collect::<Vec<_>>()).prop_shuffle(),
        homes in prop::collection::vec(0..4_usize, DOCUMENTS.len()),
    ) {
        same_in_any_order(&order, &homes)?;
    }

    #[test]
    fn no_text_makes_parse_or_resolve_panic(text in "(kind: (Tenant|Project|Catalog|Group|Policy|Workspace)\n)?([a-z]{1,5}|id|name|roles|tools|cedar|[-:{}\\[\\]|>*&!'\"#\t ,é]|\r?\n|---\n|  ){0,40}") {
        let tree = tree(&[("a.yaml", &text)]);
        let (written, problems) = parse(&tree);
        let (_, more) = resolve(&written, &tree);
        for problem in problems.iter().chain(&more) {
            prop_assert!(problem.place.is_some() || problem.code == "E_WORKSPACE");
        }
    }
}
