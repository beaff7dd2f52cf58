//! A snapshot, ready to decide and to answer: its compiled policies, a router and the documents of each project, and the model of its
//! vectors; with the blocks that are in force.
//! INVARIANT: it never changes; what is built when it is first needed depends on nothing but the snapshot, its vectors, and
//! whether its model was at hand by then.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::sync::Arc;

use ambit_engine::authority::{Authority, Overlay, Reach, View};
use ambit_engine::compile::card_digests;
use ambit_engine::cut;
use ambit_engine::index::Vectors;
use ambit_engine::knowledge::KnowledgeIndex;
use ambit_engine::route::{self, ProjectRouter};
use ambit_model::administration::AdminAction;
use ambit_model::digest::Digest;
use ambit_model::identity::Principal;
use ambit_model::identity::ProjectId;
use ambit_model::key::Asker;
use ambit_model::overlay::Block;
use ambit_model::policies::PolicyReport;
use ambit_model::snapshot::{Snapshot, SnapshotName, SnapshotRecord};
use tokio::sync::OnceCell;

use crate::embedder::EmbedError;
use crate::in_force::InForce;
use crate::remembered::Remembered;
use crate::store::Store;
use crate::vectors::{self, LazyEmbedder};
use crate::{Error, error};

/// A snapshot that answers. Clones share all that was built; [`Self::with_blocks`] makes one with other blocks.
#[derive(Clone)]
pub struct Loaded {
    pub record: SnapshotRecord,
    pub snapshot: Arc<Snapshot>,
    authority: Arc<Authority>,
    embedder: Arc<LazyEmbedder>,
    meaning: Arc<OnceCell<Meaning>>,
    routers: Arc<BTreeMap<ProjectId, OnceCell<ProjectRouter>>>,
    knowledge: Arc<BTreeMap<ProjectId, OnceCell<Option<KnowledgeIndex>>>>,
    /// Without blocks.
    views: Arc<Remembered<Asker, View>>,
    reaches: Arc<Remembered<ReachKey, Reach>>,
    parts: Arc<Remembered<String, Part>>,
    in_force: Arc<InForce>,
}

/// A tenant's part of a snapshot, and what decides in it.
pub(crate) struct Part {
    pub(crate) snapshot: Snapshot,
    pub(crate) authority: Authority,
    pub(crate) report: PolicyReport,
}

/// Who administers what, to be remembered by.
type ReachKey = (Principal, BTreeSet<String>, AdminAction);

/// For whom an answer is made, and what is in sight for them.
pub(crate) struct AskedView {
    pub(crate) asker: Asker,
    /// Under the blocks that are in force.
    pub(crate) view: Arc<View>,
    /// Those of them that are about tools in its sight.
    pub(crate) overlay: Option<Arc<Overlay>>,
}

impl AskedView {
    /// How answers name the overlay.
    pub(crate) fn overlay_digest(&self) -> Option<Digest> {
        self.overlay.as_ref().map(|overlay| overlay.digest.clone())
    }

    /// The blocks that are about tools in sight.
    pub(crate) fn blocks(&self) -> &[Block] {
        self.overlay.as_ref().map_or(&[], |overlay| &overlay.blocks)
    }
}

/// Most tools in the views that are remembered together; a capability takes some hundred bytes.
const MOST_SEEN: usize = 200_000;
/// Most tools in the parts that are remembered together; a tool takes some thousand bytes.
const MOST_IN_PARTS: usize = 50_000;
/// Most reaches that are remembered.
const MOST_REACHES: usize = 10_000;

/// What is known of the meaning of a snapshot's texts.
struct Meaning {
    vectors: Vectors,
    /// Why meaning is left out, where it is.
    without: Option<EmbedError>,
}

impl Loaded {
    /// Nothing is blocked.
    pub(crate) fn new(record: SnapshotRecord, snapshot: Snapshot, embedder: Arc<LazyEmbedder>) -> Result<Self, Error> {
        let authority = Authority::compile(&snapshot, &card_digests(&snapshot)?)?;
        let routers = snapshot.projects.iter().map(|project| (project.id.clone(), OnceCell::new())).collect();
        let knowledge = snapshot.projects.iter().map(|project| (project.id.clone(), OnceCell::new())).collect();
        Ok(Self {
            record,
            snapshot: Arc::new(snapshot),
            authority: Arc::new(authority),
            embedder,
            meaning: Arc::default(),
            routers: Arc::new(routers),
            knowledge: Arc::new(knowledge),
            views: Arc::new(Remembered::new(MOST_SEEN)),
            reaches: Arc::new(Remembered::new(MOST_REACHES)),
            parts: Arc::new(Remembered::new(MOST_IN_PARTS)),
            in_force: Arc::new(InForce::new(Vec::new(), MOST_SEEN)),
        })
    }

    /// The same snapshot while these tools are blocked.
    pub(crate) fn with_blocks(&self, blocks: Vec<Block>) -> Self {
        Self { in_force: Arc::new(InForce::new(blocks, MOST_SEEN)), ..self.clone() }
    }

    /// The blocks that were in force when this was made, by tool.
    pub(crate) fn blocks(&self) -> &[Block] {
        self.in_force.blocks()
    }

    /// What whoever asks may do while the blocks are in force, remembered as long as the snapshot is live.
    pub(crate) fn view(&self, asker: Asker) -> Result<AskedView, Error> {
        let weight = |view: &View| view.len() + 1;
        let view = self.views.get_or_find(&asker, weight, || self.authority.view_of(&asker))?;
        let (view, overlay) = self.in_force.over(&asker, view)?;
        Ok(AskedView { asker, view, overlay })
    }

    /// Where somebody may administer something, remembered likewise.
    pub(crate) fn reach(&self, who: ReachKey) -> Arc<Reach> {
        let (principal, roles, action) = &who;
        let find = || Ok::<_, Infallible>(self.authority.reach(principal, roles, *action));
        match self.reaches.get_or_find(&who, |_| 1, find) {
            Ok(reach) => reach,
            Err(never) => match never {},
        }
    }

    /// What a tenant may see of it, remembered likewise.
    pub(crate) fn part(&self, tenant: &String) -> Result<Arc<Part>, Error> {
        let weight = |part: &Part| part.snapshot.tools.len() + 1;
        self.parts.get_or_find(tenant, weight, || {
            let snapshot = cut::snapshot(&self.snapshot, tenant);
            let authority = Authority::compile(&snapshot, &card_digests(&snapshot)?)?;
            let report = cut::policies(&self.record.policies, &self.snapshot, &snapshot, tenant);
            Ok(Part { snapshot, authority, report })
        })
    }

    /// Who may what.
    pub(crate) fn authority(&self) -> &Authority {
        &self.authority
    }

    /// How answers name it.
    pub fn name(&self) -> SnapshotName {
        SnapshotName { number: self.record.number, digest: self.record.digest.clone() }
    }

    /// The router of a project of this snapshot.
    pub(crate) async fn router(&self, store: &Store, project: &ProjectId) -> Result<&ProjectRouter, Error> {
        let cell = self.routers.get(project).ok_or(Error::NoSuchProject)?;
        let build = || async {
            let known = self.meaning(store).await?.vectors.clone();
            Ok(ProjectRouter::build(&self.snapshot, project, known)?)
        };
        cell.get_or_try_init(build).await
    }

    /// The documents of a project of this snapshot; nothing where it has none.
    pub(crate) async fn knowledge(&self, store: &Store, project: &ProjectId) -> Result<Option<&KnowledgeIndex>, Error> {
        let cell = self.knowledge.get(project).ok_or(Error::NoSuchProject)?;
        let build = || async {
            let known = &self.meaning(store).await?.vectors;
            Ok::<_, Error>(KnowledgeIndex::build(&self.snapshot, project, known)?)
        };
        Ok(cell.get_or_try_init(build).await?.as_ref())
    }

    /// The model that questions are embedded with; the error says why there is none.
    pub(crate) async fn embedder(&self, store: &Store) -> Result<Result<&LazyEmbedder, &EmbedError>, Error> {
        let meaning = self.meaning(store).await?;
        Ok(meaning.without.as_ref().map_or(Ok(&*self.embedder), Err))
    }

    /// The vectors of the snapshot's texts, and the model that made them; the error says why there is none.
    pub(crate) async fn vectors(&self, store: &Store) -> Result<Result<(&Vectors, &LazyEmbedder), &EmbedError>, Error> {
        let meaning = self.meaning(store).await?;
        Ok(meaning.without.as_ref().map_or(Ok((&meaning.vectors, &*self.embedder)), Err))
    }

    async fn meaning(&self, store: &Store) -> Result<&Meaning, Error> {
        let look = || async {
            match self.embedder.id() {
                Ok(model) => {
                    let vectors = vectors::stored(store, &model, &route::texts(&self.snapshot)).await?;
                    Ok(Meaning { vectors, without: None })
                }
                Err(error) => Ok(Meaning { vectors: Vectors::default(), without: Some(error) }),
            }
        };
        self.meaning.get_or_try_init(look).await
    }

    /// Builds what the first question would have to wait for. A model that does not open is said again when it is asked.
    pub(crate) async fn warm(&self, store: &Store) -> Result<(), Error> {
        for project in self.routers.keys() {
            self.router(store, project).await?;
            self.knowledge(store, project).await?;
        }
        let trouble = match self.embedder(store).await? {
            Ok(embedder) => embedder.prepare().await.err().map(|error| error::chain(&error)),
            Err(error) => Some(error::chain(error)),
        };
        if let Some(error) = trouble {
            tracing::warn!(error, "questions are routed by words alone");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use ambit_engine::compile;
    use ambit_model::digest::Digest;
    use ambit_model::identity::ToolId;
    use ambit_model::intake::IntakeReport;
    use ambit_model::view::Capability;

    use super::*;
    use crate::embedder::ModelPlaces;
    use crate::workspace;

    /// The sample, without a model.
    fn sample() -> Loaded {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("policies");
        let tree = workspace::read(&folder).unwrap().tree;
        let snapshot = compile::prepare(&tree).finish_without_retrieval("2026-11-30").unwrap().snapshot.unwrap();
        let record = SnapshotRecord {
            number: 1,
            digest: Digest::zero(),
            source_digest: Digest::zero(),
            parent: None,
            created_at: String::new(),
            author: String::new(),
            message: None,
            git_commit: None,
            tools: 0,
            report: IntakeReport::default(),
            policies: PolicyReport::default(),
            audit_head: None,
        };
        Loaded::new(record, snapshot, Arc::new(LazyEmbedder::new("none", ModelPlaces::resolve(None, None)))).unwrap()
    }

    type Seen = (Digest, BTreeMap<ToolId, Capability>);

    fn said(view: &View) -> Seen {
        (view.digest.clone(), view.capabilities().map(|(id, capability)| (id.clone(), capability)).collect())
    }

    /// One principal, asking in all the ways in which one can ask.
    fn askers() -> Vec<Asker> {
        let ask = |project: &str, change: fn(&mut Asker)| {
            let principal = Principal::parse("acme:agent:finance-bot").unwrap();
            let mut asker = Asker::new(principal, ProjectId::parse(project, None).unwrap());
            change(&mut asker);
            asker
        };
        vec![
            ask("acme/finance", |_| ()),
            ask("acme/support", |_| ()),
            ask("acme/finance", |asker| asker.roles = BTreeSet::from(["controller".to_owned()])),
            ask("acme/finance", |asker| asker.tools = BTreeSet::from(["mail/*".to_owned()])),
            ask("acme/finance", |asker| asker.tools = BTreeSet::from(["billing/*".to_owned()])),
            ask("acme/finance", |asker| asker.acting_for = Principal::parse("acme:user:analyst").ok()),
        ]
    }

    #[test]
    fn who_asks_otherwise_is_given_a_view_of_its_own_and_who_asks_again_the_same() {
        let loaded = sample();
        let look = |asker: &Asker| said(&loaded.view(asker.clone()).unwrap_or_else(|_| unreachable!("{asker:?}")).view);
        let first: Vec<Seen> = askers().iter().map(look).collect();
        let tools: BTreeSet<String> = first.iter().map(|(_, tools)| format!("{tools:?}")).collect();
        assert_eq!(tools.len(), first.len(), "no two ways of asking open the same here");
        for (asker, seen) in askers().iter().zip(&first).rev() {
            assert_eq!(look(asker), *seen, "again: {asker:?}");
            assert_eq!(said(&loaded.authority.view_of(asker).unwrap()), *seen, "never remembered: {asker:?}");
        }
    }
}
