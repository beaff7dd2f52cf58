//! Which draft a schema is written in that names none: what generators of schemas wrote for older drafts still arrives without its
//! `$schema`, such as lists of `items` (draft 7) and `exclusiveMinimum: true` (draft 4, OpenAPI 3.0).

use jsonschema::Draft;
use serde_json::Value;

/// An older draft by which the schema holds where it does not hold by 2020-12, the newest first. Nothing where it names its draft,
/// or 2020-12 is as good as any.
pub(crate) fn implied(schema: &Value) -> Option<Draft> {
    if schema.get("$schema").is_some() || jsonschema::draft202012::meta::is_valid(schema) {
        return None;
    }
    if jsonschema::draft7::meta::is_valid(schema) {
        return Some(Draft::Draft7);
    }
    jsonschema::draft4::meta::is_valid(schema).then_some(Draft::Draft4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(schema: &str, expected: Option<Draft>) {
        assert_eq!(implied(&serde_json::from_str(schema).unwrap()), expected, "for {schema}");
    }

    #[test]
    fn an_older_draft_is_told_by_what_only_it_allows() {
        check(r#"{"type": "object"}"#, None);
        check(r#"{"properties": {"pair": {"items": [{"type": "string"}, {"type": "number"}]}}}"#, Some(Draft::Draft7));
        check(r#"{"properties": {"n": {"minimum": 0, "exclusiveMinimum": true}}}"#, Some(Draft::Draft4));
        check(r#"{"$schema": "http://json-schema.org/draft-07/schema#", "items": [{}]}"#, None);
        check(r#"{"required": "name"}"#, None);
    }
}
