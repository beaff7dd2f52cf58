//! A digest by its first digits; the whole one on hover.

use leptos::prelude::*;

/// `short` is what is read, `whole` what is meant.
pub fn digest(short: &str, whole: &str) -> impl IntoView + use<> {
    view! {
        <span class="digest" title=whole.to_owned()>
            {short.to_owned()}
        </span>
    }
}
