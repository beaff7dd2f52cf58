//! Templates and their links: the policies they make, and what is said where one does not fit.

use std::collections::HashMap;

use ambit_model::diagnostic::{Diagnostic, Place};
use cedar_policy::{PolicyId, PolicySet, SlotId, Template};

use super::tests::{file, known};
use super::*;
use crate::resolve::declarations::{Located, NamedEntity};
use crate::source::SourceFile;

const TEMPLATE: &str = "@id(\"reads\")\n@reason(\"?principal is no slot here\")\npermit (\n  principal in ?principal, // who\n  action in Ambit::Action::\"use\",\n  resource in ?resource\n) when { resource.effect == Ambit::Effect::\"read\" };";
const LINKS: &str = "one two three acme:role:analyst group:figures billing/list";

/// A word of LINKS with its place.
fn at<T>(word: &str, value: T) -> Located<T> {
    let file = SourceFile { path: "links.yaml".to_owned(), text: LINKS.to_owned() };
    let start = LINKS.find(word).unwrap_or_default();
    Located { value, place: file.place(start, start + word.len()) }
}

fn entity(word: &str, of: &'static str, id: &str) -> Option<Located<NamedEntity>> {
    Some(at(word, NamedEntity { of, id: id.to_owned() }))
}

fn analyst() -> Option<Located<NamedEntity>> {
    entity("acme:role:analyst", "Role", "acme:role:analyst")
}

fn link(id: &str, principal: Option<Located<NamedEntity>>, resource: Option<Located<NamedEntity>>) -> PolicyLink {
    let template = at("three", "reads".to_owned());
    PolicyLink { template, id: at(id, id.to_owned()), principal, resource, reason: None }
}

fn run(text: &str, links: &[PolicyLink]) -> (Vec<CheckedPolicy>, Vec<Diagnostic>) {
    let mut tree = SourceTree::default();
    tree.insert("a.cedar", text);
    check(&[file("a.cedar", text)], links, &tree, &known())
}

#[track_caller]
fn expect(text: &str, links: &[PolicyLink], expected: &[&str]) {
    let found = run(text, links).1;
    let place = |place: &Place| {
        let word: String = place.text.chars().skip(place.column as usize - 1).take(place.length as usize).collect();
        format!("{}:{} «{word}»", place.file, place.line)
    };
    let found: Vec<String> = found
        .iter()
        .map(|d| {
            format!(
                "{} {} {} ({})",
                d.code,
                d.place.as_ref().map(place).unwrap_or_default(),
                d.message,
                d.help.clone().unwrap_or_default()
            )
        })
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn a_link_makes_a_static_policy_with_an_id_and_a_place_of_its_own() {
    let mut two = link("two", analyst(), entity("billing/list", "Tool", "billing/list"));
    two.reason = Some("because".to_owned());
    let one = link("one", analyst(), entity("group:figures", "Group", "figures"));
    let (made, diagnostics) = run(TEMPLATE, &[one, two]);
    assert_eq!(diagnostics, []);
    let found: Vec<_> = made
        .iter()
        .map(|one| (one.policy.id.as_str(), one.policy.reason.as_deref(), one.place.as_ref().map(|place| place.column)))
        .collect();
    assert_eq!(found, [("one", Some("?principal is no slot here"), Some(1)), ("two", Some("because"), Some(5))]);
    assert!(made.iter().all(|one| one.template.as_deref() == Some("reads")));
    let text = made.first().map(|one| one.policy.cedar.clone()).unwrap_or_default();
    let expected = TEMPLATE
        .replace("@id(\"reads\")", "@id(\"one\")")
        .replace("in ?principal", "in Ambit::Role::\"acme:role:analyst\"")
        .replace("?resource", "Ambit::Group::\"figures\"");
    assert_eq!(text, expected);
}

/// The text that we make means what Cedar's own link means.
#[test]
fn the_text_is_what_cedar_links() {
    let made = run(TEMPLATE, &[link("one", analyst(), entity("group:figures", "Group", "figures"))]).0;
    let ours = made.first().and_then(|one| cedar_policy::Policy::parse(None, &one.policy.cedar).ok());
    let mut set = PolicySet::new();
    let template = Template::parse(Some(PolicyId::new("reads")), TEMPLATE);
    assert!(template.is_ok_and(|template| set.add_template(template).is_ok()));
    let uid = |text: &str| text.parse::<cedar_policy::EntityUid>().ok();
    let values = HashMap::from_iter(
        [
            (SlotId::principal(), uid("Ambit::Role::\"acme:role:analyst\"")),
            (SlotId::resource(), uid("Ambit::Group::\"figures\"")),
        ]
        .into_iter()
        .filter_map(|(slot, uid)| Some((slot, uid?))),
    );
    assert!(set.link(PolicyId::new("reads"), PolicyId::new("one"), values).is_ok());
    let theirs = set.policy(&PolicyId::new("one"));
    let scope = |policy: &cedar_policy::Policy| {
        let conditions = policy.to_json().ok().and_then(|json| json.get("conditions").cloned());
        (policy.principal_constraint(), policy.action_constraint(), policy.resource_constraint(), conditions)
    };
    assert!(ours.is_some());
    assert_eq!(ours.as_ref().map(scope), theirs.map(scope));
}

#[test]
fn a_template_without_a_link_decides_nothing() {
    expect(
        TEMPLATE,
        &[],
        &[
            "W_UNUSED a.cedar:3 «permit» nothing links the template `reads`, so it decides nothing (write `links:` in its Policy document, or a Policy document with `template: reads`)",
        ],
    );
}

#[test]
fn a_slot_that_stands_elsewhere_is_an_error_of_cedar() {
    let text = "@id(\"t\")\npermit (principal, action, resource)\nwhen { resource in ?resource };";
    let found = run(text, &[]).1;
    let line = found.iter().find(|d| d.is_error()).and_then(|d| Some((d.code.to_string(), d.place.clone()?.line)));
    assert_eq!(line, Some(("E_CEDAR".to_owned(), 3)), "{found:?}");
}

#[test]
fn what_is_wrong_with_a_link_is_said_at_the_link() {
    let figures = || entity("group:figures", "Group", "figures");
    expect(
        TEMPLATE,
        &[link("one", None, figures())],
        &["E_LINK links.yaml:1 «one» `one` fills no `?principal`, which `reads` has (add `principal: …`)"],
    );
    let only = "@id(\"reads\") permit (principal in ?principal, action, resource in Ambit::Group::\"figures\");";
    expect(
        only,
        &[link("one", analyst(), figures())],
        &["E_LINK links.yaml:1 «group:figures» `reads` has no `?resource` (leave `resource` out)"],
    );
    expect(
        TEMPLATE,
        &[link("one", figures(), figures())],
        &["E_LINK links.yaml:1 «group:figures» nobody is in a Group (name a role, a user, an agent or a tenant)"],
    );
    expect(
        TEMPLATE,
        &[link("one", entity("acme:role:analyst", "Role", "acme:role:analist"), figures())],
        &[
            "E_UNRESOLVED links.yaml:1 «acme:role:analyst» no role `acme:role:analist` is declared (did you mean `acme:role:analyst`?)",
        ],
    );
    expect(
        TEMPLATE,
        &[link("one", analyst(), figures()), link("one", analyst(), figures())],
        &["E_POLICY_ID links.yaml:1 «one» two policies have the id `one` (give each policy an id of its own)"],
    );
    let renamed = TEMPLATE.replace("\"reads\"", "\"readers\"");
    let found = run(&renamed, &[link("one", analyst(), figures())]).1;
    let found: Vec<String> = found.iter().map(|d| format!("{} {}", d.code, d.message)).collect();
    assert_eq!(
        found,
        [
            "W_UNUSED nothing links the template `readers`, so it decides nothing",
            "E_UNRESOLVED no template `reads` is declared"
        ]
    );
    let fixed =
        "@id(\"reads\") permit (principal in Ambit::Tenant::\"acme\", action, resource in Ambit::Group::\"figures\");";
    expect(
        fixed,
        &[link("one", None, None)],
        &[
            "E_LINK links.yaml:1 «three» `reads` is no template (write `?principal` or `?resource` in its scope, or leave its links out)",
        ],
    );
}

#[test]
fn what_cedar_has_against_a_link_or_its_template_stands_at_each() {
    let found = run(TEMPLATE, &[link("one", analyst(), entity("acme:role:analyst", "User", "acme:user:ada"))]).1;
    let said: Vec<_> = found.iter().map(|d| (d.code.as_ref(), d.place.as_ref().map(|p| p.file.as_str()))).collect();
    assert_eq!(said, [("E_CEDAR", Some("links.yaml"))], "{found:?}");
    let broken = TEMPLATE.replace("resource.effect", "resource.efect");
    let found = run(&broken, &[link("one", analyst(), entity("group:figures", "Group", "figures"))]).1;
    let said: Vec<_> =
        found.iter().map(|d| (d.code.as_ref(), d.place.as_ref().map(|p| (p.file.as_str(), p.line)))).collect();
    assert_eq!(said, [("E_CEDAR", Some(("a.cedar", 7)))], "{found:?}");
}
