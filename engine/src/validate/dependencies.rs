//! The order of actions: each depends only on actions that stand before it, and no call is made twice.

use ambit_model::plan::ViolationCode;

use super::report::{Report, below, near, quote};
use super::shape::{Draft, DraftAction, RESERVED};

/// Checks every `depends_on`.
pub(super) fn check(draft: &Draft<'_>, report: &mut Report) {
    for (index, action) in draft.actions.iter().enumerate() {
        for (entry, name) in &action.depends_on {
            let at = below(&below(&action.at, "depends_on"), &entry.to_string());
            dependency(draft, index, name, &at, report);
        }
    }
}

fn dependency(draft: &Draft<'_>, index: usize, name: &str, at: &str, report: &mut Report) {
    let named = quote(name);
    match position(draft, name) {
        Some(other) if other < index => {}
        Some(other) if reaches(draft, other, index) => {
            let rule = format!("an action depends only on earlier ones, and {named} waits for this action");
            report.violation(
                at,
                ViolationCode::DependencyCycle,
                rule,
                format!("remove {named} here, or the way back from it"),
            );
        }
        Some(_) => {
            let rule = format!("an action depends only on earlier ones, and {named} comes later");
            report.violation(at, ViolationCode::DependencyUnknown, rule, format!("move {named} before this action"));
        }
        None => {
            let rule = format!("{named} is no action of this plan");
            report.violation(at, ViolationCode::DependencyUnknown, rule, unknown(draft, index, name));
        }
    }
}

fn unknown(draft: &Draft<'_>, index: usize, name: &str) -> String {
    if RESERVED.contains(&name) {
        return format!("remove it: a reference to {} needs no `depends_on`", quote(name));
    }
    let earlier = draft.actions.iter().take(index).filter_map(|action| action.id);
    near(name, earlier).unwrap_or_else(|| "name the id of an earlier action, or remove it".to_owned())
}

/// Where the action of this id stands; the first one, where two share it.
pub(super) fn position(draft: &Draft<'_>, id: &str) -> Option<usize> {
    draft.actions.iter().position(|action| action.names(id))
}

/// `from` is `to`, or depends on it in some number of steps.
fn reaches(draft: &Draft<'_>, from: usize, to: usize) -> bool {
    let mut seen = vec![from];
    let mut next = 0;
    while let Some(&current) = seen.get(next) {
        if current == to {
            return true;
        }
        let names = draft.actions.get(current).into_iter().flat_map(|action| &action.depends_on);
        let found: Vec<usize> = names.filter_map(|(_, name)| position(draft, name)).collect();
        for other in found {
            if !seen.contains(&other) {
                seen.push(other);
            }
        }
        next += 1;
    }
    false
}

/// Checks that no id stands twice and no two actions make the same call.
pub(super) fn repeats(draft: &Draft<'_>, report: &mut Report) {
    for (index, action) in draft.actions.iter().enumerate() {
        let mut earlier = draft.actions.iter().take(index);
        if let Some(id) = action.id.filter(|id| earlier.clone().any(|other| other.names(id))) {
            let rule = format!("{} is the id of an earlier action", quote(id));
            report.violation(
                &below(&action.at, "id"),
                ViolationCode::DuplicateAction,
                rule,
                "give each action an id of its own",
            );
        }
        if let Some(same) = earlier.find(|other| same_call(other, action)) {
            let rule = format!("the call is the same as that of {}", quote(same.id.unwrap_or("an earlier action")));
            report.violation(
                &action.at,
                ViolationCode::DuplicateAction,
                rule,
                "remove it, and read the earlier action's result by reference",
            );
        }
    }
}

fn same_call(left: &DraftAction<'_>, right: &DraftAction<'_>) -> bool {
    let (Some(tool), Some(arguments)) = (left.tool, left.arguments) else { return false };
    right.tool == Some(tool) && right.arguments == Some(arguments) && left.for_each == right.for_each
}
