//! What a call does to the world: the operator's word, else a trusted annotation, else the HTTP method, else `write` (DESIGN 3).
//! INVARIANT: what a catalog says of itself may narrow authority, never widen it.

use ambit_model::facts::{Effect, Origin, Sourced};
use serde_json::Value;

use super::{OfferedTool, hints};
use crate::resolve::declarations::{CatalogDeclaration, ImportedFormat, ToolDeclaration};
use crate::schema;

/// The member of `_meta` in which import keeps the HTTP request that a tool was made of.
const HTTP: &str = "ambit/http";

/// The operator's word for the tool itself, else what is said of it elsewhere; a proposal that nobody reviewed can only be graver than that.
pub fn effect(tool: &OfferedTool, declared: Option<&ToolDeclaration>, catalog: &CatalogDeclaration) -> Sourced<Effect> {
    if let Some(value) = declared.and_then(|tool| tool.facts.effect) {
        return Sourced { value, origin: Origin::Declared };
    }
    let held = undeclared(tool, catalog);
    match declared.and_then(|tool| tool.proposed_effect) {
        Some(value) if value > held.value => Sourced { value, origin: Origin::Declared },
        _ => held,
    }
}

/// Whatever graver effect the source admits to narrows what is said of it.
fn undeclared(tool: &OfferedTool, catalog: &CatalogDeclaration) -> Sourced<Effect> {
    let annotated = Annotated::of(tool);
    let trusts = |name: &str| catalog.trusted_annotations.iter().any(|t| t == name);
    let said = match (catalog.defaults.effect, annotated.read_only.filter(|_| trusts("readOnlyHint"))) {
        (Some(value), _) => Sourced { value, origin: Origin::CatalogDefault },
        (None, Some(true)) => Sourced { value: Effect::Read, origin: Origin::TrustedAnnotation },
        (None, Some(false)) => Sourced { value: Effect::Write, origin: Origin::TrustedAnnotation },
        (None, None) => of_method(tool, catalog),
    };
    let trusted = annotated.destructive.is_some() && trusts("destructiveHint");
    match annotated.admitted() {
        Some(value) if value > said.value && trusted => Sourced { value, origin: Origin::TrustedAnnotation },
        Some(value) if value > said.value => Sourced { value, origin: Origin::Admitted },
        _ => said,
    }
}

/// GET and HEAD are safe (RFC 9110, 9.2.1). Only where the operator's Catalog says that the file was made of an OpenAPI document
/// is it import's word, read off the document, and not the source's.
fn of_method(tool: &OfferedTool, catalog: &CatalogDeclaration) -> Sourced<Effect> {
    let imported = catalog.imported.as_ref().is_some_and(|imported| imported.format == ImportedFormat::OpenApi);
    let method = imported.then(|| method(tool)).flatten();
    let Some(method) = method else { return Sourced { value: Effect::Write, origin: Origin::Default } };
    let value = match method.as_str() {
        "GET" | "HEAD" => Effect::Read,
        "DELETE" => Effect::Destructive,
        _ => Effect::Write,
    };
    Sourced { value, origin: Origin::Method }
}

fn method(tool: &OfferedTool) -> Option<String> {
    let meta = hints::object(tool.meta.as_deref()?)?;
    meta.get(HTTP)?.get("method")?.as_str().map(str::to_ascii_uppercase)
}

/// MCP's annotations about effect, as the source gives them.
struct Annotated {
    read_only: Option<bool>,
    destructive: Option<bool>,
}

impl Annotated {
    fn of(tool: &OfferedTool) -> Self {
        let annotations = tool.annotations.as_deref().map(schema::parse_text);
        let annotation = |name: &str| annotations.as_ref().and_then(|a| a.get(name)).and_then(Value::as_bool);
        Self { read_only: annotation("readOnlyHint"), destructive: annotation("destructiveHint") }
    }

    /// The gravest effect that the source admits to; a source that contradicts itself is taken at its worst. No trust is needed.
    fn admitted(&self) -> Option<Effect> {
        match (self.destructive, self.read_only) {
            (Some(true), _) => Some(Effect::Destructive),
            (_, Some(false)) => Some(Effect::Write),
            _ => None,
        }
    }
}
