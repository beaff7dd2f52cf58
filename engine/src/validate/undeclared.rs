//! What to do about a path that a schema does not declare, in words that name the way out.
//! The commonest mistake is to read a field of one record out of a list of them.

use super::report::{list, near, quote};
use super::tools::Tool;
use crate::schema::{Lost, Place, Segment, follow};

/// Help for a path into a tool's result.
pub(super) fn of_result(tool: &Tool<'_>, root: &Place<'_>, lost: &Lost, path: &[Segment]) -> String {
    let typed = || nearest(lost, path);
    let Some(collection) = collection(tool, root, lost, path) else { return typed().unwrap_or_else(|| declared(lost)) };
    if let Some(meant) = typed().filter(|_| !lost.list) {
        return meant;
    }
    let name = quote(tool.card.id.as_str());
    if collection.is_empty() {
        return format!(
            "{name} returns a list: run it and let a person choose (`current_selection`), or put the number of an item first"
        );
    }
    let under = quote(&collection);
    format!(
        "{name} returns a list under {under}: run it and let a person choose (`current_selection`), or use `for_each` over {under}"
    )
}

/// Help for a path into an item of `for_each`.
pub(super) fn of_item(lost: &Lost, path: &[Segment]) -> String {
    nearest(lost, path).unwrap_or_else(|| declared(lost))
}

/// The path of the list that was probably meant; empty for a result that itself is the list.
fn collection(tool: &Tool<'_>, root: &Place<'_>, lost: &Lost, path: &[Segment]) -> Option<String> {
    if lost.list {
        return Some(path.iter().take(lost.at).map(Segment::text).collect::<Vec<_>>().join("."));
    }
    if lost.at > 0 {
        return None;
    }
    let stated = tool.card.facts.collection.as_deref().filter(|collection| {
        let segments: Vec<Segment> = collection.split('.').map(|part| Segment::Name(part.to_owned())).collect();
        follow(root.clone(), &segments).is_ok_and(|(place, _)| place.is_list())
    });
    let first = || root.properties().into_iter().find(|name| root.property(name).is_some_and(|place| place.is_list()));
    stated.or_else(first).map(str::to_owned)
}

fn nearest(lost: &Lost, path: &[Segment]) -> Option<String> {
    near(path.get(lost.at)?.text(), lost.known.iter().map(String::as_str))
}

fn declared(lost: &Lost) -> String {
    if lost.known.is_empty() {
        "nothing is declared there: use a shorter path, or run the action and plan again with the value".to_owned()
    } else {
        format!("declared there are {}", list(lost.known.iter().map(String::as_str)))
    }
}
