//! The fields in which two things differ, each by its path. Lists without an order are told member by member.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::diff::FieldChange;

use super::node::Node;
use super::prose;

/// What tells the members of a list apart, where they are objects.
const NAMES: [&str; 3] = ["id", "issuer", "tool"];

/// All differences, sorted by field; of one field what is gone comes first.
pub(super) fn changes(from: &Node, to: &Node) -> Vec<FieldChange> {
    let mut changes = Vec::new();
    compare("", Some(from), Some(to), &mut changes);
    changes.sort_by(order);
    changes
}

fn order(a: &FieldChange, b: &FieldChange) -> std::cmp::Ordering {
    let rank = |change: &FieldChange| change.from.is_none();
    (&a.field, rank(a), &a.from, &a.to).cmp(&(&b.field, rank(b), &b.from, &b.to))
}

fn compare(path: &str, from: Option<&Node>, to: Option<&Node>, into: &mut Vec<FieldChange>) {
    if from == to {
        return;
    }
    match (from, to) {
        (Some(Node::Object(from)), Some(Node::Object(to))) => objects(path, from, to, into),
        (Some(Node::Bag(from)), Some(Node::Bag(to))) if !(from.is_empty() || to.is_empty()) => {
            bags(path, from, to, into)
        }
        (Some(Node::Tuple(from)), Some(Node::Tuple(to))) if from.len() == to.len() && are_objects(from) => {
            for (at, (from, to)) in from.iter().zip(to).enumerate() {
                compare(&format!("{path}[{at}]"), Some(from), Some(to), into);
            }
        }
        (None, Some(node)) | (Some(node), None) => alone(path, node, from.is_some(), into),
        (Some(Node::Bag(members)), Some(Node::Bag(_))) if !members.is_empty() => bags(path, members, &[], into),
        (Some(Node::Bag(_)), Some(Node::Bag(members))) => bags(path, &[], members, into),
        (from, to) => into.push(change(path, from, to)),
    }
}

fn objects(path: &str, from: &BTreeMap<String, Node>, to: &BTreeMap<String, Node>, into: &mut Vec<FieldChange>) {
    let keys: BTreeSet<&String> = from.keys().chain(to.keys()).collect();
    for key in keys {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        compare(&path, from.get(key), to.get(key), into);
    }
}

/// What is there on one side only: opened as far as it has parts.
fn alone(path: &str, node: &Node, is_gone: bool, into: &mut Vec<FieldChange>) {
    let sides = |node| if is_gone { (Some(node), None) } else { (None, Some(node)) };
    match node {
        Node::Object(members) if !members.is_empty() => {
            for (key, member) in members {
                alone(&format!("{path}.{key}"), member, is_gone, into);
            }
        }
        Node::Bag(members) if !members.is_empty() => {
            let (from, to): (&[Node], &[Node]) = if is_gone { (members, &[]) } else { (&[], members) };
            bags(path, from, to, into);
        }
        leaf => {
            let (from, to) = sides(leaf);
            into.push(change(path, from, to));
        }
    }
}

fn bags(path: &str, from: &[Node], to: &[Node], into: &mut Vec<FieldChange>) {
    if let Some((from, to)) = by_name(from).zip(by_name(to)).filter(|(from, to)| !from.is_empty() && !to.is_empty()) {
        let names: BTreeSet<&String> = from.keys().chain(to.keys()).collect();
        for name in names {
            compare(&format!("{path}[{name}]"), from.get(name).copied(), to.get(name).copied(), into);
        }
        return;
    }
    let (gone, new) = (without(from, to), without(to, from));
    match (gone.as_slice(), new.as_slice()) {
        ([gone @ Node::Object(_)], [new @ Node::Object(_)]) => {
            compare(&format!("{path}[]"), Some(gone), Some(new), into);
        }
        _ => {
            into.extend(gone.into_iter().map(|member| change(path, Some(member), None)));
            into.extend(new.into_iter().map(|member| change(path, None, Some(member))));
        }
    }
}

/// The members of a list by the name that each has; nothing where they have none, or where two have the same.
fn by_name(members: &[Node]) -> Option<BTreeMap<String, &Node>> {
    let name = |key: &str, member: &Node| match member {
        Node::Object(fields) => match fields.get(key) {
            Some(Node::Text(name)) => Some(name.clone()),
            _ => None,
        },
        _ => None,
    };
    let named = |key: &str| -> Option<BTreeMap<String, &Node>> {
        let named =
            members.iter().map(|member| Some((name(key, member)?, member))).collect::<Option<BTreeMap<_, _>>>()?;
        (named.len() == members.len()).then_some(named)
    };
    NAMES.into_iter().find_map(named)
}

/// The members of the first, less those of the second, each as often as it is there.
fn without<'a>(these: &'a [Node], those: &[Node]) -> Vec<&'a Node> {
    let mut left: BTreeMap<&Node, usize> = BTreeMap::new();
    for node in those {
        *left.entry(node).or_default() += 1;
    }
    let is_left = |node: &&Node| match left.get_mut(*node) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    these.iter().filter(is_left).collect()
}

fn are_objects(members: &[Node]) -> bool {
    members.iter().all(|member| matches!(member, Node::Object(_)))
}

fn change(path: &str, from: Option<&Node>, to: Option<&Node>) -> FieldChange {
    let pieces = match (from, to) {
        (Some(Node::Text(from)), Some(Node::Text(to))) => prose::pieces(from, to),
        _ => Vec::new(),
    };
    FieldChange { field: path.to_owned(), from: from.map(Node::shown), to: to.map(Node::shown), pieces }
}

/// The same seen from the other side, for tests of this law.
#[cfg(test)]
pub(super) fn turned(changes: Vec<FieldChange>) -> Vec<FieldChange> {
    let turn = |FieldChange { field, from, to, pieces }| FieldChange {
        field,
        from: to,
        to: from,
        pieces: prose::turned(pieces),
    };
    let mut turned: Vec<FieldChange> = changes.into_iter().map(turn).collect();
    turned.sort_by(order);
    turned
}
