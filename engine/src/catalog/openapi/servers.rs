//! The address an operation is served at, its own first, then its path's, then the document's.
//! Only where to call is kept; whether anybody may call there is the operator's to say in the Catalog document.

use serde_json::Value;

use super::Problem;
use super::operation::Found;
use super::place::below;
use super::reader::{Node, Reader};

/// The first server that is listed, its variables at their defaults.
pub(super) fn url(reader: &Reader<'_>, found: &Found<'_>, problems: &mut Vec<Problem>) -> Option<String> {
    let root = reader.root();
    let first = [&found.operation, &found.item, &root].into_iter().find_map(|owner| {
        let list = owner.get("servers")?;
        let value = list.value.as_array()?.first()?;
        Some(Node { value, pointer: below(&list.pointer, "0") })
    })?;
    let url = first.text("url")?;
    filled(url, &first)
        .map_err(|name| {
            let message = format!("the variable `{name}` of `{url}` has no default, and no address is kept");
            problems.push(Problem::warning(&first.pointer, message, "give the variable a `default`"));
        })
        .ok()
}

/// Every `{name}` replaced; the first that has no default is the error.
fn filled(url: &str, server: &Node<'_>) -> Result<String, String> {
    let mut out = String::with_capacity(url.len());
    let mut parts = url.split('{');
    out.push_str(parts.next().unwrap_or(""));
    for part in parts {
        let (name, rest) = part.split_once('}').ok_or_else(|| part.to_owned())?;
        let variable = server.value.get("variables").and_then(|variables| variables.get(name));
        match variable.and_then(|variable| variable.get("default")) {
            Some(Value::String(default)) => out.push_str(default),
            Some(Value::Number(default)) => out.push_str(&default.to_string()),
            _ => return Err(name.to_owned()),
        }
        out.push_str(rest);
    }
    Ok(out)
}
