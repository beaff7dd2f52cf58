//! Keywords of JSON Schema that lead to further schemas (2020-12, core, 10; `definitions` and `additionalItems` of earlier drafts).

/// Keywords that hold a list of schemas.
pub(crate) const LISTS: [&str; 4] = ["allOf", "anyOf", "oneOf", "prefixItems"];
/// Keywords whose members are schemas.
pub(crate) const MAPS: [&str; 5] = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];
/// Keywords that are a schema.
pub(crate) const SINGLE: [&str; 12] = [
    "items",
    "additionalProperties",
    "not",
    "if",
    "then",
    "else",
    "contains",
    "propertyNames",
    "unevaluatedItems",
    "unevaluatedProperties",
    "additionalItems",
    "contentSchema",
];
