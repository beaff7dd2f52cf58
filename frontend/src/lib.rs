//! Makes the pages that the server wrote alive in the browser.
#![cfg(target_arch = "wasm32")]
// The type of a page is as deep as its tree of elements.
#![recursion_limit = "512"]

use wasm_bindgen::prelude::wasm_bindgen;

/// Called by the script that the server puts on each page.
#[wasm_bindgen]
pub fn hydrate() {
    console_error_panic_hook::set_once();
    leptos::mount::hydrate_body(ambit_app::App);
}
