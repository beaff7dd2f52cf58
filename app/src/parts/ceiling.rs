//! A project's ceiling as a word in a box. Never green: more authority is a warning, not a success.

use leptos::prelude::*;

use crate::parts::icon::{Icon, tag};

/// `read_only`, `confirm_writes`, `open`; any other word as it is.
pub fn ceiling(word: &str) -> impl IntoView + use<> {
    let (class, shape) = match word {
        "read_only" => ("plain", Icon::Eye),
        "confirm_writes" => ("plain", Icon::Pencil),
        _ => ("warn", Icon::Warn),
    };
    tag(class, shape, word)
}
