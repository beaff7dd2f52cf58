//! The Sign-in page: a key opens a session, and so does whoever the identity provider of a tenant vouches for.

use ambit_model::codes;
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

use crate::data::SignIn;
use crate::pages::SIGN_IN;
use crate::parts::head::PageHead;
use crate::parts::note::plain_problem;
use crate::parts::panel::Panel;
use crate::problem::Problem;

/// Where the way to an identity provider begins.
const WITH: &str = "/sign-in/with";

/// The page. Where the key is wrong it comes back and says so by code; the key itself is never written into a page.
pub fn page() -> AnyView {
    let query = use_query_map();
    let next = move || query.with(|query| query.get("next")).unwrap_or_else(|| "/".to_owned());
    let sign_in = ServerAction::<SignIn>::new();
    let problem = move || sign_in.value().get().and_then(Result::err).map(|problem| plain_problem(&problem));
    // Another server's word is not shown: only a code of the table is.
    let elsewhere = move || query.with(|query| query.get("problem")).as_deref().and_then(known);
    view! {
        <Title text=SIGN_IN.title />
        <div class="narrow stack">
            <PageHead title=SIGN_IN.title sentence="A key of this server, or your tenant's identity provider, opens a session." />
            {problem}
            {move || elsewhere().map(|problem| plain_problem(&problem))}
            {with_a_key(sign_in, next)}
            {with_a_provider(next)}
            <p class="sub">
                "The first key that was made lies in the file " <code>"admin.key"</code>
                " of the server's data folder, until somebody deletes it. Whoever manages keys makes more, on the Keys page or with "
                <code>"ambit keys create"</code> "."
            </p>
        </div>
    }
    .into_any()
}

fn known(code: &str) -> Option<Problem> {
    codes::find(code).map(|entry| Problem::new(entry.code))
}

fn with_a_key(
    sign_in: ServerAction<SignIn>,
    next: impl Fn() -> String + Copy + Send + Sync + 'static,
) -> impl IntoView {
    view! {
        <Panel id="with-a-key" title="With a key">
            <ActionForm action=sign_in attr:class="body stack">
                <input type="hidden" name="next" value=next />
                <label class="field">
                    <span>"Key"</span>
                    <input class="in" type="password" name="key" required autocomplete="current-password" />
                </label>
                <div>
                    <button class="btn primary" type="submit">
                        "Sign in"
                    </button>
                </div>
            </ActionForm>
        </Panel>
    }
}

/// A plain form: the server sends the browser on to the identity provider of the tenant.
fn with_a_provider(next: impl Fn() -> String + Copy + Send + Sync + 'static) -> impl IntoView {
    view! {
        <Panel id="with-a-provider" title="Sign in with your tenant's provider">
            <form class="body stack" method="get" action=WITH>
                <input type="hidden" name="next" value=next />
                <label class="field">
                    <span>"Tenant"</span>
                    <input class="in" name="tenant" required maxlength="64" autocomplete="organization" placeholder="acme" />
                </label>
                <div>
                    <button class="btn" type="submit">
                        "Continue"
                    </button>
                </div>
            </form>
        </Panel>
    }
}

#[cfg(test)]
mod tests {
    use super::known;

    #[test]
    fn only_a_code_of_the_table_is_a_problem() {
        assert_eq!(known("E_PROVIDER").map(|problem| problem.code()), Some("E_PROVIDER"));
        assert_eq!(known("Call 555 at once"), None);
    }
}
