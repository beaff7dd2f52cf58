//! What is known of a workspace's tools before a vector is needed, for use cases that propose something for them.

use std::borrow::Cow;

use ambit_model::card::ToolCard;
use ambit_model::codes;
use ambit_model::declaration::Project;
use ambit_model::diagnostic::Diagnostic;
use ambit_model::identity::ToolId;
use ambit_model::intake::LikenessKind;

use super::Prepared;
use crate::intake::ground::Ground;
use crate::intake::likeness;
use crate::resolve::declarations::{Declarations, Located};
use crate::resolve::tool_glob;
use crate::route;

impl Prepared<'_> {
    /// Every tool that passed the rules that need no vectors, in the order of ids.
    pub fn cards(&self) -> impl Iterator<Item = &ToolCard> {
        self.admission.cards.values()
    }

    /// Those of them that a glob over canonical ids holds.
    pub fn cards_like(&self, glob: &str) -> Result<Vec<&ToolCard>, Box<Diagnostic>> {
        let matcher = tool_glob(glob).map_err(|error| {
            let message = format!("`{glob}` is not a glob: {}", error.kind());
            Box::new(
                Diagnostic::error(codes::E_REQUEST, message).help("write `catalog/*`, or a whole id `catalog/tool`"),
            )
        })?;
        let matcher = matcher.compile_matcher();
        Ok(self.cards().filter(|card| matcher.is_match(card.id.as_str())).collect())
    }

    /// The card of a tool that passed those rules.
    pub fn card(&self, tool: &str) -> Option<&ToolCard> {
        self.admission.cards.get(&ToolId::parse(tool)?)
    }

    /// The declared projects, in the order of ids; [`Self::finish_with`] can use their winners.
    pub fn projects(&self) -> &[Project] {
        &self.declarations.projects
    }

    /// What repairs of clashes are found and measured on.
    pub fn ground(&self) -> Ground<'_> {
        Ground::new(
            self.admission.cards.values(),
            &self.declarations.projects,
            (&self.linked.twins, &self.linked.families, kin(&self.declarations)),
            Cow::Owned(route::with_built_in(&self.declarations.vocabularies)),
            &self.declarations.settings,
        )
    }
}

/// The twins and families as declared, with the members that intake refused.
pub(super) fn kin(declarations: &Declarations) -> likeness::Declared {
    let tool = |written: &Located<String>| ToolId::parse(&written.value);
    let mut declared = likeness::Declared::default();
    for one in &declarations.twins {
        declared.add(LikenessKind::Twins, &one.id.value, one.members.iter().filter_map(tool));
    }
    for one in &declarations.families {
        let members = one.members.iter().filter_map(|member| tool(&member.tool));
        declared.add(LikenessKind::Versions, &one.id.value, members);
    }
    declared
}
