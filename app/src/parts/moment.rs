//! A time: relative to read, absolute on hover. The server made both.

use leptos::prelude::*;

use crate::data::Moment;

/// `2 h ago`.
pub fn moment(given: &Moment) -> impl IntoView + use<> {
    view! {
        <time datetime=given.at.clone() title=given.at.clone()>
            {given.ago.clone()}
        </time>
    }
}
