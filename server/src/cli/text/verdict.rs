//! A verdict as text: accepted or refused, each violation with its place and what to do.

use ambit_model::plan::{Verdict, VerdictWord};

use super::snapshots::counted;

/// The whole verdict.
pub(in crate::cli) fn verdict(verdict: &Verdict) -> String {
    let mut text = String::new();
    for violation in &verdict.violations {
        let code =
            serde_json::to_value(violation.code).ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default();
        text.push_str(&format!("{code} at {}\n  {}\n  help: {}\n", violation.at, violation.rule, violation.help));
    }
    if !verdict.needs_confirmation.is_empty() {
        text.push_str(&format!("needs a person's confirmation: {}\n", verdict.needs_confirmation.join(", ")));
    }
    let last = match verdict.verdict {
        VerdictWord::Accepted => format!("accepted against snapshot {}", verdict.snapshot),
        VerdictWord::Refused => format!(
            "refused against snapshot {}: {}; sound by itself: {}",
            verdict.snapshot,
            counted(verdict.violations.len(), "violation"),
            if verdict.sound_prefix.is_empty() { "nothing".to_owned() } else { verdict.sound_prefix.join(", ") }
        ),
    };
    format!("{text}{last}\n")
}
