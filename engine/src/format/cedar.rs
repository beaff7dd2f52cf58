//! Cedar by its own formatter, so that policies look as they do everywhere else; but a comment that an empty line sets apart from
//! what follows stays apart, as the head of a file is.

use std::str::FromStr as _;

use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;
use cedar_policy::PolicySet;
use cedar_policy_formatter::{Config, policies_str_to_pretty};
use miette::Diagnostic as _;

use super::{Formatted, left, settled};
use crate::authority::nests_too_deep;
use crate::source::SourceFile;

/// Columns of a line; in fewer, the formatter breaks lists that a person would not.
const WIDTH: usize = 100;

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
    let config = Config { line_width: WIDTH, ..Config::default() };
    let print = |text: &str| match policies_str_to_pretty(text, &config) {
        Ok(printed) => Ok(with_gaps(text, &printed)),
        Err(error) => Err(error.to_string()),
    };
    settled(file, print, |text| {
        meaning.is_some() && PolicySet::from_str(text).ok().and_then(|again| again.to_json().ok()) == meaning
    })
}

/// The printed text with an empty line after each comment that has one in the source.
fn with_gaps(source: &str, printed: &str) -> String {
    let mut remarks = source.lines().zip(source.lines().skip(1)).filter(|(line, _)| is_remark(line));
    let mut out = String::with_capacity(printed.len());
    let mut lines = printed.lines().peekable();
    while let Some(line) = lines.next() {
        out.push_str(line);
        out.push('\n');
        if !is_remark(line) {
            continue;
        }
        let mut ahead = remarks.clone();
        if let Some((_, next)) = ahead.find(|(remark, _)| remark.trim() == line.trim()) {
            remarks = ahead;
            let apart = next.trim().is_empty() && lines.peek().is_some_and(|next| !next.trim().is_empty());
            out.push_str(if apart { "\n" } else { "" });
        }
    }
    out
}

fn is_remark(line: &str) -> bool {
    line.trim_start().starts_with("//")
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
