//! What a compile makes of knowledge folders: a tool of one project alone, and documents that are parts of the snapshot.

use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;
use ambit_model::facts::{Effect, Operation, Origin, Risk, SourceKind};
use ambit_model::identity::ProjectId;
use ambit_model::knowledge::{Passage, tool_id};
use ambit_model::ratio::Score;
use ambit_model::snapshot::Snapshot;

use crate::compile::Compiled;
use crate::parse::rendered::rendered;
use crate::parts::{self, Bodies, Kind};
use crate::sample;
use crate::source::SourceTree;
use crate::{cut, diff};

const TOOL: &str = "knowledge.acme.desk/knowledge.search";
const RETURNS: &str =
    "# Returns\n\nGoods go back within 30 days.\n\n## Damage\n\nDamaged goods go back within 60 days.\n";

/// The small workspace whose desk has this `knowledge`, with these documents.
fn tree(knowledge: &str, documents: &[(&str, &str)]) -> SourceTree {
    let mut tree = sample::tree();
    let desk = "name: Desk\n";
    assert!(sample::WORKSPACE.contains(desk));
    let policy = "\n---\nkind: Policy\nid: handbook\ncedar: |\n  permit (principal == Ambit::User::\"acme:user:ada\", action, \
                  resource in Ambit::Catalog::\"knowledge.acme.desk\");\n";
    let policy = if knowledge.is_empty() || documents.is_empty() { "" } else { policy };
    let yaml = format!("{}{policy}", sample::WORKSPACE.trim_end().replace(desk, &format!("{desk}{knowledge}")));
    tree.insert("workspace.yaml", yaml);
    for (path, text) in documents {
        tree.insert(*path, *text);
    }
    tree
}

fn compiled(knowledge: &str, documents: &[(&str, &str)]) -> Compiled {
    sample::compile(&tree(knowledge, documents)).unwrap()
}

fn snapshot(documents: &[(&str, &str)]) -> Snapshot {
    let compiled = compiled("knowledge: [docs]\n", documents);
    compiled.snapshot.unwrap_or_else(|| panic!("{}", rendered(&compiled.diagnostics)))
}

fn root(snapshot: &Snapshot) -> String {
    parts::split(snapshot).unwrap().last().unwrap().digest.to_string()
}

#[test]
fn a_folder_of_documents_is_a_tool_of_its_project() {
    let snapshot =
        snapshot(&[("docs/returns.md", RETURNS), ("docs/deep/b.md", "# Bees\nHum.\n"), ("other/c.md", "# No\nx\n")]);
    let card = snapshot.tools.iter().find(|card| card.id.as_str() == TOOL).unwrap();
    assert_eq!(card.id, tool_id(&ProjectId::parse("acme/desk", None).unwrap()));
    assert_eq!((card.tenant.as_deref(), card.title.as_deref()), (Some("acme"), Some("Documents of Desk")));
    assert_eq!(card.description, "Searches the written documents of Desk and returns passages: Bees; Returns.");
    let facts = &card.facts;
    assert_eq!((facts.source, facts.entity.value.as_str()), (SourceKind::Knowledge, "documents"));
    assert_eq!(
        (facts.operation.value, facts.effect.value, facts.risk.value),
        (Operation::Search, Effect::Read, Risk::Low)
    );
    assert_eq!((facts.effect.origin, facts.collection.as_deref()), (Origin::Declared, Some("results")));
    assert_eq!(
        (&facts.identity, &facts.produces),
        (&vec!["path".to_owned(), "line".to_owned()], &vec!["documents".to_owned()])
    );
    let paths: Vec<&str> = snapshot.knowledge.iter().map(|document| document.path.as_str()).collect();
    assert_eq!(paths, ["docs/deep/b.md", "docs/returns.md"]);
    for project in &snapshot.projects {
        let lists = project.catalogs.iter().any(|catalog| catalog == "knowledge.acme.desk");
        assert_eq!(lists, project.id.to_string() == "acme/desk", "{}", project.id);
    }
}

#[test]
fn only_whom_a_policy_permits_may_use_it() {
    let snapshot = snapshot(&[("docs/returns.md", RETURNS)]);
    let tool = tool_id(&ProjectId::parse("acme/desk", None).unwrap());
    let invokes = |who: &str, project: &str| {
        sample::view(&snapshot, who, project).and_then(|view| view.capability(&tool)).is_some_and(|may| may.invoke)
    };
    assert!(invokes("acme:user:ada", "acme/desk"));
    assert!(!invokes("acme:agent:bot", "acme/desk"));
    assert!(!invokes("globex:user:gus", "globex/lab"));
    let of_globex = cut::snapshot(&snapshot, "globex");
    assert_eq!(of_globex.knowledge, []);
    assert!(!serde_json::to_string(&of_globex).unwrap().contains("Returns"));
    assert_eq!(cut::snapshot(&snapshot, "acme").knowledge, snapshot.knowledge);
}

#[test]
fn the_operator_may_say_what_it_answers() {
    let knowledge = "knowledge: { folders: [docs], description: Rules of the desk on goods., examples: [May damaged goods go back?] }\n";
    let compiled = compiled(knowledge, &[("docs/returns.md", RETURNS)]);
    let card = compiled.snapshot.unwrap().tools.into_iter().find(|card| card.id.as_str() == TOOL).unwrap();
    assert_eq!(
        (card.description.as_str(), card.examples.as_slice()),
        ("Rules of the desk on goods.", &["May damaged goods go back?".to_owned()][..])
    );
    let codes: Vec<&str> =
        compiled.report.findings.iter().filter(|f| f.tool == TOOL).map(|f| f.code.as_ref()).collect();
    assert!(codes.contains(&codes::W_NO_GROUP) && !codes.contains(&codes::W_NO_EXAMPLES), "{codes:?}");
    assert!(compiled.report.accepted.contains(&TOOL.to_owned()));
}

#[test]
fn without_examples_the_report_says_where_to_write_them() {
    let compiled = compiled("knowledge: [docs]\n", &[("docs/returns.md", RETURNS)]);
    let found = compiled.report.findings.iter().find(|f| f.tool == TOOL && f.code == codes::W_NO_EXAMPLES).unwrap();
    assert!(found.remedy.contains("in its Project"), "{}", found.remedy);
    assert_eq!(
        found.place.as_ref().map(|place| (place.file.as_str(), place.text.as_str())),
        Some(("workspace.yaml", "knowledge: [docs]"))
    );
}

#[test]
fn without_documents_there_is_no_tool_and_every_digest_is_as_it_was() {
    let (with, without) = (compiled("knowledge: [docs]\n", &[]), compiled("", &[]));
    let (some, none) = (with.snapshot.unwrap(), without.snapshot.unwrap());
    assert_eq!(root(&some), root(&none));
    assert!(some.tools.iter().all(|card| !card.id.as_str().starts_with("knowledge.")));
    assert!(!parts::split(&none).unwrap().iter().any(|part| part.body.contains("document") && part.kind == Kind::Root));
    let told = compiled("knowledge: [docs]\n", &[("docs/a.md", "---\ntitle: T\n---\n")]).diagnostics;
    let codes: Vec<(&str, Option<&str>)> =
        told.iter().map(|one: &Diagnostic| (one.code.as_ref(), one.place.as_ref().map(|p| p.file.as_str()))).collect();
    // The policy's catalog is not there either.
    assert!(codes.contains(&(codes::W_UNUSED, Some("docs/a.md"))), "{codes:?}");
}

#[test]
fn documents_are_in_both_digests_whatever_the_order_of_files() {
    let (a, b) = (("docs/a.md", RETURNS), ("docs/b.md", "# Bees\nHum.\n"));
    let digests = |documents: &[(&str, &str)]| {
        let compiled = compiled("knowledge: [docs]\n", documents);
        (compiled.source_digest.to_string(), root(&compiled.snapshot.unwrap()))
    };
    assert_eq!(digests(&[a, b]), digests(&[b, a]));
    let crlf = RETURNS.replace('\n', "\r\n");
    assert_eq!(digests(&[a, b]), digests(&[("docs/a.md", &crlf), b]));
    let changed = digests(&[("docs/a.md", &RETURNS.replace("60", "90")), b]);
    assert_ne!(digests(&[a, b]).0, changed.0);
    assert_ne!(digests(&[a, b]).1, changed.1);
}

#[test]
fn one_changed_document_changes_its_own_part_and_the_root() {
    let digests = |text: &str| -> std::collections::BTreeSet<_> {
        let snapshot = snapshot(&[("docs/a.md", text), ("docs/b.md", "# Bees\nHum.\n")]);
        parts::split(&snapshot).unwrap().into_iter().map(|part| part.digest).collect()
    };
    let changed = RETURNS.replace("60", "90");
    assert_eq!(digests(&changed).difference(&digests(RETURNS)).count(), 2);
}

#[test]
fn parts_give_the_documents_back() {
    let snapshot = snapshot(&[("docs/returns.md", RETURNS), ("docs/b.md", "# Bees\nHum.\n")]);
    let parts = parts::split(&snapshot).unwrap();
    assert_eq!(parts.iter().filter(|part| part.kind == Kind::Document).count(), 2);
    let bodies: Bodies = parts.iter().map(|part| (part.digest.clone(), part.body.clone())).collect();
    assert_eq!(parts::assemble(&parts.last().unwrap().digest, &bodies).unwrap(), snapshot);
}

#[test]
fn a_diff_tells_the_words_of_documents() {
    let changed = RETURNS.replace("60", "90");
    let before = snapshot(&[("docs/a.md", RETURNS), ("docs/gone.md", "# Gone\nx\n")]);
    let after = snapshot(&[("docs/a.md", &changed), ("docs/new.md", "# New\nx\n")]);
    let diff = diff::diff(&before, &after).unwrap();
    let section = diff.sections.iter().find(|section| section.kind.title() == "documents").unwrap();
    assert_eq!(
        (&section.added, &section.removed),
        (&vec!["acme/desk:docs/new.md".to_owned()], &vec!["acme/desk:docs/gone.md".to_owned()])
    );
    let fields: Vec<&str> =
        section.changed.iter().flat_map(|one| &one.fields).map(|field| field.field.as_str()).collect();
    assert_eq!(fields, ["text"]);
    assert!(section.changed[0].fields[0].pieces.iter().any(|piece| piece.text == "90"));
    let same = diff::diff(&before, &before).unwrap();
    assert!(same.is_empty());
}

#[test]
fn what_a_search_answers_fits_the_tools_output_schema() {
    let snapshot = snapshot(&[("docs/returns.md", RETURNS)]);
    let card = snapshot.tools.iter().find(|card| card.id.as_str() == TOOL).unwrap();
    let schema: serde_json::Value = serde_json::from_str(&card.output_schema.as_ref().unwrap().0).unwrap();
    let passage = Passage {
        path: "docs/returns.md".to_owned(),
        title: "Returns".to_owned(),
        heading: String::new(),
        line: 1,
        text: "x".to_owned(),
        score: Score::from_f64(0.5),
    };
    let answer = serde_json::json!({ "results": [passage] });
    let validator = jsonschema::validator_for(&schema).unwrap();
    assert!(validator.is_valid(&answer), "{answer}");
    let declared = &schema["properties"]["results"]["items"]["properties"];
    let keys = |value: &serde_json::Value| {
        value.as_object().unwrap().keys().cloned().collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(keys(declared), keys(&answer["results"][0]));
}
