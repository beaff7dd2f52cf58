//! What people read when a policy is wrong: code, message, help, and the words that are underlined.
//! Each case is one text, in a `.cedar` file or as the block of a Policy document.

use ambit_model::declaration::Policy;
use ambit_model::diagnostic::Diagnostic;
use proptest::prelude::*;

use super::super::sample::snapshot;
use super::*;
use crate::resolve::declarations::Located;
use crate::source::SourceFile;

const READ: &str = r#"permit (principal, action, resource) when { resource.effect == Ambit::Effect::"read" };"#;

pub(super) fn known() -> KnownEntities {
    let snapshot = snapshot(&[]);
    KnownEntities::new(
        &snapshot.settings.workspace,
        &snapshot.tenants,
        &snapshot.projects,
        snapshot.catalogs.iter().map(|c| c.id.as_str()),
        snapshot.groups.iter().map(|g| g.id.as_str()),
        snapshot.tools.iter().map(|card| (&card.id, &card.facts)),
    )
}

pub(super) fn file(path: &str, text: &str) -> PolicySource {
    PolicySource { id: None, reason: None, file: path.to_owned(), cedar: text.to_owned(), first_line: 1, indent: 0 }
}

/// A Policy document as `parse` hands it on, and the YAML it was written in.
fn block(id: &str, cedar: &str) -> (PolicySource, String) {
    let head = format!("kind: Policy\nid: {id}\ncedar: |\n");
    let lines: Vec<String> =
        cedar.lines().map(|line| if line.is_empty() { String::new() } else { format!("    {line}") }).collect();
    let yaml = format!("{head}{}\n", lines.join("\n"));
    let place = SourceFile { path: "acme.yaml".to_owned(), text: yaml.clone() }.place_at(2, 5, id.chars().count());
    let id = Some(Located { value: id.to_owned(), place });
    let source = PolicySource {
        id,
        reason: Some("why".to_owned()),
        file: "acme.yaml".to_owned(),
        cedar: cedar.to_owned(),
        first_line: 4,
        indent: 4,
    };
    (source, yaml)
}

fn check_file(text: &str) -> (Vec<Policy>, Vec<Diagnostic>) {
    let mut tree = SourceTree::default();
    tree.insert("a.cedar", text);
    policies_of(check(&[file("a.cedar", text)], &[], &tree, &known()))
}

fn check_block(cedar: &str) -> (Vec<Policy>, Vec<Diagnostic>) {
    let (source, yaml) = block("doc", cedar);
    let mut tree = SourceTree::default();
    tree.insert("acme.yaml", yaml);
    policies_of(check(&[source], &[], &tree, &known()))
}

fn policies_of(found: (Vec<CheckedPolicy>, Vec<Diagnostic>)) -> (Vec<Policy>, Vec<Diagnostic>) {
    (found.0.into_iter().map(|one| one.policy).collect(), found.1)
}

/// `code line:column «underlined» message (help)`.
fn render(diagnostic: &Diagnostic) -> String {
    let place = diagnostic.place.as_ref().map_or(String::new(), |place| {
        let underlined: String =
            place.text.chars().skip(place.column as usize - 1).take(place.length as usize).collect();
        format!("{}:{} «{underlined}» ", place.line, place.column)
    });
    let help = diagnostic.help.as_ref().map_or(String::new(), |help| format!(" ({help})"));
    format!("{} {place}{}{help}", diagnostic.code, diagnostic.message)
}

#[track_caller]
fn expect(found: (Vec<Policy>, Vec<Diagnostic>), ids: &[&str], diagnostics: &[&str]) {
    let rendered: Vec<String> = found.1.iter().map(render).collect();
    assert_eq!(rendered, diagnostics);
    let found: Vec<&str> = found.0.iter().map(|p| p.id.as_str()).collect();
    assert_eq!(found, ids);
}

#[test]
fn a_file_is_split_into_policies_with_their_own_text() {
    let text = format!("// about b\n@id(\"b\")\n{READ}\n\n@id(\"a\") @reason(\"because\")\n{READ} // end\n");
    let (policies, diagnostics) = check_file(&text);
    assert_eq!(diagnostics, []);
    let found: Vec<_> = policies.iter().map(|p| (p.id.as_str(), p.cedar.clone(), p.reason.as_deref())).collect();
    let expected = [
        ("a", format!("@id(\"a\") @reason(\"because\")\n{READ}"), Some("because")),
        ("b", format!("@id(\"b\")\n{READ}"), None),
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_block_with_one_policy_takes_the_documents_id() {
    let (policies, diagnostics) = check_block(READ);
    assert_eq!(diagnostics, []);
    let found: Vec<_> = policies.iter().map(|p| (p.id.as_str(), p.reason.as_deref())).collect();
    assert_eq!(found, [("doc", Some("why"))]);
}

#[test]
fn ids() {
    let none = "(write `@id(\"…\")` before it)";
    expect(check_file(READ), &[], &[&format!("E_POLICY_ID 1:1 «permit» a policy has no `@id` {none}")]);
    expect(
        check_block(&format!("@id(\"one\") {READ}\n\n{READ}")),
        &["one"],
        &[
            "E_POLICY_ID 6:5 «permit» a policy in `doc` has no `@id` (a document with several policies needs `@id(\"…\")` before each)",
        ],
    );
    expect(
        check_file(&format!("@id(\"ambit/mine\") {READ}")),
        &[],
        &[
            "E_POLICY_ID 1:5 «\"ambit/mine\"» `ambit/mine` is reserved: ids that start with `ambit/` are built in (choose an id without a slash)",
        ],
    );
    let form = "(an id is letters, digits, `_`, `-` and `.`, at most 64 characters, opening with a letter or digit)";
    expect(
        check_file(&format!("@id(\"my id\") {READ}")),
        &[],
        &[&format!("E_POLICY_ID 1:5 «\"my id\"» `my id` is not an id {form}")],
    );
    expect(check_file(&format!("@id {READ}")), &[], &[&format!("E_POLICY_ID 1:1 «@id» `` is not an id {form}")]);
    expect(
        check_block("// nothing yet"),
        &[],
        &[
            "E_CEDAR 2:5 «doc» `doc` holds no policy (write a `permit` or a `forbid` under `cedar:`, or remove the document)",
        ],
    );
    expect(check_file("// nothing yet"), &[], &[]);
}

#[test]
fn one_id_twice_is_shown_at_both_places() {
    let (source, yaml) = block("twin", READ);
    let text = format!("\n@id(\"twin\")\n{READ}");
    let mut tree = SourceTree::default();
    tree.insert("acme.yaml", yaml);
    tree.insert("z.cedar", text.clone());
    let (policies, diagnostics) = check(&[file("z.cedar", &text), source], &[], &tree, &known());
    assert_eq!(policies.len(), 1);
    let rendered: Vec<String> = diagnostics.iter().map(render).collect();
    assert_eq!(
        rendered,
        ["E_POLICY_ID 2:5 «\"twin\"» two policies have the id `twin` (give each policy an id of its own)"]
    );
    let related: Vec<_> = diagnostics
        .iter()
        .flat_map(|d| &d.related)
        .map(|r| (r.place.file.as_str(), r.place.line, r.place.column))
        .collect();
    assert_eq!(related, [("acme.yaml", 2, 5)]);
}

#[test]
fn syntax_errors_point_into_the_yaml_block() {
    expect(
        check_block("permit (principal, action, resource)\nwhen { resource.effect = Ambit::Effect::\"read\" };"),
        &[],
        &[
            "E_CEDAR 5:12 «resource.effect = Ambit::Effect::\"read\"» '=' is not a valid operator in Cedar (try using '==' instead)",
        ],
    );
    expect(
        check_block("permit (principal, action, resource)\n\nwhen { resource.effect == };"),
        &[],
        &[
            "E_CEDAR 6:31 «}» unexpected token `}` (expected `!`, `(`, `-`, `[`, `{`, `false`, identifier, `if`, number, `?principal`, `?resource`, string literal, or `true`)",
        ],
    );
}

#[test]
fn validation_errors_underline_the_words_and_suggest() {
    expect(
        check_block("permit (principal, action, resource)\nwhen { resource.efect == Ambit::Effect::\"read\" };"),
        &[],
        &[
            "E_CEDAR 5:12 «resource.efect» attribute `efect` on entity type `Ambit::Tool` not found (did you mean `effect`?)",
        ],
    );
}

#[test]
fn one_bad_policy_hides_no_other() {
    let text = format!(
        "@id(\"a\") permit (principal, action, resource)\n@id(\"b\") permit (principal, action) ;\n@id(\"c\") {READ}\n@id(\"d\") permit (principal in Ambit::Role::\"acme:role:analyst, action, resource);\n@id(\"e\") permit (principal, action, resource) when {{ resource.rsk == 3 }};\n"
    );
    expect(
        check_file(&text),
        &["c"],
        &[
            "E_CEDAR 1:45 «)» unexpected end of input (expected `;` or identifier)",
            "E_CEDAR 2:35 «)» this policy is missing the `resource` variable in the scope (policy scopes must contain a `principal`, `action`, and `resource` element in that order)",
            "E_CEDAR 4:44 «\"» invalid token (try checking that all strings are closed properly)",
            "E_CEDAR 5:54 «resource.rsk» attribute `rsk` on entity type `Ambit::Tool` not found (did you mean `risk`?)",
        ],
    );
}

#[test]
fn warnings_of_cedar_are_errors() {
    let text = format!(
        "@id(\"a\") permit (principal in Ambit::Group::\"figures\", action, resource);\n@id(\"b\") {READ}\n@id(\"c\") permit (principal, action == Ambit::Action::\"use\", resource);"
    );
    let nothing = "unable to find an applicable action given the policy scope constraints";
    let first = "E_CEDAR 1:1 «@id(\"a\") permit (principal in Ambit::Group::\"figures\", action, resource);»";
    let third = "E_CEDAR 3:1 «@id(\"c\") permit (principal, action == Ambit::Action::\"use\", resource);»";
    let help = "(`use` stands for three actions: write `action in`, not `action ==`)";
    expect(check_file(&text), &["b"], &[&format!("{first} {nothing}"), &format!("{third} {nothing} {help}")]);
}

#[test]
fn names_that_refer_to_nothing() {
    let cases = [
        (
            r#"principal in Ambit::Role::"acme:role:analist", action, resource"#,
            r#"«Ambit::Role::"acme:role:analist"» no role `acme:role:analist` is declared (did you mean `acme:role:analyst`?)"#,
        ),
        (
            r#"principal == Ambit::User::"ada", action, resource"#,
            r#"«Ambit::User::"ada"» no user `ada` is declared (did you mean `acme:user:ada`?)"#,
        ),
        (
            r#"principal == Ambit::Agent::"zz", action, resource"#,
            r#"«Ambit::Agent::"zz"» no agent `zz` is declared (declare it, or name one that is declared; the form is `tenant:agent:name`)"#,
        ),
        (
            r#"principal in Ambit::Tenant::"acmee", action, resource"#,
            r#"«Ambit::Tenant::"acmee"» no tenant `acmee` is declared (did you mean `acme`?)"#,
        ),
        (
            r#"principal, action, resource in Ambit::Catalog::"biling""#,
            r#"«Ambit::Catalog::"biling"» no catalog `biling` is declared (did you mean `billing`?)"#,
        ),
        (
            r#"principal, action, resource in Ambit::Group::"figure""#,
            r#"«Ambit::Group::"figure"» no group `figure` is declared (did you mean `figures`?)"#,
        ),
        (
            r#"principal, action, resource == Ambit::Tool::"billing/lst""#,
            r#"«Ambit::Tool::"billing/lst"» no tool `billing/lst` is declared (did you mean `billing/list`?)"#,
        ),
    ];
    for (scope, expected) in cases {
        let (_, diagnostics) = check_file(&format!("@id(\"a\") permit ({scope});"));
        let rendered: Vec<String> = diagnostics.iter().map(render).collect();
        let [only] = rendered.as_slice() else { return assert_eq!(rendered, [expected]) };
        assert!(only.starts_with("E_UNRESOLVED 1:") && only.ends_with(expected), "{only}");
    }
    expect(
        check_file(
            "@id(\"a\") permit (principal, action, resource)\nwhen { context.project == Ambit::Project::\"acme/finanze\" };",
        ),
        &["a"],
        &[
            "E_UNRESOLVED 2:27 «Ambit::Project::\"acme/finanze\"» no project `acme/finanze` is declared (did you mean `acme/finance`?)",
        ],
    );
    expect(
        check_file("@id(\"a\") permit (principal, action, resource in Ambit::EntityFamily::\"api:invoice\");"),
        &["a"],
        &[
            "W_UNUSED 1:49 «Ambit::EntityFamily::\"api:invoice\"» no tool is in the entity family `api:invoice` (did you mean `api:invoices`?)",
        ],
    );
}

#[test]
fn columns_count_characters() {
    expect(
        check_block("@id(\"a\") // Übergröße\npermit (principal, action, resource) when { \"ü\" == resource.efect };"),
        &[],
        &[
            "E_CEDAR 5:56 «resource.efect» attribute `efect` on entity type `Ambit::Tool` not found (did you mean `effect`?)",
        ],
    );
}

#[test]
fn the_order_of_sources_does_not_matter() {
    let text = format!("@id(\"x\") {READ}\npermit (");
    let (source, yaml) = block("x", "permit (principal, action, resource) when { resource.efect };");
    let mut tree = SourceTree::default();
    tree.insert("acme.yaml", yaml);
    tree.insert("b.cedar", text.clone());
    let sources = [file("b.cedar", &text), source];
    let [b, a] = &sources;
    assert_eq!(check(&sources, &[], &tree, &known()), check(&[a.clone(), b.clone()], &[], &tree, &known()));
}

/// Pieces of Cedar and of nothing, in any order.
const PIECES: [&str; 22] = [
    "permit",
    "forbid",
    " (principal, action, resource)",
    ";",
    "\"",
    "\\",
    "//",
    "\n",
    " ",
    "é",
    "@",
    "@id(\"x\")",
    "when {",
    "}",
    "(",
    ")",
    "::",
    "Ambit::Role::",
    "?principal",
    "'",
    "\r\n",
    "[",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_crashes_the_check(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..24)) {
        let text = pieces.concat();
        let found = check_file(&text).1.into_iter().chain(check_block(&text).1);
        for place in found.filter_map(|d| d.place) {
            let end = (place.column + place.length - 1) as usize;
            prop_assert!(place.length >= 1 && end <= place.text.chars().count().max(place.column as usize), "{:?}", place);
        }
    }
}
