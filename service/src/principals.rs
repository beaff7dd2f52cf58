//! Who is declared in the live snapshot, and what each of them may do: for whoever may read snapshots.

use std::collections::BTreeSet;

use ambit_model::identity::{Principal, PrincipalKind};
use ambit_model::listed::{DeclaredPrincipal, PrincipalList, ToolList};
use ambit_model::route::FormattedDefinition;

use crate::Error;
use crate::caller::{Caller, Wanted};
use crate::live::Live;
use crate::named::{self, declared};
use crate::sight::Seen;
use crate::tools::listed;

/// Lists the users, agents and roles that the caller may see, and the projects in which it may ask about them.
pub async fn list_principals(caller: &Caller, live: &Live) -> Result<PrincipalList, Error> {
    let seen = Seen::by(caller, live).await?;
    let snapshot = seen.snapshot();
    let one = |(principal, roles): (Principal, &[String])| {
        let role = |name: &String| Principal {
            tenant: principal.tenant.clone(),
            kind: PrincipalKind::Role,
            name: name.clone(),
        };
        DeclaredPrincipal { roles: roles.iter().map(role).collect(), principal }
    };
    Ok(PrincipalList {
        snapshot: seen.loaded.name(),
        complete: true,
        principals: snapshot.tenants.iter().flat_map(declared).map(one).collect(),
        projects: snapshot.projects.iter().map(|project| project.id.clone()).collect(),
    })
}

/// Lists the tools that somebody whom the caller sees may name, and what it may do with each. What is decided is what is really
/// decided; of the policies that decide, those that the caller sees are named.
pub async fn read_view(caller: &Caller, live: &Live, wanted: &Wanted) -> Result<ToolList<FormattedDefinition>, Error> {
    let seen = Seen::by(caller, live).await?;
    let asker = named::asker(seen.snapshot(), wanted, None)?;
    let mut list = listed(&seen.loaded, seen.loaded.view(asker)?, None);
    if seen.is_part() {
        let in_sight: BTreeSet<&str> = seen.authority().policy_ids().collect();
        let keep = |ids: &mut Vec<String>| ids.retain(|id| in_sight.contains(id.as_str()));
        keep(&mut list.asked_by.acting_by);
        for tool in &mut list.tools {
            [&mut tool.policies.discover, &mut tool.policies.route, &mut tool.policies.invoke]
                .into_iter()
                .for_each(keep);
        }
    }
    Ok(list)
}
