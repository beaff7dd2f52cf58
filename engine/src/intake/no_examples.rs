//! Whether a tool has example questions: without them nobody asks whether it can be told apart.

use ambit_model::codes;
use ambit_model::diagnostic::Severity;
use ambit_model::intake::Finding;

use super::Offer;

pub(super) fn check(offer: &Offer<'_>, findings: &mut Vec<Finding>) {
    if offer.tool.name.is_some() && offer.declared.is_none_or(|declared| declared.examples.is_empty()) {
        findings.push(offer.finding(
            Severity::Warning,
            codes::W_NO_EXAMPLES,
            "",
            "no example questions are declared, so self-retrieval is not checked",
            "write about eight `examples` in its Catalog, as users would ask, or let `ambit enrich` propose some",
        ));
    }
}
