//! The Sign-in page: a key opens a session.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

use crate::data::SignIn;
use crate::pages::SIGN_IN;
use crate::parts::head::PageHead;
use crate::parts::note::plain_problem;

/// The page. Where the key is wrong it comes back and says so by code; the key itself is never written into a page.
pub fn page() -> AnyView {
    let query = use_query_map();
    let next = move || query.with(|query| query.get("next")).unwrap_or_else(|| "/".to_owned());
    let sign_in = ServerAction::<SignIn>::new();
    let problem = move || sign_in.value().get().and_then(Result::err).map(|problem| plain_problem(&problem));
    view! {
        <Title text=SIGN_IN.title />
        <div class="narrow stack">
            <PageHead title=SIGN_IN.title sentence="A key of this server opens a session." />
            {problem}
            <div class="panel">
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
            </div>
            <p class="sub">
                "The first admin key lies in the file " <code>".ambit/admin.key"</code>
                ", in the server's data folder. Whoever administers makes more with " <code>"ambit keys create"</code> "."
            </p>
        </div>
    }
    .into_any()
}
