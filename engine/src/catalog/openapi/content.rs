//! Bodies: which of several media types is taken, and which response is the success.
//! One tool has one body and one output; JSON goes first.

use serde_json::{Map, Value, json};

use super::Problem;
use super::reader::{Node, Reader};
use super::schema::Schemas;

/// Statuses of success that count before the range and the default.
const BEST: [&str; 2] = ["200", "201"];

/// The body of a request.
pub(super) struct Body<'d> {
    pub(super) media_type: &'d str,
    pub(super) schema: Value,
    pub(super) required: bool,
}

/// The request's body, where the operation has one.
pub(super) fn body<'d>(
    reader: &Reader<'d>,
    operation: &Node<'d>,
    schemas: &mut Schemas<'_, 'd>,
) -> Result<Option<Body<'d>>, Box<Problem>> {
    let Some(body) = operation.get("requestBody") else { return Ok(None) };
    let body = reader.follow(body)?;
    let Some((media_type, content)) = chosen(&body, |_| true) else { return Ok(None) };
    let mut schema = match content.get("schema") {
        Some(schema) => schemas.inlined(schema)?,
        None => Value::Object(Map::new()),
    };
    describe(&mut schema, body.text("description"));
    Ok(Some(Body { media_type, schema, required: body.is_true("required") }))
}

/// The schema of the success response: 200, else 201, else another that is listed, else `2XX`, else the default.
pub(super) fn output<'d>(reader: &Reader<'d>, operation: &Node<'d>) -> Result<Option<Node<'d>>, Box<Problem>> {
    let responses = operation.members("responses");
    let success = |status: &str| status.len() == 3 && status.starts_with('2');
    let rank = |status: &str| match status {
        best if BEST.contains(&best) => 0,
        range if range.eq_ignore_ascii_case("2XX") => 2,
        "default" => 3,
        _ => 1,
    };
    let wanted = responses.into_iter().filter(|(status, _)| success(status) || *status == "default");
    let Some((_, response)) = wanted.min_by_key(|(status, _)| (rank(status), *status)) else { return Ok(None) };
    let response = reader.follow(response)?;
    let json = |media: &str| preference(media) <= ANY;
    Ok(chosen(&response, json).and_then(|(_, content)| content.get("schema")))
}

/// Puts a description on a schema that has none of its own.
pub(super) fn describe(schema: &mut Value, description: Option<&str>) {
    if let (Some(description), Some(object)) = (description, schema.as_object_mut()) {
        object.entry("description").or_insert_with(|| json!(description.trim_end()));
    }
}

/// The media type that is taken, and what stands under it.
pub(super) fn chosen<'d>(of: &Node<'d>, fits: impl Fn(&str) -> bool) -> Option<(&'d str, Node<'d>)> {
    let offered = of.members("content").into_iter().filter(|(media, _)| fits(media));
    offered.min_by_key(|(media, _)| (preference(media), *media))
}

/// A range that JSON is in.
const ANY: u8 = 2;

fn preference(media_type: &str) -> u8 {
    let bare = media_type.split(';').next().unwrap_or("").trim().to_ascii_lowercase();
    match bare.as_str() {
        "application/json" => 0,
        json if json.ends_with("+json") || json.ends_with("/json") => 1,
        "*/*" | "application/*" => ANY,
        "application/x-www-form-urlencoded" => 3,
        "multipart/form-data" => 4,
        _ => 5,
    }
}
