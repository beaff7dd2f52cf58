//! Why a tool is allowed or denied: the answer first, then each decision, what would flip it, and the policies that are named.

use ambit_model::declaration::Action;
use ambit_model::explain::{Change, Decided, Explained, NamedPolicy, Side, Why};

use super::snapshots::counted;

/// The whole explanation.
pub(in crate::cli) fn why(why: &Why) -> String {
    let Why { snapshot, blocked, explained, .. } = why;
    let verdict = if explained.allow { "allow" } else { "deny" };
    let mut text = format!("{verdict}: {}\n", explained.answer());
    text.push_str(&format!("  snapshot {} ({})\n", snapshot.number, snapshot.digest.short()));
    blocked.iter().for_each(|block| text.push_str(&format!("  {}\n", super::blocks::by(block))));
    text.push_str(&about(explained));
    for side in &explained.sides {
        text.push_str(&decisions(side));
    }
    if let (Some(user), Some(acting)) = (&explained.acting_for, &explained.acting) {
        text.push_str(&format!("\nacting for {user}\n{}", decision("act_for", acting)));
    }
    text.push_str(&format!("\n{}\n", explained.above_changes()));
    explained.changes.iter().for_each(|change| text.push_str(&changed(change)));
    for (id, policy) in &explained.policies {
        text.push_str(&written(id, policy));
    }
    let next = "`ambit check` runs the PolicyTests on what you change";
    format!("{text}\n{} named; {next}\n", counted_policies(explained.policies.len()))
}

/// The tool as policies see it, and what the project does to it.
fn about(explained: &Explained) -> String {
    let mut text = String::new();
    if let Some(seen) = &explained.seen {
        let facts: Vec<String> = seen.attributes.iter().map(|(name, value)| format!("{name} {value}")).collect();
        text.push_str(&format!("  tool     {}\n", facts.join(", ")));
        text.push_str(&format!("  in       {}\n", seen.within.join(", ")));
    }
    if let Some(within) = &explained.within {
        let bars = if within.ceiling_bars { ", which keeps the tool from being routed and invoked" } else { "" };
        let lists = if within.lists_catalog { "lists" } else { "does not list" };
        let catalog = explained.tool.catalog();
        text.push_str(&format!("  ceiling  {}{bars}\n", within.ceiling));
        text.push_str(&format!("  project  {lists} the catalog {catalog}\n"));
    }
    text
}

fn decisions(side: &Side) -> String {
    let roles: Vec<String> = side.roles.iter().map(ToString::to_string).collect();
    let holds = match (side.declared, roles.is_empty()) {
        (false, true) => " (not declared)".to_owned(),
        (_, true) => " (holds no role)".to_owned(),
        (_, false) => format!(" (holds {})", roles.join(", ")),
    };
    let lines = Action::ALL.map(|action| decision(action.word(), side.decided(action)));
    format!("\n{}{holds}\n{}", side.principal, lines.concat())
}

fn decision(action: &str, decided: &Decided) -> String {
    let by = format!("{} {}", decided.by(), decided.policies.join(", "));
    let (verdict, by) = (decided.verdict(), by.trim_end());
    let errors: Vec<String> = decided.errors.iter().map(|error| format!("            error: {error}\n")).collect();
    format!("  {action:<8}  {verdict:<5}  {by}\n{}", errors.concat())
}

fn changed(change: &Change) -> String {
    let mut text = format!("  - {}\n", change.says);
    for near in &change.nearest {
        text.push_str(&format!("      near: {}: {}\n", near.policy, near.but.join("; ")));
    }
    text
}

/// Its reason, and its text without what is said above it already.
fn written(id: &str, policy: &NamedPolicy) -> String {
    let reason = policy.reason.as_deref().map(|reason| format!(": {reason}")).unwrap_or_default();
    let said = |line: &&str| !line.starts_with("@id(") && !line.starts_with("@reason(");
    let lines: Vec<String> = policy.cedar.lines().filter(said).map(|line| format!("    {line}\n")).collect();
    let place = policy.place.as_ref().map(|place| format!("    at {place}\n")).unwrap_or_default();
    format!("\n{} {id}{reason}\n{}{place}", policy.effect, lines.concat())
}

fn counted_policies(count: usize) -> String {
    if count == 1 { counted(1, "policy") } else { format!("{count} policies") }
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn a_decision_is_one_line_and_each_error_another() {
        let mut decided =
            Decided { allow: false, policies: vec!["p1".to_owned()], errors: vec!["overflow".to_owned()] };
        assert_eq!(decision("route", &decided), "  route     deny   forbidden by p1\n            error: overflow\n");
        decided = Decided::default();
        assert_eq!(decision("discover", &decided), "  discover  deny   no permit applies\n");
        decided.allow = true;
        decided.policies = vec!["p1".to_owned(), "p2".to_owned()];
        assert_eq!(decision("invoke", &decided), "  invoke    allow  permitted by p1, p2\n");
    }

    #[test]
    fn a_policys_text_does_not_repeat_its_id_and_reason() {
        let policy = NamedPolicy {
            effect: "permit".to_owned(),
            reason: Some("why not".to_owned()),
            cedar: "@id(\"p\")\n@reason(\"why not\")\npermit (principal, action, resource);".to_owned(),
            place: Some("policies/p.cedar:3".to_owned()),
        };
        let expected = "\npermit p: why not\n    permit (principal, action, resource);\n    at policies/p.cedar:3\n";
        assert_eq!(written("p", &policy), expected);
    }
}
