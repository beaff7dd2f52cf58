//! A snapshot's authority, compiled once: entities validated, policies parsed and sorted by what their scopes speak of.
//! Everything here is frozen with the snapshot; asking never changes it.

use std::collections::BTreeMap;

use ambit_model::card::ToolCard;
use ambit_model::declaration::{self, Project};
use ambit_model::digest::Digest;
use ambit_model::facts::{Effect, Risk};
use ambit_model::identity::{ProjectId, ToolId};
use ambit_model::snapshot::Snapshot;
use cedar_policy::{
    ActionConstraint, Authorizer, Entities, EntityUid, Policy, PolicyId, PolicySet, PrincipalConstraint, Schema,
    ValidationMode, Validator,
};

use super::entities;
use super::error::AuthorityError;
use super::vocabulary::{BUILT_IN_PREFIX, Vocabulary, built_in_policies, read_schema, uid};

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
}

/// A policy with the parts of its scope that hold for every tool, by which those that can never apply are left out.
#[derive(Debug)]
pub(super) struct ScopedPolicy {
    pub(super) policy: Policy,
    pub(super) principal: PrincipalConstraint,
    pub(super) action: ActionConstraint,
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
}

impl Authority {
    /// Compiles the authority of a snapshot; `digests` holds the digest of every card. A card without one, an entity that
    /// does not fit the schema, or a policy that does not hold against it fails the compile.
    pub fn compile(snapshot: &Snapshot, digests: &BTreeMap<ToolId, Digest>) -> Result<Self, AuthorityError> {
        let vocabulary = Vocabulary::new()?;
        let schema = read_schema(&snapshot.schema)?;
        let entities = entities::build(snapshot, &vocabulary, &schema)?;
        let policies = read_policies(&snapshot.policies, &schema)?;
        let tools = snapshot.tools.iter().map(|card| Ok((card.id.clone(), tool(&vocabulary, card, digests)?)));
        Ok(Self {
            entities,
            authorizer: Authorizer::new(),
            policies,
            projects: snapshot.projects.iter().map(|project| (project.id.clone(), project.clone())).collect(),
            tools: tools.collect::<Result<_, AuthorityError>>()?,
            schema,
            vocabulary,
        })
    }

    /// Why a policy is there, as its `@reason` or its Policy document says; nothing where neither does, or no policy has this id.
    pub fn reason(&self, policy: &str) -> Option<&str> {
        self.policies.iter().find(|p| AsRef::<str>::as_ref(p.policy.id()) == policy)?.reason.as_deref()
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

fn read_policies(written: &[declaration::Policy], schema: &Schema) -> Result<Vec<ScopedPolicy>, AuthorityError> {
    let mut all: Vec<ScopedPolicy> = built_in_policies()?.into_iter().map(|policy| scoped(policy, None)).collect();
    for policy in written {
        all.push(scoped(read_policy(policy)?, policy.reason.clone()));
    }
    let set = PolicySet::from_policies(all.iter().map(|p| p.policy.clone()))
        .map_err(|e| AuthorityError::Validation(e.to_string()))?;
    let result = Validator::new(schema.clone()).validate(&set, ValidationMode::Strict);
    let complaints: Vec<String> = result
        .validation_errors()
        .map(ToString::to_string)
        .chain(result.validation_warnings().map(ToString::to_string))
        .collect();
    if complaints.is_empty() { Ok(all) } else { Err(AuthorityError::Validation(complaints.join("; "))) }
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
        reason: reason.or_else(|| policy.annotation("reason").map(str::to_owned)),
        policy,
    }
}

fn tool(vocabulary: &Vocabulary, card: &ToolCard, digests: &BTreeMap<ToolId, Digest>) -> Result<Tool, AuthorityError> {
    let facts = &card.facts;
    let harmless = facts.effect.value == Effect::Read && !facts.confirmation && facts.risk.value < Risk::High;
    Ok(Tool {
        uid: uid(&vocabulary.tool, card.id.as_str()),
        harmless,
        confirmation: facts.confirmation,
        digest: digests.get(&card.id).cloned().ok_or_else(|| AuthorityError::MissingDigest(card.id.clone()))?,
    })
}
