//! Circles among roles that include roles: each is named, and opened again at the edge that closes it,
//! so that no later stage can run round it.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::diagnostic::Place;

use super::declarations::Located;

/// A circle, from the role first met to the one whose `includes` leads back to it.
pub(super) struct Circle {
    pub(super) roles: Vec<String>,
    /// The `includes` that closes it.
    pub(super) place: Place,
}

/// `` `a` → `b` → `a` ``.
pub(super) fn circle_text(roles: &[String]) -> String {
    let closed = roles.iter().chain(roles.first());
    closed.map(|role| format!("`{role}`")).collect::<Vec<_>>().join(" → ")
}

/// Takes out every edge that closes a circle. Depth first in the order of names, without recursion: chains may be long.
pub(super) fn break_circles(roles: &mut BTreeMap<String, Vec<Located<String>>>) -> Vec<Circle> {
    let names: Vec<String> = roles.keys().cloned().collect();
    let mut done = BTreeSet::new();
    let mut circles = Vec::new();
    for start in names {
        if !done.contains(&start) {
            walk(start, roles, &mut done, &mut circles);
        }
    }
    circles
}

fn walk(
    start: String,
    roles: &mut BTreeMap<String, Vec<Located<String>>>,
    done: &mut BTreeSet<String>,
    circles: &mut Vec<Circle>,
) {
    // The path from `start`, with the index of the edge to follow next, and its roles again as a set.
    let mut path = vec![(start.clone(), 0)];
    let mut on_path = BTreeSet::from([start]);
    while let Some((role, edge)) = path.last_mut() {
        let edges = roles.entry(role.clone()).or_default();
        let Some(target) = edges.get(*edge).cloned() else {
            on_path.remove(role);
            done.insert(role.clone());
            path.pop();
            continue;
        };
        if on_path.contains(&target.value) {
            edges.remove(*edge);
            let around = path.iter().map(|(role, _)| role.clone()).skip_while(|role| *role != target.value).collect();
            circles.push(Circle { roles: around, place: target.place });
            continue;
        }
        *edge += 1;
        if !done.contains(&target.value) {
            on_path.insert(target.value.clone());
            path.push((target.value, 0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(edges: &[(&str, &[&str])], expected: &[&str]) {
        let place = Place { file: String::new(), line: 1, column: 1, length: 1, text: String::new() };
        let located = |name: &&str| Located { value: (*name).to_owned(), place: place.clone() };
        let mut roles: BTreeMap<_, Vec<_>> =
            edges.iter().map(|(role, to)| ((*role).to_owned(), to.iter().map(located).collect())).collect();
        let found: Vec<String> = break_circles(&mut roles).iter().map(|circle| circle_text(&circle.roles)).collect();
        assert_eq!(found, expected);
        assert!(break_circles(&mut roles).is_empty());
    }

    #[test]
    fn each_circle_is_named_once() {
        check(&[("a", &["b", "c"]), ("b", &["c"]), ("c", &[])], &[]);
        check(&[("a", &["a"])], &["`a` → `a`"]);
        check(&[("a", &["b"]), ("b", &["c"]), ("c", &["b"])], &["`b` → `c` → `b`"]);
        check(&[("a", &["b", "c"]), ("b", &["a"]), ("c", &["a"])], &["`a` → `b` → `a`", "`a` → `c` → `a`"]);
    }

    #[test]
    fn a_long_chain_needs_no_deep_stack() {
        let name = |number: usize| format!("r{number:06}");
        let place = Place { file: String::new(), line: 1, column: 1, length: 1, text: String::new() };
        let mut roles: BTreeMap<_, _> = (0..50_000)
            .map(|number| (name(number), vec![Located { value: name((number + 1) % 50_000), place: place.clone() }]))
            .collect();
        assert_eq!(break_circles(&mut roles).len(), 1);
    }
}
