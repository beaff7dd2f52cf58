//! A snapshot's authority, compiled once: entities validated, policies parsed and sorted by what their scopes speak of.
//! Everything here is frozen with the snapshot; asking never changes it.

use std::collections::BTreeMap;

use ambit_model::card::ToolCard;
use ambit_model::declaration::{self, Catalog, Project, Tenant};
use ambit_model::digest::Digest;
use ambit_model::facts::{self, Ceiling, Risk};
use ambit_model::identity::{Principal, ProjectId, ToolId};
use ambit_model::snapshot::Snapshot;
use cedar_policy::{
    ActionConstraint, Authorizer, Effect, Entities, EntityUid, Policy, PolicyId, PolicySet, PrincipalConstraint,
    ResourceConstraint, Schema,
};

use super::classes;
use super::entities;
use super::error::AuthorityError;
use super::vocabulary::{BUILT_IN_PREFIX, Schemas, Vocabulary, built_in_policies, uid};

/// What decides, for every principal and project of one snapshot.
#[derive(Debug)]
pub struct Authority {
    pub(super) vocabulary: Vocabulary,
    pub(super) schema: Schema,
    pub(super) entities: Entities,
    pub(super) authorizer: Authorizer,
    pub(super) policies: Vec<ScopedPolicy>,
    pub(super) projects: BTreeMap<ProjectId, Project>,
    pub(super) tools: BTreeMap<ToolId, Tool>,
    pub(super) catalogs: Vec<Catalog>,
    pub(super) workspace: EntityUid,
    /// Tenant to its declared users, agents and roles with what they hold, for principals that hold more by their token.
    pub(super) tenants: BTreeMap<String, Tenant>,
}

/// A policy with the parts of its scope that hold for every tool, by which those that can never apply are left out.
#[derive(Debug)]
pub(super) struct ScopedPolicy {
    pub(super) policy: Policy,
    pub(super) principal: PrincipalConstraint,
    pub(super) action: ActionConstraint,
    pub(super) resource: ResourceConstraint,
    /// Its action is open and it forbids, and nothing in it is about tools alone: it forbids administration too.
    pub(super) forbids_all: bool,
    pub(super) reason: Option<String>,
}

/// What deciding needs of a card.
#[derive(Debug)]
pub(super) struct Tool {
    pub(super) uid: EntityUid,
    /// Effect read, no confirmation, risk below high: what a `read_only` ceiling lets through.
    pub(super) harmless: bool,
    pub(super) confirmation: bool,
    pub(super) digest: Digest,
    /// Tools of one class are one tool to every policy.
    pub(super) class: usize,
}

impl Tool {
    /// A call, where it is allowed at all, needs a confirmation given by a person.
    pub(super) fn needs_confirmation(&self, ceiling: Ceiling) -> bool {
        self.confirmation || (ceiling != Ceiling::Open && !self.harmless)
    }
}

impl Authority {
    /// Compiles the authority of a snapshot; `digests` holds the digest of every card. A card without one, an entity that
    /// does not fit the schema, or a policy that does not hold against it fails the compile.
    pub fn compile(snapshot: &Snapshot, digests: &BTreeMap<ToolId, Digest>) -> Result<Self, AuthorityError> {
        let vocabulary = Vocabulary::new()?;
        let schemas = Schemas::read(&snapshot.schema)?;
        let schema = &schemas.whole;
        let entities = entities::build(snapshot, &vocabulary, schema)?;
        let policies = read_policies(&snapshot.policies, &schemas)?;
        let classes = classes::of(snapshot, &policies, &vocabulary);
        let tools = snapshot.tools.iter().zip(classes);
        let tools = tools.map(|(card, class)| Ok((card.id.clone(), tool(&vocabulary, card, class, digests)?)));
        Ok(Self {
            entities,
            authorizer: Authorizer::new(),
            policies,
            projects: snapshot.projects.iter().map(|project| (project.id.clone(), project.clone())).collect(),
            tools: tools.collect::<Result<_, AuthorityError>>()?,
            catalogs: snapshot.catalogs.clone(),
            workspace: uid(&vocabulary.workspace, &snapshot.settings.workspace),
            tenants: snapshot.tenants.iter().map(|tenant| (tenant.id.clone(), tenant.clone())).collect(),
            schema: schemas.whole,
            vocabulary,
        })
    }

    /// Why a policy is there, as its `@reason` or its Policy document says; nothing where neither does, or no policy has this id.
    pub fn reason(&self, policy: &str) -> Option<&str> {
        self.policies.iter().find(|p| AsRef::<str>::as_ref(p.policy.id()) == policy)?.reason.as_deref()
    }

    /// A Tenant document declares this principal.
    pub fn declares(&self, principal: &Principal) -> bool {
        self.entities.get(&self.vocabulary.principal(principal)).is_some()
    }

    /// The ids of all policies, the built-in ones first.
    pub fn policy_ids(&self) -> impl Iterator<Item = &str> {
        self.policies.iter().map(|p| p.policy.id().as_ref())
    }

    /// Every declared principal in its written form, sorted.
    pub(super) fn principal_ids(&self) -> Vec<String> {
        let Vocabulary { user, agent, role, .. } = &self.vocabulary;
        let principals = self
            .entities
            .iter()
            .map(cedar_policy::Entity::uid)
            .filter(|uid| [user, agent, role].contains(&uid.type_name()));
        let mut ids: Vec<String> = principals.map(|uid| uid.id().unescaped().to_owned()).collect();
        ids.sort();
        ids
    }
}

fn read_policies(written: &[declaration::Policy], schemas: &Schemas) -> Result<Vec<ScopedPolicy>, AuthorityError> {
    let built_in = built_in_policies(&schemas.whole)?;
    let mut all: Vec<ScopedPolicy> = built_in.into_iter().map(|policy| scoped(policy, None)).collect();
    for policy in written {
        all.push(scoped(read_policy(policy)?, policy.reason.clone()));
    }
    let failed = AuthorityError::Validation;
    PolicySet::from_policies(all.iter().map(|p| p.policy.clone())).map_err(|e| failed(e.to_string()))?;
    let complaints = schemas.complaints(all.iter().map(|p| p.policy.clone())).map_err(failed)?;
    let complaints: Vec<String> = complaints.iter().map(|complaint| complaint.said.to_string()).collect();
    if !complaints.is_empty() {
        return Err(AuthorityError::Validation(complaints.join("; ")));
    }
    for one in all.iter_mut().filter(|one| one.action == ActionConstraint::Any && one.policy.effect() == Effect::Forbid)
    {
        one.forbids_all = schemas.fits_whole(&one.policy);
    }
    Ok(all)
}

fn read_policy(written: &declaration::Policy) -> Result<Policy, AuthorityError> {
    let failed = |cause: String| AuthorityError::Policy { id: written.id.clone(), cause };
    if written.id.starts_with(BUILT_IN_PREFIX) {
        return Err(failed(format!("an id that starts with `{BUILT_IN_PREFIX}` is reserved")));
    }
    Policy::parse(Some(PolicyId::new(&written.id)), &written.cedar).map_err(|e| failed(e.to_string()))
}

fn scoped(policy: Policy, reason: Option<String>) -> ScopedPolicy {
    ScopedPolicy {
        principal: policy.principal_constraint(),
        action: policy.action_constraint(),
        resource: policy.resource_constraint(),
        forbids_all: false,
        reason: reason.or_else(|| policy.annotation("reason").map(str::to_owned)),
        policy,
    }
}

fn tool(
    vocabulary: &Vocabulary,
    card: &ToolCard,
    class: usize,
    digests: &BTreeMap<ToolId, Digest>,
) -> Result<Tool, AuthorityError> {
    let known = &card.facts;
    let harmless = known.effect.value == facts::Effect::Read && !known.confirmation && known.risk.value < Risk::High;
    Ok(Tool {
        uid: uid(&vocabulary.tool, card.id.as_str()),
        harmless,
        confirmation: known.confirmation,
        digest: digests.get(&card.id).cloned().ok_or_else(|| AuthorityError::MissingDigest(card.id.clone()))?,
        class,
    })
}
