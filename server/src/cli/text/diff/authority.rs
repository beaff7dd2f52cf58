//! Who gains (`+`) and who loses (`-`), by project and class of askers, with an example and the policies that make it so.

use ambit_model::diff::{AuthorityChanges, ClassChange, ReachChange, ToolChange};

use super::Detail;
use crate::cli::bundle::{Bundle, bundles, shown};

/// Tools of one line, and askers of one class, where it is to be short.
const FEW: usize = 6;

/// Everything about authority; nothing where it is as it was.
pub(super) fn changes(authority: &AuthorityChanges, detail: Detail) -> String {
    let mut text = String::new();
    let mut project = None;
    for class in &authority.classes {
        if project != Some(&class.project) {
            text.push_str(&format!("\n{}\n", class.project));
            project = Some(&class.project);
        }
        text.push_str(&changed_class(class, detail));
    }
    if !authority.reaches.is_empty() {
        text.push_str("\nadministration and acting for others\n");
        authority.reaches.iter().for_each(|reach| text.push_str(&changed_reach(reach, detail)));
    }
    text
}

fn changed_class(class: &ClassChange, detail: Detail) -> String {
    let mut text = format!("  {}\n", asked(class, detail));
    for bundle in bundles(&class.gains) {
        text.push_str(&tools('+', &bundle, detail));
    }
    for bundle in bundles(&class.loses) {
        text.push_str(&tools('-', &bundle, detail));
    }
    for change in &class.effects {
        text.push_str(&format!("    ~ effect of {}: {} -> {}\n", change.tool, change.from, change.to));
    }
    text
}

/// The class, and who is in it: an example where it does not begin with one, or all of them.
fn asked(class: &ClassChange, detail: Detail) -> String {
    let names: Vec<String> = class.who.iter().map(ToString::to_string).collect();
    let has_example = names.first().is_none_or(|first| class.class.starts_with(first.as_str()));
    if has_example && (names.len() < 2 || detail == Detail::Short) {
        return class.class.clone();
    }
    format!("{} ({})", class.class, shown(&names, few(detail, 1)))
}

fn few(detail: Detail, few: usize) -> usize {
    if detail == Detail::Full { usize::MAX } else { few }
}

fn tools(sign: char, bundle: &Bundle<'_>, detail: Detail) -> String {
    let name = |change: &&ToolChange| format!("{} ({})", change.tool, change.effect);
    let names: Vec<String> = bundle.tools.iter().map(name).collect();
    let condition = bundle.of.condition.iter().map(|condition| format!(", {condition}")).collect::<String>();
    let line = format!("    {sign} {}: {}{condition}\n", bundle.actions(), shown(&names, few(detail, FEW)));
    match why(&bundle.of.policies, &bundle.of.because) {
        Some(why) => format!("{line}        {why}\n"),
        None => line,
    }
}

fn why(policies: &[String], because: &[String]) -> Option<String> {
    match (policies.is_empty(), because.is_empty()) {
        (true, true) => None,
        (true, false) => Some(because.join("; ")),
        (false, true) => Some(format!("by {}", policies.join(", "))),
        (false, false) => Some(format!("by {}: {}", policies.join(", "), because.join("; "))),
    }
}

fn changed_reach(reach: &ReachChange, detail: Detail) -> String {
    let mut text = format!("  {}\n", reach.who);
    for (sign, things) in [('+', &reach.gains), ('-', &reach.loses)] {
        if !things.is_empty() {
            text.push_str(&format!("    {sign} {}\n", shown(things, few(detail, FEW))));
        }
    }
    why(&reach.policies, &[]).iter().for_each(|why| text.push_str(&format!("        {why}\n")));
    text
}
