//! Tables of texts before and after; comments everywhere; and random declarations, which a formatter must not change in meaning.

use proptest::prelude::*;

use super::*;
use crate::parse;

#[track_caller]
fn check(path: &str, before: &str, after: &str) {
    let formatted = format(path, before);
    assert_eq!(formatted.diagnostics, [], "{before}");
    assert_eq!(formatted.text.as_deref(), Some(after), "{before}");
    assert_eq!(format(path, after).text.as_deref(), Some(after), "it stays: {after}");
}

#[track_caller]
fn check_left(path: &str, before: &str, codes: &[&str]) {
    let formatted = format(path, before);
    let found: Vec<&str> = formatted.diagnostics.iter().map(|problem| problem.code.as_ref()).collect();
    assert_eq!((formatted.text, found), (None, codes.to_vec()), "{before}");
}

#[test]
fn yaml_is_laid_out_alike() {
    check("a.yaml", "", "");
    check("a.yaml", "kind:   Tenant\nid:  a\nname: 'A'\n", "kind: Tenant\nid: a\nname: \"A\"\n");
    check(
        "a.yaml",
        "kind: Tenant\nid: a\nname: A\nusers:\n- id: u\n  roles: [ a,b ]\n-  {id: v}\n",
        "kind: Tenant\nid: a\nname: A\nusers:\n  - id: u\n    roles: [a, b]\n  - { id: v }\n",
    );
    check("a.yaml", "kind: Tenant\r\nid:  a\r\nname: A\r\n", "kind: Tenant\r\nid: a\r\nname: A\r\n");
    check("a.yaml", "\u{feff}kind: Tenant\nid:  a\nname: A\n", "\u{feff}kind: Tenant\nid: a\nname: A\n");
    let long = "x".repeat(70);
    check(
        "a.yaml",
        &format!("kind: Project\nid: a\ntenant: b\nname: c\ncatalogs: [{long}, {long}]\n"),
        &format!("kind: Project\nid: a\ntenant: b\nname: c\ncatalogs: [\n  {long},\n  {long}\n]\n"),
    );
}

#[test]
fn comments_stay_wherever_they_stand() {
    check(
        "a.yaml",
        "# yaml-language-server: $schema=x.json\n\n#one\nkind: Tenant   # two\n# three\nid: a\nname: A    # four\nroles: # five\n  # six\n  - id: r     # seven\n    includes: [\n      # eight\n      s, # nine\n    ]\n  # ten\n# eleven\n---   # twelve\n# thirteen\nkind: Policy\nid: p\ncedar: |   # fourteen\n  # no comment\n  permit (principal,   action, resource);\n# fifteen\n",
        "# yaml-language-server: $schema=x.json\n\n#one\nkind: Tenant # two\n# three\nid: a\nname: A # four\nroles: # five\n  # six\n  - id: r # seven\n    includes: [\n      # eight\n      s # nine\n    ]\n  # ten\n# eleven\n--- # twelve\n# thirteen\nkind: Policy\nid: p\ncedar: | # fourteen\n  # no comment\n  permit (principal,   action, resource);\n# fifteen\n",
    );
    check(
        "a.cedar",
        "// one\n\n@id(\"p\") // two\npermit(principal, // three\n  action, resource /* no comment of Cedar */)\n// four\nwhen { // five\n true }; // six\n// seven\n"
            .replace("/* no comment of Cedar */", "")
            .as_str(),
        "// one\n\n@id(\"p\") // two\npermit (principal, // three\n  action, resource)\n// four\nwhen\n{ // five\n  true\n}; // six\n// seven\n",
    );
    check("a.cedar", "// nothing yet\n", "// nothing yet\n");
    check(
        "a.cedar",
        "// head\n\n\n// of a group\n\n// of one\n@id(\"p\")\npermit(principal,action,resource);\n\n// end\n\n",
        "// head\n\n// of a group\n\n// of one\n@id(\"p\")\npermit (principal, action, resource);\n// end\n",
    );
}

#[test]
fn cedar_in_yaml_keeps_its_text() {
    let text = "kind: Policy\nid: p\ncedar: |\n  permit(\n     principal,action,\n\n     resource);\n";
    check("a.yaml", text, text);
}

#[test]
fn what_cannot_be_read_is_left_as_it_is() {
    check_left("a.yaml", "kind: Tenant\nid:   [\n", &[codes::E_VALUE]);
    check_left("a.yaml", "kind: Tenant\nid:   a\nname: A\n---\nkind: Tennant\n---\nid: x\n", &[codes::E_KIND; 2]);
    check_left("a.yaml", "services: { web: 1 }\n", &[codes::E_KIND]);
    check_left("a.cedar", "permit (principal, action);\n", &[codes::E_CEDAR]);
    check_left(
        "a.cedar",
        &format!("permit (principal, action, resource) when {{ {} }};", "(".repeat(9_000)),
        &[codes::E_FORMAT],
    );
}

#[test]
fn a_printer_that_loses_something_is_refused() {
    let file = SourceFile { path: "a.yaml".to_owned(), text: "a # b\n".to_owned() };
    let refused = |print: fn(&str) -> Result<String, String>, same: bool| {
        let formatted = settled(&file, print, |_| same);
        assert_eq!(formatted.text, None);
        formatted.diagnostics.first().map(|problem| problem.message.clone()).unwrap_or_default()
    };
    assert!(refused(|_| Ok("a\n".to_owned()), true).contains("would be lost"));
    assert!(refused(|_| Ok("a # b\n".to_owned()), false).contains("mean the same"));
    assert!(refused(|text| Ok(format!("{text} ")), true).contains("not stay"));
    assert!(refused(|_| Err("no".to_owned()), true).ends_with("no"));
}

#[test]
fn a_difference_is_unified() {
    let said = difference("p/a.yaml", "a\nb\n", "a\nc\n");
    assert_eq!(said, "--- a/p/a.yaml\n+++ b/p/a.yaml\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n");
}

/// A scalar as people write them, with every way of quoting.
fn scalar() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z][a-z0-9_.-]{0,20}",
        "[A-Za-z][A-Za-z ,.!?']{0,90}[a-z]",
        "'[a-z \"#:,{}\\[\\]\\\\]{0,30}'",
        "\"[a-z '#:,{}\\[\\]]{0,30}\"",
        "\"[a-z]{0,5}(\\\\n|\\\\t|\\\\\"|\\\\u00e9)[a-z]{0,5}\"",
        "[0-9]{1,4}(\\.[0-9]{1,3})?",
        Just("| # text\n      one\n\n        two: # no comment\n      three".to_owned()),
        Just(">-\n      one\n      two".to_owned()),
        Just("one\n      two".to_owned()),
    ]
}

fn space() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(String::new()),
        Just("\n".to_owned()),
        Just("# ein Wort\n".to_owned()),
        Just("\n#x\n\n".to_owned())
    ]
}

/// Users of a tenant in block or flow style, with comments and blank lines between.
fn document() -> impl Strategy<Value = String> {
    let user = (scalar(), prop::collection::vec("[a-z]{1,40}", 0..5), any::<bool>(), space(), 1_usize..4);
    (space(), prop::collection::vec(user, 0..5), space()).prop_map(|(head, users, tail)| {
        let mut text = format!("{head}kind: Tenant\nid: a\nname: A\n{tail}users:\n");
        for (number, (name, roles, flow, between, wide)) in users.iter().enumerate() {
            let (roles, wide) = (roles.join(" ,"), " ".repeat(*wide));
            if *flow && !name.contains(['\n', ',', '[', ']', '{', '}', '#']) {
                text.push_str(&format!("  -{wide}{{id:{wide}u{number}, name:{wide}{name}{wide}, roles: [{roles}]}}\n"));
            } else {
                text.push_str(&format!(
                    "  - id: u{number}\n    name:{wide}{name}\n    roles:{wide}[{roles}]{wide}# who\n"
                ));
            }
            text.push_str(between);
        }
        if users.is_empty() { text.replace("users:\n", "") } else { text }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn random_declarations_keep_their_meaning(documents in prop::collection::vec(document(), 1..4)) {
        let text = documents.join("---\n");
        let file = |text: &str| SourceFile { path: "a.yaml".to_owned(), text: text.to_owned() };
        let (before, problems) = parse::bodies(&file(&text));
        prop_assume!(problems.is_empty());
        let formatted = format("a.yaml", &text);
        let Some(after) = formatted.text else {
            // Refusing is always right, but it has to say why.
            prop_assert!(formatted.diagnostics.iter().all(|problem| problem.code == codes::E_FORMAT));
            return Ok(());
        };
        prop_assert_eq!(parse::bodies(&file(&after)).0, before, "{}\n{}", text, after);
        prop_assert_eq!(format("a.yaml", &after).text, Some(after.clone()));
        prop_assert_eq!(text.matches('#').count(), after.matches('#').count());
    }
}
