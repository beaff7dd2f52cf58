//! Groups, twin groups and version families: the form of their members. Whether those tools exist, `link` says.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;

use super::declarations::{FamilyDeclaration, FamilyMemberDeclaration, GroupDeclaration, Located, TwinDeclaration};
use super::forms::Reader;
use super::names::unresolved;
use crate::parse::at::At;
use crate::parse::problem::listed;
use crate::parse::written::{self, Text};

impl Reader<'_> {
    pub(super) fn group(&mut self, group: &written::Group) -> GroupDeclaration {
        GroupDeclaration {
            id: self.located(&group.id),
            title: group.title.clone(),
            description: group.description.clone(),
            members: group.members.iter().filter_map(|member| self.glob(member)).collect(),
        }
    }

    /// Nothing where fewer than two members or no preferred one is left.
    pub(super) fn twins(&mut self, twins: &written::TwinGroup) -> Option<TwinDeclaration> {
        let members: Vec<_> = twins.members.iter().filter_map(|member| self.tool_id(member)).collect();
        let distinct = self.distinct(&twins.members);
        let preferred = self.tool_id(&twins.preferred)?;
        if !twins.members.contains(&twins.preferred) {
            let known = twins.members.iter().map(|member| member.value.as_str());
            let message = format!("the preferred tool `{}` is not among the members", preferred.value);
            self.report(unresolved(message, &preferred.value, known, preferred.place));
            return None;
        }
        let enough = self.at_least_two(distinct, &twins.id, "twin group");
        let declaration =
            TwinDeclaration { id: self.located(&twins.id), members, preferred, reason: twins.reason.clone() };
        enough.then_some(declaration)
    }

    /// Nothing where fewer than two members or no current version is left.
    pub(super) fn family(&mut self, family: &written::VersionFamily) -> Option<FamilyDeclaration> {
        let tools: Vec<Text> = family.members.iter().map(|member| member.tool.clone()).collect();
        let distinct = self.distinct(&tools);
        self.distinct_versions(&family.members);
        let members = family.members.iter().filter_map(|member| self.family_member(member)).collect();
        let versions: BTreeSet<u32> = family.members.iter().map(|member| member.version.value).collect();
        if !versions.contains(&family.current.value) {
            let versions: Vec<String> = versions.iter().map(u32::to_string).collect();
            let message = format!("no member has the current version `{}`", family.current.value);
            let place = self.place(family.current.span);
            self.report(
                Diagnostic::error(codes::E_UNRESOLVED, message)
                    .at(place)
                    .help(format!("the versions are {}", listed(versions.iter().map(String::as_str)))),
            );
            return None;
        }
        let enough = self.at_least_two(distinct, &family.id, "version family");
        let declaration =
            FamilyDeclaration { id: self.located(&family.id), members, current: self.located(&family.current) };
        enough.then_some(declaration)
    }

    fn family_member(&mut self, member: &written::FamilyMember) -> Option<FamilyMemberDeclaration> {
        let retired_on = member.retired_on.as_ref().and_then(|date| self.date(date));
        let tool = self.tool_id(&member.tool)?;
        Some(FamilyMemberDeclaration {
            tool,
            version: member.version.value,
            deprecated: member.deprecated,
            retired_on,
            pin: member.pin.clone(),
        })
    }

    /// How many different tools are listed; each that stands twice is reported.
    fn distinct(&mut self, tools: &[Text]) -> usize {
        self.report_repeats(tools.iter(), |tool| format!("`{tool}` is listed twice"), "take one of the two out")
    }

    fn distinct_versions(&mut self, members: &[written::FamilyMember]) {
        self.report_repeats(
            members.iter().map(|member| &member.version),
            |version| format!("two members have the version `{version}`"),
            "give each member a version of its own",
        );
    }

    fn report_repeats<'t, T: Ord + 't>(
        &mut self,
        values: impl Iterator<Item = &'t At<T>>,
        message: impl Fn(&T) -> String,
        help: &str,
    ) -> usize {
        let mut seen: BTreeMap<&T, Located<()>> = BTreeMap::new();
        for written in values {
            let place = self.place(written.span);
            match seen.get(&written.value) {
                Some(first) => {
                    let problem = Diagnostic::error(codes::E_VALUE, message(&written.value))
                        .at(place)
                        .related("it stands here first", Some(first.place.clone()));
                    self.report(problem.help(help));
                }
                None => {
                    seen.insert(&written.value, Located { value: (), place });
                }
            }
        }
        seen.len()
    }

    fn at_least_two(&mut self, members: usize, id: &Text, what: &str) -> bool {
        if members < 2 {
            self.refuse(
                id.span,
                format!("the {what} `{}` has fewer than two members", id.value),
                "list the tools that belong together, or remove the document",
            );
        }
        members >= 2
    }
}
