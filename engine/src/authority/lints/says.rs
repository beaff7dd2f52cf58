//! What is said of policies that decide nothing, and of permits that are open to all. One line, and what an operator can do.

use ambit_model::codes::{W_NEVER_APPLIES, W_OPEN_PERMIT, W_SHADOWED};
use ambit_model::diagnostic::Diagnostic;
use cedar_policy::{ActionConstraint, Effect, PrincipalConstraint, ResourceConstraint};

use super::super::check::CheckedPolicy;
use super::super::compile::{Authority, ScopedPolicy};
use super::idle::{Because, Found};

/// What can be seen in a policy by itself.
pub(super) fn written(authority: &Authority, policies: &[CheckedPolicy]) -> Vec<Diagnostic> {
    let both = policies.iter().filter_map(|one| Some((one, compiled(authority, one)?)));
    both.flat_map(|(one, policy)| open_permit(one, policy).into_iter().chain(role_itself(authority, one, policy)))
        .collect()
}

fn compiled<'a>(authority: &'a Authority, one: &CheckedPolicy) -> Option<&'a ScopedPolicy> {
    authority.policies.iter().find(|policy| AsRef::<str>::as_ref(policy.policy.id()) == one.policy.id)
}

/// Whoever reads it has to look into its conditions to know whom it is for; and it is looked at for every request of every tenant.
fn open_permit(one: &CheckedPolicy, policy: &ScopedPolicy) -> Option<Diagnostic> {
    let principal = matches!(policy.principal, PrincipalConstraint::Any | PrincipalConstraint::Is(_));
    let resource = matches!(policy.resource, ResourceConstraint::Any | ResourceConstraint::Is(_));
    let open = policy.policy.effect() == Effect::Permit && principal && resource;
    open.then(|| {
        let message = format!("`{}` permits in every tenant: its scope names neither who nor what", one.policy.id);
        Diagnostic::warning(W_OPEN_PERMIT, message)
            .at(one.place.clone())
            .help("name the tenant in the scope: `principal in Ambit::Tenant::\"…\"`, or a role of it")
    })
}

/// `==` means the role, which asks only where a key is the role's own.
fn role_itself(authority: &Authority, one: &CheckedPolicy, policy: &ScopedPolicy) -> Option<Diagnostic> {
    let PrincipalConstraint::Eq(of) = &policy.principal else { return None };
    (*of.type_name() == authority.vocabulary.role).then(|| {
        let (id, role) = (&one.policy.id, of.id().unescaped());
        Diagnostic::warning(
            W_NEVER_APPLIES,
            format!("`{id}` applies to the role `{role}` itself, and to nobody who holds it"),
        )
        .at(one.place.clone())
        .help(format!("write `principal in {of}`"))
    })
}

/// What enumeration found. A forbid whose scope is met, though its conditions hold nowhere today, is no finding: it is there for
/// tomorrow's tools.
pub(super) fn idle(authority: &Authority, one: &CheckedPolicy, found: &Found) -> Option<Diagnostic> {
    let policy = compiled(authority, one)?;
    let id = &one.policy.id;
    let (code, message, help) = match found {
        Found::NeverApplies(Because::Conditions) if policy.policy.effect() == Effect::Forbid => return None,
        Found::NeverApplies(because) => {
            let message = format!("`{id}` applies to nothing that is declared");
            (W_NEVER_APPLIES, message, never(authority, policy, *because))
        }
        Found::Shadowed { by, lacking } => {
            let by: Vec<String> = by.iter().map(|id| format!("`{id}`")).collect();
            let message = match (by.is_empty(), lacking) {
                (true, Some(action)) => {
                    format!("`{id}` changes nothing: nobody is permitted to `{}` what it permits", action.word())
                }
                (true, None) => format!("`{id}` changes nothing"),
                (false, _) => {
                    let verb = if by.len() == 1 { "decides" } else { "decide" };
                    format!("`{id}` changes nothing: {} {verb} wherever it applies", by.join(", "))
                }
            };
            let help = "remove it, or write what it is to decide that they do not; this is by enumeration over what is declared now";
            (W_SHADOWED, message, help.to_owned())
        }
    };
    Some(Diagnostic::warning(code, message).at(one.place.clone()).help(help))
}

fn never(authority: &Authority, policy: &ScopedPolicy, because: Because) -> String {
    let unnamed = policy.policy.effect() == Effect::Permit
        && policy.resource == ResourceConstraint::Any
        && policy.action != ActionConstraint::Any;
    match because {
        Because::Nobody => "no declared user, agent or role meets its `principal`".to_owned(),
        Because::NothingInReach if unnamed => {
            format!("a permit about the Workspace names it: `resource == {}`", authority.workspace)
        }
        Because::NothingInReach => {
            "nothing in its `resource` is within reach of its principals: list the catalog in a project of theirs"
                .to_owned()
        }
        Because::Conditions => "its conditions hold for nothing that its principals can ask about now".to_owned(),
    }
}
