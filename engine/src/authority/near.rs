//! Permits that almost apply: each is asked alone, and every part of it that does not fit is said.
//! Nearest are those that fail for one reason; one that is about other tools is twice as far as one that is about other people.

use std::collections::BTreeSet;

use ambit_model::declaration::Action;
use ambit_model::explain::NearPermit;
use ambit_model::identity::Principal;
use cedar_policy::{
    ActionConstraint, Effect, Entity, EntityTypeName, EntityUid, EvalResult, Policy, PrincipalConstraint,
    ResourceConstraint,
};
use serde_json::{Value, json};

use super::compile::ScopedPolicy;
use super::explain::Asked;
use super::vocabulary::uid;

/// Most permits that are named as near.
const MOST: usize = 4;
/// A permit that is farther is about something else.
const FARTHEST: usize = 2;

/// The nearest of those permits that do not apply, nearest first.
pub(super) fn nearest(asked: &Asked<'_>, action: Action) -> Vec<NearPermit> {
    let permits = asked.authority.policies.iter().filter(|policy| policy.policy.effect() == Effect::Permit);
    let mut found: Vec<(usize, NearPermit)> =
        permits.filter(|permit| asked.speaks_of_use(permit)).filter_map(|permit| near(asked, permit, action)).collect();
    found.sort_by(|a, b| (a.0, &a.1.policy).cmp(&(b.0, &b.1.policy)));
    let least = found.first().map_or(0, |(distance, _)| *distance);
    let close = found.into_iter().filter(|(distance, _)| *distance == least && *distance <= FARTHEST);
    close.take(MOST).map(|(_, permit)| permit).collect()
}

/// How far it is, and why it does not apply; nothing where it never can, or has nothing against it.
fn near(asked: &Asked<'_>, permit: &ScopedPolicy, action: Action) -> Option<(usize, NearPermit)> {
    if names_another_tenant(&permit.principal, asked.principal) {
        return None;
    }
    let parts = [
        principal_part(asked, &permit.principal),
        action_part(asked, &permit.action, action),
        resource_part(asked, &permit.resource),
    ];
    let conditions = clauses(&permit.policy).into_iter().filter_map(|clause| condition_part(asked, &clause, action));
    let parts: Vec<(usize, String)> = parts.into_iter().flatten().chain(conditions).collect();
    let distance: usize = parts.iter().map(|(distance, _)| distance).sum();
    let but: Vec<String> = parts.into_iter().map(|(_, but)| but).collect();
    let policy = permit.policy.id().to_string();
    (!but.is_empty()).then_some((distance, NearPermit { policy, but }))
}

/// Roles, users and the tenant itself have their tenant in their id; nobody holds a role of another.
fn names_another_tenant(wanted: &PrincipalConstraint, principal: &Principal) -> bool {
    let named = match wanted {
        PrincipalConstraint::Eq(of) | PrincipalConstraint::In(of) | PrincipalConstraint::IsIn(_, of) => of,
        PrincipalConstraint::Any | PrincipalConstraint::Is(_) => return false,
    };
    let id = named.id().unescaped();
    id.split_once(':').map_or(id, |(tenant, _)| tenant) != principal.tenant
}

fn principal_part(asked: &Asked<'_>, wanted: &PrincipalConstraint) -> Option<(usize, String)> {
    if asked.seat.meets(wanted) {
        return None;
    }
    let principal = asked.principal;
    let said = match wanted {
        PrincipalConstraint::Any => return None,
        PrincipalConstraint::Eq(of) => format!("it is for `{}` alone", of.id().unescaped()),
        PrincipalConstraint::In(of) if of.type_name().basename() == "Role" => {
            format!("it is for role `{}`, which `{principal}` does not hold", of.id().unescaped())
        }
        PrincipalConstraint::In(of) => format!("it is for {}, and `{principal}` is not in it", named(of)),
        PrincipalConstraint::Is(kind) => {
            format!("it is for principals of type {} alone", kind.basename())
        }
        PrincipalConstraint::IsIn(kind, of) => {
            format!("it is for principals of type {} in {} alone", kind.basename(), named(of))
        }
    };
    Some((1, said))
}

fn action_part(asked: &Asked<'_>, wanted: &ActionConstraint, action: Action) -> Option<(usize, String)> {
    let authority = asked.authority;
    let meets = |action: Action| authority.meets_action(wanted, &authority.vocabulary.action(action));
    if meets(action) {
        return None;
    }
    let words: Vec<String> =
        Action::ALL.into_iter().filter(|other| meets(*other)).map(|other| format!("`{}`", other.word())).collect();
    Some((1, format!("it permits {}, not `{}`", words.join(" and "), action.word())))
}

fn resource_part(asked: &Asked<'_>, wanted: &ResourceConstraint) -> Option<(usize, String)> {
    let tool = &asked.tool.uid;
    let said = match wanted {
        ResourceConstraint::Any => return None,
        ResourceConstraint::Eq(of) if of == tool => return None,
        ResourceConstraint::In(of) if asked.is_in(tool, of) => return None,
        ResourceConstraint::Is(kind) if tool.type_name() == kind => return None,
        ResourceConstraint::IsIn(kind, of) if tool.type_name() == kind && asked.is_in(tool, of) => return None,
        ResourceConstraint::Eq(of) => format!("it is about {} alone", named(of)),
        ResourceConstraint::In(of) | ResourceConstraint::IsIn(_, of) => {
            format!("it is about {}, in which `{}` is not", named(of), tool.id().unescaped())
        }
        ResourceConstraint::Is(kind) => format!("it is about {} alone", kind.basename()),
    };
    Some((2, said))
}

/// A `when` or an `unless` of a policy, as Cedar's JSON has it.
struct Clause {
    word: String,
    written: Value,
}

fn clauses(policy: &Policy) -> Vec<Clause> {
    let written = policy.to_json().ok().and_then(|mut json| Some(json.get_mut("conditions")?.take()));
    let clauses = written.as_ref().and_then(Value::as_array).into_iter().flatten();
    let word = |clause: &Value| clause.get("kind").and_then(Value::as_str).unwrap_or("when").to_owned();
    clauses.map(|clause| Clause { word: word(clause), written: clause.clone() }).collect()
}

/// The clause is asked alone, as a permit with an open scope.
fn condition_part(asked: &Asked<'_>, clause: &Clause, action: Action) -> Option<(usize, String)> {
    let all = json!({ "op": "All" });
    let alone = json!({
        "effect": "permit", "principal": &all, "action": &all, "resource": &all, "conditions": [&clause.written],
    });
    let alone = Policy::from_json(None, alone).ok()?;
    if asked.alone(&alone, action).allow {
        return None;
    }
    let mut facts = Facts { asked, said: Vec::new(), inside: false, outside: false };
    facts.read(clause.written.get("body").unwrap_or(&Value::Null));
    // It names what it is about, and this tool is in none of it: as far as a resource that does not fit.
    let distance = if facts.outside && !facts.inside { 2 } else { 1 };
    let verb = if clause.word == "unless" { "shuts this out" } else { "does not hold" };
    let facts = if facts.said.is_empty() { String::new() } else { format!(": {}", facts.said.join(", ")) };
    Some((distance, format!("its `{}` {verb}{facts}", clause.word)))
}

/// What a condition looks at, each thing said once, in the order in which it looks.
struct Facts<'a, 'b> {
    asked: &'a Asked<'b>,
    said: Vec<String>,
    /// The tool is in something that the condition names.
    inside: bool,
    /// The tool is outside something that the condition names.
    outside: bool,
}

impl Facts<'_, '_> {
    fn read(&mut self, expression: &Value) {
        match expression {
            Value::Array(parts) => parts.iter().for_each(|part| self.read(part)),
            Value::Object(parts) => {
                for (operator, operands) in parts {
                    let (left, right) = (operands.get("left"), operands.get("right"));
                    match (operator.as_str(), left.and_then(variable), operands.get("attr").and_then(Value::as_str)) {
                        ("." | "has", Some(of), Some(attribute)) => self.attribute(of, attribute),
                        ("in", Some("resource"), _) => entities(right).iter().for_each(|of| self.membership(of)),
                        _ => self.read(operands),
                    }
                }
            }
            _ => {}
        }
    }

    fn attribute(&mut self, of: &str, attribute: &str) {
        let asked = self.asked;
        let entity = match of {
            "resource" => asked.entity(&asked.tool.uid),
            "principal" => asked.entity(&asked.seat.uid),
            "context.project" => asked.entity(&asked.project_uid()),
            _ => return,
        };
        self.say(match entity.and_then(|entity| word(entity, attribute)) {
            Some(value) => format!("{of}.{attribute} is `{value}`"),
            None => format!("{of} has no `{attribute}`"),
        });
    }

    fn membership(&mut self, of: &EntityUid) {
        let is_in = self.asked.is_in(&self.asked.tool.uid, of);
        self.inside |= is_in;
        self.outside |= !is_in;
        self.say(format!("it is {}in {}", if is_in { "" } else { "not " }, named(of)));
    }

    fn say(&mut self, fact: String) {
        if !self.said.contains(&fact) {
            self.said.push(fact);
        }
    }
}

/// `resource`, `principal`, or `context.project`.
fn variable(expression: &Value) -> Option<&str> {
    if let Some(variable) = expression.get("Var") {
        return variable.as_str();
    }
    let inner = expression.get(".")?;
    let of_context = inner.pointer("/left/Var")?.as_str()? == "context" && inner.get("attr")?.as_str()? == "project";
    of_context.then_some("context.project")
}

/// The entities that stand to the right of an `in`, one or a set of them.
fn entities(expression: Option<&Value>) -> Vec<EntityUid> {
    let Some(expression) = expression else { return Vec::new() };
    let set = expression.get("Set").and_then(Value::as_array);
    if let Some(set) = set {
        return set.iter().flat_map(|member| entities(Some(member))).collect();
    }
    let entity = expression.pointer("/Value/__entity");
    let read = entity.and_then(|entity| {
        let kind: EntityTypeName = entity.get("type")?.as_str()?.parse().ok()?;
        Some(uid(&kind, entity.get("id")?.as_str()?))
    });
    read.into_iter().collect()
}

/// The value of an attribute as people write it.
pub(super) fn word(entity: &Entity, attribute: &str) -> Option<String> {
    Some(plain(&entity.attr(attribute)?.ok()?))
}

/// Entities by their ids, texts without quotes.
pub(super) fn plain(value: &EvalResult) -> String {
    match value {
        EvalResult::EntityUid(of) => of.id().unescaped().to_owned(),
        EvalResult::String(text) => text.clone(),
        EvalResult::Set(members) => {
            let members: BTreeSet<String> = members.iter().map(plain).collect();
            members.into_iter().collect::<Vec<_>>().join(" ")
        }
        other => other.to_string(),
    }
}

/// Its type and its id.
fn named(of: &EntityUid) -> String {
    format!("{} `{}`", of.type_name().basename(), of.id().unescaped())
}
