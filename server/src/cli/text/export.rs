//! What an export could not say, for whoever reads the terminal while the definitions go to a file.

use std::collections::BTreeMap;

use ambit_model::export::ToolExport;

use super::snapshots::counted;

/// One line for each member that was left out, with how many tools had it.
pub(in crate::cli) fn notes(exported: &ToolExport) -> String {
    let mut left: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for dropped in &exported.dropped {
        left.entry((dropped.member.as_str(), dropped.why.as_str())).or_default().push(dropped.tool.as_str());
    }
    let mut text = String::new();
    for ((member, why), tools) in left {
        let first = tools.first().copied().unwrap_or("");
        let more = if tools.len() > 1 { format!(" and {} more", tools.len() - 1) } else { String::new() };
        text.push_str(&format!("note: `{member}` of `{first}`{more} is left out: {why}\n"));
    }
    let tools = counted(exported.names.len(), "tool");
    format!("{text}{tools} exported; `--format json` adds which tool is behind each name\n")
}
