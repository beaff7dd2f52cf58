//! A panel: a heading with its count, and what stands under it.

use leptos::prelude::*;

/// A section of a page that can be linked to.
#[component]
pub fn Panel(
    #[prop(into)] id: String,
    #[prop(into)] title: String,
    /// Stands behind the title, in support ink.
    #[prop(optional, into)]
    count: Option<String>,
    /// More classes, `c8`.
    #[prop(optional)]
    class: &'static str,
    /// At the right end of the head.
    #[prop(optional, into)]
    end: Option<AnyView>,
    children: Children,
) -> impl IntoView {
    let heading = format!("h-{id}");
    let labelled_by = heading.clone();
    view! {
        <section class=format!("panel {class}") id=id aria-labelledby=labelled_by>
            <header>
                <h2 id=heading>{title}</h2>
                {count.map(|count| view! { <span class="count">{count}</span> })}
                {end.map(|end| view! { <div class="end">{end}</div> })}
            </header>
            {children()}
        </section>
    }
}
