//! Commands that do what a page shows, to copy. One click selects the whole command, without a script.

use leptos::prelude::*;

use crate::parts::icon::{Icon, icon};

/// A command and what it is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// `CLI`, `curl`.
    pub label: &'static str,
    pub text: String,
}

impl Command {
    /// A command line of ours.
    pub fn line(text: impl Into<String>) -> Self {
        Self { label: "CLI", text: text.into() }
    }
}

/// A menu with the commands.
pub fn copy_as(commands: Vec<Command>) -> impl IntoView {
    let listed = commands
        .into_iter()
        .map(|command| {
            view! {
                <div>
                    <p class="label">{command.label}</p>
                    <code class="cmd" tabindex="0">
                        {command.text}
                    </code>
                </div>
            }
        })
        .collect_view();
    view! {
        <details class="menu">
            <summary class="btn">{icon(Icon::Command)} "Copy as"</summary>
            <div class="pop right pad wide stack">
                {listed} <p class="dim">
                    <small>"One click selects the whole command."</small>
                </p>
            </div>
        </details>
    }
}

/// A text as one word of a POSIX shell.
pub fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn a_quote_cannot_end_the_word() {
        assert_eq!(quoted("it's; rm $(x)"), r"'it'\''s; rm $(x)'");
    }
}
