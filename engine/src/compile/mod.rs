//! Compiling, stage by stage: parse, resolve, admit, link, then (with vectors) self-retrieval, check and snapshot.
//! Every stage hands on a value and a list of diagnostics; none stops at the first problem.

mod findings;
mod source_digest;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::card::ToolCard;
use ambit_model::codes;
use ambit_model::declaration::{Catalog, GoldenRoute, Policy};
use ambit_model::diagnostic::{Diagnostic, Place, Severity};
use ambit_model::digest::Digest;
use ambit_model::facts::Origin;
use ambit_model::identity::ToolId;
use ambit_model::intake::{Finding, IntakeReport};
use ambit_model::policies::PolicyReport;
use ambit_model::snapshot::{FORMAT, SCORER, Snapshot};

use crate::authority::{self, Authority, CheckedPolicy, KnownEntities};
use crate::canonical::NotCanonical;
use crate::catalog::{self, OfferedTool};
use crate::index::{IndexError, ProjectIndex, Vectors};
use crate::intake::{self, Admission, likeness, retrieval};
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
    admission: Admission,
    linked: Linked,
    source_digest: Digest,
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

/// Parses, resolves, admits and links.
pub fn prepare(tree: &SourceTree) -> Prepared<'_> {
    let (written, mut diagnostics) = parse::parse(tree);
    let (declarations, mut more) = resolve::resolve(&written, tree);
    diagnostics.append(&mut more);
    let mut offered = Vec::new();
    for catalog in &declarations.catalogs {
        let (mut tools, mut problems) = offered_by(catalog, tree);
        offered.append(&mut tools);
        diagnostics.append(&mut problems);
    }
    let mut admission = intake::admit(&declarations.catalogs, &offered);
    let (linked, _) = link::link(&declarations, &names(&admission));
    fill_in(&mut admission.cards, &linked);
    let source_digest = source_digest::of(&written, tree, &offered, &declarations.settings);
    Prepared { tree, declarations, offered, admission, linked, source_digest, diagnostics }
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
    for (id, card) in cards {
        card.groups = linked.groups_of.get(id).cloned().unwrap_or_default();
        card.facts.next = linked.next.get(id).cloned().unwrap_or_default();
        card.facts.after = linked.after.get(id).cloned().unwrap_or_default();
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
        cards.chain(groups).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Self-retrieval, policies, policy tests, and the snapshot. `today` is `YYYY-MM-DD`; only warnings depend on it.
    pub fn finish(self, vectors: &Vectors, today: &str) -> Result<Compiled, CompileError> {
        self.complete(Some(vectors), today)
    }

    /// The same without self-retrieval, which alone wants vectors: tools that it would refuse are in the snapshot.
    pub fn finish_without_retrieval(self, today: &str) -> Result<Compiled, CompileError> {
        self.complete(None, today)
    }

    fn complete(self, vectors: Option<&Vectors>, today: &str) -> Result<Compiled, CompileError> {
        let Prepared { tree, declarations, offered, mut admission, linked, source_digest, mut diagnostics } = self;
        let clashes = match vectors {
            Some(vectors) => retrieve(&declarations, &linked, &mut admission, vectors)?,
            None => Vec::new(),
        };
        let (linked, mut more) = link::link(&declarations, &names(&admission));
        diagnostics.append(&mut more);
        fill_in(&mut admission.cards, &linked);
        let known = known(&declarations, &linked, &admission);
        let (checked, mut more) = authority::check(&declarations.policies, &declarations.links, tree, &known);
        diagnostics.append(&mut more);
        let policies: Vec<Policy> = checked.iter().map(|one| one.policy.clone()).collect();
        refuse_inferred(&policies, &mut admission);
        let (linked, _) = link::link(&declarations, &names(&admission));
        intake::acknowledge(&declarations.catalogs, &mut admission.findings);
        let mut late = findings::late(&admission.cards, &linked, today);
        let vocabularies = route::with_built_in(&declarations.vocabularies);
        let (mut alike, likenesses) = likeness::find(&admission.cards, &linked, &vocabularies);
        late.append(&mut alike);
        intake::acknowledge(&declarations.catalogs, &mut late);
        admission.findings.append(&mut late);
        findings::locate(&mut admission.findings, &offered);
        admission.findings.sort();
        admission.findings.dedup();
        let snapshot = snapshot(&declarations, linked, policies, admission.cards.values().cloned().collect());
        let sound = !diagnostics.iter().any(Diagnostic::is_error);
        let (policies, mut more) = policy_report(&snapshot, &checked, &declarations, sound)?;
        diagnostics.append(&mut more);
        sort(&mut diagnostics);
        let report = IntakeReport {
            offered: admission.offered,
            accepted: admission.cards.keys().map(ToString::to_string).collect(),
            findings: admission.findings,
            clashes,
            likenesses,
            ..IntakeReport::default()
        };
        let refused = diagnostics.iter().any(Diagnostic::is_error) || report.findings.iter().any(refuses_apply);
        let (snapshot, failed) = if refused { (None, sound.then_some(snapshot)) } else { (Some(snapshot), None) };
        let golden_routes = declarations.golden_routes;
        Ok(Compiled { snapshot, failed, golden_routes, source_digest, report, policies, diagnostics })
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

/// What a catalog's own names suggest must not widen authority: where policies decide by operation or entity, a tool whose fact
/// is only read off its name is left out, for a permit could reach it and a forbid could miss it.
fn refuse_inferred(policies: &[Policy], admission: &mut Admission) {
    let speak_of = |words: &[&str]| policies.iter().any(|p| words.iter().any(|word| p.cedar.contains(word)));
    let (operation, entity) = (speak_of(&[".operation", "Operation::"]), speak_of(&[".entity", "EntityFamily::"]));
    let inferred = |card: &ToolCard| {
        let facts = &card.facts;
        let by_operation = operation && facts.operation.origin == Origin::Inferred;
        let by_entity = entity && facts.entity.origin == Origin::Inferred;
        by_operation.then_some("operation").or(by_entity.then_some("entity"))
    };
    let refused: Vec<(ToolId, &str)> =
        admission.cards.iter().filter_map(|(id, card)| inferred(card).map(|fact| (id.clone(), fact))).collect();
    for (id, fact) in refused {
        admission.findings.push(findings::inferred(&id, fact));
        admission.refused.extend(admission.cards.remove(&id));
    }
}

fn retrieve(
    declarations: &Declarations,
    linked: &Linked,
    admission: &mut Admission,
    vectors: &Vectors,
) -> Result<Vec<ambit_model::intake::Clash>, CompileError> {
    let kin = retrieval::Kin::new(&linked.twins, &linked.families);
    let seen = declarations.projects.iter().map(|p| {
        admission.cards.values().filter(|c| p.catalogs.iter().any(|id| id == c.id.catalog())).cloned().collect()
    });
    let projects = seen.map(ProjectIndex::build).collect::<Result<Vec<_>, _>>()?;
    let (mut findings, clashes) = retrieval::check(&projects, vectors, &kin, &declarations.settings)?;
    intake::acknowledge(&declarations.catalogs, &mut findings);
    for finding in findings.iter().filter(|f| f.severity == Severity::Error) {
        if let Some(card) = ToolId::parse(&finding.tool).and_then(|id| admission.cards.remove(&id)) {
            admission.refused.push(card);
        }
    }
    admission.findings.append(&mut findings);
    Ok(clashes)
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
    snapshot.tools.iter().map(|card| parts::card_digest(card).map(|digest| (card.id.clone(), digest))).collect()
}

/// Errors first, then by file, line and column.
fn sort(diagnostics: &mut Vec<Diagnostic>) {
    diagnostics.sort_by(|a, b| (a.severity, &a.place, a).cmp(&(b.severity, &b.place, b)));
    diagnostics.dedup();
}
