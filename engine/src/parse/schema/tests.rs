//! Editors and the compiler agree: what compiles validates, and a table of slips is refused by both.

use std::path::Path;

use jsonschema::Validator;
use serde::Deserialize as _;

use super::*;
use crate::parse::rendered::tree;
use crate::parse::{self, documents, read};
use crate::resolve;

fn validator(schema: &Value) -> Validator {
    jsonschema::validator_for(schema).unwrap()
}

/// As YAML 1.2 has it, and editors: `on` is a word.
fn value(text: &str) -> Value {
    read::with_document(text, |document| Value::deserialize(document)).unwrap()
}

/// The documents of a YAML text, each with its kind.
fn documents_of(text: &str) -> Vec<(Kind, Value)> {
    let kind = |chunk: &documents::Chunk<'_>| Kind::parse(documents::apparent_kind(chunk.text).unwrap()).unwrap();
    documents::split(text).iter().map(|chunk| (kind(chunk), value(chunk.text))).collect()
}

fn repository(path: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join(path)
}

/// The texts of all YAML files below a folder.
fn yaml_below(folder: &Path, texts: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            yaml_below(&path, texts);
        } else if path.extension().is_some_and(|extension| extension == "yaml") {
            texts.push((path.display().to_string(), std::fs::read_to_string(&path).unwrap()));
        }
    }
}

/// The YAML blocks of a page that hold declarations.
fn blocks(page: &str) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(repository(page)).unwrap();
    let blocks = text.split("```yaml\n").skip(1).map(|block| block.split("```").next().unwrap().to_owned());
    blocks.filter(|block| block.starts_with("kind:")).map(|block| (page.to_owned(), block)).collect()
}

#[test]
fn what_is_in_the_sample_and_the_docs_validates() {
    let mut texts = blocks("docs/declarations.md");
    assert!(texts.len() >= 8);
    texts.extend(blocks("README.md"));
    yaml_below(&repository("policies"), &mut texts);
    yaml_below(&repository("service/src/init"), &mut texts);
    let any = validator(&of_any());
    let mut seen = std::collections::BTreeSet::new();
    for (place, text) in texts {
        // `…` stands for digits in the docs.
        let text = text.replace("sha256:…", &format!("sha256:{}", "0".repeat(64)));
        for (kind, document) in documents_of(&text) {
            for schema in [&any, &validator(&of_kind(kind))] {
                let complaints: Vec<String> =
                    schema.iter_errors(&document).map(|error| format!("{}: {error}", error.instance_path())).collect();
                assert_eq!(complaints, [""; 0], "{place}: {document}");
            }
            seen.insert(kind);
        }
    }
    assert_eq!(seen.len(), Kind::ALL.len(), "every kind is shown somewhere");
}

/// Refused by the schema of its kind and by that of any document, and by the compiler.
#[track_caller]
fn check_refused(yaml: &str) {
    let (written, mut problems) = parse::parse(&tree(&[("a.yaml", yaml)]));
    problems.extend(resolve::resolve(&written, &tree(&[("a.yaml", yaml)])).1);
    // That there is no Workspace document is no problem of this one.
    problems.retain(|problem| problem.is_error() && problem.code != ambit_model::codes::E_WORKSPACE);
    assert_ne!(problems, [], "the compiler takes {yaml}");
    let document = value(yaml);
    assert!(!validator(&of_any()).is_valid(&document), "any: {yaml}");
    if let Some(kind) = document.get("kind").and_then(Value::as_str).and_then(Kind::parse) {
        assert!(!validator(&of_kind(kind)).is_valid(&document), "{yaml}");
    }
}

#[test]
fn slips_are_refused_by_both() {
    check_refused("id: a\nname: b\n");
    check_refused("kind: Tennant\nid: a\nname: b\n");
    check_refused("kind: Workspace\nname: w\nthresholds: { flor: 0.1 }\n");
    check_refused("kind: Workspace\nname: w\nthresholds: { floor: 2 }\n");
    check_refused("kind: Workspace\nname: w\nthresholds: { floor: -0.1 }\n");
    check_refused("kind: Workspace\nname: w\nthresholds: { floor: \"0,5\" }\n");
    check_refused("kind: Workspace\nname: two words\n");
    check_refused("kind: Tenant\nid: a\n");
    check_refused("kind: Tenant\nid: a/b\nname: n\n");
    check_refused("kind: Tenant\nid: a\nname: [n]\n");
    check_refused("kind: Tenant\nid: a\nname: n\nusers: { id: u }\n");
    check_refused("kind: Tenant\nid: a\nname: n\nusers: [{ id: \"u v\" }]\n");
    check_refused("kind: Tenant\nid: a\nname: n\nroles: [{ id: r, inclues: [s] }]\n");
    check_refused("kind: Tenant\nid: a\nname: n\nidentity: [{ issuer: \"https://x.example\" }]\n");
    check_refused("kind: Tenant\nid: a\nname: n\nidentity: [{ issuer: x.example, audience: [a] }]\n");
    check_refused("kind: Tenant\nid: a\nname: n\nidentity: [{ issuer: \"https://x.example\", audience: [] }]\n");
    check_refused(
        "kind: Tenant\nid: a\nname: n\nidentity: [{ issuer: \"https://x.example\", audience: [a], algorithms: [HS256] }]\n",
    );
    check_refused("kind: Project\nid: a\ntenant: b\nname: n\nceiling: closed\n");
    let llm = |llm: &str| check_refused(&format!("kind: Project\nid: a\ntenant: b\nname: n\nllm: {{ {llm} }}\n"));
    llm("for: [plans], provider: openai, model: m");
    llm("for: [], provider: openai, model: m");
    llm("for: [drafts], provider: mine, model: m");
    llm("for: [drafts], provider: openai, model: \" \"");
    llm("for: [drafts], provider: openai, model: m, url: x.example");
    llm("for: [drafts], provider: openai, model: m, secret: API-Key");
    check_refused("kind: Catalog\nid: a\nfile: /etc/tools.json\n");
    check_refused("kind: Catalog\nid: a\nfile: a.json\nsince: yesterday\n");
    check_refused("kind: Catalog\nid: a\nfile: a.json\ntenant: t\nsecrets: [API-Key]\n");
    check_refused("kind: Catalog\nid: a\nfile: a.json\ndefaults: { effect: reads }\n");
    check_refused("kind: Catalog\nid: a\nfile: a.json\ntools: { t: { confirmation: \"no\" } }\n");
    check_refused("kind: Catalog\nid: a\nfile: a.json\ntools: { t: { digest: \"sha256:12\" } }\n");
    check_refused("kind: Catalog\nid: a\nfile: a.json\ntools: { t: { collection: a..b } }\n");
    check_refused("kind: Catalog\nid: a\nfile: a.json\nacknowledged: [{ tool: t, code: E_NONE, reason: r }]\n");
    check_refused("kind: Group\nid: g\ntitle: t\ndescription: d\nmembers: [billing]\n");
    check_refused("kind: TwinGroup\nid: g\nmembers: [a/b]\npreferred: a/b\nreason: r\n");
    check_refused("kind: VersionFamily\nid: f\ncurrent: two\nmembers: []\n");
    check_refused("kind: Policy\nid: p\ncedar: \" \"\n");
    check_refused("kind: Vocabulary\nlanguage: en\nverbs: { sned: [dispatch] }\n");
    check_refused("kind: PolicyTest\nprincipal: ada\nproject: a/b\naction: route\ntool: a/b\nexpect: allow\n");
    check_refused("kind: PolicyTest\nprincipal: a:user:b\nproject: a/b\naction: aply\ntool: a/b\nexpect: allow\n");
    check_refused("kind: PolicyTest\nprincipal: a:user:b\nproject: a/b\naction: route\ntool: a/b\nexpect: yes\n");
    check_refused("kind: GoldenRoute\nquestion: q\nprincipal: a:user:b\nproject: a/b\n");
    check_refused("kind: GoldenRoute\nquestion: q\nprincipal: a:user:b\nproject: a/b\ngap: missing\n");
}

/// What the compiler reads without a complaint of form validates too.
#[track_caller]
fn check_taken(yaml: &str) {
    let (_, problems) = parse::parse(&tree(&[("a.yaml", yaml)]));
    assert_eq!(problems, [], "{yaml}");
    assert!(validator(&of_any()).is_valid(&value(yaml)), "{yaml}");
}

#[test]
fn what_the_compiler_reads_is_not_complained_of() {
    check_taken("kind: Workspace\nname: 2026\nweights: { semantic: \"0.4\", bm25: 0.25 }\nthresholds: { floor: 1 }\n");
    check_taken("kind: Tenant\nid: 42\nname: 42\nusers: [{ id: ada@acme.example }]\n");
    check_taken("kind: Vocabulary\nlanguage: en\nverbs: { get: [off] }\nsynonyms: { y: [on, 010, 1.0] }\n");
    check_taken(
        "kind: VersionFamily\nid: f\ncurrent: 2\nmembers: [{ tool: a/b, version: 1, pin: [1] }, { tool: a/c, version: 2 }]\n",
    );
}

#[test]
fn every_kind_and_key_is_documented_and_closed() {
    fn walk(path: &str, schema: &Value) {
        if let Some(Value::Object(keys)) = schema.get("properties") {
            assert_eq!(schema.get("additionalProperties"), Some(&json!(false)), "{path}");
            for (key, inner) in keys {
                let path = format!("{path}.{key}");
                let said = inner.get("description").and_then(Value::as_str).unwrap_or_default();
                // The operations and the parts of a sentence are said elsewhere.
                let listed = ["Vocabulary.verbs.", "Vocabulary.words."].iter().any(|keys| path.starts_with(keys));
                let told = listed || said.ends_with('.');
                assert!(told && !said.contains('\n'), "{path}: {said}");
                walk(&path, inner);
            }
        }
        for inner in ["items", "additionalProperties"].iter().filter_map(|key| schema.get(key)) {
            walk(&format!("{path}[]"), inner);
        }
    }
    for kind in Kind::ALL {
        let schema = of_kind(*kind);
        assert!(schema["description"].as_str().is_some_and(|said| said.ends_with('.')), "{schema}");
        assert_eq!(schema["required"][0], "kind");
        assert_eq!(schema["properties"]["kind"]["const"], kind.word());
        let text = schema.to_string();
        assert!(!text.contains("$ref") && !text.contains("null"), "{text}");
        walk(kind.word(), &schema);
    }
}

#[test]
fn defaults_are_those_of_the_compiler() {
    let workspace = of_kind(Kind::Workspace);
    let keys = &workspace["properties"];
    let weights = ambit_model::declaration::Weights::default();
    let thresholds = ambit_model::declaration::Thresholds::default();
    for (written, default) in [
        (&keys["weights"]["properties"]["semantic"], weights.semantic),
        (&keys["weights"]["properties"]["bm25"], weights.bm25),
        (&keys["weights"]["properties"]["param_fit"], weights.param_fit),
        (&keys["weights"]["properties"]["output_fit"], weights.output_fit),
        (&keys["thresholds"]["properties"]["self_retrieval"], thresholds.self_retrieval),
        (&keys["thresholds"]["properties"]["floor"], thresholds.floor),
        (&keys["thresholds"]["properties"]["gate"], thresholds.gate),
        (&keys["thresholds"]["properties"]["clear_winner"], thresholds.clear_winner),
        (&keys["thresholds"]["properties"]["gain"], thresholds.gain),
    ] {
        assert_eq!((written["default"].as_f64().unwrap() * 10_000.0).round(), f64::from(default.0), "{written}");
    }
}

#[test]
fn there_is_a_file_for_each_kind_and_one_for_all() {
    let files = files();
    assert_eq!(files.len(), Kind::ALL.len() + 1);
    assert_eq!(files[0].0, WHOLE_FILE);
    assert_eq!(files[1].0, "Workspace.schema.json");
}
