//! Things of each kind that were added, removed and changed. They are compared as the JSON they are stored as, so that a field
//! that is added to them later is never forgotten here.

use std::collections::BTreeMap;

use ambit_model::card::ToolCard;
use ambit_model::declaration::Settings;
use ambit_model::diff::{Changed, DiffKind, Section};
use ambit_model::knowledge::KnowledgeDocument;
use ambit_model::snapshot::Snapshot;
use serde::Serialize;

use super::fields;
use super::node::Node;

/// The kinds in which something is another, in their order.
pub(super) fn changes(from: &Snapshot, to: &Snapshot) -> Result<Vec<Section>, serde_json::Error> {
    let sections = [
        section(DiffKind::Policies, &from.policies, &to.policies, |p| p.id.clone(), node)?,
        section(DiffKind::Schema, &[&from.schema], &[&to.schema], |_| "schema".to_owned(), node)?,
        section(DiffKind::Tenants, &from.tenants, &to.tenants, |t| t.id.clone(), node)?,
        section(DiffKind::Projects, &from.projects, &to.projects, |p| p.id.to_string(), node)?,
        section(DiffKind::Tools, &from.tools, &to.tools, |t| t.id.to_string(), tool)?,
        section(DiffKind::Documents, &from.knowledge, &to.knowledge, KnowledgeDocument::key, document)?,
        section(DiffKind::Catalogs, &from.catalogs, &to.catalogs, |c| c.id.clone(), node)?,
        section(DiffKind::Groups, &from.groups, &to.groups, |g| g.id.clone(), node)?,
        section(DiffKind::TwinGroups, &from.twins, &to.twins, |t| t.id.clone(), node)?,
        section(DiffKind::VersionFamilies, &from.families, &to.families, |f| f.id.clone(), node)?,
        section(DiffKind::Vocabularies, &from.vocabularies, &to.vocabularies, |v| v.language.clone(), node)?,
        section(DiffKind::Settings, &[settings(from)], &[settings(to)], |_| "settings".to_owned(), node)?,
    ];
    Ok(sections.into_iter().flatten().collect())
}

/// The settings, and what else routing depends on.
#[derive(PartialEq, Serialize)]
struct AllSettings<'a> {
    #[serde(flatten)]
    settings: &'a Settings,
    format: u32,
    scorer: u32,
}

fn settings(of: &Snapshot) -> AllSettings<'_> {
    AllSettings { settings: &of.settings, format: of.format, scorer: of.scorer }
}

fn section<T: PartialEq>(
    kind: DiffKind,
    from: &[T],
    to: &[T],
    id: impl Fn(&T) -> String,
    node: impl Fn(&T) -> Result<Node, serde_json::Error>,
) -> Result<Option<Section>, serde_json::Error> {
    let by_id = |things: &'_ [T]| -> BTreeMap<String, usize> {
        things.iter().enumerate().map(|(at, thing)| (id(thing), at)).collect()
    };
    let (before, after) = (by_id(from), by_id(to));
    let absent = |these: &BTreeMap<String, usize>, those: &BTreeMap<String, usize>| -> Vec<String> {
        these.keys().filter(|id| !those.contains_key(*id)).cloned().collect()
    };
    let mut changed = Vec::new();
    for (id, at) in &before {
        let pair = from.get(*at).zip(after.get(id).and_then(|at| to.get(*at)));
        if let Some((was, is)) = pair.filter(|(was, is)| was != is) {
            let fields = fields::changes(&node(was)?, &node(is)?);
            changed.extend((!fields.is_empty()).then(|| Changed { id: id.clone(), fields }));
        }
    }
    let section = Section { kind, added: absent(&after, &before), removed: absent(&before, &after), changed };
    let nothing = section.added.is_empty() && section.removed.is_empty() && section.changed.is_empty();
    Ok((!nothing).then_some(section))
}

fn node<T: Serialize>(thing: &T) -> Result<Node, serde_json::Error> {
    Ok(Node::of(&serde_json::to_string(thing)?)?.in_any_order())
}

/// A card, with the JSON of its schemas and annotations opened.
fn tool(card: &ToolCard) -> Result<Node, serde_json::Error> {
    let Node::Object(mut members) = node(card)? else { return node(card) };
    for name in ["input_schema", "output_schema", "annotations"] {
        let Some(Node::Text(text)) = members.get(name) else { continue };
        if let Ok(schema) = Node::of(text) {
            members.insert(name.to_owned(), schema.read_as_schema());
        }
    }
    Ok(Node::Object(members))
}

/// A document as people read it: where it was cut says nothing of its own.
#[derive(Serialize)]
struct Read<'a> {
    title: &'a str,
    text: String,
}

fn document(document: &KnowledgeDocument) -> Result<Node, serde_json::Error> {
    let texts: Vec<&str> = document.chunks.iter().map(|chunk| chunk.text.as_str()).collect();
    node(&Read { title: &document.title, text: texts.join("\n\n") })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use ambit_model::card::SchemaText;
    use ambit_model::declaration::{FamilyMember, IdentityProvider, TwinGroup, UserClaim, VersionFamily, Vocabulary};
    use ambit_model::facts::{Effect, Risk};
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;
    use crate::authority::sample;

    fn section_of(from: &Value, to: &Value) -> Option<Section> {
        let things =
            |value: &Value| -> Vec<(String, Value)> { value.as_object().unwrap().clone().into_iter().collect() };
        section(DiffKind::Tools, &things(from), &things(to), |(id, _)| id.clone(), |(_, value)| node(value)).unwrap()
    }

    /// Each field that differs: `field: from -> to`.
    fn lines(section: &Section) -> Vec<String> {
        let word = |value: &Option<String>| value.clone().unwrap_or_else(|| "nothing".to_owned());
        let fields = section.changed.iter().flat_map(|changed| &changed.fields);
        fields.map(|field| format!("{}: {} -> {}", field.field, word(&field.from), word(&field.to))).collect()
    }

    #[test]
    fn what_is_equal_is_left_out() {
        let same = json!({"a": {"b": 1}});
        assert_eq!(section_of(&same, &same), None);
    }

    #[test]
    fn fields_are_named_by_their_path() {
        let from = json!({"a": {"facts": {"effect": "read", "risk": null}, "x": [1]}, "gone": {}});
        let to = json!({"a": {"facts": {"effect": "write", "risk": "low"}, "x": [1]}, "new": {}});
        let section = section_of(&from, &to).unwrap();
        assert_eq!((&section.added, &section.removed), (&vec!["new".to_owned()], &vec!["gone".to_owned()]));
        assert_eq!(lines(&section), ["facts.effect: read -> write", "facts.risk: nothing -> low"]);
    }

    /// What changes between two cards whose input schemas are these.
    #[track_caller]
    fn check(from: &str, to: &str, expected: &[&str]) {
        let card = |schema: &str| {
            let mut card = sample::card("billing/list", Effect::Read, Risk::Low, false);
            card.input_schema = SchemaText(schema.to_owned());
            card
        };
        let id = |card: &ToolCard| card.id.to_string();
        let section = section(DiffKind::Tools, &[card(from)], &[card(to)], id, tool).unwrap();
        assert_eq!(section.iter().flat_map(lines).collect::<Vec<_>>(), expected, "{from} {to}");
    }

    #[test]
    fn the_layout_of_a_schema_says_nothing() {
        check(
            r#"{"type":"object","required":["a","b"]}"#,
            "{ \"required\": [\"b\", \"a\"],\n \"type\": \"object\" }",
            &[],
        );
        check(r#"{"enum":["x","y"],"type":["string","null"]}"#, r#"{"type":["null","string"],"enum":["y","x"]}"#, &[]);
        check(r#"{"anyOf":[{"enum":[1,2]},{"type":"null"}]}"#, r#"{"anyOf":[{"type":"null"},{"enum":[2,1]}]}"#, &[]);
    }

    #[test]
    fn a_schema_is_compared_by_its_paths() {
        check(
            r#"{"properties":{"customer":{"type":"string"},"day":{}},"required":["customer"]}"#,
            r#"{"properties":{"customer":{"type":"integer"}},"required":["customer","day"]}"#,
            &[
                "input_schema.properties.customer.type: string -> integer",
                "input_schema.properties.day: {} -> nothing",
                "input_schema.required: nothing -> day",
            ],
        );
        check(r#"{"default":[1,2]}"#, r#"{"default":[2,1]}"#, &["input_schema.default: [1,2] -> [2,1]"]);
        check(
            r#"{"prefixItems":[{"type":"string"},{"type":"null"}]}"#,
            r#"{"prefixItems":[{"type":"string"},{"type":"array"}]}"#,
            &["input_schema.prefixItems[1].type: null -> array"],
        );
        check(
            r#"{"anyOf":[{"type":"string"},{"type":"null"}]}"#,
            r#"{"anyOf":[{"type":"null"},{"type":"integer"}]}"#,
            &["input_schema.anyOf[].type: string -> integer"],
        );
        check(r#"{"type":"string"}"#, r#"{"type":["string"]}"#, &[r#"input_schema.type: string -> ["string"]"#]);
        check(
            r#"{"maximum":12345678901234567890123}"#,
            r#"{"maximum":12345678901234567890124}"#,
            &["input_schema.maximum: 12345678901234567890123 -> 12345678901234567890124"],
        );
        check("not JSON", "{}", &["input_schema: not JSON -> {}"]);
    }

    #[test]
    fn members_of_lists_are_told_one_by_one_and_their_order_is_not() {
        let from = json!({"a": {"roles": ["x", "y"], "members": [{"tool": "c/a", "version": 1}, {"tool": "c/b", "version": 2}]}});
        let shuffled = json!({"a": {"roles": ["y", "x"], "members": [{"tool": "c/b", "version": 2}, {"tool": "c/a", "version": 1}]}});
        assert_eq!(section_of(&from, &shuffled), None);
        let to = json!({"a": {"roles": ["y", "z"], "members": [{"tool": "c/b", "version": 3}, {"tool": "c/a", "version": 1}]}});
        let expected = ["members[c/b].version: 2 -> 3", "roles: x -> nothing", "roles: nothing -> z"];
        assert_eq!(lines(&section_of(&from, &to).unwrap()), expected);
    }

    /// A snapshot in which no list and no text of the outermost things is empty.
    fn whole() -> Snapshot {
        let mut whole = sample::snapshot(&["permit (principal, action, resource);"]);
        let tools: Vec<_> = whole.tools.iter().map(|card| card.id.clone()).collect();
        let versions = tools.iter().zip(1..).map(|(tool, version)| {
            let tool = tool.clone();
            FamilyMember { tool, version, deprecated: false, retired_on: None, pin: vec!["legacy".to_owned()] }
        });
        whole.families.push(VersionFamily { id: "family".to_owned(), members: versions.collect(), current: 1 });
        let (preferred, reason) = (tools.first().unwrap().clone(), "it is the cheaper".to_owned());
        whole.twins.push(TwinGroup { id: "twins".to_owned(), members: tools, preferred, reason });
        let words = || BTreeMap::from([("send".to_owned(), vec!["mail".to_owned()])]);
        let language = "en".to_owned();
        whole.vocabularies.push(Vocabulary { language, verbs: words(), synonyms: words(), words: words() });
        whole.tenants.first_mut().unwrap().identity.push(IdentityProvider {
            issuer: "https://login.example.com".to_owned(),
            audience: vec!["ambit".to_owned()],
            algorithms: Vec::new(),
            token_type: None,
            when: BTreeMap::new(),
            user: UserClaim { claim: "sub".to_owned(), principals: BTreeMap::new(), undeclared: false },
            roles: None,
            sign_in: None,
        });
        whole
    }

    /// The kind that each field of a snapshot is told under.
    const KINDS: [(&str, DiffKind); 13] = [
        ("catalogs", DiffKind::Catalogs),
        ("families", DiffKind::VersionFamilies),
        ("format", DiffKind::Settings),
        ("groups", DiffKind::Groups),
        ("policies", DiffKind::Policies),
        ("projects", DiffKind::Projects),
        ("schema", DiffKind::Schema),
        ("scorer", DiffKind::Settings),
        ("settings", DiffKind::Settings),
        ("tenants", DiffKind::Tenants),
        ("tools", DiffKind::Tools),
        ("twins", DiffKind::TwinGroups),
        ("vocabularies", DiffKind::Vocabularies),
    ];

    /// The pointers (RFC 6901) to whatever holds nothing else.
    fn leaves(value: &Value, at: String, found: &mut Vec<String>) {
        let inner: Vec<(String, &Value)> = match value {
            Value::Object(members) => members.iter().map(|(name, inner)| (name.replace('/', "~1"), inner)).collect(),
            Value::Array(members) => members.iter().enumerate().map(|(n, inner)| (n.to_string(), inner)).collect(),
            _ => Vec::new(),
        };
        if inner.is_empty() {
            return found.push(at);
        }
        inner.into_iter().for_each(|(name, inner)| leaves(inner, format!("{at}/{name}"), found));
    }

    /// What may stand in its place: another text, a word of a closed list, another number, something where nothing was.
    fn others(leaf: &Value) -> Vec<Value> {
        let words = ["read", "write", "low", "high", "get", "mcp", "read_only", "inferred", "crm/other", "ES256"];
        let of = |shape: fn(&str) -> Value| words.iter().map(|word| shape(word)).collect::<Vec<_>>();
        match leaf {
            Value::String(text) => std::iter::once(json!(format!("{text}x"))).chain(of(|word| json!(word))).collect(),
            Value::Number(number) => vec![json!(number.as_u64().unwrap() + 1)],
            Value::Bool(flag) => vec![json!(!flag)],
            Value::Array(_) => of(|word| json!([word])),
            Value::Object(_) => vec![json!({"a": "acme:user:ada"}), json!({"a": ["b"]})],
            Value::Null => {
                let more = [json!({"claim": "a", "map": {}}), json!({"client": "a", "scopes": [], "secret": true})];
                of(|word| json!(word)).into_iter().chain(more).collect()
            }
        }
    }

    #[test]
    fn every_part_of_a_snapshot_is_compared_and_told_under_its_kind() {
        let from = whole();
        let written = serde_json::to_value(&from).unwrap();
        let fields: BTreeSet<&str> = written.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(fields, KINDS.iter().map(|(field, _)| *field).collect(), "each field has its kind");
        let mut all = Vec::new();
        leaves(&written, String::new(), &mut all);
        for leaf in all {
            let edited = |other: Value| {
                let mut edited = written.clone();
                *edited.pointer_mut(&leaf).unwrap() = other;
                serde_json::from_value::<Snapshot>(edited).ok().filter(|to| *to != from)
            };
            let to = others(written.pointer(&leaf).unwrap()).into_iter().find_map(edited);
            let to = to.unwrap_or_else(|| unreachable!("nothing else can stand at {leaf}"));
            let (_, kind) = KINDS.iter().find(|(field, _)| leaf.split('/').nth(1) == Some(field)).unwrap();
            let kinds: Vec<DiffKind> = changes(&from, &to).unwrap().iter().map(|section| section.kind).collect();
            assert_eq!(kinds, [*kind], "{leaf}");
        }
    }

    fn some_things() -> impl Strategy<Value = Value> {
        let list = prop::collection::vec(0..3_i32, 0..3);
        let thing = prop::collection::btree_map("[x-z]", list, 0..3).prop_map(|fields| json!(fields));
        prop::collection::btree_map("[a-c]", thing, 0..3).prop_map(|things| json!(things))
    }

    fn some_text() -> impl Strategy<Value = Value> {
        "[a-c]( [a-c]){0,6}".prop_map(|text| json!({ "a": { "text": text } }))
    }

    /// From what becomes what was.
    fn turned(section: Section) -> Section {
        let changed =
            section.changed.into_iter().map(|changed| Changed { fields: fields::turned(changed.fields), ..changed });
        Section { kind: section.kind, added: section.removed, removed: section.added, changed: changed.collect() }
    }

    proptest! {
        #[test]
        fn turned_round_it_says_the_opposite(from in some_things(), to in some_things()) {
            prop_assert_eq!(section_of(&from, &to).map(turned), section_of(&to, &from));
        }

        #[test]
        fn words_turn_round_too(from in some_text(), to in some_text()) {
            let (there, back) = (section_of(&from, &to), section_of(&to, &from));
            prop_assert_eq!(there.is_none(), from == to);
            prop_assert_eq!(there.map(turned), back);
        }
    }
}
