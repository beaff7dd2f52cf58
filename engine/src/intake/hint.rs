//! A hint of the source that cannot be taken as it is: its owner may mend it, and the operator may write the fact instead.
//! A hint gives nothing but facts to show, so a broken one refuses nothing.

use ambit_model::codes;
use ambit_model::diagnostic::Severity;
use ambit_model::intake::Finding;

use super::Offer;
use crate::catalog::hints;

pub(super) fn check(offer: &Offer<'_>, findings: &mut Vec<Finding>) {
    let Some(meta) = &offer.tool.meta else { return };
    for note in hints::read(meta).notes {
        findings.push(offer.finding(
            Severity::Warning,
            codes::W_HINT,
            note.pointer,
            note.message,
            "mend the hint where the tool comes from, or write the fact for it in its Catalog",
        ));
    }
}
