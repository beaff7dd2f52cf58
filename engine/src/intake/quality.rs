//! What a tool lacks without being wrong: examples, an output schema, a reviewed effect.

use ambit_model::codes;
use ambit_model::diagnostic::Severity;
use ambit_model::facts::Origin;
use ambit_model::intake::Finding;

use super::Offer;
use crate::catalog;

pub(super) fn check(offer: &Offer<'_>, findings: &mut Vec<Finding>) {
    if offer.tool.name.is_none() {
        return;
    }
    if offer.declared.is_none_or(|d| d.examples.is_empty()) {
        findings.push(offer.finding(
            Severity::Warning,
            codes::W_NO_EXAMPLES,
            "",
            "no example questions are declared, so self-retrieval is not checked",
            "write three to five `examples` in its Catalog, as users would ask",
        ));
    }
    if offer.tool.output_schema.is_none() {
        findings.push(offer.finding(
            Severity::Warning,
            codes::W_NO_OUTPUT_SCHEMA,
            &offer.tool.output_pointer,
            "there is no output schema, so no later action may refer to its result",
            "declare what the tool returns",
        ));
    }
    if catalog::effect(offer.tool, offer.declared, offer.catalog).origin == Origin::Default {
        findings.push(offer.finding(
            Severity::Warning,
            codes::W_EFFECT_UNREVIEWED,
            "",
            "nobody said what a call does, so it counts as `write`",
            "write `effect: read`, `write` or `destructive` in its Catalog",
        ));
    }
}
