//! The tools that a principal may name, and what it may do with each.

use ambit_model::listed::{ListedFor, ListedTool, ToolList};
use ambit_model::overlay::BLOCKED;

use super::snapshots::counted;

/// Sorted by id.
pub(in crate::cli) fn list<D>(list: &ToolList<D>) -> String {
    let mut text = format!(
        "snapshot {} ({}), {} in {}\n\n",
        list.snapshot.number,
        list.snapshot.digest.short(),
        who(&list.asked_by),
        list.asked_by.project
    );
    if !list.asked_by.acting_by.is_empty() {
        text.push_str(&format!("acting by {}\n\n", list.asked_by.acting_by.join(", ")));
    }
    text.push_str("tool                                      effect       risk      may\n");
    for tool in &list.tools {
        text.push_str(&format!("{:<40}  {:<11}  {:<8}  {}\n", tool.id, tool.effect, tool.risk, may(tool)));
    }
    format!("{text}\n{}; `--tools-as mcp --format json` prints their definitions\n", counted(list.tools.len(), "tool"))
}

fn who(asked_by: &ListedFor) -> String {
    match &asked_by.acting_for {
        None => asked_by.principal.to_string(),
        Some(user) => format!("{} for {user}", asked_by.principal),
    }
}

fn may<D>(tool: &ListedTool<D>) -> &'static str {
    let blocked = tool.policies.route.iter().any(|policy| policy == BLOCKED);
    match (tool.route, tool.invoke, tool.needs_confirmation) {
        _ if blocked => "discover (blocked)",
        (_, true, false) => "discover, route, invoke",
        (_, true, true) => "discover, route, invoke with a confirmation",
        (true, false, _) => "discover, route",
        (false, false, _) => "discover",
    }
}
