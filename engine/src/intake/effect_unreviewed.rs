//! Whether somebody said what a call of a tool does.

use ambit_model::codes;
use ambit_model::diagnostic::Severity;
use ambit_model::facts::Origin;
use ambit_model::intake::Finding;

use super::Offer;
use crate::catalog;

pub(super) fn check(offer: &Offer<'_>, findings: &mut Vec<Finding>) {
    let effect = catalog::effect(offer.tool, offer.declared, offer.catalog);
    if offer.tool.name.is_some() && effect.origin == Origin::Default {
        findings.push(offer.finding(
            Severity::Warning,
            codes::W_EFFECT_UNREVIEWED,
            "",
            "nobody said what a call does, so it counts as `write`",
            "write `effect: read`, `write` or `destructive` in its Catalog",
        ));
    }
}
