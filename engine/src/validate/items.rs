//! What `for_each` repeats an action over, and how paths into `item` stand.
//! A collection is shown on its source's schema; a literal list is looked into, since its values are known.

use ambit_model::plan::{Standing, ViolationCode};
use serde_json::Value;

use super::reference::{Reference, read, visit};
use super::report::{Report, below, list, quote};
use super::shape::ForEach;
use super::sources::{Scene, Target, standing, target};
use super::undeclared;
use crate::schema::{Place, Segment, follow};

/// What `item` stands for inside an action.
pub(super) enum Items<'s> {
    /// There is no `for_each`.
    Absent,
    Literal(&'s [Value]),
    Declared(Place<'s>),
    /// Known only in a run, or already a violation; the flag says which.
    Open {
        sound: bool,
    },
}

/// What `item` is in this action, with the `for_each` itself checked.
pub(super) fn items<'s>(scene: &Scene<'s>, index: usize, report: &mut Report) -> Items<'s> {
    let Some((action, for_each)) = scene.draft.actions.get(index).and_then(|action| Some((action, action.for_each?)))
    else {
        return Items::Absent;
    };
    let at = below(&action.at, "for_each");
    match for_each {
        ForEach::Unreadable => Items::Open { sound: false },
        ForEach::List(list) => literal(list, &at, report),
        ForEach::Reference(object) => read(&at, object, report)
            .and_then(|reference| collection(scene, index, &reference, report))
            .unwrap_or(Items::Open { sound: false }),
    }
}

fn literal<'s>(items: &'s [Value], at: &str, report: &mut Report) -> Items<'s> {
    for (index, item) in items.iter().enumerate() {
        let mut inside = Vec::new();
        visit("", item, &mut String::new(), &mut inside);
        if !inside.is_empty() {
            let rule = "a literal `for_each` holds values, not references";
            let help = "make `for_each` itself a reference to a collection, or put the reference into the arguments";
            report.violation(&below(at, &index.to_string()), ViolationCode::ReferenceGrammar, rule, help);
        }
    }
    Items::Literal(items)
}

fn collection<'s>(
    scene: &Scene<'s>,
    index: usize,
    reference: &Reference<'_>,
    report: &mut Report,
) -> Option<Items<'s>> {
    let (place, standing) = match target(scene, index, reference, report)? {
        Target::Run => {
            report.reference(&reference.at, Standing::Declared);
            return Some(Items::Open { sound: true });
        }
        Target::Place(place, standing) => (place, standing),
    };
    // A path with `*` gathers what it leads to into a list.
    let gathered = reference.path.contains(&Segment::Every);
    if !gathered && !place.is_list() {
        let rule = format!(
            "`for_each` wants a collection, and {} declares no list at {}",
            quote(reference.source),
            quote(reference.written)
        );
        let help = near_list(&place).unwrap_or_else(|| "name the path of a list, or give a literal list".to_owned());
        report.violation(&reference.at, ViolationCode::ReferenceUndeclaredPath, rule, help);
        return None;
    }
    report.reference(&reference.at, standing);
    let items = if place.is_list() { place.items() } else { Some(place) };
    Some(items.map_or(Items::Open { sound: true }, Items::Declared))
}

fn near_list(place: &Place<'_>) -> Option<String> {
    let lists = place.properties().into_iter().filter(|name| place.property(name).is_some_and(|inner| inner.is_list()));
    let lists: Vec<&str> = lists.collect();
    (!lists.is_empty()).then(|| format!("a list stands under {}", list(lists)))
}

/// How a path into `item` stands.
pub(super) fn of_item(reference: &Reference<'_>, items: &Items<'_>, report: &mut Report) -> Option<Standing> {
    match items {
        Items::Absent => {
            let rule = "`item` is known only inside an action with `for_each`";
            let help = "add `for_each` to the action, or name the action whose result holds the value";
            report.violation(&reference.at, ViolationCode::ReferenceSource, rule, help);
            None
        }
        Items::Open { sound } => sound.then_some(Standing::Declared),
        Items::Literal(list) => match list.iter().position(|item| !has(item, &reference.path)) {
            None => Some(Standing::Proved),
            Some(without) => {
                let rule = format!("item {without} of `for_each` has no {}", quote(reference.written));
                let help = "give every item that member, or use the path `\"\"` for the item itself";
                report.violation(&reference.at, ViolationCode::ReferenceUndeclaredPath, rule, help);
                None
            }
        },
        Items::Declared(place) => match follow(place.clone(), &reference.path) {
            Ok((_, proved)) => Some(standing(proved)),
            Err(lost) => {
                let rule = format!("the items of `for_each` declare no {}", quote(reference.written));
                report.violation(
                    &reference.at,
                    ViolationCode::ReferenceUndeclaredPath,
                    rule,
                    undeclared::of_item(&lost, &reference.path),
                );
                None
            }
        },
    }
}

/// A literal value has something at this path; `*` asks it of every item.
fn has(value: &Value, path: &[Segment]) -> bool {
    let Some((first, rest)) = path.split_first() else { return true };
    match (value, first) {
        (Value::Array(list), Segment::Every) => list.iter().all(|item| has(item, rest)),
        (Value::Array(list), segment) => {
            let index = segment.index().and_then(|index| usize::try_from(index).ok());
            index.and_then(|index| list.get(index)).is_some_and(|item| has(item, rest))
        }
        (Value::Object(object), Segment::Name(name)) => object.get(name).is_some_and(|inner| has(inner, rest)),
        _ => false,
    }
}
