//! What is known of a tool, each fact with where it came from: what the operator wrote, then what a trusted annotation or the HTTP
//! method says, then a hint of the source, then what its name and schemas show.

use std::collections::BTreeMap;

use ambit_model::card::ToolCard;
use ambit_model::facts::{Fact, Facts, Operation, Origin, SourceKind, Sourced};
use ambit_model::identity::ToolId;
use serde_json::Value;

use super::effect::effect;
use super::hints::{self, Hint};
use super::{Format, OfferedTool, inferred};
use crate::resolve::declarations::{CatalogDeclaration, ImportedFormat, ToolDeclaration, WrittenFacts};
use crate::schema;

/// Everything known of a tool. Declared `next` and `after` are left for `link`, which knows the other tools; a hint's `next` holds
/// whatever names it has, and those that are no tools are taken out when they are known.
pub fn facts(tool: &OfferedTool, declared: Option<&ToolDeclaration>, catalog: &CatalogDeclaration) -> Facts {
    let none = WrittenFacts::default();
    let sources = Sources::of(tool, declared.map_or(&none, |d| &d.facts), catalog);
    let Sources { hint, output, .. } = &sources;
    let effect = effect(tool, declared, catalog);
    let risk = sources.written(|f| &f.risk).unwrap_or_else(|| unsaid(effect.value.default_risk()));
    let entity = sources.entity();
    let source = sources.written(|f| &f.source).unwrap_or_else(|| guess(source(tool, catalog)));
    let confirmation = sources.written(|f| &f.confirmation).unwrap_or_else(|| unsaid(false));
    let collection = sources.collection();
    let identity = inferred::identity(output.as_ref(), collection.value.as_deref());
    let identity = sources.list(|f| &f.identity, &hint.identity, identity);
    let requires = sources.list(|f| &f.requires, &hint.requires, inferred::requires(sources.input.as_ref()));
    let produces = inferred::produces(output.as_ref(), &entity.value);
    let produces = sources.list(|f| &f.produces, &hint.produces, produces);
    let next = sources.next();
    let after = sources.written(|f| &f.after).map_or(Origin::Default, |after| after.origin);
    let intent_tags = hinted(filled(&hint.intent_tags)).unwrap_or_else(|| unsaid(Vec::new()));
    Facts {
        origins: BTreeMap::from([
            (Fact::Source, source.origin),
            (Fact::Confirmation, confirmation.origin),
            (Fact::Identity, identity.origin),
            (Fact::Collection, collection.origin),
            (Fact::Requires, requires.origin),
            (Fact::Produces, produces.origin),
            (Fact::Next, next.origin),
            (Fact::After, after),
            (Fact::IntentTags, intent_tags.origin),
        ]),
        source: source.value,
        confirmation: confirmation.value,
        identity: identity.value,
        collection: collection.value,
        requires: requires.value,
        produces: produces.value,
        next: next.value,
        after: Vec::new(),
        intent_tags: intent_tags.value,
        operation: sources.operation(),
        entity,
        effect,
        risk,
    }
}

/// The facts that ranking and chaining go by: the card's without a word of a hint, and of what a tool needs, makes and leads to
/// only what an operator declared. INVARIANT: they are the same whatever hint the source gives.
pub fn ranked_by(card: &ToolCard) -> Facts {
    let mut facts = card.facts.clone();
    if facts.entity.origin == Origin::Hint {
        facts.entity = guess(inferred::entity(card.id.name()));
    }
    if facts.operation.origin == Origin::Hint {
        facts.operation = guess(inferred::operation(card.id.name()));
    }
    infer_rows_again(card, &mut facts);
    let is_guess = |facts: &Facts, fact| !is_written(facts.origin(fact));
    if is_guess(&facts, Fact::Requires) {
        facts.requires.clear();
    }
    if is_guess(&facts, Fact::Produces) {
        facts.produces.clear();
    }
    if is_guess(&facts, Fact::Next) {
        facts.next.clear();
    }
    if is_guess(&facts, Fact::After) {
        facts.after.clear();
    }
    facts.intent_tags.clear();
    facts
}

/// Identity is inferred from the rows, so a hint about where they lie reaches it too.
fn infer_rows_again(card: &ToolCard, facts: &mut Facts) {
    let is_hint = |fact| facts.origin(fact) == Some(Origin::Hint);
    let (collection, identity) = (is_hint(Fact::Collection), is_hint(Fact::Identity));
    if !collection && !identity {
        return;
    }
    let output = card.output_schema.as_ref().map(schema::parse);
    if collection {
        facts.collection = output.as_ref().and_then(schema::collection);
    }
    if !is_written(facts.origin(Fact::Identity)) {
        facts.identity = inferred::identity(output.as_ref(), facts.collection.as_deref());
    }
}

/// An operator wrote it; or the card is older than origins, when nothing else filled these facts.
fn is_written(origin: Option<Origin>) -> bool {
    matches!(origin, None | Some(Origin::Declared | Origin::CatalogDefault))
}

/// Who says something of a tool, in the order in which they are believed: the operator, a hint, and what can be read off it.
struct Sources<'a> {
    tool: &'a OfferedTool,
    own: &'a WrittenFacts,
    defaults: &'a WrittenFacts,
    hint: Hint,
    input: Option<Value>,
    output: Option<Value>,
}

impl<'a> Sources<'a> {
    fn of(tool: &'a OfferedTool, own: &'a WrittenFacts, catalog: &'a CatalogDeclaration) -> Self {
        let schema = |text: &Option<String>| text.as_deref().map(schema::parse_text);
        Self {
            tool,
            own,
            defaults: &catalog.defaults,
            hint: tool.meta.as_deref().map(hints::read).unwrap_or_default(),
            input: schema(&tool.input_schema),
            output: schema(&tool.output_schema),
        }
    }

    /// The operator's word for the tool, else for its whole Catalog.
    fn written<T: Clone>(&self, fact: impl Fn(&WrittenFacts) -> &Option<T>) -> Option<Sourced<T>> {
        let said = |facts, origin| fact(facts).clone().map(|value| Sourced { value, origin });
        said(self.own, Origin::Declared).or_else(|| said(self.defaults, Origin::CatalogDefault))
    }

    fn name(&self) -> &str {
        self.tool.name.as_deref().unwrap_or("")
    }

    fn entity(&self) -> Sourced<String> {
        let said = self.written(|f| &f.entity).or_else(|| hinted(self.hint.entity.clone()));
        said.unwrap_or_else(|| guess(inferred::entity(self.name())))
    }

    fn operation(&self) -> Sourced<Operation> {
        let said = self.written(|f| &f.operation).or_else(|| hinted(self.hint.operation));
        said.unwrap_or_else(|| guess(inferred::operation(self.name())))
    }

    fn collection(&self) -> Sourced<Option<String>> {
        let said = self.written(|f| &f.collection).or_else(|| hinted(self.hint.collection.clone()));
        let said = said.or_else(|| self.output.as_ref().and_then(schema::collection).map(guess));
        said.map_or_else(|| unsaid(None), |said| Sourced { value: Some(said.value), origin: said.origin })
    }

    fn list(
        &self,
        fact: impl Fn(&WrittenFacts) -> &Option<Vec<String>>,
        hint: &[String],
        guessed: Vec<String>,
    ) -> Sourced<Vec<String>> {
        let said = self.written(fact).or_else(|| hinted(filled(hint)));
        said.or_else(|| filled(&guessed).map(guess)).unwrap_or_else(|| unsaid(Vec::new()))
    }

    /// The hint's names as ids of the same catalog, where the operator has no word; no tool leads to itself.
    fn next(&self) -> Sourced<Vec<ToolId>> {
        if let Some(said) = self.written(|f| &f.next) {
            return Sourced { value: Vec::new(), origin: said.origin };
        }
        let others = self.hint.next.iter().filter(|name| *name != self.name());
        let ids: Vec<ToolId> = others.map(|name| ToolId::new(&self.tool.catalog, name)).collect();
        hinted(filled(&ids)).unwrap_or_else(|| unsaid(Vec::new()))
    }
}

/// An OpenAPI document describes an API, whatever shape import wrote its tools in.
fn source(tool: &OfferedTool, catalog: &CatalogDeclaration) -> SourceKind {
    let of_api = catalog.imported.as_ref().is_some_and(|imported| imported.format == ImportedFormat::OpenApi);
    match tool.format {
        Format::Mcp if !of_api => SourceKind::Mcp,
        _ => SourceKind::Api,
    }
}

fn hinted<T>(value: Option<T>) -> Option<Sourced<T>> {
    value.map(|value| Sourced { value, origin: Origin::Hint })
}

fn guess<T>(value: T) -> Sourced<T> {
    Sourced { value, origin: Origin::Inferred }
}

fn unsaid<T>(value: T) -> Sourced<T> {
    Sourced { value, origin: Origin::Default }
}

fn filled<T: Clone>(list: &[T]) -> Option<Vec<T>> {
    (!list.is_empty()).then(|| list.to_vec())
}
