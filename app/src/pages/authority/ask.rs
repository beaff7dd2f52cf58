//! The form of the Authority page: who, for whom, in which project; and which tool, where the question is why.

use ambit_model::declaration::Action;
use leptos::prelude::*;

use crate::data::AskedAbout;
use crate::pages::AUTHORITY;
use crate::parts::command::{Command, quoted};
use crate::parts::icon::{Icon, icon};
use crate::parts::query::encoded;

/// The form, with what was asked already chosen.
pub(super) fn ask(principals: &[String], projects: &[String], asked: &AskedAbout) -> impl IntoView + use<> {
    let actions = Action::ALL.map(|action| action.word().to_owned());
    let action = if asked.action.is_empty() { Action::Invoke.word() } else { asked.action.as_str() };
    view! {
        <form class="panel filter" method="get" action=AUTHORITY.path aria-label="Question">
            {select("as", "Principal", Some("choose one"), principals, &asked.principal)}
            {select("for", "Acting for", Some("nobody else"), principals, &asked.acting_for)}
            {select("project", "Project", Some("the first"), projects, &asked.project)}
            <label class="field">
                <span>"Why this tool"</span>
                <input
                    class="in"
                    name="tool"
                    value=asked.tool.clone()
                    prop:value=asked.tool.clone()
                    maxlength="200"
                    autocomplete="off"
                    placeholder="catalog/tool"
                />
            </label>
            {select("action", "Action", None, &actions, action)}
            <button class="btn primary" type="submit">
                {icon(Icon::Shield)}
                "Ask"
            </button>
        </form>
    }
}

fn select(
    name: &'static str,
    label: &'static str,
    none: Option<&'static str>,
    values: &[String],
    chosen: &str,
) -> impl IntoView + use<> {
    // What was asked for stays chosen, also where it is not known.
    let unknown = (!chosen.is_empty() && !values.iter().any(|value| value == chosen)).then(|| chosen.to_owned());
    let option = |value: &String| {
        view! {
            <option value=value.clone() selected=value == chosen>
                {value.clone()}
            </option>
        }
    };
    let listed = values.iter().chain(&unknown).map(option).collect_view();
    let none = none.map(|none| {
        view! {
            <option value="" selected=chosen.is_empty()>
                {none}
            </option>
        }
    });
    view! {
        <label class="field">
            <span>{label}</span>
            <select class="in" name=name>
                {none}
                {listed}
            </select>
        </label>
    }
}

/// The same on the command line and over HTTP.
pub(super) fn commands(asked: &AskedAbout) -> Vec<Command> {
    let AskedAbout { principal, acting_for, project, tool, action } = asked;
    let curl = |path: String| Command {
        label: "curl",
        text: format!("curl -sS \"$AMBIT_URL{path}\" -H \"Authorization: Bearer $AMBIT_KEY\""),
    };
    if principal.is_empty() {
        return vec![curl("/v1/principals".to_owned()), curl("/v1/policies".to_owned())];
    }
    let given = |option: &str, value: &String| {
        if value.is_empty() { String::new() } else { format!(" {option} {}", word(value)) }
    };
    let who = format!("{}{}{}", given("--as", principal), given("--for", acting_for), given("--project", project));
    let pairs = [("as", principal), ("for", acting_for), ("project", project), ("tool", tool)];
    let pairs = pairs.into_iter().filter(|(_, value)| !value.is_empty());
    let query = pairs.map(|(name, value)| format!("{name}={}", encoded(value))).collect::<Vec<_>>().join("&");
    if tool.is_empty() {
        return vec![Command::line(format!("ambit tools{who}")), curl(format!("/v1/view?{query}"))];
    }
    let line = format!("ambit why {}{who}{}", word(tool), given("--action", action));
    let action = if action.is_empty() { String::new() } else { format!("&action={}", encoded(action)) };
    vec![Command::line(line), curl(format!("/v1/why?{query}{action}"))]
}

/// A word of a shell as it is, where it needs no quotes.
fn word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, ':' | '/' | '-' | '_' | '.' | '@');
    if text.chars().all(plain) { text.to_owned() } else { quoted(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_ask_what_the_page_asked() {
        let check = |asked: &AskedAbout, expected: [&str; 2]| {
            let texts: Vec<String> = commands(asked).into_iter().map(|command| command.text).collect();
            let curl = format!("curl -sS \"$AMBIT_URL{}\" -H \"Authorization: Bearer $AMBIT_KEY\"", expected[1]);
            assert_eq!(texts, [expected[0], curl.as_str()]);
        };
        let mut asked = AskedAbout { principal: "acme:user:ada".to_owned(), ..AskedAbout::default() };
        check(&asked, ["ambit tools --as acme:user:ada", "/v1/view?as=acme%3Auser%3Aada"]);
        asked.project = "acme/desk".to_owned();
        asked.tool = "mail/it's".to_owned();
        asked.action = "route".to_owned();
        let line = r"ambit why 'mail/it'\''s' --as acme:user:ada --project acme/desk --action route";
        let path = "/v1/why?as=acme%3Auser%3Aada&project=acme%2Fdesk&tool=mail%2Fit%27s&action=route";
        check(&asked, [line, path]);
    }
}
