//! What the conditions of a policy look at beyond the tool and the project that are asked about.
//! INVARIANT: a doubt counts as a look; then more is compared than needs be, and nothing is missed.

use serde_json::Value;

/// What one policy's conditions look at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Glance {
    /// At who asks, other than at its tenant.
    pub(crate) at_principal: bool,
    /// At attributes or ancestors of something that it names, so that a change of that changes decisions about anything.
    pub(crate) elsewhere: bool,
}

/// Entity types whose members have neither attributes nor ancestors.
const WORDS: [&str; 6] =
    ["Ambit::Effect", "Ambit::Risk", "Ambit::Operation", "Ambit::SourceKind", "Ambit::Ceiling", "Ambit::Action"];

impl Glance {
    /// Of a policy in Cedar's JSON form.
    pub(super) fn of(policy: &Value) -> Self {
        let Some(conditions) = policy.get("conditions") else { return Self { at_principal: true, elsewhere: true } };
        let mut glance = Self::default();
        glance.look(conditions, false);
        glance
    }

    /// `compared`: it stands where only its name counts, beside `==` or right of `in`.
    fn look(&mut self, expression: &Value, compared: bool) {
        match expression {
            Value::Array(members) => members.iter().for_each(|member| self.look(member, compared)),
            Value::Object(members) => {
                for (operator, operands) in members {
                    self.look_at(operator, operands, compared);
                }
            }
            _ => {}
        }
    }

    fn look_at(&mut self, operator: &str, operands: &Value, compared: bool) {
        let operand = |side: &str| operands.get(side).unwrap_or(&Value::Null);
        match operator {
            "Var" => self.at_principal |= operands == "principal",
            "." if operands.get("attr").is_some_and(|attr| attr == "tenant") && is_principal(operand("left")) => {}
            "==" | "!=" | "contains" | "containsAll" | "containsAny" => {
                self.look(operand("left"), is_named(operand("left")));
                self.look(operand("right"), is_named(operand("right")));
            }
            "in" => {
                self.look(operand("left"), false);
                self.look(operand("right"), is_named(operand("right")));
            }
            "is" => {
                self.look(operand("left"), false);
                self.look(operand("in"), is_named(operand("in")));
            }
            "Set" => self.look(operands, compared),
            "Value" => self.elsewhere |= !compared && names_a_thing(operands),
            _ => self.look(operands, false),
        }
    }
}

fn is_principal(expression: &Value) -> bool {
    expression.get("Var").is_some_and(|variable| variable == "principal")
}

/// A literal, or a set of literals.
fn is_named(expression: &Value) -> bool {
    let members = expression.get("Set").and_then(Value::as_array);
    expression.get("Value").is_some() || members.is_some_and(|members| members.iter().all(is_named))
}

/// A literal entity that has attributes or ancestors; or a set or record with one in it.
fn names_a_thing(value: &Value) -> bool {
    match value {
        Value::Array(members) => members.iter().any(names_a_thing),
        Value::Object(members) => match members.get("__entity") {
            Some(entity) => !entity.get("type").and_then(Value::as_str).is_some_and(|kind| WORDS.contains(&kind)),
            None => members.values().any(names_a_thing),
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use cedar_policy::Policy;

    use super::*;

    /// `principal`, `elsewhere`, both or neither.
    #[track_caller]
    fn check(condition: &str, expected: &str) {
        let policy = Policy::parse(None, format!("permit (principal, action, resource) when {{ {condition} }};"));
        let glance = Glance::of(&policy.unwrap().to_json().unwrap());
        let words = [(glance.at_principal, "principal"), (glance.elsewhere, "elsewhere")];
        let words: Vec<&str> = words.into_iter().filter(|(looks, _)| *looks).map(|(_, word)| word).collect();
        assert_eq!(words.join(" "), expected, "{condition}");
    }

    #[test]
    fn what_is_only_compared_is_not_looked_at() {
        check("true", "");
        check(r#"resource.effect == Ambit::Effect::"read""#, "");
        check(r#"[Ambit::Risk::"low", Ambit::Risk::"high"].contains(resource.risk)"#, "");
        check(r#"context.project == Ambit::Project::"acme/desk""#, "");
        check(r#"resource in Ambit::Group::"people" || resource in [Ambit::Catalog::"crm"]"#, "");
        check(r#"resource is Ambit::Tool in Ambit::Catalog::"crm""#, "");
        check("resource has tenant && resource.tenant == principal.tenant", "");
        check("context.project.catalogs.contains(resource.catalog)", "");
        check(r#"context.project.catalogs.contains(Ambit::Catalog::"crm")"#, "");
    }

    #[test]
    fn who_asks_is_looked_at() {
        check(r#"principal in Ambit::Role::"acme:role:lead""#, "principal");
        check(r#"principal == Ambit::User::"acme:user:ada""#, "principal");
        check("principal is Ambit::Agent", "principal");
    }

    #[test]
    fn what_is_named_and_looked_into_is_elsewhere() {
        check(r#"Ambit::Project::"acme/desk".ceiling == Ambit::Ceiling::"open""#, "elsewhere");
        check(r#"Ambit::User::"acme:user:ada" in Ambit::Role::"acme:role:lead""#, "elsewhere");
        check(r#"Ambit::Tool::"crm/find" has tenant"#, "elsewhere");
        check(
            r#"(if resource.confirmation then resource else Ambit::Tool::"crm/find").effect == Ambit::Effect::"read""#,
            "elsewhere",
        );
        check(r#"Ambit::Tool::"crm/find".tenant == principal.tenant || principal == resource"#, "principal elsewhere");
    }
}
