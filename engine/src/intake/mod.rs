//! Intake: the gate a tool passes before it may enter a snapshot. Every rule sees every tool; nothing stops at the first problem.
//! INVARIANT: the report is the same whatever the order of files and of tools in them.

mod clusters;
mod description;
mod effect_unreviewed;
mod free_ids;
pub mod ground;
pub mod groups;
mod hidden;
mod hint;
mod instruction;
pub mod likeness;
mod name;
mod no_examples;
mod no_output_schema;
mod pin;
pub mod repair;
pub mod retrieval;
mod schemas;
#[cfg(test)]
mod tests;
mod texts;
mod titles;
pub mod trial;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use ambit_model::card::{SchemaText, ToolCard};
use ambit_model::diagnostic::Severity;
use ambit_model::identity::ToolId;
use ambit_model::intake::Finding;
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use crate::catalog::{self, OfferedTool};
use crate::resolve::declarations::{CatalogDeclaration, ToolDeclaration};
use texts::SourceText;

/// One offered tool and what its Catalog says of it.
pub struct Offer<'a> {
    pub tool: &'a OfferedTool,
    pub catalog: &'a CatalogDeclaration,
    pub declared: Option<&'a ToolDeclaration>,
    /// What its source wrote, for the rules about text.
    pub texts: Vec<SourceText>,
}

impl<'a> Offer<'a> {
    fn new(tool: &'a OfferedTool, catalog: &'a CatalogDeclaration) -> Self {
        let declared = tool.name.as_ref().and_then(|name| catalog.tools.get(name)).map(|located| &located.value);
        let mut offer = Self { tool, catalog, declared, texts: Vec::new() };
        offer.texts = texts::of(&offer);
        offer
    }

    /// The pointer to a member of the definition, wherever its format has it: `/function/name` in OpenAI's chat shape.
    fn pointer(&self, member: &str) -> String {
        let beside = self.tool.input_pointer.rsplit_once('/').map_or("", |(base, _)| base);
        format!("{beside}/{member}")
    }

    /// The operator's description, else the source's.
    fn description(&self) -> Option<&str> {
        let declared = self.declared.and_then(|d| d.description.as_deref());
        declared.or(self.tool.description.as_deref())
    }

    /// A finding of this tool at its place in its file.
    fn finding(
        &self,
        severity: Severity,
        code: &'static str,
        pointer: impl Into<String>,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Finding {
        Finding {
            tool: self.tool.label(),
            severity,
            code: Cow::Borrowed(code),
            pointer: pointer.into(),
            message: message.into(),
            remedy: remedy.into(),
            acknowledged: false,
            place: Some(self.tool.place.clone()),
            other: None,
        }
    }
}

/// A rule looks at one tool and says what is wrong with it.
type Rule = fn(&Offer<'_>, &mut Vec<Finding>);

/// One rule, one file, one line.
const RULES: &[Rule] = &[
    name::check,
    description::check,
    schemas::check,
    hidden::check,
    instruction::check,
    pin::check,
    no_examples::check,
    no_output_schema::check,
    effect_unreviewed::check,
    hint::check,
];

/// What the gate lets through so far, and everything it found.
pub struct Admission {
    /// By canonical id; group, `next` and `after` are filled in by `link`.
    pub cards: BTreeMap<ToolId, ToolCard>,
    /// Cards of tools that were offered and refused.
    pub refused: Vec<ToolCard>,
    pub offered: usize,
    pub findings: Vec<Finding>,
}

/// Applies every rule that needs no vectors.
pub fn admit(catalogs: &[CatalogDeclaration], offered: &[OfferedTool]) -> Admission {
    let by_id: BTreeMap<&str, &CatalogDeclaration> = catalogs.iter().map(|c| (c.id.value.as_str(), c)).collect();
    let mut admission =
        Admission { cards: BTreeMap::new(), refused: Vec::new(), offered: offered.len(), findings: Vec::new() };
    let doubles = name::doubles(offered);
    // Parallel over tools: building the validators of their schemas is most of the work.
    let judged: Vec<(Option<ToolCard>, Vec<Finding>)> = offered
        .par_iter()
        .filter_map(|tool| Some(Offer::new(tool, by_id.get(tool.catalog.as_str())?)))
        .map(|offer| (card(&offer), judge(&offer, &doubles)))
        .collect();
    for (card, mut findings) in judged {
        let refused = findings.iter().any(|f| f.severity == Severity::Error);
        match card {
            Some(card) if !refused => drop(admission.cards.insert(card.id.clone(), card)),
            Some(card) => admission.refused.push(card),
            None => {}
        }
        admission.findings.append(&mut findings);
    }
    acknowledge(catalogs, &mut admission.findings);
    admission.findings.sort();
    admission.findings.dedup();
    admission
}

/// What every rule says of one tool.
fn judge(offer: &Offer<'_>, doubles: &BTreeMap<String, usize>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for rule in RULES {
        rule(offer, &mut findings);
    }
    name::refuse_double(offer, doubles, &mut findings);
    findings
}

/// Marks the rejections that the operator knows of, so that they are no findings for exit codes.
pub fn acknowledge(catalogs: &[CatalogDeclaration], findings: &mut [Finding]) {
    let known: BTreeSet<(String, &str)> = catalogs
        .iter()
        .flat_map(|c| {
            c.acknowledged.iter().map(move |a| (format!("{}/{}", c.id.value, a.value.tool), a.value.code.as_str()))
        })
        .collect();
    for finding in findings {
        // Nobody reviewed a drifted definition, so nobody can acknowledge it.
        finding.acknowledged |= finding.code != ambit_model::codes::E_DRIFT
            && known.contains(&(finding.tool.clone(), finding.code.as_ref()));
    }
}

fn card(offer: &Offer<'_>) -> Option<ToolCard> {
    let name = offer.tool.name.as_deref()?;
    let since = offer.declared.and_then(|d| d.since.clone()).or_else(|| offer.catalog.since.clone());
    Some(ToolCard {
        id: ToolId::new(&offer.catalog.id.value, name),
        tenant: offer.catalog.tenant.clone(),
        title: offer.tool.shown_title(),
        description: offer.description().unwrap_or("").to_owned(),
        input_schema: SchemaText(offer.tool.input_schema.clone().unwrap_or_else(|| r#"{"type":"object"}"#.to_owned())),
        output_schema: offer.tool.output_schema.clone().map(SchemaText),
        annotations: offer.tool.annotations.clone().map(SchemaText),
        extras: offer.tool.extras.iter().map(|(name, text)| (name.clone(), SchemaText(text.clone()))).collect(),
        facts: catalog::facts(offer.tool, offer.declared, offer.catalog),
        examples: offer.declared.map(|d| d.examples.iter().map(|e| e.value.clone()).collect()).unwrap_or_default(),
        since,
        groups: Vec::new(),
    })
}
