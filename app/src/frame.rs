//! What stands around every page: top bar, menu, skip link. Without a session there is no menu, only the brand and the theme.

mod menu;
mod top;

use leptos::prelude::*;
use leptos_router::hooks::use_location;

use crate::data;
use crate::frame::menu::menu;
use crate::frame::top::top;

/// The frame; the page is put inside.
#[component]
pub fn Frame(children: Children) -> impl IntoView {
    let location = use_location();
    let path = location.pathname;
    // Asked anew on every page: signing in or out and rolling back all end on another page.
    let frame = Resource::new(move || path.get(), |_| data::frame());
    let sign_out = ServerAction::<data::SignOut>::new();
    close_drawer(path);
    let around = move || {
        frame.get().map(|given| {
            let given = given.ok();
            let may = given.as_ref().and_then(|given| given.signed_in.as_ref()).map(|signed_in| signed_in.may.clone());
            let version = given.as_ref().map(|given| given.version.clone());
            view! {
                {top(given, sign_out)}
                {may.map(|may| menu(path, &may, version))}
            }
        })
    };
    view! {
        // `external` leaves the jump, and with it the focus, to the browser.
        <a class="skip" href="#main" rel="external">
            "Skip to content"
        </a>
        <div class="shell">
            <Transition>{around}</Transition>
            <main class="main" id="main" tabindex="-1">
                <div class="page">{children()}</div>
            </main>
        </div>
    }
}

/// On a phone the menu is a drawer, and a link in it changes the page without loading one: taking the attribute away closes it.
fn close_drawer(path: Memo<String>) {
    Effect::new(move |_| {
        path.track();
        if let Some(drawer) = document().get_element_by_id(menu::ID) {
            // Where this fails the drawer stays open, and Esc closes it.
            let _ = drawer.remove_attribute("popover");
            let _ = drawer.set_attribute("popover", "auto");
        }
    });
}
