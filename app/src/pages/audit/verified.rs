//! What looking through the whole chain found, as a note.

use ambit_model::codes::E_AUDIT;
use leptos::either::EitherOf3;
use leptos::prelude::*;

use crate::data::Verification;
use crate::parts::count::count;
use crate::parts::digest::digest;
use crate::parts::icon::{Icon, icon};
use crate::parts::note::plain_problem;

/// The note.
pub(crate) fn verified(found: Verification) -> impl IntoView {
    match found {
        Verification::Holds { entries, head } => {
            let entries = usize::try_from(entries).unwrap_or_default();
            let head = head.map(|head| view! { ", up to " {head.sequence} " " {digest(&head.short, &head.hash)} });
            EitherOf3::A(view! {
                <div class="note ok" role="status" id="verified">
                    {icon(Icon::Ok)} <p>"The chain holds: " {count(entries, "entry", "entries")} {head} "."</p>
                </div>
            })
        }
        Verification::Failed { problem } if problem.code() == E_AUDIT => EitherOf3::B(view! {
            <div class="note bad" role="alert" id="verified">
                {icon(Icon::Bad)}
                <p>
                    <b>"The chain is broken. "</b>
                    {problem.meaning()}
                    " "
                    <code>{problem.code()}</code>
                    " Which entry it is, "
                    <code>"ambit audit verify"</code>
                    " says on the server's machine."
                </p>
            </div>
        }),
        Verification::Failed { problem } => EitherOf3::C(plain_problem(&problem)),
    }
}
