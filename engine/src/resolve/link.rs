//! The stage after intake: names of tools become tools. Groups are expanded, twins and families completed, and whatever names a
//! tool that is not offered is reported. A tool that intake refused is no mistake of the declarations: it is left out, with a warning.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::codes;
use ambit_model::declaration::{FamilyMember, Group, TwinGroup, VersionFamily};
use ambit_model::diagnostic::{Diagnostic, Place};
use ambit_model::identity::ToolId;

use super::declarations::{Declarations, FamilyDeclaration, GroupDeclaration, Located, TwinDeclaration};
use super::forms::{is_glob, tool_glob};
use super::names::unresolved;
use super::sort_by_place;

mod flow;
#[cfg(test)]
mod tests;

/// Every tool that the catalogs offer, by what intake said of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolNames {
    pub accepted: BTreeSet<ToolId>,
    pub refused: BTreeSet<ToolId>,
}

impl ToolNames {
    /// The tool is in a catalog's file, whatever intake said.
    pub fn offers(&self, tool: &ToolId) -> bool {
        self.accepted.contains(tool) || self.refused.contains(tool)
    }

    /// The accepted tools of one catalog.
    fn accepted_of<'a>(&'a self, catalog: &'a str) -> impl Iterator<Item = &'a ToolId> {
        of_catalog(&self.accepted, catalog)
    }

    /// Names, in their source, of all tools that one catalog offers.
    fn names_of<'a>(&'a self, catalog: &'a str) -> impl Iterator<Item = &'a str> {
        of_catalog(&self.accepted, catalog).chain(of_catalog(&self.refused, catalog)).map(ToolId::name)
    }
}

fn of_catalog<'a>(tools: &'a BTreeSet<ToolId>, catalog: &'a str) -> impl Iterator<Item = &'a ToolId> {
    tools.range(ToolId::new(catalog, "")..).take_while(move |tool| tool.catalog() == catalog)
}

/// What the declarations say of tools, in terms of accepted ones alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Linked {
    /// Sorted by id, members too.
    pub groups: Vec<Group>,
    /// Sorted by id, members too.
    pub twins: Vec<TwinGroup>,
    /// Sorted by id.
    pub families: Vec<VersionFamily>,
    /// The ids of the groups that a tool is in, sorted; a tool in none is absent.
    pub groups_of: BTreeMap<ToolId, Vec<String>>,
    /// Tools that usually come next, in declared order; a tool without any is absent. The catalog's defaults are applied.
    pub next: BTreeMap<ToolId, Vec<ToolId>>,
    /// Tools that must have come first, in the same form.
    pub after: BTreeMap<ToolId, Vec<ToolId>>,
}

/// Most names for which the nearest known one is sought: where a whole catalog was renamed, comparing all with all would take minutes.
const MOST_SUGGESTED: usize = 100;

/// Links what `resolve` left open to the tools that intake accepted.
pub fn link(declarations: &Declarations, tools: &ToolNames) -> (Linked, Vec<Diagnostic>) {
    let mut linker = Linker { tools, suggested: 0, problems: Vec::new() };
    let mut linked = Linked {
        groups: declarations.groups.iter().map(|group| linker.group(group)).collect(),
        twins: declarations.twins.iter().filter_map(|twins| linker.twins(twins)).collect(),
        families: declarations.families.iter().filter_map(|family| linker.family(family)).collect(),
        ..Linked::default()
    };
    for group in &linked.groups {
        for member in &group.members {
            linked.groups_of.entry(member.clone()).or_default().push(group.id.clone());
        }
    }
    for catalog in &declarations.catalogs {
        linker.catalog(catalog, &mut linked);
    }
    for named in &declarations.named_tools {
        linker.matching(named, "a test names it here");
    }
    sort_by_place(&mut linker.problems);
    (linked, linker.problems)
}

struct Linker<'a> {
    tools: &'a ToolNames,
    suggested: usize,
    problems: Vec<Diagnostic>,
}

impl Linker<'_> {
    fn group(&mut self, group: &GroupDeclaration) -> Group {
        let consequence = format!("it is left out of the group `{}`", group.id.value);
        let members: BTreeSet<ToolId> =
            group.members.iter().flat_map(|member| self.matching(member, &consequence)).collect();
        Group {
            id: group.id.value.clone(),
            title: group.title.clone(),
            description: group.description.clone(),
            members: members.into_iter().collect(),
        }
    }

    fn twins(&mut self, twins: &TwinDeclaration) -> Option<TwinGroup> {
        let consequence = format!("it is left out of the twin group `{}`", twins.id.value);
        let members: BTreeSet<ToolId> =
            twins.members.iter().filter_map(|member| self.tool(member, &consequence)).collect();
        let members: Vec<ToolId> = members.into_iter().collect();
        if members.len() < 2 {
            return None;
        }
        // The preferred tool is among the members, so where it was refused that is already said.
        let preferred =
            members.iter().find(|member| member.as_str() == twins.preferred.value).or(members.first())?.clone();
        Some(TwinGroup { id: twins.id.value.clone(), members, preferred, reason: twins.reason.clone() })
    }

    fn family(&mut self, family: &FamilyDeclaration) -> Option<VersionFamily> {
        let consequence = format!("it is left out of the version family `{}`", family.id.value);
        let mut members: Vec<FamilyMember> = Vec::new();
        for member in &family.members {
            let tool = self.tool(&member.tool, &consequence);
            members.extend(tool.map(|tool| FamilyMember {
                tool,
                version: member.version,
                deprecated: member.deprecated,
                retired_on: member.retired_on.clone(),
                pin: member.pin.clone(),
            }));
        }
        members.sort_by(|a, b| (a.version, &a.tool).cmp(&(b.version, &b.tool)));
        if members.len() < 2 {
            return None;
        }
        let has_current = members.iter().any(|member| member.version == family.current.value);
        let current = if has_current { family.current.value } else { newest(&members)? };
        Some(VersionFamily { id: family.id.value.clone(), members, current })
    }

    /// The accepted tools that a canonical id or a glob names.
    fn matching(&mut self, written: &Located<String>, consequence: &str) -> Vec<ToolId> {
        if !is_glob(&written.value) {
            return self.tool(written, consequence).into_iter().collect();
        }
        let Ok(glob) = tool_glob(&written.value) else {
            // `resolve` has refused it.
            return Vec::new();
        };
        let matcher = glob.compile_matcher();
        let matches = |tool: &&ToolId| matcher.is_match(tool.as_str());
        // Most globs name one catalog: the tools of the others need not be asked.
        let found: Vec<ToolId> = match written.value.split_once('/').filter(|(catalog, _)| is_plain(catalog)) {
            Some((catalog, _)) => self.tools.accepted_of(catalog).filter(matches).cloned().collect(),
            None => self.tools.accepted.iter().filter(matches).cloned().collect(),
        };
        if found.is_empty() {
            let refused = self.tools.refused.iter().any(|tool| matcher.is_match(tool.as_str()));
            let problem = if refused { only_refused(written) } else { matches_nothing(written) };
            self.problems.push(problem);
        }
        found
    }

    /// The accepted tool with this canonical id.
    fn tool(&mut self, written: &Located<String>, consequence: &str) -> Option<ToolId> {
        let tool = ToolId::parse(&written.value)?;
        if self.tools.accepted.contains(&tool) {
            return Some(tool);
        }
        if self.tools.refused.contains(&tool) {
            self.problems.push(refused(&tool, consequence, written.place.clone()));
        } else {
            let tools = self.tools;
            let known = tools.accepted.iter().map(ToolId::as_str);
            let message = format!("no catalog offers the tool `{tool}`");
            self.unknown(message, tool.as_str(), known, written.place.clone());
        }
        None
    }

    fn unknown<'k>(&mut self, message: String, name: &str, known: impl Iterator<Item = &'k str>, place: Place) {
        self.suggested += 1;
        let problem = if self.suggested > MOST_SUGGESTED {
            Diagnostic::error(codes::E_UNRESOLVED, message).at(place)
        } else {
            unresolved(message, name, known, place)
        };
        self.problems.push(problem);
    }
}

/// Nothing in it can mean anything else to a glob.
fn is_plain(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
}

/// The highest version that is not deprecated, or the highest of all.
fn newest(members: &[FamilyMember]) -> Option<u32> {
    let versions = |deprecated: bool| {
        members.iter().filter(move |member| deprecated || !member.deprecated).map(|member| member.version).max()
    };
    versions(false).or_else(|| versions(true))
}

fn refused(tool: &ToolId, consequence: &str, place: Place) -> Diagnostic {
    Diagnostic::warning(codes::W_UNUSED, format!("intake refused the tool `{tool}`: {consequence}"))
        .at(place)
        .help("the intake report says why")
}

fn only_refused(glob: &Located<String>) -> Diagnostic {
    Diagnostic::warning(codes::W_UNUSED, format!("the glob `{}` matches only tools that intake refused", glob.value))
        .at(glob.place.clone())
        .help("the intake report says why")
}

fn matches_nothing(glob: &Located<String>) -> Diagnostic {
    let help = "`*` does not cross a slash: `billing/*` are the tools of the catalog `billing`";
    Diagnostic::warning(codes::W_UNUSED, format!("the glob `{}` matches no tool", glob.value))
        .at(glob.place.clone())
        .help(help)
}
