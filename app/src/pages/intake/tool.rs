//! What intake found of one tool: each finding with the place that it means, marked in the definition; and the tool as a test case.

use std::collections::BTreeSet;

use ambit_model::card::ToolCard;
use ambit_model::diagnostic::Severity;
use ambit_model::intake::Fared;
use ambit_model::intake::Finding;
use ambit_service::intake::ToolIntake;
use ambit_service::trial::{LONGEST, Tried};
use leptos::either::Either;
use leptos::prelude::*;
use serde_json::{Value, json};

use crate::pages::clashes::pair_path;
use crate::pages::tools::card_path;
use crate::pages::{INTAKE, TOOL_INTAKE};
use crate::parts::anchor::anchors;
use crate::parts::command::{Command, copy_as, quoted};
use crate::parts::count::count;
use crate::parts::head::PageHead;
use crate::parts::icon::{Icon, classed_icon, tag};
use crate::parts::note::Empty;
use crate::parts::panel::Panel;
use crate::parts::tool::tool;
use crate::parts::words::words;

pub(super) fn tool_intake(found: ToolIntake, tried: Option<Tried>) -> impl IntoView {
    let ToolIntake { snapshot, tool: id, admitted, findings, clashes, card } = found;
    let open = findings.iter().filter(|finding| !finding.acknowledged).count();
    let standing = if admitted { "Admitted to" } else { "Refused by" };
    let sentence = format!("{standing} snapshot {snapshot}; {}.", count(open, "open finding", "open findings"));
    let try_it = format!("ambit intake try --tool {} --description {}", quoted(&id), quoted("…"));
    let definition = card.as_ref().map(definition);
    let case = definition.as_ref().map(|definition| case(definition, &findings));
    let pointers: BTreeSet<String> = findings.iter().map(|finding| as_mcp(&finding.pointer)).collect();
    let pairs = clashes.iter().filter(|clash| !clash.rival.is_empty());
    let pairs = pairs.map(|clash| {
        let other = if clash.tool == id { &clash.rival } else { &clash.tool };
        view! { <li class="line"><a href=pair_path(&clash.tool, &clash.rival)>"Clashes with " {tool(other)}</a></li> }
    });
    let pairs = pairs.collect_view();
    let card_link = admitted.then(|| view! { <a class="btn" href=card_path(&id)>"The card"</a> });
    view! {
        <PageHead title=id.clone() sentence=sentence above=INTAKE>
            {card_link}
            {copy_as(vec![Command::line(try_it)])}
        </PageHead>
        {listed(findings)}
        {card.as_ref().map(|card| try_box(card, tried))}
        <ul class="rows">{pairs}</ul>
        {definition.map(|definition| marked(&definition, &pointers))}
        {case.map(test_case)}
    }
}

fn listed(findings: Vec<Finding>) -> impl IntoView {
    let counted = count(findings.len(), "finding", "findings");
    let body = if findings.is_empty() {
        Either::Left(view! {
            <Empty of=Icon::Ok title="No finding">
                <span>"Every rule looked at it."</span>
            </Empty>
        })
    } else {
        let names: Vec<String> = findings.iter().map(|f| format!("{}{}", f.code, f.pointer)).collect();
        let ids = anchors("finding", names.iter().map(String::as_str));
        let rows = findings.into_iter().zip(ids).map(|(finding, id)| row(finding, id)).collect_view();
        Either::Right(view! { <ul class="rows">{rows}</ul> })
    };
    view! {
        <Panel id="findings" title="Findings" count=counted>
            {body}
        </Panel>
    }
}

fn row(finding: Finding, id: String) -> impl IntoView {
    let Finding { severity, code, pointer, message, remedy, acknowledged, .. } = finding;
    let grave = match severity {
        Severity::Error => tag("bad", Icon::Bad, "error"),
        Severity::Warning => tag("warn", Icon::Warn, "warning"),
        Severity::Note => tag("info", Icon::Info, "note"),
    };
    let place = (!pointer.is_empty()).then(|| view! { <a class="mono" href="#definition">{pointer.clone()}</a> });
    view! {
        <li class="line stack" id=id>
            <div class="row">
                {grave} <b class="mono">{code}</b> {place} {acknowledged.then(|| tag("plain", Icon::Ok, "acknowledged"))}
            </div>
            <p>{words(&message)}</p>
            <p class="sub">{words(&remedy)}</p>
        </li>
    }
}

/// A form that asks for the page again, and how the tool would fare; nothing is written.
fn try_box(card: &ToolCard, tried: Option<Tried>) -> impl IntoView + use<> {
    let text = tried.as_ref().map_or_else(|| card.description.clone(), |tried| tried.description.clone());
    let id = card.id.to_string();
    let outcome = tried.map(|Tried { before, after, .. }| {
        view! {
            <dl class="kv" id="outcome">
                <dt>"Before"</dt>
                <dd>{fared(&before)}</dd>
                <dt>"After"</dt>
                <dd>{fared(&after)}</dd>
            </dl>
            {after.findings.iter().map(|finding| view! { <p class="sub">{words(&format!("{}: {}", finding.code, finding.message))}</p> }).collect_view()}
        }
    });
    view! {
        <Panel id="try" title="Try another description">
            <form class="body stack" method="get" action=TOOL_INTAKE.path aria-label="Another description">
                <input type="hidden" name="tool" value=id />
                <label class="field">
                    <span>"Description"</span>
                    <textarea class="in" name="description" rows="4" maxlength=LONGEST required>
                        {text}
                    </textarea>
                </label>
                <div class="row">
                    <button class="btn primary" type="submit">
                        "Try it"
                    </button>
                    <span class="dim">"Nothing is written: what is good belongs into its Catalog, under `tools`."</span>
                </div>
                {outcome}
            </form>
        </Panel>
    }
}

fn fared(of: &Fared) -> String {
    let standing = if of.is_refused() { "refused" } else { "admitted" };
    let questions = match of.asked {
        0 => "it has no example questions".to_owned(),
        asked => format!("first for {} of {}", of.first, count(asked, "example question", "example questions")),
    };
    format!("{standing}; {questions}; {} of other tools taken", count(of.taken, "question", "questions"))
}

/// The definition as MCP has it, whatever it came as.
fn definition(card: &ToolCard) -> Value {
    let schema = |text: &str| serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()));
    let mut members = serde_json::Map::new();
    members.insert("name".to_owned(), json!(card.id.name()));
    if let Some(title) = &card.title {
        members.insert("title".to_owned(), json!(title));
    }
    members.insert("description".to_owned(), json!(card.description));
    members.insert("inputSchema".to_owned(), schema(&card.input_schema.0));
    for (name, text) in [("outputSchema", &card.output_schema), ("annotations", &card.annotations)] {
        if let Some(text) = text {
            members.insert(name.to_owned(), schema(&text.0));
        }
    }
    Value::Object(members)
}

/// The definition a member a line, with the places that findings point at marked.
fn marked(definition: &Value, pointers: &BTreeSet<String>) -> impl IntoView + use<> {
    let lines: Vec<_> = lines(definition)
        .into_iter()
        .map(|(pointer, text)| {
            if pointers.contains(&pointer) {
                Either::Left(view! { <mark>{text}</mark> "\n" })
            } else {
                Either::Right(format!("{text}\n"))
            }
        })
        .collect();
    view! {
        <Panel id="definition" title="The definition, as MCP has it">
            <pre class="code" tabindex="0">
                <code>{lines.into_iter().collect_view()}</code>
            </pre>
        </Panel>
    }
}

/// A pointer into a definition of any format as one into the same definition as MCP has it.
fn as_mcp(pointer: &str) -> String {
    let inner = pointer.strip_prefix("/function").unwrap_or(pointer);
    let spelled =
        [("/parameters", "/inputSchema"), ("/input_schema", "/inputSchema"), ("/output_schema", "/outputSchema")];
    let within = |member: &str| inner.strip_prefix(member).filter(|rest| rest.is_empty() || rest.starts_with('/'));
    let found = spelled.iter().find_map(|(member, ours)| Some(format!("{ours}{}", within(member)?)));
    found.unwrap_or_else(|| inner.to_owned())
}

/// Each line of the value's JSON, with the RFC 6901 pointer of what begins on it.
fn lines(value: &Value) -> Vec<(String, String)> {
    let mut out = Vec::new();
    write(value, "", "", "", 0, &mut out);
    out
}

fn write(value: &Value, pointer: &str, before: &str, after: &str, depth: usize, out: &mut Vec<(String, String)>) {
    let indent = "  ".repeat(depth);
    let (open, close, members): (char, char, Vec<(String, String, &Value)>) = match value {
        Value::Object(members) if !members.is_empty() => {
            let named = members.iter();
            let named =
                named.map(|(key, value)| (format!("{pointer}/{}", token(key)), format!("{}: ", json!(key)), value));
            ('{', '}', named.collect())
        }
        Value::Array(items) if !items.is_empty() => {
            let items = items.iter().enumerate();
            ('[', ']', items.map(|(at, value)| (format!("{pointer}/{at}"), String::new(), value)).collect())
        }
        plain => {
            out.push((pointer.to_owned(), format!("{indent}{before}{plain}{after}")));
            return;
        }
    };
    out.push((pointer.to_owned(), format!("{indent}{before}{open}")));
    let last = members.len().saturating_sub(1);
    for (at, (pointer, key, value)) in members.into_iter().enumerate() {
        write(value, &pointer, &key, if at < last { "," } else { "" }, depth + 1, out);
    }
    // The closing line begins nothing.
    out.push(("\u{0}".to_owned(), format!("{indent}{close}{after}")));
}

fn token(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// What to put into a repository of tests: the definition, and what intake has to say of it.
fn case(definition: &Value, findings: &[Finding]) -> String {
    let expected: Vec<Value> =
        findings.iter().map(|finding| json!({ "code": finding.code, "pointer": as_mcp(&finding.pointer) })).collect();
    serde_json::to_string_pretty(&json!({ "tools": [definition], "expected": expected })).unwrap_or_default()
}

fn test_case(text: String) -> impl IntoView {
    view! {
        <Panel id="case" title="As a test case">
            <details class="asdata">
                <summary>{classed_icon(Icon::Chevron, "i chev")} "A catalog of this tool alone, and the findings that it must give"</summary>
                <pre class="code" tabindex="0">
                    <code>{text}</code>
                </pre>
            </details>
        </Panel>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pointer_of_any_format_finds_its_place() {
        for (given, expected) in [
            ("/function/parameters/properties/id/type", "/inputSchema/properties/id/type"),
            ("/parameters", "/inputSchema"),
            ("/input_schema/type", "/inputSchema/type"),
            ("/inputSchema/type", "/inputSchema/type"),
            ("/function/description", "/description"),
            ("/parameters_of", "/parameters_of"),
            ("", ""),
        ] {
            assert_eq!(as_mcp(given), expected);
        }
    }

    #[test]
    fn every_line_knows_what_begins_on_it() {
        let value = json!({"a/b": {"c": [1, {"d": "x"}]}, "e": {}});
        let pointers: Vec<String> =
            lines(&value).into_iter().map(|(pointer, _)| pointer).filter(|p| p != "\u{0}").collect();
        assert_eq!(pointers, ["", "/a~1b", "/a~1b/c", "/a~1b/c/0", "/a~1b/c/1", "/a~1b/c/1/d", "/e"]);
        let text: String = lines(&value).into_iter().map(|(_, line)| line + "\n").collect();
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value, "{text}");
    }
}
