//! A pinned digest holds a tool's definition still: if the file says something else, nobody reviewed it.

use ambit_model::codes;
use ambit_model::diagnostic::Severity;
use ambit_model::intake::Finding;

use super::Offer;

pub(super) fn check(offer: &Offer<'_>, findings: &mut Vec<Finding>) {
    let Some(pinned) = offer.declared.and_then(|d| d.digest.as_ref()) else { return };
    let found = offer.tool.definition_digest();
    if pinned.value == found.as_str() {
        return;
    }
    let mut finding = offer.finding(
        Severity::Error,
        codes::E_DRIFT,
        "",
        format!("the definition differs from its pinned digest `{}`", pinned.value),
        format!("review the change, then pin `{found}`"),
    );
    finding.place = Some(pinned.place.clone());
    findings.push(finding);
}
