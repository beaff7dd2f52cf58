//! A world, applied and served twice: whole, and with the cards deleted that whoever asks cannot discover. And who asks.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use ambit_engine::authority::Authority;
use ambit_engine::compile::card_digests;
use ambit_engine::parts::{self, Kind};
use ambit_model::administration::AdminAction;
use ambit_model::audit::{AuditOutcome, AuditPayload};
use ambit_model::digest::Digest;
use ambit_model::identity::{Principal, ProjectId, ToolId};
use ambit_model::intake::IntakeReport;
use ambit_model::key::{Asker, KeyRecord};
use ambit_model::overlay::Block;
use ambit_model::snapshot::Snapshot;
use ambit_service::apply::{ApplyRequest, Outcome, apply_workspace};
use ambit_service::caller::Caller;
use ambit_service::live::Live;
use ambit_service::sessions::sign_in;
use ambit_service::store::{NewAudit, NewSnapshot, Store, StoredPart};
use ambit_tests::draw::Draw;
use tempfile::TempDir;

use crate::log;
use crate::side::{Shown, Side, places};
use crate::world::{self, Tenant, World};

/// When what is compared was published, so that "… ago" is the same on both sides.
const LONG_AGO: &str = "2024-01-01T12:00:00Z";

/// Who asks, with a key, in a project, for somebody.
pub(crate) struct Subject {
    pub(crate) tenant: usize,
    pub(crate) principal: Principal,
    /// The project that requests name.
    pub(crate) named: Option<ProjectId>,
    pub(crate) acting_for: Option<Principal>,
    /// The scope of the key.
    pub(crate) tools: BTreeSet<String>,
    pub(crate) shown: Shown,
    /// The first of its principal, which also administers.
    pub(crate) first: bool,
}

/// A world on two servers.
pub(crate) struct Stage {
    pub(crate) world: World,
    pub(crate) whole: Side,
    pub(crate) cut: Side,
    pub(crate) subjects: Vec<Subject>,
    /// By tenant: ids of keys that may be revoked, and of keys that are shown.
    pub(crate) spare: Vec<String>,
    ids: Vec<Vec<String>>,
    compiled: Compiled,
    authority: Authority,
    /// What the second server serves.
    kept: BTreeSet<ToolId>,
    folder: TempDir,
}

/// What an apply made.
struct Compiled {
    snapshot: Snapshot,
    report: IntakeReport,
    source_digest: Digest,
}

impl Stage {
    /// Sets up world `number` of a seed.
    pub(crate) async fn set(seed: u64, number: usize) -> (Self, Draw) {
        log::keep();
        let place = u64::try_from(number).expect("a small number");
        let mut draw = Draw::new(seed ^ place.wrapping_mul(0x2545_F491_4F6C_DD1D));
        let world = World::draw(seed, number, &mut draw);
        let folder = tempfile::tempdir().expect("a folder");
        let (first, second) = (folder.path().join("whole"), folder.path().join("cut"));
        let store = Store::open(&first).await.expect("a data folder");
        apply(&world, folder.path(), &store, false).await;
        let compiled = apply(&world, folder.path(), &store, true).await;
        publish(&store, &compiled.snapshot, &compiled).await;
        let mut cast = Cast { draw: &mut draw, store: &store, ids: vec![Vec::new(); world.tenants.len()] };
        let subjects = cast.subjects(&world).await;
        for tenant in &world.tenants {
            block(&store, tenant).await;
        }
        let mut spare = Vec::new();
        for (at, tenant) in world.tenants.iter().enumerate() {
            let (id, _) = cast.key(at, &tenant.user("mia"), None, BTreeSet::new()).await;
            spare.push(id);
        }
        let ids = cast.ids;
        store.close().await.expect("the data folder can be closed");
        copy(&first, &second);
        let digests = card_digests(&compiled.snapshot).expect("digests of cards");
        let authority = Authority::compile(&compiled.snapshot, &digests).expect("policies that were checked");
        let kept = compiled.snapshot.tools.iter().map(|card| card.id.clone()).collect();
        let (whole, cut) = (Side::open(&first).await, Side::open(&second).await);
        (Self { world, whole, cut, subjects, spare, ids, compiled, authority, kept, folder }, draw)
    }

    /// The data folders of both sides.
    pub(crate) fn folders(&self) -> [PathBuf; 2] {
        [self.folder.path().join("whole"), self.folder.path().join("cut")]
    }

    /// The tenant of a subject.
    pub(crate) fn tenant(&self, subject: &Subject) -> &Tenant {
        self.world.tenants.get(subject.tenant).expect("a tenant")
    }

    /// The first other tenant, and where it stands.
    pub(crate) fn other(&self, subject: &Subject) -> (usize, &Tenant) {
        self.world.tenants.iter().enumerate().find(|(at, _)| *at != subject.tenant).expect("another tenant")
    }

    /// What nobody outside these tenants may read: their tokens, and the ids of their keys.
    pub(crate) fn secrets_of_others(&self, subject: &Subject) -> Vec<&str> {
        let others = self.world.tenants.iter().zip(&self.ids).enumerate().filter(|(at, _)| *at != subject.tenant);
        others.flat_map(|(_, (tenant, ids))| ids.iter().chain([&tenant.token])).map(String::as_str).collect()
    }

    /// The tools that a subject may name in a project.
    pub(crate) fn discovers(&self, subject: &Subject, project: &ProjectId) -> BTreeSet<ToolId> {
        let asker = Asker {
            principal: subject.principal.clone(),
            roles: BTreeSet::new(),
            acting_for: subject.acting_for.clone(),
            project: project.clone(),
            tools: subject.tools.clone(),
        };
        self.authority.view_of(&asker).map(|view| view.ids().cloned().collect()).unwrap_or_default()
    }

    /// The projects of a subject's tenant.
    pub(crate) fn projects(&self, subject: &Subject) -> Vec<ProjectId> {
        let own = |project: &&ProjectId| project.tenant == subject.principal.tenant;
        self.compiled.snapshot.projects.iter().map(|project| &project.id).filter(own).cloned().collect()
    }

    /// All that a subject may name with what it shows.
    pub(crate) fn in_sight(&self, subject: &Subject) -> BTreeSet<ToolId> {
        match &subject.named {
            // The first one's key is of no project, so that pages list all that it may ask in.
            Some(project) if !subject.first => self.discovers(subject, project),
            _ => self.projects(subject).iter().flat_map(|project| self.discovers(subject, project)).collect(),
        }
    }

    /// The oracle, which unit tests hold against policies: may this principal do this to the whole workspace?
    pub(crate) fn everywhere(&self, principal: &Principal, action: AdminAction) -> bool {
        self.authority.reach(principal, &BTreeSet::new(), action).everything
    }

    /// The oracle: may it do this anywhere?
    pub(crate) fn somewhere(&self, principal: &Principal, action: AdminAction) -> bool {
        let reach = self.authority.reach(principal, &BTreeSet::new(), action);
        match action {
            AdminAction::ReadSnapshot => reach.everything || reach.tenant.is_some(),
            _ => !reach.is_nothing(),
        }
    }

    /// The oracle: may it administer at all?
    pub(crate) fn administers(&self, principal: &Principal) -> bool {
        AdminAction::ALL.into_iter().any(|action| self.somewhere(principal, action))
    }

    /// What is in the first store: the live snapshot and the number of keys.
    pub(crate) async fn standing(&self) -> (Option<i64>, usize) {
        let live = self.whole.store.live().await.expect("what is live");
        let keys = self.whole.store.keys().await.expect("the keys");
        (live.map(|(record, _)| record.number), keys.len())
    }

    /// The second server serves these tools and no others; nothing is compiled anew.
    pub(crate) async fn cut_to(&mut self, seen: &BTreeSet<ToolId>) {
        if self.kept == *seen {
            return;
        }
        let mut snapshot = self.compiled.snapshot.clone();
        snapshot.tools.retain(|card| seen.contains(&card.id));
        publish(&self.cut.store, &snapshot, &self.compiled).await;
        self.cut.live.refresh().await.expect("a cut snapshot that can be loaded");
        self.kept.clone_from(seen);
    }

    /// Ends both servers; their data folders stay as long as what is returned.
    pub(crate) async fn close(self) -> TempDir {
        let Self { whole, cut, folder, .. } = self;
        whole.store.close().await.expect("the data folder can be closed");
        cut.store.close().await.expect("the data folder can be closed");
        folder
    }
}

/// Writes one version of a world and applies it.
async fn apply(world: &World, folder: &Path, store: &Store, second: bool) -> Compiled {
    let workspace = folder.join(if second { "second" } else { "first" });
    std::fs::create_dir(&workspace).expect("a workspace folder");
    for (path, text) in world::files(world, second) {
        std::fs::write(workspace.join(path), text).expect("a file of the workspace");
    }
    let caller = Caller::local("matrix");
    let applied = apply_workspace(&caller, &workspace, store, &places(), ApplyRequest::default()).await;
    let applied = applied.expect("a workspace that can be applied");
    let published = matches!(applied.outcome, Outcome::Published { .. });
    assert!(published, "{}: refused: {:#?}", world.label, applied.checked.diagnostics);
    let compiled = applied.checked.compiled;
    Compiled {
        snapshot: compiled.snapshot.expect("a snapshot"),
        report: compiled.report,
        source_digest: compiled.source_digest,
    }
}

/// Publishes a snapshot whose cards and declarations are stored already.
async fn publish(store: &Store, snapshot: &Snapshot, compiled: &Compiled) {
    let parts = parts::split(snapshot).expect("parts of a snapshot");
    let digest = parts.last().expect("a root").digest.clone();
    let lists = parts.into_iter().filter(|part| matches!(part.kind, Kind::Root | Kind::Tools));
    let lists = lists.map(|part| (part.digest, StoredPart { kind: part.kind.word().to_owned(), body: part.body }));
    let new = NewSnapshot {
        digest,
        source_digest: compiled.source_digest.clone(),
        parts: lists.collect(),
        created_at: LONG_AGO.to_owned(),
        author: "local:matrix".to_owned(),
        message: None,
        git_commit: None,
        tools: i64::try_from(snapshot.tools.len()).expect("a small number"),
        report: compiled.report.clone(),
        policies: ambit_model::policies::PolicyReport::default(),
    };
    let live = store.live().await.expect("what is live").map(|(record, _)| record.number);
    let entry = entry("apply", None, "snapshot", "00112233445566778899aabbccddeeff".to_owned());
    store.publish(new, live, entry).await.expect("a snapshot that can be published");
}

/// One tool of each tenant is blocked all the time, on both servers: whoever cannot discover it gets the same bytes as from the one
/// that has no such tool.
async fn block(store: &Store, tenant: &Tenant) {
    let tool = tenant.tools.first().and_then(|tool| ToolId::parse(tool)).expect("a tenant has a tool");
    let reason = format!("a matter of {}", tenant.token);
    let block = Block { tool, reason, until: None, at: LONG_AGO.to_owned(), by: "local:matrix".to_owned() };
    let entry = entry("block", None, "tool", "00112233445566778899aabbccddeeff".to_owned());
    store.put_block(&block, &entry).await.expect("a block that can be kept");
}

fn entry(action: &str, tenant: Option<&str>, resource: &str, salt: String) -> NewAudit {
    NewAudit {
        at: LONG_AGO.to_owned(),
        tenant: tenant.map(str::to_owned),
        action: action.to_owned(),
        outcome: AuditOutcome::Done,
        payload: AuditPayload {
            caller: "local:matrix".to_owned(),
            principal: None,
            resource: resource.to_owned(),
            policies: Vec::new(),
            details: BTreeMap::new(),
        },
        salt,
    }
}

/// Gives everybody what they show at the doors.
struct Cast<'a> {
    draw: &'a mut Draw,
    store: &'a Store,
    ids: Vec<Vec<String>>,
}

impl Cast<'_> {
    async fn subjects(&mut self, world: &World) -> Vec<Subject> {
        let live = Live::new(self.store.clone(), places());
        let mut subjects = Vec::new();
        for (at, tenant) in world.tenants.iter().enumerate() {
            let projects: Vec<ProjectId> = tenant.projects.iter().map(|project| project_id(&project.id)).collect();
            for principal in tenant.principals() {
                for (number, project) in projects.iter().enumerate() {
                    // The first also administers, which a key that is narrowed to a project or to tools does less.
                    let first = number == 0;
                    let narrow = !first && self.draw.chance(25);
                    let scope = if narrow { self.scope(tenant) } else { BTreeSet::new() };
                    let project_of_key = if first { None } else { Some(project) };
                    let (_, key) = self.key(at, &principal, project_of_key, scope.clone()).await;
                    let subject = self.subject(&live, at, &principal, key).await;
                    let tools = scope;
                    subjects.push(Subject { named: Some(project.clone()), tools, first, ..subject });
                }
                if self.draw.chance(40) {
                    // With a key of no project, and none named.
                    let (_, key) = self.key(at, &principal, None, BTreeSet::new()).await;
                    subjects.push(self.subject(&live, at, &principal, key).await);
                }
            }
            for (principal, user) in self.pairs(tenant) {
                let project = self.draw.pick(&projects).clone();
                let (_, key) = self.key(at, &principal, Some(&project), BTreeSet::new()).await;
                let subject = self.subject(&live, at, &principal, key).await;
                let acting_for = Some(principal_of(&user));
                subjects.push(Subject { named: Some(project), acting_for, ..subject });
            }
        }
        subjects
    }

    /// Who asks for whom, allowed or not.
    fn pairs(&mut self, tenant: &Tenant) -> Vec<(String, String)> {
        let users = [tenant.user("lea"), tenant.user("ben@post.test"), tenant.role("member"), tenant.user("idle")];
        let mut pairs = vec![
            (tenant.agent(), tenant.user("ben@post.test")),
            (tenant.agent(), tenant.role("member")),
            (tenant.agent(), self.draw.pick(&users).clone()),
        ];
        let someone = self.draw.pick(&[tenant.user("lea"), tenant.user("mia"), tenant.user("idle")]).clone();
        pairs.push((someone, tenant.user("ben@post.test")));
        pairs
    }

    fn scope(&mut self, tenant: &Tenant) -> BTreeSet<String> {
        let globs = [format!("{}/*", tenant.catalog()), "common-tools/*".to_owned(), "*/list_*".to_owned()];
        BTreeSet::from([self.draw.pick(&globs).clone()])
    }

    /// Keeps a key for a principal; also for one for whom a key opens nothing. Its id and the whole key.
    async fn key(
        &mut self,
        tenant: usize,
        principal: &str,
        project: Option<&ProjectId>,
        tools: BTreeSet<String>,
    ) -> (String, String) {
        let id = self.draw.hex(12);
        let key = format!("ambit_{id}_{}", self.draw.hex(64));
        let principal = principal_of(principal);
        let record = KeyRecord {
            id: id.clone(),
            name: format!("key of {principal}"),
            project: project.cloned(),
            tools,
            created_at: LONG_AGO.to_owned(),
            created_by: "local:matrix".to_owned(),
            expires_at: None,
            revoked_at: None,
            principal,
        };
        let resource = format!("key:{id}");
        let entry = entry("create_key", Some(&record.principal.tenant), &resource, self.draw.hex(32));
        let digest = Digest::of(key.as_bytes());
        let kept = self.store.add_key(&record, &digest, false, &entry).await.expect("a key that can be kept");
        assert!(kept, "the key is kept");
        self.ids.get_mut(tenant).expect("a tenant").push(id.clone());
        (id, key)
    }

    /// A subject with this key, that names no project and asks for nobody else.
    async fn subject(&mut self, live: &Live, tenant: usize, principal: &str, key: String) -> Subject {
        let cookie = sign_in(live, &key, None).await.expect("a key that opens a session");
        Subject {
            tenant,
            principal: principal_of(principal),
            named: None,
            acting_for: None,
            tools: BTreeSet::new(),
            shown: Shown { key, cookie },
            first: false,
        }
    }
}

fn principal_of(text: &str) -> Principal {
    Principal::parse(text).expect("a principal")
}

fn project_id(text: &str) -> ProjectId {
    ProjectId::parse(text, None).expect("a project")
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a data folder").flatten() {
        std::fs::copy(entry.path(), to.join(entry.file_name())).expect("a file of the data folder");
    }
}
