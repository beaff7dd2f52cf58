//! Example questions that were proposed: the patch first, so that it can be applied as it stands.

use ambit_service::enrich::{DraftedBy, Enriched};

use super::snapshots::counted;
use crate::cli::diagnostics;

/// What could not be done, the patch, who drafted what where that is not plain, and a count.
pub(in crate::cli) fn report(enriched: &Enriched) -> String {
    let patch: String = enriched.changed.iter().map(|file| file.difference.as_str()).collect();
    let told = enriched.tools.iter().filter_map(|tool| {
        let why = tool.because.as_deref()?;
        Some(format!("{}: drafted by rules, because {why}\n", tool.tool))
    });
    let told: String = told.collect();
    let gap = |text: &str| if text.is_empty() { "" } else { "\n" };
    let last = last_line(enriched);
    format!("{}{patch}{}{told}{}{last}\n", diagnostics::render(&enriched.diagnostics), gap(&patch), gap(&told))
}

fn last_line(enriched: &Enriched) -> String {
    if enriched.tools.is_empty() {
        return "every tool that was asked for has examples".to_owned();
    }
    let examples: usize = enriched.tools.iter().map(|tool| tool.examples.len()).sum();
    let of = |by: DraftedBy| enriched.tools.iter().filter(|tool| tool.by == by).count();
    let by = [
        (DraftedBy::Rules, "by rules"),
        (DraftedBy::Model, "by the language model"),
        (DraftedBy::Kept, "kept from an earlier run"),
    ];
    let by: Vec<String> =
        by.into_iter().filter(|(by, _)| of(*by) > 0).map(|(by, words)| format!("{} {words}", of(by))).collect();
    let what =
        format!("{} for {} ({})", counted(examples, "example"), counted(enriched.tools.len(), "tool"), by.join(", "));
    let next = match (enriched.changed.is_empty(), enriched.written) {
        (true, _) => "nothing could be written",
        (false, true) => "written; review the lines marked `# proposed`",
        (false, false) => "`ambit enrich --write` writes them",
    };
    format!("{what}; {next}")
}
