//! The top bar: brand, the live snapshot, the theme, and who is signed in.

use leptos::prelude::*;
use leptos_router::hooks::use_location;

use crate::data::{Frame, Live, SignOut, SignedIn};
use crate::frame::menu;
use crate::pages::OVERVIEW;
use crate::parts::icon::{Icon, icon};
use crate::parts::moment::moment;
use crate::parts::snapshot::snapshot_path;

/// The bar; without a frame, or with nobody signed in, only brand and theme.
pub(crate) fn top(frame: Option<Frame>, sign_out: ServerAction<SignOut>) -> impl IntoView {
    let (live, signed_in) = frame.map_or((None, None), |frame| (frame.live, frame.signed_in));
    let opens_menu = signed_in.is_some().then(menu_button);
    view! {
        <header class="top">
            {opens_menu} {brand()} <span class="grow"></span> {live.map(live_chip)} {theme("Theme")}
            {signed_in.map(|signed_in| who(signed_in, sign_out))}
        </header>
    }
}

fn menu_button() -> impl IntoView {
    view! {
        <button class="btn ghost icon only-narrow" type="button" popovertarget=menu::ID aria-label="Menu">
            {icon(Icon::Menu)}
        </button>
    }
}

fn brand() -> impl IntoView {
    view! {
        <a class="brand" href=OVERVIEW.path aria-label="Ambit, overview">
            <svg
                viewBox="0 0 20 20"
                fill="none"
                stroke="currentColor"
                stroke-width="1.9"
                stroke-linecap="round"
                aria-hidden="true"
            >
                <path d="M16.6 13.4A7.6 7.6 0 1 1 17.6 9.6"></path>
                <path d="M10 6.2L13.4 13H6.6z" fill="currentColor" stroke="none"></path>
            </svg>
            <span>"Ambit"</span>
        </a>
    }
}

fn live_chip(live: Live) -> impl IntoView {
    view! {
        <a class="live" href=snapshot_path(live.number) title=format!("Live since {}", live.since.at)>
            <span class="dot" aria-hidden="true"></span>
            <span class="sr">"Live snapshot "</span>
            <b>{live.number}</b>
            <span class="digest">{live.digest}</span>
            <span class="age">{moment(&live.since)}</span>
        </a>
    }
}

/// The buttons of the theme. The server keeps the choice in a cookie and comes back to this page.
pub(crate) fn theme(label: &'static str) -> impl IntoView {
    let location = use_location();
    let here = move || format!("{}{}", location.pathname.get(), asked(&location.search.get()));
    let choices = [
        ("system", "System theme", Icon::Monitor),
        ("light", "Light theme", Icon::Sun),
        ("dark", "Dark theme", Icon::Moon),
    ];
    let buttons = choices
        .into_iter()
        .map(|(value, says, shape)| {
            view! {
                <button type="submit" name="theme" value=value title=says aria-label=says>
                    {icon(shape)}
                </button>
            }
        })
        .collect_view();
    view! {
        <form class="theme" method="post" action="/theme" aria-label=label>
            <input type="hidden" name="next" value=here />
            {buttons}
        </form>
    }
}

/// A query with its question mark; nothing where there is none.
fn asked(search: &str) -> String {
    match search.trim_start_matches('?') {
        "" => String::new(),
        search => format!("?{search}"),
    }
}

fn who(signed_in: SignedIn, sign_out: ServerAction<SignOut>) -> impl IntoView {
    let SignedIn { key, name, admin, principal, project } = signed_in;
    let routes_for = principal.map(|principal| match project {
        Some(project) => format!("{principal} in {project}"),
        None => principal,
    });
    view! {
        <details class="menu">
            <summary class="btn ghost">
                {icon(Icon::Key)} <span class="sr">"Signed in with key "</span> <span class="who">{name.clone()}</span>
            </summary>
            <div class="pop right pad stack">
                <dl class="kv">
                    <dt>"Key"</dt>
                    <dd>{name} " " <span class="mono dim">{key}</span></dd>
                    <dt>"May"</dt>
                    <dd>{if admin { "administer" } else { "route only" }}</dd>
                    <dt>"Routes for"</dt>
                    <dd class="mono">{routes_for.unwrap_or_else(|| "nobody".to_owned())}</dd>
                </dl>
                <ActionForm action=sign_out>
                    <button class="btn" type="submit">
                        "Sign out"
                    </button>
                </ActionForm>
            </div>
        </details>
    }
}
