//! What changes between two snapshots. Ceilings come first, raised ones before all else: they are what no policy can give.
//! Things are compared as the JSON they are stored as, so a field that is added to them later is never forgotten here.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::declaration::Project;
use ambit_model::diff::{AuthorityChanges, CeilingChange, Changed, Diff, DiffKind, FieldChange, Section};
use ambit_model::facts::Ceiling;
use ambit_model::snapshot::Snapshot;
use serde::Serialize;
use serde_json::Value;

/// Compares two snapshots. Nothing is said of what is equal, nor of order alone.
pub fn diff(from: &Snapshot, to: &Snapshot) -> Result<Diff, serde_json::Error> {
    let mut sections = Vec::new();
    let mut add = |kind, from: Result<Things, _>, to: Result<Things, _>| {
        sections.extend(section(kind, &from?, &to?));
        Ok::<(), serde_json::Error>(())
    };
    add(DiffKind::Policies, things(&from.policies, |p| p.id.clone()), things(&to.policies, |p| p.id.clone()))?;
    add(DiffKind::Schema, whole("schema", &from.schema), whole("schema", &to.schema))?;
    add(DiffKind::Tenants, things(&from.tenants, |t| t.id.clone()), things(&to.tenants, |t| t.id.clone()))?;
    add(DiffKind::Projects, things(&from.projects, |p| p.id.to_string()), things(&to.projects, |p| p.id.to_string()))?;
    add(DiffKind::Tools, things(&from.tools, |t| t.id.to_string()), things(&to.tools, |t| t.id.to_string()))?;
    add(DiffKind::Catalogs, things(&from.catalogs, |c| c.id.clone()), things(&to.catalogs, |c| c.id.clone()))?;
    add(DiffKind::Groups, things(&from.groups, |g| g.id.clone()), things(&to.groups, |g| g.id.clone()))?;
    add(DiffKind::TwinGroups, things(&from.twins, |t| t.id.clone()), things(&to.twins, |t| t.id.clone()))?;
    add(DiffKind::VersionFamilies, things(&from.families, |f| f.id.clone()), things(&to.families, |f| f.id.clone()))?;
    let vocabularies = |snapshot: &Snapshot| things(&snapshot.vocabularies, |v| v.language.clone());
    add(DiffKind::Vocabularies, vocabularies(from), vocabularies(to))?;
    add(DiffKind::Settings, whole("settings", &from.settings), whole("settings", &to.settings))?;
    Ok(Diff { ceilings: ceilings(&from.projects, &to.projects), sections, authority: AuthorityChanges::default() })
}

/// The ceilings that are others, raised ones first.
fn ceilings(from: &[Project], to: &[Project]) -> Vec<CeilingChange> {
    let of = |projects: &[Project]| -> BTreeMap<String, Ceiling> {
        projects.iter().map(|project| (project.id.to_string(), project.ceiling)).collect()
    };
    let (from, to) = (of(from), of(to));
    let names: BTreeSet<&String> = from.keys().chain(to.keys()).collect();
    let changes = names.into_iter().filter(|name| from.get(*name) != to.get(*name)).map(|name| {
        let (from, to) = (from.get(name).copied(), to.get(name).copied());
        CeilingChange { project: name.clone(), from, to, raised: from.is_some() && to > from }
    });
    let mut changes: Vec<CeilingChange> = changes.collect();
    changes.sort_by(|a, b| b.raised.cmp(&a.raised).then_with(|| a.project.cmp(&b.project)));
    changes
}

/// Things of one kind by id, as JSON.
type Things = BTreeMap<String, Value>;

fn things<T: Serialize>(of: &[T], id: impl Fn(&T) -> String) -> Result<Things, serde_json::Error> {
    of.iter().map(|thing| Ok((id(thing), serde_json::to_value(thing)?))).collect()
}

fn whole(id: &str, thing: &impl Serialize) -> Result<Things, serde_json::Error> {
    Ok(BTreeMap::from([(id.to_owned(), serde_json::to_value(thing)?)]))
}

fn section(kind: DiffKind, from: &Things, to: &Things) -> Option<Section> {
    let absent = |these: &Things, those: &Things| -> Vec<String> {
        these.keys().filter(|id| !those.contains_key(*id)).cloned().collect()
    };
    let changed = from.iter().filter_map(|(id, before)| {
        let after = to.get(id).filter(|after| *after != before)?;
        Some(Changed { id: id.clone(), fields: fields(before, after) })
    });
    let section = Section { kind, added: absent(to, from), removed: absent(from, to), changed: changed.collect() };
    let nothing = section.added.is_empty() && section.removed.is_empty() && section.changed.is_empty();
    (!nothing).then_some(section)
}

/// The fields that differ, each by its path.
fn fields(from: &Value, to: &Value) -> Vec<FieldChange> {
    let (mut before, mut after) = (BTreeMap::new(), BTreeMap::new());
    flatten("", from, &mut before);
    flatten("", to, &mut after);
    let paths: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let differing = paths.into_iter().filter(|path| before.get(*path) != after.get(*path));
    differing
        .map(|field| FieldChange {
            field: field.clone(),
            from: before.get(field).cloned(),
            to: after.get(field).cloned(),
            pieces: Vec::new(),
        })
        .collect()
}

/// Objects open into paths; lists and plain values are one text each, and what is absent or null is no value.
fn flatten(path: &str, value: &Value, into: &mut BTreeMap<String, String>) {
    match value {
        Value::Object(members) => {
            for (key, member) in members {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                flatten(&path, member, into);
            }
        }
        Value::Null => {}
        Value::String(text) => drop(into.insert(path.to_owned(), text.clone())),
        other => drop(into.insert(path.to_owned(), other.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn section_of(from: Value, to: Value) -> Option<Section> {
        let things = |value: Value| value.as_object().unwrap().clone().into_iter().collect();
        section(DiffKind::Tools, &things(from), &things(to))
    }

    #[test]
    fn what_is_equal_is_left_out() {
        let same = serde_json::json!({"a": {"b": 1}});
        assert_eq!(section_of(same.clone(), same), None);
    }

    #[test]
    fn fields_are_named_by_their_path() {
        let from = serde_json::json!({"a": {"facts": {"effect": "read", "risk": null}, "x": [1]}, "gone": {}});
        let to = serde_json::json!({"a": {"facts": {"effect": "write", "risk": "low"}, "x": [1]}, "new": {}});
        let section = section_of(from, to).unwrap();
        assert_eq!((section.added, section.removed), (vec!["new".to_owned()], vec!["gone".to_owned()]));
        let change = |field: &str, from: Option<&str>, to: &str| FieldChange {
            field: field.to_owned(),
            from: from.map(str::to_owned),
            to: Some(to.to_owned()),
            pieces: Vec::new(),
        };
        let fields = vec![change("facts.effect", Some("read"), "write"), change("facts.risk", None, "low")];
        assert_eq!(section.changed, [Changed { id: "a".to_owned(), fields }]);
    }

    #[test]
    fn a_raised_ceiling_comes_first() {
        let project = |id: &str, ceiling| Project {
            id: ambit_model::identity::ProjectId::parse(id, None).unwrap(),
            name: String::new(),
            catalogs: Vec::new(),
            ceiling,
        };
        let from = [project("acme/a", Ceiling::Open), project("acme/b", Ceiling::ReadOnly)];
        let to = [
            project("acme/a", Ceiling::ReadOnly),
            project("acme/b", Ceiling::ConfirmWrites),
            project("acme/c", Ceiling::Open),
        ];
        let found = ceilings(&from, &to);
        let words: Vec<(&str, bool)> = found.iter().map(|c| (c.project.as_str(), c.raised)).collect();
        assert_eq!(words, [("acme/b", true), ("acme/a", false), ("acme/c", false)]);
    }

    fn some_things() -> impl Strategy<Value = Things> {
        let thing = prop::collection::btree_map("[x-z]", 0..3_i32, 0..3).prop_map(|fields| serde_json::json!(fields));
        prop::collection::btree_map("[a-c]", thing, 0..3)
    }

    proptest! {
        #[test]
        fn turned_round_it_says_the_opposite(from in some_things(), to in some_things()) {
            let (there, back) = (section(DiffKind::Tools, &from, &to), section(DiffKind::Tools, &to, &from));
            prop_assert_eq!(there.is_none(), from == to);
            let turned = there.map(|section| Section {
                kind: section.kind,
                added: section.removed,
                removed: section.added,
                changed: section.changed.into_iter().map(|changed| Changed {
                    fields: changed
                        .fields
                        .into_iter()
                        .map(|field| FieldChange { from: field.to, to: field.from, ..field })
                        .collect(),
                    ..changed
                }).collect(),
            });
            prop_assert_eq!(turned, back);
        }
    }
}
