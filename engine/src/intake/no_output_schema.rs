//! Whether a tool says what it returns: without that no later action of a plan may refer to its result.

use ambit_model::codes;
use ambit_model::diagnostic::Severity;
use ambit_model::intake::Finding;

use super::Offer;

pub(super) fn check(offer: &Offer<'_>, findings: &mut Vec<Finding>) {
    if offer.tool.name.is_some() && offer.tool.output_schema.is_none() {
        findings.push(offer.finding(
            Severity::Warning,
            codes::W_NO_OUTPUT_SCHEMA,
            &offer.tool.output_pointer,
            "there is no output schema, so no later action may refer to its result",
            "declare what the tool returns",
        ));
    }
}
