//! What is known of a workspace's tools before a vector is needed, for use cases that propose something for them.

use ambit_model::card::ToolCard;
use ambit_model::codes;
use ambit_model::declaration::Project;
use ambit_model::diagnostic::Diagnostic;
use ambit_model::identity::ToolId;

use super::Prepared;
use crate::resolve::tool_glob;

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
}
