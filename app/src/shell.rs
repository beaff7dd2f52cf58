//! The document around every page: what stands in `<head>`, and the theme that the person chose.
//! INVARIANT: no inline style and no inline script of ours, so that the server's content security policy can forbid both.

use leptos::config::LeptosOptions;
use leptos::hydration::HydrationScripts;
use leptos::prelude::*;
use leptos_meta::MetaTags;

use crate::App;

/// What the server knows when it writes a document.
#[derive(Clone)]
pub struct Shell {
    pub options: LeptosOptions,
    /// The browser bundle is there; without it the pages work all the same.
    pub bundle: bool,
    /// `light` or `dark`; nothing follows the system.
    pub theme: Option<&'static str>,
}

/// The whole document.
pub fn shell(given: Shell) -> impl IntoView {
    let Shell { options, bundle, theme } = given;
    view! {
        <!DOCTYPE html>
        <html lang="en" data-theme=theme>
            <head>
                <meta charset="utf-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1" />
                <link rel="icon" href="/static/icon.svg" type="image/svg+xml" />
                <link rel="stylesheet" href="/static/tokens.css" />
                <link rel="stylesheet" href="/static/ambit.css" />
                {bundle.then(|| view! { <HydrationScripts options=options /> })}
                <MetaTags />
            </head>
            <body>
                <App />
            </body>
        </html>
    }
}
