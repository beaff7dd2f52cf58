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

/// The form, whom it routes for, and questions to try. Where what was asked is refused, the form is there all the same.
pub(crate) fn ask(
    asker: Option<Asker>,
    projects: Vec<String>,
    asked: &Asked,
    examples: Vec<String>,
) -> impl IntoView + use<> {
    let listed = (!examples.is_empty()).then(|| listed(examples, asked));
    let chosen = asker.as_ref().map_or_else(|| asked.project.clone(), |asker| asker.project.clone());
    view! {
        <form class="panel ask" method="get" action=ROUTE.path aria-label="Question">
            <label class="field q">
                <span>"Question"</span>
                {question(asked.question.clone())}
            </label>
            <label class="field">
                <span>"Project"</span>
                <select class="in" name="project">
                    {options(projects, &chosen)}
                </select>
            </label>
            <label class="field">
                <span>"For"</span>
                <input
                    class="in user"
                    name="for"
                    value=asked.acting_for.clone()
                    prop:value=asked.acting_for.clone()
                    maxlength="200"
                    autocomplete="off"
                    placeholder="nobody else"
                    title="A user for whom the question is asked, such as acme:user:ada"
                />
            </label>
            <label class="check">
                <input type="checkbox" name="strict" value="true" checked=asked.strict />
                <span>"Strict: of two near ties take the first"</span>
            </label>
            <button class="btn primary" type="submit">
                {icon(Icon::Route)}
                "Route"
            </button>
            {asker.map(routes_for)}
        </form>
        {listed}
    }
}

/// Both names: of who asks, and of whom it is for.
fn routes_for(asker: Asker) -> impl IntoView {
    let user = asker.acting_for.map(|user| view! { " acting for " <b class="mono">{user}</b> });
    view! {
        <p class="for">
            "Routes for " <b class="mono">{asker.principal}</b> {user} " in " <b class="mono">{asker.project}</b>
            ", among " {count(asker.routes, "tool", "tools")} "."
        </p>
    }
}

fn options(projects: Vec<String>, chosen: &str) -> impl IntoView + use<> {
    // What was asked for stays chosen, also where nothing may be used there.
    let unknown = (!chosen.is_empty() && !projects.iter().any(|project| project == chosen)).then(|| chosen.to_owned());
    projects
        .into_iter()
        .chain(unknown)
        .map(|project| {
            let is_chosen = project == chosen;
            let value = project.clone();
            view! {
                <option value=value selected=is_chosen>
                    {project}
                </option>
            }
        })
        .collect_view()
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

fn listed(examples: Vec<String>, asked: &Asked) -> impl IntoView + use<> {
    let where_and_for = [("project", &asked.project), ("for", &asked.acting_for)];
    let rest: String = where_and_for
        .into_iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| format!("&{name}={}", encoded(value)))
        .collect();
    let links = examples
        .into_iter()
        .map(|example| {
            let path = format!("{}?q={}{rest}", ROUTE.path, encoded(&example));
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

/// The same question on the command line and over HTTP.
pub(crate) fn commands(asker: &Asker, asked: &Asked) -> Vec<Command> {
    let strict = if asked.strict { " --strict" } else { "" };
    let user = asker.acting_for.as_ref().map(|user| format!(" --for {user}")).unwrap_or_default();
    let line = format!(
        "ambit route {} --as {}{user} --project {} --explain{strict}",
        quoted(&asked.question),
        asker.principal,
        asker.project
    );
    let mut body = serde_json::Map::new();
    body.insert("ambiguity".to_owned(), if asked.strict { "strict" } else { "advisory" }.into());
    if let Some(user) = &asker.acting_for {
        body.insert("for".to_owned(), user.as_str().into());
    }
    body.insert("project".to_owned(), asker.project.as_str().into());
    body.insert("question".to_owned(), asked.question.as_str().into());
    let curl = format!(
        "curl -sS \"$AMBIT_URL/v1/route\" \\\n  -H \"Authorization: Bearer $AMBIT_KEY\" -H 'Content-Type: application/json' \\\n  -d {}",
        quoted(&serde_json::Value::Object(body).to_string())
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
        let asker = Asker {
            principal: "acme:agent:bot".to_owned(),
            acting_for: Some("acme:user:ada".to_owned()),
            project: "acme/desk".to_owned(),
            routes: 3,
        };
        let asked = Asked { question: "It's \"late\"".to_owned(), strict: true, ..Asked::default() };
        let texts = |asker: &Asker| commands(asker, &asked).into_iter().map(|command| command.text).collect::<Vec<_>>();
        let both = texts(&asker);
        let [line, curl] = both.as_slice() else { panic!("two commands") };
        let expected = r#"ambit route 'It'\''s "late"' --as acme:agent:bot --for acme:user:ada --project acme/desk --explain --strict"#;
        assert_eq!(line, expected);
        let body =
            r#"-d '{"ambiguity":"strict","for":"acme:user:ada","project":"acme/desk","question":"It'\''s \"late\""}'"#;
        assert!(curl.ends_with(body), "{curl}");
        let alone = texts(&Asker { acting_for: None, ..asker });
        assert!(alone.iter().all(|text| !text.contains("acme:user:ada")), "{alone:?}");
    }
}
