//! What the conditions of a policy look at. One that does not look at the principal is asked once for all who meet its scope, and
//! so on: that is what makes it cheap to ask every policy about everything.

use cedar_policy::Policy;
use serde_json::Value;

/// How much of the principal the conditions look at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Of {
    #[default]
    Nothing,
    /// `principal.tenant` and no more.
    Tenant,
    Everything,
}

/// What the conditions look at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reads {
    pub(super) principal: Of,
    pub(super) action: bool,
    pub(super) resource: bool,
    pub(super) context: bool,
}

/// Reads the conditions in Cedar's JSON form; where there is none they may look at anything.
pub(super) fn of(policy: &Policy) -> Reads {
    let mut reads = Reads::default();
    match policy.to_json() {
        Ok(json) => walk(json.get("conditions").unwrap_or(&Value::Null), &mut reads),
        Err(_) => reads = Reads { principal: Of::Everything, action: true, resource: true, context: true },
    }
    reads
}

fn walk(value: &Value, reads: &mut Reads) {
    match value {
        Value::Object(map) => {
            if is_tenant_of_principal(value) {
                reads.principal = reads.principal.max(Of::Tenant);
                return;
            }
            match map.get("Var").and_then(Value::as_str) {
                Some("principal") => reads.principal = Of::Everything,
                Some("action") => reads.action = true,
                Some("resource") => reads.resource = true,
                Some("context") => reads.context = true,
                _ => map.values().for_each(|inner| walk(inner, reads)),
            }
        }
        Value::Array(list) => list.iter().for_each(|inner| walk(inner, reads)),
        _ => {}
    }
}

/// `{".": {"left": {"Var": "principal"}, "attr": "tenant"}}`
fn is_tenant_of_principal(value: &Value) -> bool {
    let part = |path: &str| value.pointer(path).and_then(Value::as_str);
    part("/./left/Var") == Some("principal") && part("/./attr") == Some("tenant")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(condition: &str, expected: Reads) {
        let text = format!("permit (principal, action, resource) {condition};");
        assert_eq!(Policy::parse(None, text).map(|policy| of(&policy)).ok(), Some(expected), "{condition}");
    }

    #[test]
    fn conditions_are_searched_for_variables() {
        let nothing = Reads::default();
        check("", nothing);
        check("when { 1 < 2 }", nothing);
        check("when { resource.risk == Ambit::Risk::\"low\" }", Reads { resource: true, ..nothing });
        check("when { resource.principal }", Reads { resource: true, ..nothing });
        check("unless { [context.project].contains(context.other) }", Reads { context: true, ..nothing });
        let tenant = Reads { principal: Of::Tenant, resource: true, ..nothing };
        check("when { resource has tenant && resource.tenant == principal.tenant }", tenant);
        check("when { principal in Ambit::Role::\"a:role:b\" }", Reads { principal: Of::Everything, ..nothing });
        check("when { if action == Ambit::Action::\"route\" then true else false }", Reads { action: true, ..nothing });
    }
}
