//! The top bar: brand, the live snapshot, the theme, and who is signed in.

use ambit_model::administration::AdminAction;
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
    let (shape, says) = match signed_in.key {
        Some(_) => (Icon::Key, "Signed in with key "),
        None => (Icon::Person, "Signed in as "),
    };
    view! {
        <details class="menu">
            <summary class="btn ghost">
                {icon(shape)} <span class="sr">{says}</span> <span class="who">{signed_in.name.clone()}</span>
            </summary>
            <div class="pop right pad stack">
                {identity(signed_in)} <ActionForm action=sign_out>
                    <button class="btn" type="submit">
                        "Sign out"
                    </button>
                </ActionForm>
            </div>
        </details>
    }
}

fn identity(signed_in: SignedIn) -> impl IntoView {
    let SignedIn { name, key, issuer, principal, project, may } = signed_in;
    let may: Vec<&str> = may.into_iter().map(AdminAction::word).collect();
    let may = if may.is_empty() { "nothing, only route".to_owned() } else { may.join(", ") };
    let vouched = issuer.map(|issuer| {
        view! {
            <dt>"Signed in at"</dt>
            <dd>{issuer}</dd>
        }
    });
    view! {
        <dl class="kv">
            <dt>{if key.is_some() { "Key" } else { "Person" }}</dt>
            <dd>{name} " " {key.map(|id| view! { <span class="mono dim">{id}</span> })}</dd>
            {vouched}
            <dt>"Principal"</dt>
            <dd class="mono">{principal}</dd>
            <dt>"Project"</dt>
            <dd class="mono">{project.unwrap_or_else(|| "any".to_owned())}</dd>
            <dt>"Administers"</dt>
            <dd>{may}</dd>
        </dl>
    }
}
