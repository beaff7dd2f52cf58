//! A tool's id as people read it: the catalog dimmed, a chance to break the line after it.

use leptos::prelude::*;

/// `catalog/tool`.
pub fn tool(id: &str) -> impl IntoView + use<> {
    let (catalog, name) = match id.split_once('/') {
        Some((catalog, name)) => (format!("{catalog}/"), name.to_owned()),
        None => (String::new(), id.to_owned()),
    };
    view! {
        <span class="id">
            <span class="cat">{catalog}</span>
            <wbr />
            {name}
        </span>
    }
}
