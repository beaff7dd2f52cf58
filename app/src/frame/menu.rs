//! The menu: a column on the desk, the same `<nav popover>` as a drawer on a phone. Only pages that
//! exist, and that this visitor may open, are in it.

use std::collections::BTreeSet;

use ambit_model::administration::AdminAction;
use leptos::prelude::*;

use crate::frame::top::theme;
use crate::pages::{Page, menu_of};
use crate::parts::icon::{Icon, icon};

/// The menu's id, for the buttons that open and close it.
pub(crate) const ID: &str = "nav";

/// The menu, the current page marked.
pub(crate) fn menu(path: Memo<String>, may: &BTreeSet<AdminAction>, version: Option<String>) -> impl IntoView + use<> {
    let entries = menu_of(may).map(|page| entry(page, path)).collect_view();
    view! {
        <nav class="nav" id=ID popover="auto" aria-label="Main">
            <button
                class="btn ghost icon only-narrow close"
                type="button"
                popovertarget=ID
                popovertargetaction="hide"
                aria-label="Close menu"
            >
                {icon(Icon::Close)}
            </button>
            <ul>{entries}</ul>
            {theme("Theme (menu)")}
            <p class="foot">"Ambit " {version}</p>
        </nav>
    }
}

fn entry(page: Page, path: Memo<String>) -> impl IntoView {
    view! {
        <li>
            <a href=page.path aria-current=move || page.holds(&path.get()).then_some("page")>
                {icon(page.icon)}
                {page.title}
            </a>
        </li>
    }
}
