//! Policies that decide nothing: those that no request meets, and those that change no decision. Known by asking every policy about
//! every request that can be made of what is declared now; what is declared tomorrow may differ, and the messages say so.

mod asked;
mod bits;
mod idle;
mod reads;
mod says;
#[cfg(test)]
mod tests;
mod world;

use std::collections::BTreeMap;

use ambit_model::codes::N_LINTS_SKIPPED;
use ambit_model::diagnostic::Diagnostic;
use ambit_model::policies::Idle;

use cedar_policy::ActionConstraint;

use super::administer::ACT_FOR;
use super::check::CheckedPolicy;
use super::compile::Authority;

/// Most times that Cedar is asked about one policy: some seconds.
const MOST_ASKED: usize = 1_000_000;
/// Most decisions that are kept in mind at once, each of one principal about one thing: some fifty megabytes.
const MOST_CELLS: usize = 8_000_000;

/// How much is left to do before the search is given up.
pub(crate) struct Budget {
    asked: usize,
    cells: usize,
}

impl Budget {
    fn spend(&mut self, asked: usize) -> Result<(), TooMuch> {
        self.asked = self.asked.checked_sub(asked).ok_or(TooMuch::Asked)?;
        Ok(())
    }

    fn keep(&mut self, cells: usize) -> Result<(), TooMuch> {
        self.cells = self.cells.checked_sub(cells).ok_or(TooMuch::Cells)?;
        Ok(())
    }
}

/// Why a search was given up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TooMuch {
    Asked,
    Cells,
    /// A policy or an entity could not be made ready.
    Failed(String),
}

/// The operator's policies that decide nothing, by id, and what is said of them and of permits that are open to all. Where there is
/// too much to enumerate, a note says that it was not done.
pub(super) fn lint(authority: &Authority, policies: &[CheckedPolicy]) -> (BTreeMap<String, Idle>, Vec<Diagnostic>) {
    let mut diagnostics = says::written(authority, policies);
    let found = match idle::find(authority, Budget { asked: MOST_ASKED, cells: MOST_CELLS }) {
        Ok(mut found) => {
            found.retain(|id, _| !is_beyond(authority, id));
            found
        }
        Err(reason) => {
            diagnostics.push(skipped(&reason));
            return (BTreeMap::new(), diagnostics);
        }
    };
    diagnostics.extend(policies.iter().filter_map(|one| says::idle(authority, one, found.get(&one.policy.id)?)));
    (found.into_iter().map(|(id, found)| (id, found.idle())).collect(), diagnostics)
}

/// Enumeration does not see all that such a policy decides: it may be about acting for somebody, or look at what a principal holds
/// beside its scope, where claims can bring roles together. Then nothing is said of it.
fn is_beyond(authority: &Authority, id: &str) -> bool {
    let Some(policy) = authority.places.get(id).and_then(|at| authority.policies.get(*at)) else { return false };
    let act_for = authority.vocabulary.action_called(ACT_FOR);
    let of_acting = policy.action != ActionConstraint::Any && authority.meets_action(&policy.action, &act_for);
    let mapped = authority.tenants.values().any(|tenant| tenant.identity.iter().any(|of| of.roles.is_some()));
    let text = policy.policy.to_string();
    let conditions = [" when ", " unless ", "\nwhen", "\nunless"].iter().filter_map(|word| text.split_once(word));
    of_acting || (mapped && conditions.into_iter().any(|(_, conditions)| conditions.contains("principal")))
}

fn skipped(reason: &TooMuch) -> Diagnostic {
    let because = match reason {
        TooMuch::Asked => format!("more than {MOST_ASKED} questions would have to be asked"),
        TooMuch::Cells => format!("more than {MOST_CELLS} decisions would have to be compared"),
        TooMuch::Failed(cause) => cause.clone(),
    };
    Diagnostic::note(N_LINTS_SKIPPED, format!("policies were not searched for those that decide nothing: {because}"))
        .help("tools that policies cannot tell apart count once: fewer attributes and groups in conditions make fewer")
}
