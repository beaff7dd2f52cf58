//! Tables of workspaces whose documents are well formed and do not fit together.
//! Each row adds documents to a small workspace that is right by itself.

mod identity;

use ambit_model::declaration::{IdentityProvider, RoleClaim, SignIn, SigningAlgorithm, UserClaim};
use ambit_model::identity::Principal;

use super::*;
use crate::parse::parse;
use crate::parse::rendered::{rendered, tree};

const BASE: &str = "\
kind: Workspace
name: sample
---
kind: Tenant
id: acme
name: Acme
roles: [{ id: member }, { id: analyst, includes: [member] }]
users: [{ id: ada, roles: [analyst] }]
agents: [{ id: bot, roles: [member] }]
---
kind: Tenant
id: beta
name: Beta
---
kind: Project
id: finance
tenant: acme
name: Finance
catalogs: [billing]
---
kind: Catalog
id: billing
tenant: acme
file: billing.json
---
";

fn resolved(files: &[(&str, &str)]) -> (Declarations, String) {
    let tree = tree(files);
    let (written, mut problems) = parse(&tree);
    let (declarations, more) = resolve(&written, &tree);
    problems.extend(more);
    (declarations, rendered(&problems))
}

/// The problems of the base with this file beside it.
fn check(yaml: &str, expected: &str) {
    assert_eq!(resolved(&[("base.yaml", BASE), ("a.yaml", yaml)]).1, expected, "\n{yaml}");
}

/// The problems of these files alone.
fn check_alone(files: &[(&str, &str)], expected: &str) {
    assert_eq!(resolved(files).1, expected, "\n{files:?}");
}

#[test]
fn the_base_is_right() {
    check("", "");
}

#[test]
fn knowledge_lies_inside_the_root_and_its_tool_has_an_id_of_its_own() {
    let project = |id: &str, rest: &str| format!("kind: Project\nid: {id}\ntenant: acme\nname: P\n{rest}");
    let inside = "write it relative to this file and inside the root; `root:` of the Workspace document can widen it";
    check(&project("p", "knowledge: [docs, more/docs]\n"), "");
    check(&project("p", "knowledge: { folders: [docs], description: Rules., examples: [What is due?] }\n"), "");
    check(
        &project("p", "knowledge: [../docs, /docs, .]\n"),
        &format!(
            "a.yaml:5:13 E_PATH <../docs> the path `../docs` leaves the workspace's root | {inside}\n\
             a.yaml:5:22 E_PATH </docs> the path `/docs` is absolute | {inside}\n\
             a.yaml:5:29 E_PATH <.> the path `.` is the workspace's root itself | {inside}"
        ),
    );
    check(
        &project("p", "knowledge: []\n"),
        "a.yaml:5:12 E_VALUE <[> `knowledge` names no folder | write the folders, or leave the key out",
    );
    check(
        &project("p", "knowledge: docs\n"),
        "a.yaml:5:1 E_VALUE <knowledge> expected a list of folders, or a mapping with `folders` in `knowledge`, found `knowledge`",
    );
    check(
        &project("p", "knowledge: { folder: [docs] }\n"),
        "a.yaml:5:14 E_UNKNOWN_KEY <folder> unknown key `folder` in `knowledge` | did you mean `folders`?",
    );
    check(
        &project("p", "knowledge: { folders: [docs], description: \"\", examples: [\" \"] }\n"),
        "a.yaml:5:44 E_VALUE <\"\"> the value is empty | say what the documents answer, or leave the key out\n\
         a.yaml:5:59 E_VALUE <\" \"> an example question is empty | write a question that this tool answers",
    );
    let long = "p".repeat(60);
    check(
        &project(&long, "knowledge: [docs]\n"),
        &format!(
            "a.yaml:5:12 E_VALUE <[> the ids of tenant and project make `knowledge.acme.{long}`, which is too long for an id | \
             shorten the id of the project to use `knowledge` in it"
        ),
    );
    check(
        "kind: Catalog\nid: knowledge.acme.finance\ntenant: acme\nfile: c.json\n---\nkind: Project\nid: q\ntenant: acme\nname: Q\n\
         catalogs: [knowledge.acme.finance]\n",
        "a.yaml:2:5 E_VALUE <knowledge.acme.finance> `knowledge.acme.finance` begins with `knowledge.`, as the ids of tools that \
         search documents do | give the Catalog another id",
    );
    check(
        "kind: Tenant\nid: a.b\nname: N\n---\nkind: Tenant\nid: a\nname: N\n---\n\
         kind: Project\nid: c\ntenant: a.b\nname: C\nknowledge: [docs]\n---\n\
         kind: Project\nid: b.c\ntenant: a\nname: C\nknowledge: [docs]\n",
        "a.yaml:13:13 E_DUPLICATE_ID <docs> the documents of `a/b.c` and `a.b/c` would be searched by one tool, of `knowledge.a.b.c` | \
         give one of the projects an id without a point\n  a.yaml:19:13 see <docs> the other documents are these",
    );
}

#[test]
fn there_is_exactly_one_workspace() {
    let begin = "write a file `workspace.yaml` with the lines `kind: Workspace` and `name: my-workspace`";
    check_alone(&[], &format!("nowhere the folder `.` holds no declarations | to begin, {begin}"));
    check_alone(
        &[("a.yaml", "# nothing yet\n")],
        &format!("nowhere the folder `.` holds no declarations | to begin, {begin}"),
    );
    check_alone(
        &[("a.yaml", "kind: Tenant\nid: a\nname: A\n")],
        &format!("a.yaml:1:7 E_WORKSPACE <Tenant> no document has `kind: Workspace` | {begin}"),
    );
    check_alone(
        &[("a.yaml", "kind: Workspace\nname: a\n---\nkind: Workspace\nname: b\n")],
        "a.yaml:4:7 E_WORKSPACE <Workspace> a workspace has one Workspace document, and this is the second | move its keys into the first and remove it\n  a.yaml:1:7 see <Workspace> the first stands here",
    );
    check_alone(
        &[("a.yaml", "kind: Workspace\nname: a\nnmae: b\n")],
        "a.yaml:3:1 E_UNKNOWN_KEY <nmae> unknown key `nmae` in `Workspace` | did you mean `name`?",
    );
}

#[test]
fn settings_are_exact_and_weights_add_up() {
    let (declarations, problems) = resolved(&[(
        "a.yaml",
        "kind: Workspace\nname: w\nembedding: { model: other }\nweights: { semantic: 0.5, bm25: 0.15 }\nthresholds: { gate: 0.9, gain: 1 }\n",
    )]);
    assert_eq!(problems, "");
    let settings = declarations.settings;
    assert_eq!(
        (settings.embedding_model.as_str(), settings.weights.semantic.0, settings.weights.param_fit.0),
        ("other", 5_000, 1_500)
    );
    assert_eq!(
        (settings.thresholds.gate.0, settings.thresholds.gain.0, settings.thresholds.floor.0),
        (9_000, 10_000, 2_200)
    );
    check_alone(
        &[("a.yaml", "kind: Workspace\nname: w\nweights:\n  bm25: 0.3\n  semantic: 0.5\n")],
        "a.yaml:4:9 E_VALUE <0.3> the weights add up to 1.1500, not to 1 | they are semantic 0.5000, bm25 0.3000, param_fit 0.1500 and output_fit 0.2000; one that is not written keeps its default",
    );
    let share = "write a number from 0 to 1 with at most four digits after the point, such as 0.85";
    check_alone(
        &[(
            "a.yaml",
            "kind: Workspace\nname: w\nthresholds: { gate: 0.85001, floor: 1.5, gain: -0.1 }\nweights: { semantic: lots }\n",
        )],
        &format!(
            "a.yaml:3:21 E_VALUE <0.85001> `0.85001` is not a share | {share}\na.yaml:3:37 E_VALUE <1.5> `1.5` is not a share | {share}\na.yaml:3:48 E_VALUE <-0.1> `-0.1` is not a share | {share}\na.yaml:4:22 E_VALUE <lots> `lots` is not a share | {share}"
        ),
    );
}

#[test]
fn ids_are_well_formed_and_unique() {
    check(
        "kind: Tenant\nid: acme\nname: Again\n",
        "base.yaml:5:5 E_DUPLICATE_ID <acme> two of kind `Tenant` have the id `acme` | give one of them another id\n  a.yaml:2:5 see <acme> the first stands here",
    );
    check("kind: Project\nid: finance\ntenant: beta\nname: same id, other tenant\n", "");
    check(
        "kind: Tenant\nid: ä b\nname: x\nusers: [{ id: u }, { id: v }, { id: u }]\n",
        "a.yaml:2:5 E_VALUE <ä b> `ä b` is not an id | begin with a letter or digit and use only letters, digits, `_`, `-` and `.`, at most 64 in all\na.yaml:4:37 E_DUPLICATE_ID <u> two of kind `user` have the id `u` | give one of them another id\n  a.yaml:4:15 see <u> the first stands here",
    );
}

#[test]
fn names_between_documents_resolve() {
    check(
        "kind: Tenant\nid: c\nname: C\nroles: [{ id: reader, includes: [writer] }]\nusers:\n  - id: u\n    roles: [raeder, reader]\n",
        "a.yaml:4:34 E_UNRESOLVED <writer> tenant `c` has no role `writer` | known: `reader`\na.yaml:7:13 E_UNRESOLVED <raeder> tenant `c` has no role `raeder` | did you mean `reader`?",
    );
    check(
        "kind: Project\nid: p\ntenant: acne\nname: P\ncatalogs: [biling, billing]\nceiling: opne\n",
        "a.yaml:3:9 E_UNRESOLVED <acne> no tenant `acne` | did you mean `acme`?\na.yaml:5:12 E_UNRESOLVED <biling> no catalog `biling` | did you mean `billing`?\na.yaml:6:10 E_VALUE <opne> `opne` is not one of the words for this key | did you mean `open`?",
    );
    check(
        "kind: Project\nid: p\ntenant: beta\nname: P\ncatalogs: [billing]\n",
        "a.yaml:5:12 E_OTHER_TENANT <billing> the catalog `billing` belongs to tenant `acme`, and this project to `beta` | take it off the list, or take `tenant` out of the Catalog to let every tenant list it",
    );
    check(
        "kind: Catalog\nid: c\ntenant: gamma\nfile: c.json\n",
        "a.yaml:3:9 E_UNRESOLVED <gamma> no tenant `gamma` | known: `acme` and `beta`",
    );
}

#[test]
fn role_circles_are_named() {
    check(
        "kind: Tenant\nid: c\nname: C\nroles:\n  - { id: a, includes: [b] }\n  - { id: b, includes: [a] }\nusers: [{ id: u, roles: [a] }]\n",
        "a.yaml:6:25 E_CYCLE <a> roles include each other in a circle: `a` → `b` → `a` | take one `includes` of the circle out",
    );
}

#[test]
fn unused_roles_and_catalogs_are_warned_of() {
    check(
        "kind: Tenant\nid: c\nname: C\nroles: [{ id: idle }]\n",
        "a.yaml:4:15 W_UNUSED <idle> nobody in tenant `c` holds the role `idle` | give it to a user or an agent, or remove it",
    );
    check(
        "kind: Catalog\nid: idle\nfile: idle.json\n",
        "a.yaml:2:5 W_UNUSED <idle> no project lists the catalog `idle` | add it to the `catalogs` of a project, or remove it",
    );
}

#[test]
fn catalogs_stay_inside_the_root_and_use_known_words() {
    check(
        "kind: Catalog\nid: c\nfile: ../c.json\n---\nkind: Catalog\nid: d\nfile: /etc/d.json\n",
        "a.yaml:3:7 E_PATH <../c.json> the path `../c.json` leaves the workspace's root | write it relative to this file and inside the root; `root:` of the Workspace document can widen it\na.yaml:7:7 E_PATH </etc/d.json> the path `/etc/d.json` is absolute | write it relative to this file and inside the root; `root:` of the Workspace document can widen it",
    );
    check(
        "kind: Catalog\nid: c\nfile: c.json\nsince: 2026-02-30\ntrusted_annotations: [readonlyHint, x]\ndefaults: { source: apis, effect: reads }\nacknowledged: [{ tool: t, code: E_DESC_VAGU, reason: r }]\ntools:\n  t: { operation: fetch, risk: lo, since: 10.1.2026, digest: sha256:abc, collection: a..b, entity: \"\", examples: [\"\"] }\n",
        "a.yaml:2:5 W_UNUSED <c> no project lists the catalog `c` | add it to the `catalogs` of a project, or remove it\na.yaml:4:8 E_VALUE <2026-02-30> `2026-02-30` is not a date | write `YYYY-MM-DD`, such as 2026-01-10\na.yaml:5:23 E_VALUE <readonlyHint> `readonlyHint` is not one of the words for this key | did you mean `readOnlyHint`?\na.yaml:5:37 E_VALUE <x> `x` is not one of the words for this key | the words are `readOnlyHint` and `destructiveHint`\na.yaml:6:21 E_VALUE <apis> `apis` is not one of the words for this key | did you mean `api`?\na.yaml:6:35 E_VALUE <reads> `reads` is not one of the words for this key | did you mean `read`?\na.yaml:7:33 E_VALUE <E_DESC_VAGU> `E_DESC_VAGU` is not a code | did you mean `E_DESC_VAGUE`?\na.yaml:9:19 E_VALUE <fetch> `fetch` is not one of the words for this key | the words are `search`, `list`, `get`, `detail`, `summary`, `count`, `check`, `create`, `update`, `delete`, `send` and `execute`\na.yaml:9:32 E_VALUE <lo> `lo` is not one of the words for this key | did you mean `low`?\na.yaml:9:43 E_VALUE <10.1.2026> `10.1.2026` is not a date | write `YYYY-MM-DD`, such as 2026-01-10\na.yaml:9:62 E_VALUE <sha256:abc> `sha256:abc` is not a digest | write `sha256:` and 64 lower-case hexadecimal digits\na.yaml:9:86 E_VALUE <a..b> `a..b` is not a path | write keys parted by dots, such as `data.rows`, or `$` where the result itself is the list\na.yaml:9:100 E_VALUE <\"\"> the value is empty | write the thing the tool is about, such as `orders`, or leave the key out\na.yaml:9:115 E_VALUE <\"\"> an example question is empty | write a question that this tool answers",
    );
}

#[test]
fn what_a_catalog_was_imported_from_is_said_in_known_words() {
    let catalog = |imported: &str| {
        format!(
            "kind: Catalog\nid: c\nfile: c.json\nimported: {imported}\n---\nkind: Project\nid: q\ntenant: acme\nname: Q\ncatalogs: [c]\n"
        )
    };
    check(&catalog("{ from: api.yaml, format: openapi }"), "");
    check(
        &catalog("{ from: \"\", format: openap }"),
        "a.yaml:4:19 E_VALUE <\"\"> the value is empty | write the path or the address that was imported, or leave the key out\na.yaml:4:31 E_VALUE <openap> `openap` is not one of the words for this key | did you mean `openapi`?",
    );
}

#[test]
fn groups_twins_and_families_have_usable_members() {
    check(
        "kind: Group\nid: g\ntitle: G\ndescription: d\nmembers: [\"billing/*\", billing, \"billing/[a\", \"a/{b,c}\"]\n",
        "a.yaml:5:24 E_VALUE <billing> `billing` is not a tool id | write `catalog/tool`\na.yaml:5:33 E_VALUE <\"billing/[a\"> `billing/[a` is not a glob: unclosed character class; missing ']' | write `catalog/*`, or a whole id `catalog/tool`",
    );
    check(
        "kind: TwinGroup\nid: t\nmembers: [a/b]\npreferred: a/b\nreason: r\n---\nkind: TwinGroup\nid: u\nmembers: [a/b, a/c, a/b]\npreferred: a/d\nreason: r\n",
        "a.yaml:2:5 E_VALUE <t> the twin group `t` has fewer than two members | list the tools that belong together, or remove the document\na.yaml:9:21 E_VALUE <a/b> `a/b` is listed twice | take one of the two out\n  a.yaml:9:11 see <a/b> it stands here first\na.yaml:10:12 E_UNRESOLVED <a/d> the preferred tool `a/d` is not among the members | did you mean `a/b`?",
    );
    check(
        "kind: VersionFamily\nid: f\ncurrent: 3\nmembers:\n  - { tool: a/b, version: 1, retired_on: soon }\n  - { tool: a/b, version: 1 }\n---\nkind: VersionFamily\nid: g\ncurrent: 1\nmembers: [{ tool: a/b, version: 1 }]\n",
        "a.yaml:3:10 E_UNRESOLVED <3> no member has the current version `3` | the versions are `1`\na.yaml:5:42 E_VALUE <soon> `soon` is not a date | write `YYYY-MM-DD`, such as 2026-01-10\na.yaml:6:13 E_VALUE <a/b> `a/b` is listed twice | take one of the two out\n  a.yaml:5:13 see <a/b> it stands here first\na.yaml:6:27 E_VALUE <1> two members have the version `1` | give each member a version of its own\n  a.yaml:5:27 see <1> it stands here first\na.yaml:9:5 E_VALUE <g> the version family `g` has fewer than two members | list the tools that belong together, or remove the document",
    );
}

#[test]
fn expectations_name_known_things() {
    check(
        "kind: PolicyTest\nprincipal: acme:user:adda\nproject: acme/finanse\naction: call\ntool: billing\nexpect: allowed\n",
        "a.yaml:2:12 E_UNRESOLVED <acme:user:adda> tenant `acme` has no user `adda` | did you mean `ada`?\na.yaml:3:10 E_UNRESOLVED <acme/finanse> no project `acme/finanse` | did you mean `acme/finance`?\na.yaml:4:9 E_VALUE <call> `call` is not one of the words for this key | the words are `discover`, `route`, `invoke`, `read_intake`, `read_gaps`, `read_runs`, `read_audit`, `read_snapshot`, `apply`, `rollback`, `set_mode`, `review`, `manage_keys` and `act_for`\na.yaml:5:7 E_VALUE <billing> `billing` is not a tool id | write `catalog/tool`\na.yaml:6:9 E_VALUE <allowed> `allowed` is not one of the words for this key | did you mean `allow`?",
    );
    check(
        "kind: PolicyTest\nprincipal: acme:ada\nproject: finance\naction: route\ntool: billing/*\nexpect: deny\n---\nkind: PolicyTest\nprincipal: acne:role:member\nproject: acme/finance\naction: route\ntool: billing/*\nexpect: deny\n",
        "a.yaml:2:12 E_VALUE <acme:ada> `acme:ada` is not a principal | write `tenant:user:name`, `tenant:agent:name` or `tenant:role:name`\na.yaml:3:10 E_VALUE <finance> `finance` is not a project | write `tenant/project`\na.yaml:9:12 E_UNRESOLVED <acne:role:member> no tenant `acne` | did you mean `acme`?",
    );
    check(
        "kind: GoldenRoute\nquestion: q?\nprincipal: acme:agent:bot\nproject: finance\n---\nkind: GoldenRoute\nquestion: r?\nprincipal: acme:agent:bot\nproject: finance\ntools: [billing/x]\ngap: absent\n---\nkind: GoldenRoute\nquestion: s?\nprincipal: acme:agent:bot\nproject: finance\ngap: missing\n---\nkind: GoldenRoute\nquestion: t?\nprincipal: acme:agent:bot\nproject: finance\ntools: [x]\n",
        "a.yaml:2:11 E_VALUE <q?> a golden route expects tools or a gap, and this one neither | write either `tools: [catalog/tool]` or `gap: absent`\na.yaml:7:11 E_VALUE <r?> a golden route expects tools or a gap, not both | write either `tools: [catalog/tool]` or `gap: absent`\na.yaml:17:6 E_VALUE <missing> `missing` is not one of the words for this key | the words are `absent`, `below_floor`, `ambiguous`, `limit`, `twin_reserved`, `no_output_path` and `upstream_down`\na.yaml:23:9 E_VALUE <x> `x` is not a tool id | write `catalog/tool`",
    );
}

#[test]
fn a_broken_document_does_not_make_its_names_unknown() {
    check(
        "kind: Tenant\nid: c\nnaem: C\n---\nkind: Catalog\nid: d\n---\nkind: Project\nid: p\ntenant: c\nname: P\ncatalogs: [d]\n---\nkind: PolicyTest\nprincipal: c:user:x\nproject: c/p\naction: route\ntool: d/*\nexpect: allow\n",
        "a.yaml:3:1 E_UNKNOWN_KEY <naem> unknown key `naem` in `Tenant` | did you mean `name`?\na.yaml:5:7 E_MISSING_KEY <Catalog> missing key `file` in `Catalog` | add `file: …`",
    );
}

#[test]
fn verbs_belong_to_operations_and_a_language_is_one_vocabulary() {
    check(
        "kind: Vocabulary\nlanguage: en\nverbs: { sned: [dispatch] }\n",
        "a.yaml:3:10 E_VALUE <sned> `sned` is not one of the words for this key | did you mean `send`?",
    );
    let (declarations, problems) = resolved(&[
        ("base.yaml", BASE),
        (
            "a.yaml",
            "kind: Vocabulary\nlanguage: en\nverbs: { send: [forward, dispatch] }\n---\nkind: Vocabulary\nlanguage: en\nverbs: { send: [forward] }\nsynonyms: { turnover: [sales] }\n",
        ),
    ]);
    assert_eq!(problems, "");
    let words = declarations.vocabularies.first().and_then(|vocabulary| vocabulary.verbs.get("send"));
    assert_eq!(words.map(|words| words.join(" ")).as_deref(), Some("dispatch forward"));
}

#[test]
fn a_vocabulary_says_which_part_a_small_word_plays() {
    check(
        "kind: Vocabulary\nlanguage: fr\nwords: { conectives: [puis] }\n",
        "a.yaml:3:10 E_VALUE <conectives> `conectives` is not one of the words for this key | did you mean `connectives`?",
    );
    let written = "kind: Vocabulary\nlanguage: fr\nwords: { connectives: [puis, et] }\n";
    let (declarations, problems) = resolved(&[("base.yaml", BASE), ("a.yaml", written)]);
    assert_eq!(problems, "");
    let words = declarations.vocabularies.first().and_then(|vocabulary| vocabulary.words.get("connectives"));
    assert_eq!(words.map(|words| words.join(" ")).as_deref(), Some("et puis"));
}

#[test]
fn a_model_is_made_for_the_languages_that_are_written_or_known() {
    let languages = |embedding: &str| {
        let text = format!("kind: Workspace\nname: w\nembedding: {{ {embedding} }}\n");
        let (declarations, problems) = resolved(&[("a.yaml", text.as_str())]);
        assert_eq!(problems, "");
        declarations.settings.embedding_languages
    };
    assert_eq!(languages("model: other"), ["en"]);
    assert_eq!(languages("model: hub:MultilingualE5Small"), ["any"]);
    assert_eq!(languages("model: other, languages: [it, de]"), ["de", "it"]);
    check_alone(
        &[("a.yaml", "kind: Workspace\nname: w\nembedding: { model: \"hub:a b\" }\n")],
        "a.yaml:3:21 E_VALUE <\"hub:a b\"> `hub:a b` is not an id | begin with a letter or digit and use only letters, digits, `_`, `-` and `.`, at most 64 in all",
    );
}

/// Each line of Cedar, put back at `first_line` behind `indent` characters, is the line of the file.
fn check_cedar(yaml: &str, first_line: usize, indent: usize) {
    let (declarations, problems) = resolved(&[("base.yaml", BASE), ("a.yaml", yaml)]);
    assert_eq!(problems, "");
    let Some(policy) = declarations.policies.first() else { panic!("no policy in {yaml}") };
    assert_eq!((policy.first_line, policy.indent), (first_line, indent), "\n{yaml}");
    for (line, source) in policy.cedar.lines().zip(yaml.lines().skip(policy.first_line - 1)) {
        let source: String = source.chars().skip(policy.indent).collect();
        assert!(source.starts_with(line), "`{line}` is not `{source}`");
    }
}

#[test]
fn cedar_blocks_know_their_lines() {
    check_cedar("kind: Policy\nid: p\ncedar: |\n  permit (principal, action, resource)\n    when { true };\n", 4, 2);
    check_cedar(
        "# ä\n---\nkind: Policy\nid: p\ncedar: |-  # text\n\n\n      permit (\n\n        principal, action, resource);\n",
        6,
        6,
    );
    check_cedar("kind: Policy\r\nid: p\r\ncedar: |\r\n  permit (principal,\r\n  action, resource);\r\n", 4, 2);
    check_cedar("kind: Policy\nid: p\ncedar: permit (principal, action, resource); # all\n", 3, 7);
    check_cedar("kind: Policy\nid: p\ncedar: 'permit (principal, action, resource);'\n", 3, 8);
    check_cedar("kind: Policy\nid: p\ncedar: |2\n    permit (principal, action, resource);\n", 4, 2);
}

#[test]
fn cedar_that_yaml_changes_is_refused() {
    check(
        "kind: Policy\nid: p\ncedar: >\n  permit (principal,\n  action, resource);\n",
        "a.yaml:4:3 E_VALUE <permit (principal,> this way of quoting or folding changes the Cedar text | write it as a block under `cedar: |`, so that errors can point into it",
    );
    check(
        "kind: Policy\nid: p\ncedar: \"permit (principal is Ambit::User, action, resource == Ambit::Tool::\\\"a/b\\\");\"\n",
        "a.yaml:3:8 E_VALUE <\"permit (principal is Ambit::User, action, resource == Ambit::Tool::\\\"a/b\\\");\"> this way of quoting or folding changes the Cedar text | write it as a block under `cedar: |`, so that errors can point into it",
    );
    check(
        "kind: Policy\nid: p\ncedar: |\n",
        "a.yaml:2:5 E_VALUE <p> the policy `p` has no Cedar text | write it as a block under `cedar: |`",
    );
}

/// A catalog that a project of the tenant lists.
fn listed_catalog(id: &str, tenant: &str, secrets: &str) -> String {
    format!(
        "kind: Project\nid: {id}\ntenant: {tenant}\nname: P\ncatalogs: [{id}]\n---\nkind: Catalog\nid: {id}\ntenant: {tenant}\nfile: {id}.json\nsecrets: {secrets}\n"
    )
}

#[test]
fn secrets_are_named_by_catalogs_of_one_tenant() {
    let (declarations, problems) =
        resolved(&[("base.yaml", BASE), ("a.yaml", &listed_catalog("crm", "acme", "[token, client_secret]"))]);
    assert_eq!(problems, "");
    let catalog = declarations.catalogs.iter().find(|catalog| catalog.id.value == "crm").unwrap();
    assert_eq!(catalog.secrets, ["client_secret", "token"]);
    let help =
        "use only lower-case letters, digits and `_`, at most 64 in all; a secret itself never stands in a declaration";
    check(
        &listed_catalog("crm", "acme", "[Token, a-b, '']"),
        &format!(
            "a.yaml:11:11 E_VALUE <Token> `Token` is not the name of a secret | {help}\na.yaml:11:18 E_VALUE <a-b> `a-b` is not the name of a secret | {help}\na.yaml:11:23 E_VALUE <''> `` is not the name of a secret | {help}"
        ),
    );
    check(
        "kind: Project\nid: p\ntenant: acme\nname: P\ncatalogs: [crm]\n---\nkind: Catalog\nid: crm\nfile: crm.json\nsecrets: [token]\n",
        "a.yaml:10:11 E_VALUE <token> the catalog `crm` has secrets and no tenant | name its `tenant`: a shared catalog would lend one tenant's secret to another",
    );
}

#[test]
fn no_catalog_can_read_the_secrets_of_another() {
    let both = |first: (&str, &str, &str), second: (&str, &str, &str)| {
        format!("{}---\n{}", listed_catalog(first.0, first.1, first.2), listed_catalog(second.0, second.1, second.2))
    };
    let refused = |first: &str, second: &str, variables: &str| {
        format!(
            "a.yaml:20:5 E_VALUE <{second}> the catalogs `{first}` and `{second}` could read each other's secrets: both may have variables `{variables}…` | give one of them another id: in a variable, all that is no letter or digit becomes `_`\n  a.yaml:8:5 see <{first}> the other catalog is this one"
        )
    };
    let token = "[token]";
    check(&both(("crm", "acme", token), ("crm2", "acme", token)), "");
    check(&both(("crm", "acme", token), ("crm-x", "acme", "[]")), "");
    check(
        &both(("crm", "acme", token), ("crm.x", "acme", token)),
        &refused("crm", "crm.x", "AMBIT_SECRET_ACME_CRM_X_"),
    );
    check(&both(("c-x", "acme", token), ("C_x", "acme", token)), &refused("c-x", "C_x", "AMBIT_SECRET_ACME_C_X_"));
}
