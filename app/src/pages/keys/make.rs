//! The form that makes a key, and the key, shown once. SECURITY: the key is a value of this page alone. It is never part of a
//! URL or of what the server renders, so a page without a script, which could only show it that way, has no form.

use leptos::either::Either;
use leptos::prelude::*;

use crate::data::{CreateKey, MadeKey};
use crate::parts::icon::{Icon, icon};
use crate::parts::note::plain_problem;
use crate::parts::panel::Panel;

/// The command that does the same.
pub(crate) const CREATE: &str = "ambit keys create --name NAME --as PRINCIPAL --project PROJECT --expires 90d";
/// How long a key may live; nothing: until it is revoked.
const SPANS: [(&str, &str); 6] = [
    ("90d", "in 90 days"),
    ("12h", "in 12 hours"),
    ("7d", "in 7 days"),
    ("30d", "in 30 days"),
    ("365d", "in 365 days"),
    ("", "never, until it is revoked"),
];
/// What the browser asks of a principal before it sends it.
const PRINCIPAL: &str = "[^:\\s]+:(user|agent|role):[^:\\s]+";

/// What the form needs to know.
#[derive(Clone, Copy)]
pub(crate) struct Making {
    pub(crate) create: ServerAction<CreateKey>,
    /// The page has a script, so it can show a key.
    alive: RwSignal<bool>,
}

impl Making {
    /// Alive once effects run, which they do in the browser only.
    pub(crate) fn new() -> Self {
        let alive = RwSignal::new(false);
        Effect::new(move |_| alive.set(true));
        Self { create: ServerAction::new(), alive }
    }
}

/// The form or, without a script, the command.
pub(crate) fn make(making: Making) -> impl IntoView {
    let Making { create, alive } = making;
    let result = move || {
        create.value().get().map(|answer| {
            let says = match answer {
                Ok(made) => Either::Left(shown_once(made)),
                Err(problem) => Either::Right(plain_problem(&problem)),
            };
            view! { <div class="body">{says}</div> }
        })
    };
    let body = move || if alive.get() { Either::Left(form(create)) } else { Either::Right(by_command()) };
    view! {
        <Panel id="make" title="Make a key">
            {result}
            {body}
        </Panel>
    }
}

fn shown_once(made: MadeKey) -> impl IntoView {
    let MadeKey { id, name, key } = made;
    view! {
        <div class="note info" role="status" id="made">
            {icon(Icon::Key)}
            <div class="stack">
                <p>
                    "This is the key of " <b>{name}</b> " (" <span class="mono">{id}</span>
                    "). Copy it now: it is shown this once. One click selects the whole key."
                </p>
                <code class="cmd" tabindex="0">
                    {key}
                </code>
            </div>
        </div>
    }
}

fn form(create: ServerAction<CreateKey>) -> impl IntoView {
    view! {
        <ActionForm action=create attr:class="body make">
            {field("Name, for people", "name", "who holds it", true, None)}
            {field("Principal", "principal", "acme:agent:bot", true, Some(PRINCIPAL))}
            {field("Project", "project", "any of the tenant's", false, None)}
            {field("Tools, as globs", "tools", "all, or crm/* mail/*", false, None)} <label class="field">
                <span>"Expires"</span>
                <select class="in" name="expires">
                    {spans()}
                </select>
            </label> <button class="btn primary" type="submit">
                {icon(Icon::Key)}
                "Make the key"
            </button>
        </ActionForm>
    }
}

fn field(
    label: &'static str,
    name: &'static str,
    example: &'static str,
    required: bool,
    pattern: Option<&'static str>,
) -> impl IntoView {
    view! {
        <label class="field">
            <span>{label}</span>
            <input
                class="in"
                name=name
                placeholder=example
                required=required
                pattern=pattern
                maxlength="500"
                autocomplete="off"
            />
        </label>
    }
}

fn spans() -> impl IntoView {
    SPANS.into_iter().map(|(span, words)| view! { <option value=span>{words}</option> }).collect_view()
}

fn by_command() -> impl IntoView {
    view! {
        <div class="body stack">
            <p class="sub">
                "A key is shown once. A page without JavaScript cannot show it without keeping it, so make one on the command line of the server's machine:"
            </p>
            <code class="cmd" tabindex="0">
                {CREATE}
            </code>
        </div>
    }
}
