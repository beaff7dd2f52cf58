//! A small workspace for tests, compiled from texts with vectors made of words: no model, the same on every machine.

use ambit_model::diagnostic::Diagnostic;
use ambit_model::digest::Digest;
use ambit_model::identity::{Principal, ProjectId};
use ambit_model::snapshot::Snapshot;

use crate::authority::Authority;
use crate::authority::View;
use crate::compile::{Compiled, card_digests, prepare};
use crate::index::Vectors;
use crate::source::SourceTree;
use crate::text;

/// Two tenants, one project each; people, bills and mail, a twin, a family, a write and a secret.
pub(crate) const WORKSPACE: &str = r#"
kind: Workspace
name: small
---
kind: Tenant
id: acme
name: Acme
users: [{ id: ada }]
agents: [{ id: bot }]
---
kind: Tenant
id: globex
name: Globex
users: [{ id: gus }]
---
kind: Project
id: desk
tenant: acme
name: Desk
catalogs: [office, vault]
ceiling: confirm_writes
---
kind: Project
id: lab
tenant: globex
name: Lab
catalogs: [office]
---
kind: Catalog
id: office
file: office.json
since: 2026-01-01
tools:
  people.search:
    { entity: people, operation: search, effect: read, identity: [id], produces: [person_id], examples: [Who is called Byron] }
  people.find: { entity: people, operation: search, effect: read, identity: [id], produces: [person_id] }
  bills.list: { entity: bills, operation: list, effect: read, examples: [Show the bills of a person] }
  bills.report: { entity: figures, operation: summary, effect: read, produces: [rows] }
  draw_chart: { entity: charts, operation: create, effect: read, requires: [rows], produces: [chart] }
  send_mail: { entity: mail, operation: send, effect: write }
  send_mail_v2: { entity: mail, operation: send, effect: write, examples: [Mail the chart to the team] }
  wipe_disk: { entity: disks, operation: delete, effect: destructive }
---
kind: Catalog
id: vault
tenant: acme
file: vault.json
tools:
  secrets.read: { entity: secrets, operation: get, effect: read }
---
kind: Group
id: people
title: People
description: Persons and their bills.
members: ["office/people.*", "office/bills.*"]
---
kind: Group
id: output
title: Output
description: Charts and mail.
members: [office/draw_chart, "office/send_*", office/wipe_disk, "vault/*"]
---
kind: TwinGroup
id: people
members: [office/people.search, office/people.find]
preferred: office/people.search
reason: find is old
---
kind: VersionFamily
id: mail
current: 2
members:
  - { tool: office/send_mail, version: 1, pin: [legacy] }
  - { tool: office/send_mail_v2, version: 2 }
---
kind: Policy
id: office
cedar: |
  permit (principal in Ambit::Tenant::"acme", action, resource in Ambit::Catalog::"office");
---
kind: Policy
id: ada-vault
cedar: |
  permit (principal == Ambit::User::"acme:user:ada", action, resource in Ambit::Catalog::"vault");
"#;

/// The catalog of WORKSPACE.
pub(crate) const OFFICE: &str = r#"{"tools": [
 {"name": "people.search", "description": "Searches persons by their name and returns their number.",
  "inputSchema": {"type": "object", "properties": {"query": {"type": "string", "description": "Part of the name."}}, "required": ["query"]},
  "outputSchema": {"type": "object", "properties": {"items": {"type": "array", "items": {"type": "object", "properties": {"id": {"type": "string"}}}}}}},
 {"name": "people.find", "description": "Finds persons in the old register by their name.",
  "inputSchema": {"type": "object", "properties": {"query": {"type": "string", "description": "Part of the name."}}, "required": ["query"]},
  "outputSchema": {"type": "object", "properties": {"items": {"type": "array", "items": {"type": "object", "properties": {"id": {"type": "string"}}}}}}},
 {"name": "bills.list", "description": "Lists the bills that one person has to pay.",
  "inputSchema": {"type": "object", "properties": {"person_id": {"type": "string", "description": "Who pays."}}, "required": ["person_id"]},
  "outputSchema": {"type": "object", "properties": {"items": {"type": "array", "items": {"type": "object", "properties": {"number": {"type": "string"}}}}}}},
 {"name": "bills.report", "description": "Sums up the revenue of a quarter as figures by month.",
  "inputSchema": {"type": "object", "properties": {"period": {"type": "string", "description": "The quarter."}}},
  "outputSchema": {"type": "object", "properties": {"rows": {"type": "array", "items": {"type": "object"}}}}},
 {"name": "draw_chart", "description": "Draws a chart as a picture.",
  "inputSchema": {"type": "object", "properties": {"rows": {"type": "array", "description": "What is drawn."}}, "required": ["rows"]},
  "outputSchema": {"type": "object", "properties": {"chart_id": {"type": "string"}}}},
 {"name": "send_mail", "description": "Sends a mail as plain text.", "inputSchema": {"type": "object"},
  "outputSchema": {"type": "object"}},
 {"name": "send_mail_v2", "description": "Sends a mail with a picture to a team.", "inputSchema": {"type": "object"},
  "outputSchema": {"type": "object"}},
 {"name": "wipe_disk", "description": "Wipes a whole disk for good.", "inputSchema": {"type": "object"},
  "outputSchema": {"type": "object"}}
]}"#;

pub(crate) const VAULT: &str = r#"[{"name": "secrets.read", "description": "Reads the secret bills of the board.",
  "input_schema": {"type": "object"}, "output_schema": {"type": "object"}}]"#;

/// The files of the small workspace.
pub(crate) fn tree() -> SourceTree {
    let mut tree = SourceTree::default();
    tree.insert("workspace.yaml", WORKSPACE);
    tree.insert("office.json", OFFICE);
    tree.insert("vault.json", VAULT);
    tree
}

/// A tree compiled with vectors of words.
pub(crate) fn compile(tree: &SourceTree) -> Option<Compiled> {
    let prepared = prepare(tree);
    let vectors = vectors(prepared.texts());
    prepared.finish(&vectors, "2026-06-01").ok()
}

/// The small workspace as a snapshot; its problems, where it has none.
pub(crate) fn snapshot() -> Result<Snapshot, Vec<Diagnostic>> {
    let compiled = compile(&tree()).ok_or_else(Vec::new)?;
    compiled.snapshot.ok_or(compiled.diagnostics)
}

/// What a principal may do in a project of this snapshot.
pub(crate) fn view(snapshot: &Snapshot, principal: &str, project: &str) -> Option<View> {
    let authority = Authority::compile(snapshot, &card_digests(snapshot).ok()?).ok()?;
    authority.view(&Principal::parse(principal).ok()?, &ProjectId::parse(project, None).ok()?).ok()
}

/// Unit vectors in which texts that share words are near: each word is one direction out of many.
pub(crate) fn vectors(texts: Vec<String>) -> Vectors {
    texts.into_iter().map(|text| (Digest::of(text.as_bytes()), vector(&text))).collect()
}

fn vector(text: &str) -> Vec<f32> {
    const DIRECTIONS: usize = 256;
    let mut vector = vec![0.0_f32; DIRECTIONS];
    for word in text::words(text) {
        let hash = word.bytes().fold(17_usize, |hash, byte| hash.wrapping_mul(31).wrapping_add(usize::from(byte)));
        if let Some(direction) = vector.get_mut(hash % DIRECTIONS) {
            *direction += 1.0;
        }
    }
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt().max(f32::EPSILON);
    vector.iter().map(|x| x / length).collect()
}
