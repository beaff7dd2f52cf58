//! Everybody whose authority is compared: each declared user and agent, each role alone, and whoever a provider's claims map to a
//! role, of every tenant of either side.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::declaration::Tenant;
use ambit_model::diff::Who;
use ambit_model::identity::{Principal, PrincipalKind};
use ambit_model::snapshot::Snapshot;

/// Begins the name of a stranger. No user's name can, so no policy names one and no Tenant document declares one.
const STRANGER: &str = "*";

/// Somebody who is there on at least one side.
pub(super) struct Asker {
    pub(super) who: Who,
    pub(super) tenant: String,
    pub(super) from: Option<Held>,
    pub(super) to: Option<Held>,
}

/// What somebody is on one side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Held {
    /// As it is asked about: itself, or a stranger with the role of a claim.
    pub(super) principal: Principal,
    /// Names of the roles it holds, by inclusion too; a role holds itself.
    pub(super) roles: BTreeSet<String>,
    /// What a stranger is given.
    given: BTreeSet<String>,
}

impl Held {
    /// The roles that somebody vouches for, of a stranger.
    pub(super) fn vouched(&self) -> BTreeSet<String> {
        self.given.clone()
    }
}

impl Asker {
    /// It is there on both sides and holds the same roles.
    pub(super) fn is_same(&self) -> bool {
        self.from == self.to
    }
}

/// Users, agents, roles, then claims: what sorts them, and tells them apart.
type Key = (u8, Who);

/// All askers of both sides, users first, then agents, roles and claims, each sorted.
pub(super) fn all(from: &Snapshot, to: &Snapshot) -> Vec<Asker> {
    let (mut before, mut after) = (of(from), of(to));
    let keys: BTreeSet<Key> = before.keys().chain(after.keys()).cloned().collect();
    let asker = |key: Key| {
        let (from, to) = (before.remove(&key), after.remove(&key));
        let tenant = match &key.1 {
            Who::Principal { principal } => principal.tenant.clone(),
            Who::Claim { tenant, .. } | Who::Vouched { tenant, .. } | Who::Provider { tenant, .. } => tenant.clone(),
        };
        let given = |held: &Held| held.given.first().cloned();
        let known = to.as_ref().or(from.as_ref()).and_then(given).unwrap_or_default();
        Asker { who: with_role(key.1, known), tenant, from, to }
    };
    keys.into_iter().map(asker).collect()
}

/// The strangers of one side, each with its roles.
pub(super) fn strangers<'a>(side: impl Iterator<Item = &'a Held>) -> Vec<(Principal, BTreeSet<String>)> {
    let named = side.filter(|held| !held.given.is_empty());
    named.map(|held| (held.principal.clone(), held.given.clone())).collect::<BTreeMap<_, _>>().into_iter().collect()
}

fn of(snapshot: &Snapshot) -> BTreeMap<Key, Held> {
    snapshot
        .tenants
        .iter()
        .flat_map(|tenant| declared(tenant).chain(vouched_for(tenant)).chain(together(tenant)).collect::<Vec<_>>())
        .collect()
}

fn declared(tenant: &Tenant) -> impl Iterator<Item = (Key, Held)> {
    let kinds = [
        (PrincipalKind::User, 0, &tenant.users),
        (PrincipalKind::Agent, 1, &tenant.agents),
        (PrincipalKind::Role, 2, &tenant.roles),
    ];
    kinds.into_iter().flat_map(move |(kind, rank, names)| {
        names.iter().map(move |(name, roles)| {
            let principal = Principal { tenant: tenant.id.clone(), kind, name: name.clone() };
            let mut held = closure(tenant, roles);
            held.extend((kind == PrincipalKind::Role).then(|| name.clone()));
            let who = Who::Principal { principal: principal.clone() };
            ((rank, who), Held { principal, roles: held, given: BTreeSet::new() })
        })
    })
}

/// A mapping is compared by somebody who is not declared and has nothing but its role. Where a provider vouches for declared
/// users alone, that is what the mapping adds to theirs.
fn vouched_for(tenant: &Tenant) -> impl Iterator<Item = (Key, Held)> {
    let mapped = tenant.identity.iter().flat_map(|provider| {
        let roles = provider.roles.iter();
        roles.flat_map(move |of| of.map.iter().map(move |(value, role)| (&provider.issuer, &of.claim, value, role)))
    });
    let known = mapped.filter(|(.., role)| tenant.roles.contains_key(*role));
    known.map(|(issuer, claim, value, role)| {
        let (issuer, claim, value) = (issuer.clone(), claim.clone(), value.clone());
        let who = Who::Claim { tenant: tenant.id.clone(), issuer, claim, value, role: String::new() };
        let name = format!("{STRANGER}{role}");
        let principal = Principal { tenant: tenant.id.clone(), kind: PrincipalKind::User, name };
        let roles = closure(tenant, std::slice::from_ref(role));
        ((3, who), Held { principal, roles, given: BTreeSet::from([role.clone()]) })
    })
}

/// Roles that claims map to come together too, in pairs and all at once, and beside those that a user is declared with: a policy
/// may ask for two of them. (Three of more than three are compared only where they are all.)
fn together(tenant: &Tenant) -> Vec<(Key, Held)> {
    let maps = tenant.identity.iter().filter_map(|provider| provider.roles.as_ref());
    let mapped: BTreeSet<&String> =
        maps.flat_map(|roles| roles.map.values()).filter(|role| tenant.roles.contains_key(*role)).collect();
    let all: Vec<&String> = mapped.into_iter().collect();
    let mut sets: BTreeSet<Vec<&String>> = BTreeSet::new();
    if all.len() <= MOST_IN_PAIRS {
        let pairs =
            all.iter().enumerate().flat_map(|(at, one)| all.iter().skip(at + 1).map(move |other| vec![*one, *other]));
        sets.extend(pairs);
    }
    sets.extend((all.len() > 1).then(|| all.clone()));
    let named = |user: Option<&String>, roles: &[&String], held: BTreeSet<String>| {
        let given: Vec<String> = roles.iter().map(|role| (*role).clone()).collect();
        let name = format!("{STRANGER}{}{STRANGER}{}", user.map(String::as_str).unwrap_or_default(), given.join("+"));
        let of = |name: String| Principal { tenant: tenant.id.clone(), kind: PrincipalKind::User, name };
        let who = Who::Vouched { tenant: tenant.id.clone(), user: user.cloned().map(of), roles: given };
        let roles: Vec<String> = held.iter().cloned().collect();
        ((4, who), Held { principal: of(name), roles: closure(tenant, &roles), given: held })
    };
    let strangers = sets.iter().map(|roles| named(None, roles, roles.iter().map(|role| (*role).clone()).collect()));
    let users = tenant.users.iter().filter(|_| !all.is_empty()).map(|(user, declared)| {
        let held = declared.iter().chain(all.iter().copied()).cloned().collect();
        named(Some(user), &all, held)
    });
    strangers.chain(users).collect()
}

/// Most mapped roles of which every pair is compared.
const MOST_IN_PAIRS: usize = 12;

/// Two sides may map one value to two roles: it is the same mapping, and the later role is named.
fn with_role(who: Who, known: String) -> Who {
    match who {
        Who::Claim { tenant, issuer, claim, value, .. } => Who::Claim { tenant, issuer, claim, value, role: known },
        other => other,
    }
}

/// These roles and all that they include.
fn closure(tenant: &Tenant, roles: &[String]) -> BTreeSet<String> {
    let mut held = BTreeSet::new();
    let mut next: Vec<&String> = roles.iter().collect();
    while let Some(role) = next.pop() {
        if held.insert(role.clone()) {
            next.extend(tenant.roles.get(role).into_iter().flatten());
        }
    }
    held
}
