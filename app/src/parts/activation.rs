//! An activation as a sentence: who made which snapshot live, how and why.

use leptos::prelude::*;

use crate::data::ActivationRow;
use crate::parts::icon::Icon;
use crate::parts::snapshot::snapshot_path;

/// Applied or rolled back, by shape.
pub fn activation_icon(row: &ActivationRow) -> Icon {
    if row.kind == "rollback" { Icon::Undo } else { Icon::Snapshot }
}

/// `ann rolled back to snapshot 3: “the day before”`.
pub fn activation(row: &ActivationRow) -> impl IntoView + use<> {
    let verb = if row.kind == "rollback" { " rolled back to " } else { " applied " };
    let reason = row.reason.as_ref().map(|reason| format!(": “{reason}”"));
    view! {
        <span>
            <b>{row.by.clone()}</b>
            {verb}
            <a href=snapshot_path(row.snapshot)>"snapshot " {row.snapshot}</a>
            {reason}
        </span>
    }
}
