//! A policy by its id, with the link to its text.

use leptos::prelude::*;

use crate::parts::anchor::anchor;

/// The id of a policy's row on the Authority page.
pub fn policy_anchor(id: &str) -> String {
    anchor("policy", id)
}

/// The ids as links to their rows; `page` is the path of the Authority page, and empty on it.
pub fn policies(page: &'static str, ids: Vec<String>) -> impl IntoView {
    let one = |(at, id): (usize, String)| {
        let comma = (at > 0).then_some(", ");
        let row = format!("{page}#{}", policy_anchor(&id));
        view! {
            {comma}
            <a class="mono" href=row>
                {id}
            </a>
        }
    };
    ids.into_iter().enumerate().map(one).collect_view()
}
