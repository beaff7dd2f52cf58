//! Content that is HTML by the time it reaches the browser: the server makes it of the same parts as any page, and nothing of it
//! wants a script. So the bundle carries none of what makes it.

use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// Content that was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made(String);

impl Made {
    /// The HTML of a view. INVARIANT: texts of others are texts of the view, so they are escaped like everywhere.
    #[cfg(feature = "ssr")]
    pub fn of(view: impl IntoView) -> Self {
        Self(view.into_view().to_html())
    }
}

/// Shows it, without a box of its own.
pub fn made(content: Made) -> impl IntoView {
    view! { <div class="made" inner_html=content.0></div> }
}
