//! The tools that a principal may name, and what it may do with each.

use ambit_model::key::Asker;
use ambit_model::listed::{ListedTool, ToolList};

use super::snapshots::counted;

/// Sorted by id.
pub(in crate::cli) fn list<D>(list: &ToolList<D>, asker: &Asker) -> String {
    let mut text = format!(
        "snapshot {} ({}), {} in {}\n\n",
        list.snapshot.number,
        list.snapshot.digest.short(),
        asker.principal,
        asker.project
    );
    text.push_str("tool                                      effect       risk      may\n");
    for tool in &list.tools {
        text.push_str(&format!("{:<40}  {:<11}  {:<8}  {}\n", tool.id, tool.effect, tool.risk, may(tool)));
    }
    format!("{text}\n{}; `--tools-as mcp --format json` prints their definitions\n", counted(list.tools.len(), "tool"))
}

fn may<D>(tool: &ListedTool<D>) -> &'static str {
    match (tool.route, tool.invoke, tool.needs_confirmation) {
        (_, true, false) => "discover, route, invoke",
        (_, true, true) => "discover, route, invoke with a confirmation",
        (true, false, _) => "discover, route",
        (false, false, _) => "discover",
    }
}
