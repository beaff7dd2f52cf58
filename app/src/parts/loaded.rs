//! A page's data: shown when it is there, and what went wrong where it is not. Both have the page's one heading.
//! Views are erased here: as one type, a page would take the compiler minutes.

use leptos::prelude::*;

use crate::parts::head::PageHead;
use crate::parts::note::problem_note;
use crate::problem::Problem;

/// What a page waits for.
pub type Answer<T> = Resource<Result<T, Problem>>;

/// Shows what came, or the problem under the page's title.
pub fn loaded<T, V>(title: &'static str, answer: Answer<T>, show: impl Fn(T) -> V + Send + 'static) -> AnyView
where
    T: Clone + Send + Sync + 'static,
    V: IntoView + 'static,
{
    let shown = move || {
        answer.get().map(|answer| match answer {
            Ok(found) => show(found).into_any(),
            Err(problem) => failed(title, &problem).into_any(),
        })
    };
    // The fallback is seen only while the browser goes from page to page by itself.
    view! {
        <Transition fallback=move || {
            view! { <PageHead title=title sentence="Loading…" /> }
        }>{shown}</Transition>
    }
    .into_any()
}

fn failed(title: &'static str, problem: &Problem) -> impl IntoView + use<> {
    view! {
        <PageHead title=title sentence="This page has nothing to show you now." />
        {problem_note(problem)}
    }
}
