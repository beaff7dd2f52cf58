//! A message in which backticks mark what somebody wrote: the marked parts are set as code.

use leptos::either::Either;
use leptos::prelude::*;

/// The message, as data: nothing in it is read as HTML.
pub fn words(message: &str) -> impl IntoView + use<> {
    // One mark alone marks nothing.
    let marked = message.matches('`').count().is_multiple_of(2);
    let parts: Vec<String> =
        if marked { message.split('`').map(str::to_owned).collect() } else { vec![message.to_owned()] };
    parts
        .into_iter()
        .enumerate()
        .map(|(at, part)| if at % 2 == 1 { Either::Right(view! { <code>{part}</code> }) } else { Either::Left(part) })
        .collect_view()
}
