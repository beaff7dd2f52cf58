//! What `ambit import` found and wrote, and what is left for a person to do.

use ambit_service::import::Imported;

use super::snapshots::counted;
use crate::cli::bundle::shown;
use crate::cli::diagnostics;

/// Names in a line.
const FEW: usize = 20;

/// Problems first; then the files, what changed, and the lines that the document lacks.
pub(in crate::cli) fn report(imported: &Imported, dry: bool) -> String {
    let problems = diagnostics::render(&imported.diagnostics);
    if let Some(count) = diagnostics::count(&imported.diagnostics).filter(|_| imported.written.is_empty()) {
        return format!("{problems}{}{count}; nothing was written\n", twice(imported));
    }
    let did = if dry { "would be written" } else { "written" };
    let files: String = imported.written.iter().map(|file| format!("  {file}\n")).collect();
    let files = if files.is_empty() { String::new() } else { format!("{did}:\n{files}") };
    format!("{problems}{files}{}{}\n{}\n", twice(imported), changes(imported), last(imported, dry))
}

fn last(imported: &Imported, dry: bool) -> String {
    let Imported { id, from, document, .. } = imported;
    let tools = counted(imported.tools, "tool");
    let what = match (imported.written.is_empty(), dry) {
        (true, _) => format!("{tools} of `{from}`, as `{id}` has them already"),
        (false, true) => format!("{tools} of `{from}` would be imported as `{id}`"),
        (false, false) => format!("{tools} of `{from}` imported as `{id}`"),
    };
    match imported.changes {
        Some(_) => format!("{what}; review the diff of `{}`, then `ambit check`", imported.catalog),
        None => format!("{what}; review `{document}`, list `{id}` in a Project, then `ambit check`"),
    }
}

fn twice(imported: &Imported) -> String {
    let line = |one: &ambit_service::import::Duplicate| {
        let how = if one.same { "the same, and stands once now" } else { "they differ, and intake will refuse them" };
        format!("defined {} times: {} ({}): {how}\n", one.places.len(), name(&one.tool), shown(&one.places, FEW))
    };
    imported.duplicates.iter().map(line).collect()
}

fn changes(imported: &Imported) -> String {
    let Some(changes) = &imported.changes else { return String::new() };
    let line = |what: &str, names: &[String]| {
        let names: Vec<String> = names.iter().map(|one| name(one)).collect();
        if names.is_empty() { String::new() } else { format!("{what}: {}\n", shown(&names, FEW)) }
    };
    let mut text =
        line("new", &changes.new) + &line("changed", &changes.changed) + &line("vanished", &changes.vanished);
    for one in &changes.drifted {
        let place = format!("{}:{}", one.place.file, one.place.line);
        text.push_str(&format!(
            "{place}: {} is not as it was pinned; review it, then pin `{}`\n",
            name(&one.tool),
            one.found
        ));
    }
    if !changes.lines.is_empty() {
        text.push_str(&format!("add to `{}`, below `tools:`:\n\n{}", imported.document, changes.lines));
    }
    text
}

/// In backticks, on one line.
fn name(tool: &str) -> String {
    format!("`{}`", tool.replace('\n', "\\n").replace('\t', "\\t"))
}
