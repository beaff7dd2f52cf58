//! The plan validator: is this proposed plan allowed, and if not, everything that is wrong with it at once.
//! INVARIANT: a verdict depends on the plan, the snapshot's number, the view, and cards and blocks of tools that the view names; on
//! nothing else.

use crate::authority::View;
mod arguments;
mod dependencies;
mod explain;
mod items;
mod read;
mod reference;
mod references;
mod report;
mod shape;
mod sources;
#[cfg(test)]
mod tests;
mod tools;
mod undeclared;

use ambit_model::diagnostic::Diagnostic;
use ambit_model::overlay::Block;
use ambit_model::plan::{Verdict, VerdictWord};
use ambit_model::snapshot::Snapshot;

use report::{Report, below};
use shape::{Decision, Draft};
use sources::Scene;
use tools::Tool;

/// What a plan is judged against.
#[derive(Clone, Copy, Debug)]
pub struct PlanContext<'a> {
    /// The snapshot's number.
    pub snapshot: i64,
    pub snapshot_data: &'a Snapshot,
    pub view: &'a View,
    /// Those that took something away from the view, for what is said of them.
    pub blocks: &'a [Block],
}

/// The verdict on a plan as an agent wrote it. An error only where the text is not JSON, at its place in `<plan>`.
pub fn validate(plan_text: &str, context: &PlanContext<'_>) -> Result<Verdict, Box<Diagnostic>> {
    let mut report = Report::default();
    let document = read::read(plan_text, &mut report)?;
    if !document.complete {
        return Ok(verdict(&Draft::default(), &[], report, context));
    }
    let draft = shape::draft(&document, &mut report);
    let tools: Vec<Option<Tool<'_>>> =
        draft.actions.iter().map(|action| tools::tool(action, context, &mut report)).collect();
    dependencies::check(&draft, &mut report);
    dependencies::repeats(&draft, &mut report);
    let scene = Scene { draft: &draft, tools: &tools };
    for (index, tool) in tools.iter().enumerate() {
        references::check(&scene, index, &mut report);
        arguments(&draft, index, tool.as_ref(), &mut report);
    }
    Ok(verdict(&draft, &tools, report, context))
}

/// Arguments that were not read whole are not judged: what is missing from them is not the agent's omission.
fn arguments(draft: &Draft<'_>, index: usize, tool: Option<&Tool<'_>>, report: &mut Report) {
    let found = draft.actions.get(index).and_then(|action| Some((action, action.arguments?, tool?)));
    let Some((action, arguments, tool)) = found else { return };
    let at = below(&action.at, "arguments");
    if !arguments.contains_key("$from") && !report.unread(&at) {
        arguments::check(tool, arguments, &at, report);
    }
}

fn verdict(draft: &Draft<'_>, tools: &[Option<Tool<'_>>], mut report: Report, context: &PlanContext<'_>) -> Verdict {
    let sound_prefix = sound_prefix(draft, &report);
    let confirmed = draft.actions.iter().zip(tools).filter_map(|(action, tool)| {
        let capability = &tool.as_ref()?.capability;
        (capability.route && capability.needs_confirmation).then_some(action.id?.to_owned())
    });
    let needs_confirmation = confirmed.collect();
    let violations = report.sorted();
    let mut references = report.references;
    references.sort();
    Verdict {
        verdict: if violations.is_empty() { VerdictWord::Accepted } else { VerdictWord::Refused },
        snapshot: context.snapshot,
        view: context.view.digest.clone(),
        overlay: None,
        sound_prefix,
        needs_confirmation,
        references,
        unproved: report.unproved.into_iter().collect(),
        violations,
    }
}

/// Every check looks from an action only to earlier ones, so the actions before the first violation are sound alone.
/// A plan that does not clearly decide to call tools has no such prefix.
fn sound_prefix(draft: &Draft<'_>, report: &Report) -> Vec<String> {
    if draft.decision != Some(Decision::Tools) || report.lost("/decision") || report.lost("/actions") {
        return Vec::new();
    }
    let sound = draft.actions.iter().take(report.sound(draft.actions.len()));
    sound.filter_map(|action| action.id).map(str::to_owned).collect()
}
