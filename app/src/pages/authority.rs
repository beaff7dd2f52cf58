//! The Authority page: who may do what in which project, why, by which policies, and how the policies' tests ended. What is asked
//! is the URL.

#[cfg(feature = "ssr")]
mod ask;
#[cfg(feature = "ssr")]
mod policies;
#[cfg(feature = "ssr")]
mod view;
#[cfg(feature = "ssr")]
mod why;

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;
use leptos_router::params::ParamsMap;

#[cfg(feature = "ssr")]
use crate::data::AuthorityPage;
use crate::data::{self, AskedAbout};
use crate::pages::AUTHORITY;
use crate::parts::loaded::loaded;
use crate::parts::made::made;
#[cfg(feature = "ssr")]
use crate::parts::{
    command::copy_as,
    count::count,
    head::PageHead,
    icon::{Icon, icon},
    made::Made,
    query::encoded,
    words::words,
};

/// What the URL asks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Asked {
    about: AskedAbout,
    /// A word of the view's filters.
    show: String,
    /// Of the view, from 1.
    page: usize,
}

impl Asked {
    /// Reads `as`, `for`, `project`, `tool`, `action`, `show` and `page`.
    fn read(query: &ParamsMap) -> Self {
        let text = |key: &str| query.get(key).unwrap_or_default().trim().to_owned();
        let about = AskedAbout {
            principal: text("as"),
            acting_for: text("for"),
            project: text("project"),
            tool: text("tool"),
            action: text("action"),
        };
        Self { about, show: text("show"), page: text("page").parse().unwrap_or(1) }
    }

    #[cfg(feature = "ssr")]
    fn path(&self) -> String {
        let page = if self.page > 1 { self.page.to_string() } else { String::new() };
        let AskedAbout { principal, acting_for, project, tool, action } = &self.about;
        let all = [
            ("as", principal),
            ("for", acting_for),
            ("project", project),
            ("tool", tool),
            ("action", action),
            ("show", &self.show),
            ("page", &page),
        ];
        let given = all.into_iter().filter(|(_, value)| !value.is_empty());
        let given: Vec<String> = given.map(|(name, value)| format!("{name}={}", encoded(value))).collect();
        if given.is_empty() { AUTHORITY.path.to_owned() } else { format!("{}?{}", AUTHORITY.path, given.join("&")) }
    }

    /// The same about one tool.
    #[cfg(feature = "ssr")]
    fn why(&self, tool: &str, action: &str) -> String {
        let about = AskedAbout { tool: tool.to_owned(), action: action.to_owned(), ..self.about.clone() };
        format!("{}#why", Self { about, ..self.clone() }.path())
    }
}

/// The page.
pub fn page() -> AnyView {
    let query = use_query_map();
    let asked = Memo::new(move |_| query.with(Asked::read));
    let answer = Resource::new(
        move || asked.get(),
        |Asked { about, show, page }| async move {
            let AskedAbout { principal, acting_for, project, tool, action } = about;
            data::authority(principal, acting_for, project, tool, action, show, page).await
        },
    );
    view! {
        <Title text=AUTHORITY.title />
        {loaded(AUTHORITY.title, answer, made)}
    }
    .into_any()
}

/// The content of the page, as it was asked.
#[cfg(feature = "ssr")]
pub(crate) fn content(page: AuthorityPage, show: String, number: usize) -> Made {
    let asked = Asked { about: page.asked.clone(), show, page: number };
    Made::of(found(page, asked))
}

#[cfg(feature = "ssr")]
fn found(page: AuthorityPage, asked: Asked) -> impl IntoView {
    let sentence = sentence(&page);
    let AuthorityPage { snapshot: _, principals, projects, asked: about, trouble, view, why, policies, tests } = page;
    let asked = Asked { about, ..asked };
    let commands = copy_as(ask::commands(&asked.about));
    view! {
        <PageHead title=AUTHORITY.title sentence=sentence>
            {commands}
        </PageHead>
        {ask::ask(&principals, &projects, &asked.about)}
        {trouble.into_iter().map(said).collect_view()}
        {why.map(why::why)}
        {view.map(|view| view::view(view, &asked))}
        {policies::policies(policies)}
        {policies::tests(tests)}
    }
}

#[cfg(feature = "ssr")]
fn sentence(page: &AuthorityPage) -> String {
    let untested = page.policies.iter().filter(|policy| !policy.marks.is_empty()).count();
    let failed = page.tests.iter().filter(|test| !test.passed).count();
    format!(
        "Snapshot {}: {}, {untested} of them worth a look; {}, {failed} failed. Who is asked about is asked of the live snapshot.",
        page.snapshot,
        count(page.policies.len(), "policy", "policies"),
        count(page.tests.len(), "test", "tests"),
    )
}

/// What kept a question from an answer.
#[cfg(feature = "ssr")]
fn said(says: String) -> impl IntoView {
    view! {
        <div class="note info" role="alert">
            {icon(Icon::Info)}
            <p>{words(&says)}</p>
        </div>
    }
}

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use super::*;

    #[test]
    fn a_path_asks_what_was_asked() {
        assert_eq!(Asked::default().path(), "/authority");
        let about = AskedAbout {
            principal: "acme:user:ada".to_owned(),
            project: "acme/desk".to_owned(),
            ..AskedAbout::default()
        };
        let asked = Asked { about, show: "invoke".to_owned(), page: 2 };
        assert_eq!(asked.path(), "/authority?as=acme%3Auser%3Aada&project=acme%2Fdesk&show=invoke&page=2");
        let why =
            "/authority?as=acme%3Auser%3Aada&project=acme%2Fdesk&tool=mail%2Fsend&action=route&show=invoke&page=2#why";
        assert_eq!(asked.why("mail/send", "route"), why);
    }
}
