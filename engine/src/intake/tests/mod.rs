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
