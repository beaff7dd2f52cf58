//! Repairs of a clash: how both tools fare now, then each proposal with what would come of it.

use ambit_model::repair::Standing;
use ambit_service::repair::{Proposal, Repairs};

use super::snapshots::counted;
use crate::cli::diagnostics;

/// The last line is a count and the next step.
pub(in crate::cli) fn report(repairs: &Repairs) -> String {
    let now: String = repairs
        .before
        .iter()
        .map(|standing| format!("{}: first for {} of {}\n", standing.tool, standing.first, standing.of))
        .collect();
    let proposals: String =
        repairs.proposals.iter().enumerate().map(|(n, one)| proposal(n + 1, one, &repairs.before)).collect();
    let addition = repairs.addition.as_ref().map(|words| format!("by hand: {words}\n\n")).unwrap_or_default();
    format!("{}{now}\n{proposals}{addition}{}\n", diagnostics::render(&repairs.diagnostics), last_line(repairs))
}

fn proposal(number: usize, proposal: &Proposal, before: &[Standing; 2]) -> String {
    let line = |(before, after): (&Standing, &Standing)| {
        format!("   {}: first for {} -> {} of {}\n", after.tool, before.first, after.first, after.of)
    };
    let standings: String = before.iter().zip(&proposal.after).map(line).collect();
    let by_hand = diagnostics::render(&proposal.by_hand);
    format!("{number}) {}\n{standings}{}{by_hand}\n", proposal.kind.word(), proposal.differences.concat())
}

fn last_line(repairs: &Repairs) -> String {
    let asked: usize = repairs.before.iter().map(|standing| standing.of).sum();
    let clash = repairs.before.iter().any(|standing| standing.first < standing.of);
    match (repairs.proposals.len(), asked, clash) {
        (0, 0, _) => {
            "neither tool has example questions in a project that lists both: `ambit enrich` proposes some".to_owned()
        }
        (0, _, false) => "both tools come first for all their example questions: there is nothing to repair".to_owned(),
        (0, _, true) => {
            let declaration = if repairs.addition.is_some() { "extend what is declared, or " } else { "" };
            let tried = counted(repairs.tried, "repair");
            format!("{tried} tried, and none helps: {declaration}change the descriptions or the examples")
        }
        (helpful, _, _) if repairs.written => {
            format!("{} of {} tried helps; the first is written", helpful, repairs.tried)
        }
        (helpful, _, _) => format!("{helpful} of {} tried would help; `--write` writes the first", repairs.tried),
    }
}
