//! A page's head: where it is, its one `<h1>`, its first sentence with the numbers, and what can be done.

use leptos::prelude::*;

use crate::pages::Page;

/// The head. The children are its actions.
#[component]
pub fn PageHead(
    #[prop(into)] title: String,
    #[prop(into)] sentence: String,
    /// The page above this one.
    #[prop(optional, into)]
    above: Option<Page>,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    view! {
        <header class="page-head">
            <div>
                {above.map(|page| crumbs(page, title.clone()))} <h1>{title.clone()}</h1> <p>{sentence}</p>
            </div>
            {children.map(|children| view! { <div class="actions">{children()}</div> })}
        </header>
    }
}

fn crumbs(above: Page, title: String) -> impl IntoView {
    view! {
        <nav aria-label="Breadcrumbs">
            <ol class="crumbs">
                <li>
                    <a href=above.path>{above.title}</a>
                </li>
                <li>{title}</li>
            </ol>
        </nav>
    }
}
