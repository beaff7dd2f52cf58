//! Compiling, stage by stage: parse, resolve, admit, link, check the policies, then (with vectors) self-retrieval, and snapshot.
//! Every stage hands on a value and a list of diagnostics; none stops at the first problem.

mod admitted;
#[cfg(test)]
mod fact_tests;
mod findings;
#[cfg(test)]
mod hint_tests;
mod source_digest;
#[cfg(test)]
mod tests;
mod written;

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::card::ToolCard;
use ambit_model::codes;
use ambit_model::declaration::{Catalog, GoldenRoute, Policy};
use ambit_model::diagnostic::{Diagnostic, Place, Severity};
use ambit_model::digest::Digest;
use ambit_model::facts::{Fact, Facts, Origin};
use ambit_model::identity::ToolId;
use ambit_model::intake::{Clash, Finding, IntakeReport};
use ambit_model::knowledge::KnowledgeDocument;
use ambit_model::policies::PolicyReport;
use ambit_model::snapshot::{FORMAT, SCORER, Snapshot};
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use crate::authority::{self, Authority, CheckedPolicy, KnownEntities};
use crate::canonical::NotCanonical;
use crate::catalog::{self, OfferedTool};
use crate::import::{self, Unreviewed};
use crate::index::{IndexError, Vectors};
use crate::intake::retrieval::{self, Field, Retrieved, Winners};
use crate::intake::{self, Admission, groups, likeness};
use crate::knowledge;
use crate::parts;
use crate::resolve::declarations::{CatalogDeclaration, Declarations, Located};
use crate::resolve::link::{self, Linked, ToolNames};
use crate::route;
use crate::source::SourceTree;
use crate::{parse, resolve};

pub use findings::as_diagnostics;

/// Everything that is known before a vector is needed.
pub struct Prepared<'a> {
    tree: &'a SourceTree,
    declarations: Declarations,
    offered: Vec<OfferedTool>,
    documents: Vec<KnowledgeDocument>,
    admission: Admission,
    linked: Linked,
    source_digest: Digest,
    unreviewed: BTreeMap<String, usize>,
    diagnostics: Vec<Diagnostic>,
}

/// What a compile gives.
pub struct Compiled {
    /// Absent where an error refuses it.
    pub snapshot: Option<Snapshot>,
    /// What only failed PolicyTests refuse: GoldenRoutes can be asked of it all the same.
    pub failed: Option<Snapshot>,
    pub golden_routes: Vec<Located<GoldenRoute>>,
    pub source_digest: Digest,
    pub report: IntakeReport,
    pub policies: PolicyReport,
    /// Problems of declarations, policies and files; intake's are in the report. Sorted by severity, file and line.
    pub diagnostics: Vec<Diagnostic>,
    /// What the next compile may take over; nothing where self-retrieval was not looked at.
    pub winners: Winners,
}

/// A defect of this crate or exhausted memory; never the user's fault.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    #[error(transparent)]
    Index(#[from] IndexError),
    #[error("a compiled part has no canonical form")]
    NotCanonical(#[from] NotCanonical),
}

/// The files that Catalog documents name, relative to the root, each once with the place that names it first.
pub fn catalog_files(tree: &SourceTree) -> BTreeMap<String, Place> {
    parse::parse(tree).0.catalog_files(tree)
}

/// The knowledge folders that Project documents name, in the same form.
pub fn knowledge_folders(tree: &SourceTree) -> BTreeMap<String, Place> {
    parse::parse(tree).0.knowledge_folders(tree)
}

/// Parses, resolves, admits and links.
pub fn prepare(tree: &SourceTree) -> Prepared<'_> {
    let (written, mut diagnostics) = parse::parse(tree);
    let (mut declarations, mut more) = resolve::resolve(&written, tree);
    diagnostics.append(&mut more);
    let unreviewed = import::unreviewed(&written, tree);
    unreviewed.hold_back(&mut declarations.catalogs);
    let mut offered = Vec::new();
    for catalog in &declarations.catalogs {
        let (mut tools, mut problems) = offered_by(catalog, tree);
        offered.append(&mut tools);
        diagnostics.append(&mut problems);
    }
    let (mut knowledge, mut more) = knowledge::gather(&declarations.knowledge, tree);
    diagnostics.append(&mut more);
    let source_digest = source_digest::of(&written, tree, (&offered, &knowledge.documents), &declarations.settings);
    knowledge.join(&mut declarations, &mut offered);
    let mut admission = intake::admit(&declarations.catalogs, &offered);
    let (linked, _) = link::link(&declarations, &names(&admission));
    fill_in(&mut admission.cards, &linked);
    admission.findings = admission.findings.into_iter().map(knowledge::reworded).collect();
    let documents = knowledge.documents;
    let Unreviewed { counts: unreviewed, mut notes, .. } = unreviewed;
    diagnostics.append(&mut notes);
    Prepared { tree, declarations, offered, documents, admission, linked, source_digest, unreviewed, diagnostics }
}

fn offered_by(catalog: &CatalogDeclaration, tree: &SourceTree) -> (Vec<OfferedTool>, Vec<Diagnostic>) {
    match tree.get(&catalog.file.value) {
        Some(file) => catalog::read(&catalog.id.value, file),
        // The service says why it could not read a file, at this place.
        None => (Vec::new(), Vec::new()),
    }
}

fn names(admission: &Admission) -> ToolNames {
    ToolNames {
        accepted: admission.cards.keys().cloned().collect(),
        refused: admission.refused.iter().map(|card| card.id.clone()).collect(),
    }
}

/// Groups and neighbours, which only `link` knows.
fn fill_in(cards: &mut BTreeMap<ToolId, ToolCard>, linked: &Linked) {
    let accepted: BTreeSet<ToolId> = cards.keys().cloned().collect();
    for (id, card) in cards {
        card.groups = linked.groups_of.get(id).cloned().unwrap_or_default();
        if card.facts.origin(Fact::Next) == Some(Origin::Hint) {
            keep_tools(&mut card.facts, &accepted);
        } else {
            card.facts.next = linked.next.get(id).cloned().unwrap_or_default();
        }
        card.facts.after = linked.after.get(id).cloned().unwrap_or_default();
    }
}

/// Of the names in a hint those that are tools; where none is, nobody said anything.
fn keep_tools(facts: &mut Facts, accepted: &BTreeSet<ToolId>) {
    facts.next.retain(|tool| accepted.contains(tool));
    if facts.next.is_empty() {
        facts.origins.insert(Fact::Next, Origin::Default);
    }
}

impl Prepared<'_> {
    /// The embedding model that the declarations name.
    pub fn model(&self) -> &str {
        &self.declarations.settings.embedding_model
    }

    /// Every text whose vector [`Self::finish`] and routing want, each once, sorted.
    pub fn texts(&self) -> Vec<String> {
        let cards = self.admission.cards.values().flat_map(crate::index::card_texts);
        let groups = self.linked.groups.iter().map(|g| crate::index::group_text(&g.title, &g.description));
        let passages = knowledge::texts(&self.documents);
        cards.chain(groups).chain(passages).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Self-retrieval, policies, policy tests, and the snapshot. `today` is `YYYY-MM-DD`; only warnings depend on it.
    pub fn finish(self, vectors: &Vectors, today: &str) -> Result<Compiled, CompileError> {
        self.finish_with(vectors, &Winners::default(), today)
    }

    /// The same, sooner, with what an earlier compile found out about meaning; nothing but the time depends on it.
    pub fn finish_with(self, vectors: &Vectors, winners: &Winners, today: &str) -> Result<Compiled, CompileError> {
        self.complete(Some((vectors, winners)), today)
    }

    /// The same without self-retrieval, which alone wants vectors: tools that it would refuse are in the snapshot.
    pub fn finish_without_retrieval(self, today: &str) -> Result<Compiled, CompileError> {
        self.complete(None, today)
    }

    fn complete(self, found: Option<(&Vectors, &Winners)>, today: &str) -> Result<Compiled, CompileError> {
        let Prepared {
            tree,
            declarations,
            offered,
            documents,
            mut admission,
            linked,
            source_digest,
            unreviewed,
            mut diagnostics,
        } = self;
        let known = known(&declarations, &linked, &admission);
        let (checked, mut more) = authority::check(&declarations.policies, &declarations.links, tree, &known);
        diagnostics.append(&mut more);
        let policies: Vec<Policy> = checked.iter().map(|one| one.policy.clone()).collect();
        // First, so that no tool loses a question to one that does not enter.
        refuse_inferred(&policies, &mut admission);
        let (clashes, winners) = match found {
            Some((vectors, former)) => retrieve(&declarations, &linked, &mut admission, vectors, former)?,
            None => (Vec::new(), Winners::default()),
        };
        let (linked, mut more) = link::link(&declarations, &names(&admission));
        diagnostics.append(&mut more);
        fill_in(&mut admission.cards, &linked);
        intake::acknowledge(&declarations.catalogs, &mut admission.findings);
        let mut late = findings::late(&admission.cards, &linked, today);
        let vocabularies = route::with_built_in(&declarations.vocabularies);
        let neighbours = likeness::Neighbours::of(&declarations.projects);
        let (mut alike, likenesses) =
            likeness::find_among(&neighbours, alike_among(&admission), &admitted::kin(&declarations), &vocabularies);
        late.append(&mut alike);
        intake::acknowledge(&declarations.catalogs, &mut late);
        admission.findings.append(&mut late);
        findings::locate(&mut admission.findings, &offered);
        admission.findings.sort();
        admission.findings.dedup();
        let proposed_groups = found.map_or_else(Vec::new, |(vectors, _)| {
            let declared = linked.groups.iter().map(|group| group.id.as_str()).collect();
            groups::propose(&declarations.projects, &admission.cards, &declared, vectors)
        });
        let tools = admission.cards.values().cloned().collect();
        let snapshot = Snapshot { knowledge: documents, ..snapshot(&declarations, linked, policies, tools) };
        let sound = !diagnostics.iter().any(Diagnostic::is_error);
        let (policies, mut more) = policy_report(&snapshot, &checked, &declarations, sound)?;
        diagnostics.append(&mut more);
        sort(&mut diagnostics);
        let written = written::of(&declarations.catalogs, &clashes);
        let report = IntakeReport {
            offered: admission.offered,
            accepted: admission.cards.keys().map(ToString::to_string).collect(),
            findings: admission.findings,
            clashes,
            unreviewed,
            refused: IntakeReport::refused_cards(admission.refused),
            proposed_groups,
            likenesses,
            written,
        };
        let refused = diagnostics.iter().any(Diagnostic::is_error) || report.findings.iter().any(refuses_apply);
        let (snapshot, failed) = if refused { (None, sound.then_some(snapshot)) } else { (Some(snapshot), None) };
        let golden_routes = declarations.golden_routes;
        Ok(Compiled { snapshot, failed, golden_routes, source_digest, report, policies, diagnostics, winners })
    }
}

/// The refused tools too: a policy may outlive a rejection.
fn known(declarations: &Declarations, linked: &Linked, admission: &Admission) -> KnownEntities {
    let catalogs = declarations.catalogs.iter().map(|c| c.id.value.as_str());
    let groups = linked.groups.iter().map(|g| g.id.as_str());
    let accepted = admission.cards.iter().map(|(id, card)| (id, &card.facts));
    let refused = admission.refused.iter().map(|card| (&card.id, &card.facts));
    KnownEntities::new(
        &declarations.settings.workspace,
        &declarations.tenants,
        &declarations.projects,
        catalogs,
        groups,
        accepted.chain(refused),
    )
}

/// A definition that changed behind the operator's back stops everything, acknowledged or not.
fn refuses_apply(finding: &Finding) -> bool {
    finding.code == codes::E_DRIFT
}

/// What a catalog's own names suggest and its hints claim must not widen authority: where policies decide by operation or entity, a
/// tool whose fact comes from there is left out, for a permit could reach it and a forbid could miss it.
fn refuse_inferred(policies: &[Policy], admission: &mut Admission) {
    let texts: Vec<String> = policies.iter().map(|p| p.cedar.split_whitespace().collect()).collect();
    let speak_of = |words: &[&str]| texts.iter().any(|text| words.iter().any(|word| text.contains(word)));
    let operation = speak_of(&[".operation", "[\"operation\"]", "Operation::"]);
    let entity = speak_of(&[".entity", "[\"entity\"]", "EntityFamily::"]);
    let of_source = |origin: Origin| matches!(origin, Origin::Inferred | Origin::Hint).then_some(origin);
    let inferred = |card: &ToolCard| {
        let by_operation = of_source(card.facts.operation.origin).filter(|_| operation);
        let by_entity = of_source(card.facts.entity.origin).filter(|_| entity);
        by_operation.map(|origin| ("operation", origin)).or(by_entity.map(|origin| ("entity", origin)))
    };
    let refused: Vec<(ToolId, (&str, Origin))> =
        admission.cards.iter().filter_map(|(id, card)| inferred(card).map(|why| (id.clone(), why))).collect();
    for (id, (fact, origin)) in refused {
        admission.findings.push(findings::inferred(&id, fact, origin));
        admission.refused.extend(admission.cards.remove(&id));
    }
}

/// What is looked at for likenesses.
fn alike_among(admission: &Admission) -> impl Iterator<Item = &ToolCard> {
    admission.cards.values().chain(likeness::refused_alike(&admission.refused, &admission.findings))
}

fn retrieve(
    declarations: &Declarations,
    linked: &Linked,
    admission: &mut Admission,
    vectors: &Vectors,
    former: &Winners,
) -> Result<(Vec<Clash>, Winners), CompileError> {
    let kin = retrieval::Kin::new(&linked.twins, &linked.families);
    let fields: Vec<Field<'_>> = declarations
        .projects
        .iter()
        .map(|p| Field {
            project: p.id.clone(),
            cards: admission.cards.values().filter(|c| p.catalogs.iter().any(|id| id == c.id.catalog())).collect(),
        })
        .collect();
    let Retrieved { mut findings, clashes, winners } =
        retrieval::check(&fields, vectors, &kin, &declarations.settings, former)?;
    intake::acknowledge(&declarations.catalogs, &mut findings);
    for finding in findings.iter().filter(|f| f.severity == Severity::Error) {
        if let Some(card) = ToolId::parse(&finding.tool).and_then(|id| admission.cards.remove(&id)) {
            admission.refused.push(card);
        }
    }
    admission.findings.append(&mut findings);
    Ok((clashes, winners))
}

fn snapshot(declarations: &Declarations, linked: Linked, policies: Vec<Policy>, tools: Vec<ToolCard>) -> Snapshot {
    let catalogs = declarations.catalogs.iter().map(|c| Catalog {
        id: c.id.value.clone(),
        tenant: c.tenant.clone(),
        secrets: c.secrets.clone(),
    });
    Snapshot {
        format: FORMAT,
        scorer: SCORER,
        settings: declarations.settings.clone(),
        schema: authority::SCHEMA.to_owned(),
        policies,
        tenants: declarations.tenants.clone(),
        projects: declarations.projects.clone(),
        catalogs: catalogs.collect(),
        groups: linked.groups,
        twins: linked.twins,
        families: linked.families,
        vocabularies: route::with_built_in(&declarations.vocabularies),
        tools,
        knowledge: Vec::new(),
    }
}

/// Runs the PolicyTests and searches the policies where they are sound; else their errors say enough.
fn policy_report(
    snapshot: &Snapshot,
    checked: &[CheckedPolicy],
    declarations: &Declarations,
    sound: bool,
) -> Result<(PolicyReport, Vec<Diagnostic>), CompileError> {
    if !sound {
        return Ok((authority::untested(checked), Vec::new()));
    }
    let (tests, routes) = (&declarations.policy_tests, &declarations.golden_routes);
    match Authority::compile(snapshot, &card_digests(snapshot)?) {
        Ok(authority) => {
            let (report, mut found) = authority::report(&authority, checked, tests, routes);
            found.extend(authority.spot_check().err().map(|parted| {
                Diagnostic::error(codes::E_INTERNAL, parted.to_string())
                    .help("this is a mistake in ambit, and nothing was published: report it with the policies")
            }));
            Ok((report, found))
        }
        Err(error) => {
            let complaint = Diagnostic::error(codes::E_CEDAR, error.to_string());
            Ok((authority::untested(checked), vec![complaint]))
        }
    }
}

/// The digest of every card of a snapshot.
pub fn card_digests(snapshot: &Snapshot) -> Result<BTreeMap<ToolId, Digest>, NotCanonical> {
    snapshot.tools.par_iter().map(|card| parts::card_digest(card).map(|digest| (card.id.clone(), digest))).collect()
}

/// Errors first, then by file, line and column.
fn sort(diagnostics: &mut Vec<Diagnostic>) {
    diagnostics.sort_by(|a, b| (a.severity, &a.place, a).cmp(&(b.severity, &b.place, b)));
    diagnostics.dedup();
}
