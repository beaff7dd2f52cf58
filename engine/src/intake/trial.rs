//! How one tool would fare with another description: the rules that look at a tool alone, and self-retrieval among the tools that
//! were admitted. Nothing else of the workspace is compiled again, so it can be asked as often as somebody likes.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::card::ToolCard;
use ambit_model::declaration::Project;
use ambit_model::diagnostic::{Diagnostic, Place};
use ambit_model::facts::Origin;
use ambit_model::intake::{Fared, Finding};
use ambit_model::snapshot::Snapshot;
use globset::{GlobBuilder, GlobMatcher};

use super::alone::alone;
use super::retrieval::Kin;
use super::{Offer, RULES};
use crate::catalog::{Format, OfferedTool};
use crate::index::{IndexError, ProjectIndex, Vectors, card_texts};
use crate::resolve::declarations::{CatalogDeclaration, Located, ToolDeclaration, WrittenFacts};

/// The texts whose vectors a trial wants beside those of the snapshot.
pub fn texts(card: &ToolCard) -> Vec<String> {
    card_texts(card)
}

/// How this card fares among the tools of a snapshot, in place of the tool of its id where there is one. Of several projects that
/// list its catalog the one counts in which it fares worst.
pub fn fare(snapshot: &Snapshot, card: &ToolCard, vectors: &Vectors) -> Result<Fared, IndexError> {
    let mut fared = Fared { findings: judge(card), ..Fared::default() };
    let kin = Kin::new(&snapshot.twins, &snapshot.families);
    let listing = |project: &&Project| project.catalogs.iter().any(|id| id == card.id.catalog());
    for project in snapshot.projects.iter().filter(listing) {
        let in_project = |other: &&ToolCard| other.id != card.id && project.catalogs.iter().any(|id| id == other.id.catalog());
        let others = snapshot.tools.iter().filter(in_project).cloned();
        let index = ProjectIndex::build(others.chain([card.clone()]).collect())?;
        let alone = alone(&index, &card.id, vectors, &kin, &snapshot.settings)?;
        if alone.is_worse_than(&fared) {
            let findings = fared.findings.iter().filter(|finding| !is_of_retrieval(finding)).cloned();
            fared = Fared { findings: findings.chain(alone.findings).collect(), ..alone };
        }
    }
    fared.findings.sort();
    Ok(fared)
}

fn is_of_retrieval(finding: &Finding) -> bool {
    finding.code.ends_with("SELF_RETRIEVAL")
}

/// What the rules that need no other tool say of a card.
fn judge(card: &ToolCard) -> Vec<Finding> {
    let tool = offered(card);
    let nowhere = Place::default();
    let located = |value: &str| Located { value: value.to_owned(), place: nowhere.clone() };
    let catalog = CatalogDeclaration {
        id: located(card.id.catalog()),
        tenant: card.tenant.clone(),
        file: located(""),
        since: None,
        secrets: Vec::new(),
        trusted_annotations: Vec::new(),
        defaults: WrittenFacts::default(),
        tools: BTreeMap::new(),
        acknowledged: Vec::new(),
    };
    let reviewed = card.facts.effect.origin != Origin::Default;
    let declared = ToolDeclaration {
        facts: WrittenFacts { effect: reviewed.then_some(card.facts.effect.value), ..WrittenFacts::default() },
        description: None,
        examples: card.examples.iter().map(|example| located(example)).collect(),
        since: card.since.clone(),
        digest: None,
    };
    let offer = Offer { tool: &tool, catalog: &catalog, declared: Some(&declared) };
    let mut findings = Vec::new();
    for rule in RULES {
        rule(&offer, &mut findings);
    }
    for finding in &mut findings {
        finding.place = None;
    }
    findings
}

/// The card as a catalog would offer it.
fn offered(card: &ToolCard) -> OfferedTool {
    let text = |schema: &ambit_model::card::SchemaText| schema.0.clone();
    OfferedTool {
        catalog: card.id.catalog().to_owned(),
        position: 1,
        format: Format::Mcp,
        name: Some(card.id.name().to_owned()),
        title: card.title.clone(),
        description: Some(card.description.clone()),
        input_schema: Some(text(&card.input_schema)),
        output_schema: card.output_schema.as_ref().map(text),
        input_pointer: "/inputSchema".to_owned(),
        output_pointer: "/outputSchema".to_owned(),
        annotations: card.annotations.as_ref().map(text),
        extras: card.extras.iter().map(|(name, schema)| (name.clone(), text(schema))).collect(),
        meta: None,
        flaws: Vec::new(),
        place: Place::default(),
    }
}

/// Tools by their ids; `*` stays within one name.
pub fn tool_glob(written: &str) -> Result<GlobMatcher, Diagnostic> {
    let glob = GlobBuilder::new(written).literal_separator(true).build();
    glob.map(|glob| glob.compile_matcher()).map_err(|error| {
        Diagnostic::error(ambit_model::codes::E_VALUE, format!("`{written}` is not a glob: {}", error.kind()))
            .help("write `catalog/*`, `catalog/tool`, or `**` for every tool")
    })
}

/// The cards that a trial may be about: those that were admitted, and those that were refused and kept.
pub fn find<'c>(snapshot: &'c Snapshot, refused: &'c [ToolCard], tool: &str) -> Option<&'c ToolCard> {
    snapshot.tools.iter().chain(refused).find(|card| card.id.as_str() == tool)
}

/// Every id that a trial may name.
pub fn known<'c>(snapshot: &'c Snapshot, refused: &'c [ToolCard]) -> BTreeSet<&'c str> {
    snapshot.tools.iter().chain(refused).map(|card| card.id.as_str()).collect()
}
