//! The Audit page: who did what, newest first, and whether anything of it was changed since. What is shown is the URL.

mod rows;
mod verified;

use leptos::either::Either;
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;
use leptos_router::params::ParamsMap;

use crate::data::{self, AuditPage, HeadRow};
use crate::pages::AUDIT;
use crate::pages::audit::verified::verified;
use crate::parts::command::{Command, copy_as};
use crate::parts::digest::digest;
use crate::parts::head::PageHead;
use crate::parts::icon::{Icon, icon};
use crate::parts::loaded::loaded;
use crate::parts::note::Empty;

/// What the URL asks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Asked {
    before: Option<i64>,
    verify: bool,
}

impl Asked {
    /// Reads `before=12` and `verify=1`.
    fn read(query: &ParamsMap) -> Self {
        Self {
            before: query.get("before").and_then(|text| text.parse().ok()),
            verify: query.get("verify").is_some_and(|word| word == "1"),
        }
    }

    fn path(self) -> String {
        let before = self.before.map(|before| format!("before={before}"));
        let verify = self.verify.then(|| "verify=1".to_owned());
        let asked: Vec<String> = before.into_iter().chain(verify).collect();
        if asked.is_empty() { AUDIT.path.to_owned() } else { format!("{}?{}", AUDIT.path, asked.join("&")) }
    }
}

/// The path of the page that begins with this entry; it stays right, however many entries follow.
fn entry_path(sequence: i64) -> String {
    let from = Asked { before: Some(sequence.saturating_add(1)), verify: false };
    format!("{}#entry-{sequence}", from.path())
}

/// The page.
pub fn page() -> AnyView {
    let query = use_query_map();
    let asked = Memo::new(move |_| query.with(Asked::read));
    let answer = Resource::new(move || asked.get(), |asked| data::audit(asked.before, asked.verify));
    view! {
        <Title text=AUDIT.title />
        {loaded(AUDIT.title, answer, move |page| found(page, asked.get_untracked()))}
    }
    .into_any()
}

fn found(page: AuditPage, asked: Asked) -> impl IntoView {
    let AuditPage { entries, older, head, refused_today, verified: found } = page;
    let sentence = match (entries.first(), entries.last()) {
        (Some(newest), Some(oldest)) => {
            format!(
                "Entries {} down to {}. Each is chained to the one before it by its hash.",
                newest.sequence, oldest.sequence
            )
        }
        _ => "Each entry is chained to the one before it by its hash.".to_owned(),
    };
    // Only who reads the whole audit is told its head, and may verify it.
    let verify = head.as_ref().map(|_| verify(asked));
    let commands = commands(head.as_ref());
    let listed = if entries.is_empty() { Either::Left(nothing(asked)) } else { Either::Right(rows::entries(entries)) };
    view! {
        <PageHead title=AUDIT.title sentence=sentence>
            {copy_as(commands)}
            {verify}
        </PageHead>
        {found.map(verified)}
        {facts(head, refused_today)}
        {listed}
        {pages(asked, older)}
    }
}

fn verify(asked: Asked) -> impl IntoView {
    let path = Asked { verify: true, ..asked }.path();
    view! {
        <a class="btn" href=path>
            {icon(Icon::Ok)}
            "Verify"
        </a>
    }
}

fn commands(head: Option<&HeadRow>) -> Vec<Command> {
    let since = head.map(|head| Command::line(format!("ambit audit verify --since {}", head.hash)));
    [Some(Command::line("ambit audit")), since].into_iter().flatten().collect()
}

/// The head, for whoever keeps it elsewhere, and what is only counted.
fn facts(head: Option<HeadRow>, refused_today: Option<u64>) -> impl IntoView {
    let head = head.map(|head| {
        view! {
            <dt>"Head"</dt>
            <dd>
                <a href=entry_path(head.sequence)>{head.sequence}</a> " "
                <span id="head">{digest(&head.short, &head.hash)}</span>
                ", to be kept elsewhere: whoever has it can tell later that nothing before it was changed"
            </dd>
        }
    });
    let refused = refused_today.map(|number| {
        view! {
            <dt>"Refused today"</dt>
            <dd>
                <b id="refused-today">{number}</b>
                {if number == 1 { " request" } else { " requests" }}
                " without a caller, which are counted and not listed"
            </dd>
        }
    });
    (head.is_some() || refused.is_some()).then(|| view! { <dl class="kv">{head} {refused}</dl> })
}

fn nothing(asked: Asked) -> impl IntoView {
    let title = match asked.before {
        None => "Nothing was administered so far".to_owned(),
        Some(before) => format!("There is no entry before {before}"),
    };
    view! {
        <div class="panel">
            <Empty of=Icon::Ledger title=title>
                <span>"Applies, rollbacks, keys and what was denied are written down here."</span>
            </Empty>
        </div>
    }
}

fn pages(asked: Asked, older: Option<i64>) -> impl IntoView {
    let newest = asked.before.map(|_| view! { <a class="btn" href=AUDIT.path>"Newest"</a> });
    let older = older.map(|before| {
        let path = Asked { before: Some(before), verify: false }.path();
        view! { <a class="btn" href=path>"Older"</a> }
    });
    (newest.is_some() || older.is_some()).then(|| {
        view! {
            <nav class="row" aria-label="Pages of the audit">
                {newest} {older}
            </nav>
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{Asked, entry_path};

    #[test]
    fn a_path_asks_what_was_asked() {
        assert_eq!(Asked::default().path(), "/audit");
        assert_eq!(Asked { before: Some(12), verify: true }.path(), "/audit?before=12&verify=1");
        assert_eq!(entry_path(12), "/audit?before=13#entry-12");
    }
}
