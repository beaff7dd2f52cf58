//! How one tool would fare with another description: the rules that look at a tool alone, and self-retrieval among the tools that
//! were admitted. Nothing else of the workspace is compiled again, so it can be asked as often as somebody likes.

use std::collections::BTreeSet;

use ambit_model::card::ToolCard;
use ambit_model::declaration::Project;
use ambit_model::diagnostic::{Diagnostic, Place};
use ambit_model::digest::Digest;
use ambit_model::facts::Origin;
use ambit_model::intake::{Clash, Fared, Finding};
use ambit_model::snapshot::Snapshot;
use globset::GlobMatcher;

use super::retrieval::{self, Field, Kin, Winners};
use super::{Offer, RULES};
use crate::catalog::{Format, OfferedTool};
use crate::index::{IndexError, Vectors, card_texts};
use crate::resolve::declarations::{CatalogDeclaration, Located, ToolDeclaration, WrittenFacts};
use crate::resolve::tool_glob as tool_glob_of;

/// The texts whose vectors a trial wants beside those of the snapshot.
pub fn texts(card: &ToolCard) -> Vec<String> {
    card_texts(card)
}

/// How this card fares among the tools of a snapshot, in place of the tool of its id where there is one. `former` is what was kept
/// of an earlier compile.
pub fn fare(snapshot: &Snapshot, card: &ToolCard, vectors: &Vectors, former: &Winners) -> Result<Fared, IndexError> {
    let kin = Kin::new(&snapshot.twins, &snapshot.families);
    let listing = snapshot.projects.iter().filter(|project| lists(project, card));
    let field = |project: &Project| {
        let others = snapshot.tools.iter().filter(|other| other.id != card.id && lists(project, other));
        Field { project: project.id.clone(), cards: others.chain([card]).collect() }
    };
    let fields: Vec<Field<'_>> = listing.map(field).collect();
    let retrieved = retrieval::check(&fields, vectors, &kin, &snapshot.settings, former)?;
    let id = card.id.as_str();
    let mut findings = judge(card);
    findings.extend(retrieved.findings.into_iter().filter(|finding| finding.tool == id));
    findings.sort();
    let (lost, taken) = sides(&retrieved.clashes, id);
    let embedded = |example: &&String| vectors.get(&Digest::of(example.as_bytes())).is_some();
    let asked = if fields.is_empty() { 0 } else { card.examples.iter().filter(embedded).count() };
    let first = asked.saturating_sub(lost.iter().map(|(_, lost)| lost).sum());
    Ok(Fared { findings, asked, first, lost, taken })
}

fn lists(project: &Project, card: &ToolCard) -> bool {
    project.catalogs.iter().any(|id| id == card.id.catalog())
}

/// Who took how many of the tool's questions, most first, and how many it took of others.
fn sides(clashes: &[Clash], tool: &str) -> (Vec<(String, usize)>, usize) {
    let mut lost = Vec::new();
    let mut taken = 0;
    for clash in clashes {
        let (rival, own, others) = if clash.tool == tool {
            (&clash.rival, &clash.questions, &clash.taken)
        } else if clash.rival == tool {
            (&clash.tool, &clash.taken, &clash.questions)
        } else {
            continue;
        };
        taken += others.len();
        if !own.is_empty() {
            lost.push((rival.clone(), own.len()));
        }
    }
    lost.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    (lost, taken)
}

/// What the rules that need no other tool say of a card.
fn judge(card: &ToolCard) -> Vec<Finding> {
    let tool = offered(card);
    let nowhere = Place::default();
    let located = |value: &str| Located { value: value.to_owned(), place: nowhere.clone() };
    let mut catalog = CatalogDeclaration::silent(card.id.catalog(), &nowhere);
    let reviewed = card.facts.effect.origin != Origin::Default;
    let declared = ToolDeclaration {
        proposed_effect: None,
        facts: WrittenFacts { effect: reviewed.then_some(card.facts.effect.value), ..WrittenFacts::default() },
        description: None,
        examples: card.examples.iter().map(|example| located(example)).collect(),
        since: card.since.clone(),
        digest: None,
    };
    catalog.tools.insert(card.id.name().to_owned(), Located { value: declared, place: nowhere.clone() });
    let offer = Offer::new(&tool, &catalog);
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
pub fn tool_glob(written: &str) -> Result<GlobMatcher, Box<Diagnostic>> {
    tool_glob_of(written).map(|glob| glob.compile_matcher()).map_err(|error| {
        Box::new(
            Diagnostic::error(ambit_model::codes::E_VALUE, format!("`{written}` is not a glob: {}", error.kind()))
                .help("write `catalog/*`, `catalog/tool`, or `**` for every tool"),
        )
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
