//! The Revoke page: first what the key is, then the form. A revoked key opens nothing again, and stays in the list.

use leptos::either::Either;
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_params_map;

use crate::data::{self, KeyRow, KeyState, RevokeKey};
use crate::pages::keys::rows::{expires, project, state, tools};
use crate::pages::{KEYS, REVOKE};
use crate::parts::command::{Command, copy_as};
use crate::parts::head::PageHead;
use crate::parts::icon::{Icon, icon};
use crate::parts::loaded::loaded;
use crate::parts::moment::moment;
use crate::parts::note::plain_problem;
use crate::parts::panel::Panel;
use crate::parts::query::encoded;

/// The path of the page that revokes a key.
pub fn revoke_path(id: &str) -> String {
    format!("{}/{}/revoke", KEYS.path, encoded(id))
}

/// The page. The id comes from the path.
pub fn page() -> AnyView {
    let path = use_params_map();
    let id = Memo::new(move |_| path.with(|path| path.get("id")).unwrap_or_default());
    let answer = Resource::new(move || id.get(), data::key);
    let action = ServerAction::<RevokeKey>::new();
    view! {
        <Title text=REVOKE.title />
        {loaded(REVOKE.title, answer, move |row| offered(row, action))}
    }
    .into_any()
}

fn offered(row: KeyRow, action: ServerAction<RevokeKey>) -> impl IntoView {
    let title = format!("{} {}", REVOKE.title, row.name);
    let problem = move || action.value().get().and_then(Result::err).map(|problem| plain_problem(&problem));
    let command = Command::line(format!("ambit keys revoke {}", row.id));
    let facts = facts(&row);
    let body = match (&row.state, &row.revoked) {
        (KeyState::Revoked, Some(at)) => Either::Left(view! {
            <div class="note info">
                {icon(Icon::Info)} <p>"This key was revoked " {moment(at)} ". It opens nothing."</p>
            </div>
        }),
        _ => Either::Right(form(&row, action)),
    };
    view! {
        <PageHead
            title=title
            sentence="It ends at its next request, with every session that was opened with it. That cannot be undone."
            above=KEYS
        >
            {copy_as(vec![command])}
        </PageHead>
        {problem}
        {facts}
        {body}
    }
}

fn facts(row: &KeyRow) -> impl IntoView + use<> {
    let body = view! {
        <dl class="body kv">
            <dt>"Id"</dt>
            <dd class="mono">{row.id.clone()}</dd>
            <dt>"Principal"</dt>
            <dd class="mono">{row.principal.clone()}</dd>
            <dt>"Project"</dt>
            <dd>{project(row)}</dd>
            <dt>"Tools"</dt>
            <dd>{tools(row)}</dd>
            <dt>"Made"</dt>
            <dd>{moment(&row.created)} " by " <span class="mono">{row.created_by.clone()}</span></dd>
            <dt>"Expires"</dt>
            <dd>{expires(row)}</dd>
        </dl>
    };
    view! {
        <Panel id="key" title="The key" end=state(row.state).into_any()>
            {body}
        </Panel>
    }
}

fn form(row: &KeyRow, action: ServerAction<RevokeKey>) -> impl IntoView + use<> {
    let own = row.own.then(|| {
        view! {
            <div class="note warn">
                {icon(Icon::Warn)} <p>"You are signed in with this key: your own session ends too."</p>
            </div>
        }
    });
    let (name, id) = (row.name.clone(), row.id.clone());
    view! {
        <Panel id="revoke" title="End it">
            <ActionForm action=action attr:class="body stack">
                {own} <input type="hidden" name="id" value=id /> <label class="check">
                    <input type="checkbox" name="confirm" value="yes" required />
                    <span>{format!("Whatever uses {name} shall be refused from now on")}</span>
                </label> <div>
                    <button class="btn danger" type="submit">
                        {icon(Icon::Bad)}
                        {format!("Revoke {name}")}
                    </button>
                </div>
            </ActionForm>
        </Panel>
    }
}
