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
        .map(|url| bare(&url))
        .map_err(|name| {
            let url = bare(url);
            let message = format!("the variable `{name}` of `{url}` has no default, and no address is kept");
            problems.push(Problem::warning(&first.pointer, message, "give the variable a `default`"));
        })
        .ok()
}

/// An address without user, password, query and fragment: there secrets stand, and what is kept of a document is read by many.
fn bare(url: &str) -> String {
    let url = url.split(['?', '#']).next().unwrap_or_default();
    // A browser takes one slash, none, and backslashes for the two of RFC 3986, 3.2.
    let slash = |c: char| matches!(c, '/' | '\\');
    let scheme =
        url.find(':').filter(|at| url.get(..*at).is_some_and(|scheme| !scheme.contains(slash))).map_or(0, |at| at + 1);
    let (scheme, rest) = url.split_at(scheme);
    let host = rest.trim_start_matches(slash);
    let slashes = rest.len() - host.len();
    if scheme.is_empty() && slashes < 2 {
        return url.to_owned();
    }
    let (authority, path) = host.split_at(host.find(slash).unwrap_or(host.len()));
    let authority = authority.rsplit('@').next().unwrap_or_default();
    format!("{scheme}{}{authority}{path}", rest.get(..slashes).unwrap_or_default())
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

#[cfg(test)]
mod tests {
    use super::bare;

    #[test]
    fn an_address_is_kept_without_what_may_be_a_secret_in_it() {
        for (url, expected) in [
            ("https://ada:hunter2@api.example:8443/v1/@me?key=hunter2#hunter2", "https://api.example:8443/v1/@me"),
            ("https://hunter2@a@api.example", "https://api.example"),
            ("//ada:hunter2@api.example/v1", "//api.example/v1"),
            ("https:/ada:hunter2@api.example", "https:/api.example"),
            ("https:\\\\ada:hunter2@api.example\\v1", "https:\\\\api.example\\v1"),
            ("https:ada:hunter2@api.example", "https:api.example"),
            ("https://api.example?u=a@b", "https://api.example"),
            ("/@me/v1?key=hunter2", "/@me/v1"),
            ("v1/a:b", "v1/a:b"),
            ("", ""),
        ] {
            assert_eq!(bare(url), expected, "{url}");
        }
    }
}
