//! Tenants: users and agents, the roles they hold, and roles that include roles. Their identity providers have a file of their own.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::codes;
use ambit_model::declaration::Tenant;
use ambit_model::diagnostic::{Diagnostic, Place};
use ambit_model::identity::is_user_name;

use super::declarations::Located;
use super::duplicate_id;
use super::forms::{Reader, bad_identifier};
use super::identity::NamedIssuer;
use super::names::unresolved;
use super::roles::{break_circles, circle_text};
use crate::parse::written::{self, Text};

/// Principals or roles of a tenant, and the roles that each names.
type Holdings = BTreeMap<String, Vec<Located<String>>>;

impl Reader<'_> {
    /// The tenant, and the issuers it names, which are compared when all tenants are read.
    pub(super) fn tenant(&mut self, tenant: &written::Tenant) -> (Tenant, Vec<NamedIssuer>) {
        let known: BTreeSet<&str> = tenant.roles.iter().map(|role| role.id.value.as_str()).collect();
        let id = tenant.id.value.as_str();
        let mut roles = self.holdings("role", tenant.roles.iter().map(|role| (&role.id, &role.includes)), id, &known);
        let users = self.holdings("user", tenant.users.iter().map(|user| (&user.id, &user.roles)), id, &known);
        let agents = self.holdings("agent", tenant.agents.iter().map(|agent| (&agent.id, &agent.roles)), id, &known);
        for circle in break_circles(&mut roles) {
            let message = format!("roles include each other in a circle: {}", circle_text(&circle.roles));
            self.report(
                Diagnostic::error(codes::E_CYCLE, message)
                    .at(circle.place)
                    .help("take one `includes` of the circle out"),
            );
        }
        let (identity, issuers) = self.identity(tenant);
        self.warn_of_unheld_roles(tenant, &roles, [&users, &agents]);
        let tenant = Tenant {
            id: id.to_owned(),
            name: tenant.name.clone(),
            users: names_only(users),
            agents: names_only(agents),
            roles: names_only(roles),
            identity,
        };
        (tenant, issuers)
    }

    fn holdings<'t>(
        &mut self,
        what: &str,
        entries: impl Iterator<Item = (&'t Text, &'t Vec<Text>)>,
        tenant: &str,
        known: &BTreeSet<&str>,
    ) -> Holdings {
        let mut holdings = Holdings::new();
        let mut seen = BTreeMap::new();
        for (id, roles) in entries {
            let place = self.place(id.span);
            let form: fn(&str, Place) -> Option<Diagnostic> =
                if what == "user" { bad_user_name } else { bad_identifier };
            self.problems.extend(form(&id.value, place.clone()));
            if let Some(first) = seen.get(&id.value) {
                self.report(duplicate_id(what, &id.value, place, Clone::clone(first)));
                continue;
            }
            seen.insert(id.value.clone(), place);
            let held = roles.iter().filter_map(|role| self.role(role, tenant, known)).collect();
            holdings.insert(id.value.clone(), held);
        }
        holdings
    }

    /// A role that the tenant declares.
    pub(super) fn role(&mut self, role: &Text, tenant: &str, known: &BTreeSet<&str>) -> Option<Located<String>> {
        if known.contains(role.value.as_str()) {
            return Some(self.located(role));
        }
        let message = format!("tenant `{tenant}` has no role `{}`", role.value);
        let problem = unresolved(message, &role.value, known.iter().copied(), self.place(role.span));
        self.report(problem);
        None
    }

    /// A role is held directly, by a claim that stands for it, or through a held role that includes it.
    fn warn_of_unheld_roles(&mut self, tenant: &written::Tenant, roles: &Holdings, holders: [&Holdings; 2]) {
        let mut open: Vec<&str> =
            holders.into_iter().flat_map(BTreeMap::values).flatten().map(|role| role.value.as_str()).collect();
        let claims = tenant.identity.iter().filter_map(|provider| provider.roles.as_ref());
        open.extend(claims.flat_map(|claim| claim.map.values()).map(|role| role.value.as_str()));
        let mut held = BTreeSet::new();
        while let Some(role) = open.pop() {
            if held.insert(role) {
                open.extend(roles.get(role).into_iter().flatten().map(|included| included.value.as_str()));
            }
        }
        let unheld = tenant.roles.iter().filter(|role| !held.contains(role.id.value.as_str()));
        for role in unheld {
            let message = format!("nobody in tenant `{}` holds the role `{}`", tenant.id.value, role.id.value);
            let place = self.place(role.id.span);
            self.report(
                Diagnostic::warning(codes::W_UNUSED, message)
                    .at(place)
                    .help("give it to a user or an agent, or remove it"),
            );
        }
    }
}

/// What is wrong with a user's id, if anything.
fn bad_user_name(id: &str, place: Place) -> Option<Diagnostic> {
    let problem = || {
        Diagnostic::error(codes::E_VALUE, format!("`{id}` is not a user's id")).at(place).help(
            "begin with a letter or digit and use only letters, digits, `_`, `-`, `.`, `@` and `+`, at most 64 in all",
        )
    };
    (!is_user_name(id)).then(problem)
}

fn names_only(holdings: Holdings) -> BTreeMap<String, Vec<String>> {
    let names = |roles: Vec<Located<String>>| {
        let sorted: BTreeSet<String> = roles.into_iter().map(|role| role.value).collect();
        sorted.into_iter().collect()
    };
    holdings.into_iter().map(|(id, roles)| (id, names(roles))).collect()
}
