//! What is known of a tool: what the operator wrote, then what a trusted annotation says, then what its name and schemas show.
//! INVARIANT: what a catalog says of itself may narrow authority, never widen it.

use std::collections::BTreeMap;

use ambit_model::facts::{Effect, Facts, Operation, Origin, SourceKind, Sourced};

use super::{Format, OfferedTool};
use crate::resolve::declarations::{CatalogDeclaration, ToolDeclaration, WrittenFacts};
use crate::schema;
use crate::text;

/// Words of names that tell the operation: the first word of the name, else the last, else any (the word lists of the agent
/// capability planner's seed, writes added).
const OPERATION_WORDS: &[(Operation, &[&str])] = &[
    (Operation::Delete, &["delete", "remove", "purge", "cancel", "revoke", "destroy"]),
    (Operation::Create, &["create", "add", "insert", "new", "register", "open", "book", "generate"]),
    (
        Operation::Update,
        &["update", "edit", "modify", "change", "set", "assign", "close", "move", "rename", "patch", "reset"],
    ),
    (Operation::Send, &["send", "email", "post", "notify", "publish", "forward", "reply"]),
    (Operation::Search, &["search", "find", "lookup", "query"]),
    (Operation::List, &["list", "all", "index"]),
    (Operation::Detail, &["detail", "details", "show"]),
    (Operation::Get, &["get", "fetch", "retrieve", "read"]),
    (Operation::Summary, &["summary", "summarize", "overview", "aggregate", "stats", "statistics", "report"]),
    (Operation::Count, &["count", "total"]),
    (Operation::Check, &["check", "exists", "status", "verify", "validate"]),
    (Operation::Execute, &["run", "execute", "start", "stop", "trigger", "invoke"]),
];

/// Words of names that say nothing about the thing.
const NOISE: &[&str] = &["api", "mcp", "tool", "my", "by", "for", "with", "v1", "v2", "v3", "v4", "the", "to", "of"];

/// Row fields that usually identify a row.
const IDENTITY_FIELDS: &[&str] = &["id", "public_id", "uuid", "code", "number", "slug", "email"];

/// Everything known of a tool. `next` and `after` are left for `link`, which knows the other tools.
pub fn facts(tool: &OfferedTool, declared: Option<&ToolDeclaration>, catalog: &CatalogDeclaration) -> Facts {
    let none = WrittenFacts::default();
    let own = declared.map_or(&none, |d| &d.facts);
    let defaults = &catalog.defaults;
    let name = tool.name.as_deref().unwrap_or("");
    let effect = effect(tool, own, catalog);
    let operation = said(own.operation, defaults.operation).unwrap_or_else(|| inferred(infer_operation(name)));
    let entity = said(own.entity.clone(), defaults.entity.clone()).unwrap_or_else(|| inferred(infer_entity(name)));
    let risk = said(own.risk, defaults.risk)
        .unwrap_or(Sourced { value: effect.value.default_risk(), origin: Origin::Default });
    let outputs = tool.output_schema.as_deref().map(schema::parse_text);
    let collection = own.collection.clone().or_else(|| outputs.as_ref().and_then(schema::collection));
    let rows = outputs.as_ref().map(|o| schema::row_fields(o, collection.as_deref())).unwrap_or_default();
    let list = |own: &Option<Vec<String>>, default: &Option<Vec<String>>| own.clone().or_else(|| default.clone());
    Facts {
        source: own.source.or(defaults.source).unwrap_or(match tool.format {
            Format::Mcp => SourceKind::Mcp,
            Format::OpenAi | Format::Anthropic => SourceKind::Api,
        }),
        confirmation: own.confirmation.or(defaults.confirmation).unwrap_or(false),
        identity: list(&own.identity, &defaults.identity).unwrap_or_else(|| {
            IDENTITY_FIELDS.iter().filter(|f| rows.contains(**f)).map(|f| (*f).to_owned()).collect()
        }),
        requires: list(&own.requires, &defaults.requires).unwrap_or_default(),
        produces: list(&own.produces, &defaults.produces).unwrap_or_default(),
        next: Vec::new(),
        after: Vec::new(),
        intent_tags: Vec::new(),
        origins: BTreeMap::new(),
        entity,
        operation,
        effect,
        risk,
        collection,
    }
}

/// The operator's word for the tool; else its Catalog's default; else a trusted annotation; else `write`. Whatever graver effect
/// the source admits to narrows all but the first.
fn effect(tool: &OfferedTool, own: &WrittenFacts, catalog: &CatalogDeclaration) -> Sourced<Effect> {
    if let Some(value) = own.effect {
        return Sourced { value, origin: Origin::Declared };
    }
    let hints = Hints::of(tool);
    let trusts = |name: &str| catalog.trusted_annotations.iter().any(|t| t == name);
    let said = match (catalog.defaults.effect, hints.read_only.filter(|_| trusts("readOnlyHint"))) {
        (Some(value), _) => Sourced { value, origin: Origin::CatalogDefault },
        (None, Some(true)) => Sourced { value: Effect::Read, origin: Origin::TrustedAnnotation },
        (None, Some(false)) => Sourced { value: Effect::Write, origin: Origin::TrustedAnnotation },
        (None, None) => Sourced { value: Effect::Write, origin: Origin::Default },
    };
    let trusted = hints.destructive.is_some() && trusts("destructiveHint");
    match hints.admitted() {
        Some(value) if value > said.value && trusted => Sourced { value, origin: Origin::TrustedAnnotation },
        Some(value) if value > said.value => Sourced { value, origin: Origin::Admitted },
        _ => said,
    }
}

/// MCP's hints about effect, as the source gives them.
struct Hints {
    read_only: Option<bool>,
    destructive: Option<bool>,
}

impl Hints {
    fn of(tool: &OfferedTool) -> Self {
        let annotations = tool.annotations.as_deref().map(schema::parse_text);
        let hint = |name: &str| annotations.as_ref().and_then(|a| a.get(name)).and_then(serde_json::Value::as_bool);
        Self { read_only: hint("readOnlyHint"), destructive: hint("destructiveHint") }
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

fn said<T>(own: Option<T>, default: Option<T>) -> Option<Sourced<T>> {
    let own = own.map(|value| Sourced { value, origin: Origin::Declared });
    own.or_else(|| default.map(|value| Sourced { value, origin: Origin::CatalogDefault }))
}

fn inferred<T>(value: T) -> Sourced<T> {
    Sourced { value, origin: Origin::Inferred }
}

fn infer_operation(name: &str) -> Operation {
    let prose = text::name_as_prose(name);
    let words: Vec<&str> = prose.split(' ').collect();
    let told_by =
        |word: &&str| OPERATION_WORDS.iter().find(|(_, verbs)| verbs.contains(word)).map(|(operation, _)| *operation);
    let ends = words.first().into_iter().chain(words.last());
    ends.chain(&words).find_map(told_by).unwrap_or(Operation::Get)
}

/// What is left of the name without verbs and noise, at most three words; `data` where nothing is left.
fn infer_entity(name: &str) -> String {
    let prose = text::name_as_prose(name);
    let is_verb = |word: &str| OPERATION_WORDS.iter().any(|(_, verbs)| verbs.contains(&word));
    let left: Vec<&str> =
        prose.split(' ').filter(|w| !w.is_empty() && !is_verb(w) && !NOISE.contains(w)).take(3).collect();
    if left.is_empty() { "data".to_owned() } else { left.join("_") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operation_and_entity_are_read_off_the_name() {
        let check = |name: &str, operation: Operation, entity: &str| {
            assert_eq!((infer_operation(name), infer_entity(name).as_str()), (operation, entity), "for {name}");
        };
        check("orders.list", Operation::List, "orders");
        check("getUserProfile_v2", Operation::Get, "user_profile");
        check("delete", Operation::Delete, "data");
        check("search_open_tickets", Operation::Search, "tickets");
        check("reports.monthly.generate", Operation::Create, "reports_monthly");
    }
}
