//! Rolling back: an old number becomes live again, with a reason. It needs no catalog, no network and no model.

use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;
use ambit_model::hidden::hides;
use ambit_model::snapshot::{Activation, ActivationKind, SnapshotRecord};

use crate::caller::{Administration, Caller};
use crate::store::{NewActivation, Store, StoreError};
use crate::{Error, clock, live};

/// What a rollback did.
pub struct RolledBack {
    pub from: i64,
    pub to: SnapshotRecord,
    pub activation: Activation,
}

/// Makes snapshot `number` live again. The snapshot is put together and checked first: a damaged one never becomes live.
/// Where `expected` is given and another snapshot is live by now, nothing changes.
pub async fn rollback_snapshot(
    caller: &Caller,
    store: &Store,
    number: i64,
    reason: &str,
    expected: Option<i64>,
) -> Result<RolledBack, Error> {
    caller.may(Administration::RollBack)?;
    if let Some(wrong) = wrong_with(reason) {
        let help = "say why, for whoever reads the list of activations, in one line";
        return Err(Error::Request(Box::new(Diagnostic::error(codes::E_REASON, wrong).help(help))));
    }
    let from = live::record(store).await?.ok_or(Error::NothingApplied)?;
    let to = store.record(number).await?;
    if expected.is_some_and(|expected| expected != from.number) {
        return Err(StoreError::Moved { expected, found: Some(from.number) }.into());
    }
    if from.number == number {
        return Err(Error::AlreadyLive { number });
    }
    live::load(store, &to).await?;
    let activation = NewActivation {
        snapshot: number,
        kind: ActivationKind::Rollback,
        at: clock::now(),
        by: caller.label(),
        reason: Some(reason.to_owned()),
    };
    let activation = store.activate(activation, Some(from.number)).await?;
    tracing::info!(from = from.number, to = number, by = activation.by, "rolled back");
    Ok(RolledBack { from: from.number, to, activation })
}

/// Longest reason, in characters.
const LONGEST_REASON: usize = 500;

/// A reason is one line that can be read: the list of activations is for ever.
fn wrong_with(reason: &str) -> Option<&'static str> {
    if !reason.chars().any(char::is_alphanumeric) {
        return Some("the reason is empty");
    }
    if reason.chars().any(hides) {
        return Some("the reason holds a line break or another character that cannot be seen");
    }
    (reason.chars().count() > LONGEST_REASON).then_some("the reason has more than 500 characters")
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
