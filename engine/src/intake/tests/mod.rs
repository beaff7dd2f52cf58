//! Intake as a whole: tools that are broken on purpose, bad input of every kind, and input that nobody thought of.

mod arbitrary;
mod bad_input;
mod broken;

use ambit_model::intake::{Finding, IntakeReport};

use super::Admission;
use crate::compile::{Compiled, prepare};
use crate::source::SourceTree;
use crate::{catalog, parse, resolve};

/// A workspace of one catalog `c`, whose document ends where more of its keys may follow.
pub(super) const WORKSPACE: &str = "\
kind: Workspace
name: w
---
kind: Tenant
id: a
name: A
---
kind: Project
id: p
tenant: a
name: P
catalogs: [c]
---
kind: Group
id: g
title: G
description: All.
members: [\"**\"]
---
kind: Catalog
id: c
file: c.json
";

/// Nothing is wrong with it.
pub(super) const GOOD: &str = r#"{"name": "parcels.late", "description": "Lists parcels that are late today.",
 "inputSchema": {"type": "object"}, "outputSchema": {"type": "object"}}"#;

/// The workspace with this catalog file and these lines below its Catalog.
pub(super) fn tree(catalog: &str, more: &str) -> SourceTree {
    let mut tree = SourceTree::default();
    tree.insert("w.yaml", format!("{WORKSPACE}{more}"));
    tree.insert("c.json", catalog);
    tree
}

pub(super) fn compiled(catalog: &str, more: &str) -> Compiled {
    prepare(&tree(catalog, more)).finish_without_retrieval("2026-06-01").unwrap()
}

/// The report on one catalog file.
pub(super) fn report(catalog: &str) -> IntakeReport {
    compiled(catalog, "").report
}

/// What the rules that look at one tool say, and no later stage of compiling.
pub(super) fn admitted(file: &str) -> Admission {
    let tree = tree(file, "");
    let (written, _) = parse::parse(&tree);
    let (declarations, _) = resolve::resolve(&written, &tree);
    let (offered, _) = catalog::read("c", tree.get("c.json").unwrap());
    super::admit(&declarations.catalogs, &offered)
}

/// What a finding says, without the place in the file; a tool without a name is called by no number.
pub(super) fn said(finding: &Finding) -> (String, String, String, String) {
    let tool = if finding.tool.starts_with("c/#") { "c/#" } else { finding.tool.as_str() };
    (tool.to_owned(), finding.code.to_string(), finding.pointer.clone(), finding.message.clone())
}

#[test]
#[ignore]
fn throwaway_hidden_public_catalogs() {
    for entry in std::fs::read_dir("/work/shared/bench").unwrap().flatten() {
        let Ok(file) = std::fs::read_to_string(entry.path().join("catalog.json")) else { continue };
        let started = std::time::Instant::now();
        let admission = admitted(&file);
        let took = started.elapsed();
        let refused: Vec<_> =
            admission.findings.iter().filter(|f| f.code == "E_HIDDEN_TEXT" || f.code == "E_NAME").collect();
        println!("{} {} of {} {took:?}", entry.path().display(), refused.len(), admission.offered);
        for finding in refused {
            println!("   {} {} {}", finding.tool, finding.pointer, finding.message);
        }
    }
    for (name, text) in [
        ("tags", "<a b=\"".repeat(150_000)),
        ("secret", "<secret>".repeat(120_000)),
        ("def", "[a]: b (\n".repeat(100_000)),
        ("e", "\u{e0041}".repeat(250_000)),
        ("tick", "`<b> ``<i> ".repeat(90_000)),
        ("ind", "    <b> `\n\n".repeat(90_000)),
        ("br", "[x".repeat(500_000)),
        ("com", "<!-- `".repeat(170_000)),
        ("decl", "<!a ".repeat(250_000)),
        ("pi", "<?a </ a ".repeat(120_000)),
        ("img", "![](//a".repeat(140_000)),
        ("lnk", "](//?".repeat(200_000)),
        ("defs", "[a]: //b\n".repeat(100_000)),
        ("q", "> [a]: //?b\n\n".repeat(80_000)),
    ] {
        let file = serde_json::json!({"tools": [{"name": "x", "description": text}]}).to_string();
        let started = std::time::Instant::now();
        let n = admitted(&file).findings.iter().filter(|f| f.code == "E_HIDDEN_TEXT").count();
        println!("{name}: {n} {:?}", started.elapsed());
    }
}
