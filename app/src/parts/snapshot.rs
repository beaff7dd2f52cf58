//! What pages say of a snapshot: its commit, and the links that compare it.

use leptos::prelude::*;

use crate::pages::DIFF;

/// The path of the page that compares two snapshots.
pub fn diff_path(from: i64, to: i64) -> String {
    format!("{}?from={from}&to={to}", DIFF.path)
}

/// The path of the page that rolls back to a snapshot.
pub fn rollback_path(number: i64) -> String {
    format!("/snapshots/{number}/rollback")
}

/// The row of a snapshot on the Snapshots page.
pub fn snapshot_path(number: i64) -> String {
    format!("/snapshots#s-{number}")
}

/// A commit by its first seven digits, the whole one on hover.
pub fn commit(of: Option<String>) -> impl IntoView {
    match of {
        Some(whole) => {
            let short: String = whole.chars().take(7).collect();
            view! {
                <span class="mono" title=whole>
                    {short}
                </span>
            }
            .into_any()
        }
        None => view! { <span class="dim">"none"</span> }.into_any(),
    }
}
