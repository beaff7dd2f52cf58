//! Cedar by its own formatter, with that formatter's own width, so that policies look as they do everywhere else.

use std::str::FromStr as _;

use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;
use cedar_policy::PolicySet;
use cedar_policy_formatter::{Config, policies_str_to_pretty};
use miette::Diagnostic as _;

use super::{Formatted, left, settled};
use crate::authority::nests_too_deep;
use crate::source::SourceFile;

/// A file that Cedar cannot parse is left as it is, with what is wrong.
pub(super) fn format(file: &SourceFile) -> Formatted {
    // Both the parser and the printer recurse.
    if nests_too_deep(&file.text) {
        return left(file, "a policy nests too deep");
    }
    let policies = match PolicySet::from_str(&file.text) {
        Ok(policies) => policies,
        Err(errors) => {
            let diagnostics = errors.iter().map(|error| complaint(file, error)).collect();
            return Formatted { text: None, diagnostics };
        }
    };
    if policies.num_of_policies() == 0 && policies.num_of_templates() == 0 {
        // Comments alone: the printer would put an empty line above them.
        return Formatted { text: Some(file.text.clone()), diagnostics: Vec::new() };
    }
    let meaning = policies.to_json().ok();
    let print = |text: &str| policies_str_to_pretty(text, &Config::default()).map_err(|error| error.to_string());
    settled(file, print, |text| {
        meaning.is_some() && PolicySet::from_str(text).ok().and_then(|again| again.to_json().ok()) == meaning
    })
}

fn complaint(file: &SourceFile, error: &cedar_policy::ParseError) -> Diagnostic {
    let label = error.labels().and_then(|mut labels| labels.next());
    let place = label
        .as_ref()
        .map_or_else(|| file.whole(), |label| file.place(label.offset(), label.offset().saturating_add(label.len())));
    let problem = Diagnostic::error(codes::E_CEDAR, format!("not valid Cedar: {error}")).at(place);
    let expected = label.as_ref().and_then(|label| label.label()).map(str::to_owned);
    match error.help().map(|help| help.to_string()).or(expected) {
        Some(help) => problem.help(help),
        None => problem,
    }
}
