//! Whether a file with edits says what it said before and what was to be added: read as YAML, and compared value by value.

use serde_json::{Map, Value};

use super::{Addition, Edit, apply};
use crate::parse;
use crate::source::SourceFile;

/// What would go wrong, where something would.
pub(super) fn holds(file: &SourceFile, edits: &[Edit], additions: &[&Addition]) -> Result<(), &'static str> {
    if edits.is_empty() {
        return Ok(());
    }
    let after = SourceFile { path: file.path.clone(), text: apply(&file.text, edits) };
    let mut expected = parse::values(&file.text);
    for addition in additions {
        add(&mut expected, addition).ok_or("the key is written already, or would not be read as it was meant")?;
    }
    if parse::values(&after.text) != expected {
        return Err("something else in the file would change with it");
    }
    // A value that a Catalog does not take makes the whole document unreadable.
    if parse::bodies(&after).1.len() > parse::bodies(file).1.len() {
        return Err("the Catalog would not be read any more");
    }
    Ok(())
}

fn add(documents: &mut [Option<Value>], addition: &Addition) -> Option<()> {
    let is_meant = |document: &&mut Value| {
        let text = |key: &str| document.get(key).and_then(Value::as_str);
        text("kind") == Some("Catalog") && document.get("id").is_some_and(|id| as_text(id) == addition.catalog)
    };
    let document = documents.iter_mut().flatten().find(is_meant)?;
    let tools = member(document.as_object_mut()?, "tools")?;
    let tool = member(tools, &addition.tool)?;
    if addition.extends {
        let items =
            parse::values(&format!("{}:\n{}", addition.key, addition.lines.join("\n"))).into_iter().next().flatten()?;
        let more = items.get(&addition.key)?.as_array()?.clone();
        tool.get_mut(&addition.key)?.as_array_mut()?.extend(more);
        return Some(());
    }
    let mut value = parse::values(&addition.lines.join("\n")).into_iter().next().flatten()?;
    let value = value.get_mut(&addition.key)?.take();
    tool.insert(addition.key.clone(), value).is_none().then_some(())
}

/// An id of digits alone is a number to YAML, and a text to a declaration.
fn as_text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn member<'v>(object: &'v mut Map<String, Value>, key: &str) -> Option<&'v mut Map<String, Value>> {
    let value = object.entry(key).or_insert(Value::Null);
    if value.is_null() {
        *value = Value::Object(Map::new());
    }
    value.as_object_mut()
}
