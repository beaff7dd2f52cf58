//! The effect that import proposes for a tool: a read only where its source or a clear verb says so, and nothing speaks against it.
//! It counts as soon as it is written, `check` counts what nobody reviewed, and it is the gravest that can be read off the definition.

use ambit_model::facts::Effect;

use crate::catalog::OfferedTool;
use crate::{schema, text};

/// Verbs that only read.
const READING: &[&str] = &[
    "browse", "count", "describe", "fetch", "find", "get", "inspect", "list", "lookup", "read", "retrieve", "search",
    "show", "view",
];

/// Methods that only read (RFC 9110, 9.2.1), as far as APIs are called with them.
const SAFE: &[&str] = &["GET", "HEAD"];

/// Verbs that take away what cannot be brought back.
const DESTROYING: &[&str] = &["delete", "destroy", "drop", "erase", "purge", "truncate", "wipe"];

/// Words beside which a reading verb does not say enough: `get_or_create`, `find_and_replace`.
const WRITING: &[&str] = &[
    "add", "approve", "archive", "assign", "book", "buy", "cancel", "change", "close", "confirm", "create", "deploy",
    "disable", "edit", "email", "enable", "exec", "execute", "forward", "grant", "import", "insert", "install",
    "invoke", "issue", "merge", "modify", "move", "notify", "order", "patch", "pay", "post", "publish", "put",
    "register", "reject", "remove", "rename", "replace", "reply", "reset", "restart", "revoke", "run", "save", "send",
    "set", "start", "stop", "submit", "sync", "transfer", "trigger", "update", "upload", "upsert", "write",
];

/// The proposal for a tool.
pub(super) fn propose(tool: &OfferedTool) -> Effect {
    let name = tool.name.as_deref().unwrap_or_default();
    let prose = text::name_as_prose(name).to_lowercase();
    let has = |words: &[&str]| prose.split(' ').any(|word| words.contains(&word));
    let method = method(tool);
    if hint(tool, "destructiveHint") == Some(true) || has(DESTROYING) || method.as_deref() == Some("DELETE") {
        return Effect::Destructive;
    }
    let by_method = method.map(|method| SAFE.contains(&method.as_str()));
    let says_read = hint(tool, "readOnlyHint").or(by_method).unwrap_or_else(|| verb_reads(name));
    if says_read && !has(WRITING) { Effect::Read } else { Effect::Write }
}

/// The verb stands first, or first after the last `.`, `/` or `:`, as in `orders.list`.
fn verb_reads(name: &str) -> bool {
    let last = name.rsplit(['.', '/', ':']).next().unwrap_or(name);
    let prose = text::name_as_prose(last).to_lowercase();
    prose.split(' ').find(|word| !word.is_empty()).is_some_and(|word| READING.contains(&word))
}

/// The HTTP method of an operation of OpenAPI, as its conversion says it.
fn method(tool: &OfferedTool) -> Option<String> {
    let meta = schema::parse_text(tool.meta.as_deref()?);
    meta.pointer("/ambit~1http/method")?.as_str().map(str::to_uppercase)
}

fn hint(tool: &OfferedTool, name: &str) -> Option<bool> {
    let annotations = schema::parse_text(tool.annotations.as_deref()?);
    annotations.get(name).and_then(serde_json::Value::as_bool)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog;
    use crate::source::SourceFile;

    #[track_caller]
    fn check(tool: serde_json::Value, expected: Effect) {
        let file = SourceFile { path: "c.json".into(), text: serde_json::json!([tool]).to_string() };
        let (tools, _) = catalog::read("c", &file);
        assert_eq!(tools.first().map(propose), Some(expected), "{tool}");
    }

    #[test]
    fn only_a_clear_verb_reads() {
        for (name, effect) in [
            ("orders.list", Effect::Read),
            ("getUserProfile_v2", Effect::Read),
            ("crm/search", Effect::Read),
            ("get_or_create_user", Effect::Write),
            ("shopping_list", Effect::Write),
            ("find_and_replace", Effect::Write),
            ("run_query", Effect::Write),
            ("check_in", Effect::Write),
            ("delete_user", Effect::Destructive),
            ("list_and_purge", Effect::Destructive),
            ("list_deleted_items", Effect::Read),
            ("", Effect::Write),
        ] {
            check(serde_json::json!({ "name": name }), effect);
        }
    }

    #[test]
    fn a_safe_method_reads() {
        let effect = |name: &str, method: &str| {
            let file = SourceFile { path: "c.json".into(), text: serde_json::json!([{ "name": name }]).to_string() };
            let mut tools = catalog::read("c", &file).0;
            tools[0].meta = Some(serde_json::json!({ "ambit/http": { "method": method } }).to_string());
            propose(&tools[0])
        };
        assert_eq!(effect("orders", "GET"), Effect::Read);
        assert_eq!(effect("list_orders", "POST"), Effect::Write);
        assert_eq!(effect("orders", "DELETE"), Effect::Destructive);
        assert_eq!(effect("cancel_order", "GET"), Effect::Write);
    }

    #[test]
    fn a_hint_reads_unless_the_name_speaks_against_it() {
        let tool = |name: &str, hints: serde_json::Value| serde_json::json!({ "name": name, "annotations": hints });
        check(tool("weather", serde_json::json!({ "readOnlyHint": true })), Effect::Read);
        check(tool("delete_all", serde_json::json!({ "readOnlyHint": true })), Effect::Destructive);
        check(tool("create_chart", serde_json::json!({ "readOnlyHint": true })), Effect::Write);
        check(tool("get_x", serde_json::json!({ "readOnlyHint": false })), Effect::Write);
        check(tool("get_x", serde_json::json!({ "destructiveHint": true })), Effect::Destructive);
        check(tool("weather", serde_json::json!({ "readOnlyHint": "yes" })), Effect::Write);
    }
}
