//! The form of the Route page, whom it routes for, and the commands that ask the same.

use leptos::either::Either;
use leptos::prelude::*;

use crate::data::Asker;
use crate::pages::ROUTE;
use crate::pages::route::Asked;
use crate::parts::command::{Command, quoted};
use crate::parts::count::count;
use crate::parts::icon::{Icon, icon};
use crate::parts::query::encoded;

/// The form; where the key routes for nobody, how to get one that does.
pub(crate) fn ask(asker: Option<Asker>, asked: &Asked, examples: Vec<String>) -> impl IntoView + use<> {
    match asker {
        Some(asker) => Either::Left(view! {
            {form(asker, asked)}
            {(!examples.is_empty()).then(|| listed(examples))}
        }),
        None => Either::Right(nobody()),
    }
}

fn form(asker: Asker, asked: &Asked) -> impl IntoView + use<> {
    view! {
        <form class="panel ask" method="get" action=ROUTE.path aria-label="Question">
            <label class="field q">
                <span>"Question"</span>
                {question(asked.question.clone())}
            </label>
            <label class="check">
                <input type="checkbox" name="strict" value="true" checked=asked.strict />
                <span>"Strict: of two near ties take the first"</span>
            </label>
            <button class="btn primary" type="submit">
                {icon(Icon::Route)}
                "Route"
            </button>
            <p class="for">
                "Routes for " <b class="mono">{asker.principal}</b> " in " <b class="mono">{asker.project}</b> ", among "
                {count(asker.routes, "tool", "tools")} "."
            </p>
        </form>
    }
}

/// The text as it was asked. SECURITY: Leptos 0.8 writes what is inside a `<textarea>` unescaped, so it is escaped here; in
/// the browser the property has the last word. Without a question there is no child, because an empty text has no node.
fn question(text: String) -> impl IntoView {
    const LIMIT: &str = "What shall be done?";
    if text.is_empty() {
        return Either::Left(view! { <textarea class="in" name="q" rows="2" required placeholder=LIMIT></textarea> });
    }
    let escaped = escaped(&text);
    Either::Right(view! {
        <textarea class="in" name="q" rows="2" required placeholder=LIMIT prop:value=text>
            {escaped}
        </textarea>
    })
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn listed(examples: Vec<String>) -> impl IntoView {
    let links = examples
        .into_iter()
        .map(|example| {
            let path = format!("{}?q={}", ROUTE.path, encoded(&example));
            view! {
                <li>
                    <a href=path>{example}</a>
                </li>
            }
        })
        .collect_view();
    view! {
        <section class="examples" aria-labelledby="h-examples">
            <h2 class="label" id="h-examples">
                "Questions to try"
            </h2>
            <ul>{links}</ul>
        </section>
    }
}

fn nobody() -> impl IntoView {
    view! {
        <div class="note info">
            {icon(Icon::Info)}
            <div class="stack">
                <p>"This key has no principal, so it routes for nobody. Make one that routes, and sign in with it:"</p>
                <code class="cmd" tabindex="0">
                    "ambit keys create --name NAME --as PRINCIPAL --project PROJECT"
                </code>
            </div>
        </div>
    }
}

/// The same question on the command line and over HTTP.
pub(crate) fn commands(asker: &Asker, asked: &Asked) -> Vec<Command> {
    let strict = if asked.strict { " --strict" } else { "" };
    let line = format!(
        "ambit route {} --as {} --project {} --explain{strict}",
        quoted(&asked.question),
        asker.principal,
        asker.project
    );
    let ambiguity = if asked.strict { "strict" } else { "advisory" };
    let body = serde_json::json!({"ambiguity": ambiguity, "question": asked.question}).to_string();
    let curl = format!(
        "curl -sS \"$AMBIT_URL/v1/route\" \\\n  -H \"Authorization: Bearer $AMBIT_KEY\" -H 'Content-Type: application/json' \\\n  -d {}",
        quoted(&body)
    );
    vec![Command::line(line), Command { label: "curl", text: curl }]
}

#[cfg(test)]
mod tests {
    use super::{commands, escaped};
    use crate::data::Asker;
    use crate::pages::route::Asked;

    #[test]
    fn a_question_cannot_leave_its_field() {
        assert_eq!(escaped("</textarea><b>&"), "&lt;/textarea&gt;&lt;b&gt;&amp;");
    }

    #[test]
    fn commands_ask_what_the_page_asked() {
        let asker = Asker { principal: "acme:user:ada".to_owned(), project: "acme/desk".to_owned(), routes: 3 };
        let asked = Asked { question: "It's \"late\"".to_owned(), strict: true };
        let texts: Vec<String> = commands(&asker, &asked).into_iter().map(|command| command.text).collect();
        let [line, curl] = texts.as_slice() else { panic!("two commands") };
        assert_eq!(line, r#"ambit route 'It'\''s "late"' --as acme:user:ada --project acme/desk --explain --strict"#);
        assert!(curl.ends_with(r#"-d '{"ambiguity":"strict","question":"It'\''s \"late\""}'"#), "{curl}");
    }
}
