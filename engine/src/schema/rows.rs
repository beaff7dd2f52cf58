//! Where a result keeps its rows, and what a row holds: what facts are inferred from where the operator declared none.

use std::collections::BTreeSet;

use serde_json::Value;

use super::place::Place;

/// The path of the rows: `$` where the result is the list, else the property that is one. Among several, lists of objects come
/// first, then the order of names, so that the order of a file's keys says nothing.
pub fn collection(schema: &Value) -> Option<String> {
    let root = Place::root(schema);
    if root.is_list() {
        return Some("$".to_owned());
    }
    let lists = |name: &&str| root.property(name).is_some_and(|place| place.is_list());
    let of_objects = |name: &str| {
        let items = root.property(name).and_then(|place| place.items());
        items.is_some_and(|items| !items.properties().is_empty())
    };
    root.properties().into_iter().filter(lists).min_by_key(|name| (!of_objects(name), *name)).map(str::to_owned)
}

/// The names of a row's fields; of the result's own where it has no rows.
pub fn row_fields(schema: &Value, collection: Option<&str>) -> BTreeSet<String> {
    let root = Place::root(schema);
    let place = match collection {
        None => Some(root),
        Some("$") => root.items(),
        Some(path) => {
            path.split('.').try_fold(root, |place, name| place.property(name)).and_then(|place| place.items())
        }
    };
    place.map(|place| place.properties().into_iter().map(str::to_owned).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn rows_are_found_where_the_schema_has_them() {
        let wrapped = json!({"type": "object", "properties": {"total": {"type": "integer"}, "items": {"type": "array", "items":
            {"type": "object", "properties": {"id": {"type": "string"}, "name": {"type": "string"}}}}}});
        assert_eq!(collection(&wrapped).as_deref(), Some("items"));
        assert_eq!(row_fields(&wrapped, Some("items")), BTreeSet::from(["id".to_owned(), "name".to_owned()]));
        let bare = json!({"type": "array", "items": {"type": "object", "properties": {"code": {}}}});
        assert_eq!(collection(&bare).as_deref(), Some("$"));
        assert_eq!(row_fields(&bare, Some("$")), BTreeSet::from(["code".to_owned()]));
        let single = json!({"type": "object", "properties": {"id": {}}});
        assert_eq!(collection(&single), None);
        assert_eq!(row_fields(&single, None), BTreeSet::from(["id".to_owned()]));
    }
}
