//! A reason that a person gives for an act: one line that can be read, for it is kept for ever.

use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;
use ambit_model::hidden::is_plain_line;

use crate::Error;

/// Longest reason, in characters.
const LONGEST: usize = 500;

/// Refuses what is no reason.
pub(crate) fn check(reason: &str) -> Result<(), Error> {
    let Some(wrong) = wrong_with(reason) else { return Ok(()) };
    let help = "say why, for whoever reads it later, in one line";
    Err(Error::Request(Box::new(Diagnostic::error(codes::E_REASON, wrong).help(help))))
}

fn wrong_with(reason: &str) -> Option<&'static str> {
    if !reason.chars().any(char::is_alphanumeric) {
        return Some("the reason is empty");
    }
    if !is_plain_line(reason) {
        return Some("the reason holds a line break or another character that cannot be seen");
    }
    (reason.chars().count() > LONGEST).then_some("the reason has more than 500 characters")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_one_line_that_can_be_read() {
        assert_eq!(wrong_with("the day before, läuft wieder"), None);
        for wrong in ["", " ", "…", "\u{200b}\u{202e}", "ok\n2026 apply", "ok\u{202e}", &"x".repeat(501)] {
            assert!(wrong_with(wrong).is_some(), "{wrong:?}");
        }
    }
}
