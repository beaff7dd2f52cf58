//! How two tools fare with their own example questions, as things are or as a repair would have them: the same test that a compile
//! runs, asked of these two alone.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::card::ToolCard;
use ambit_model::declaration::Project;
use ambit_model::identity::ToolId;
use serde::Serialize;

use super::{CompileError, Prepared};
use crate::index::{Vectors, card_texts};
use crate::intake::repair::{Change, Repair, proposals};
use crate::intake::retrieval::{self, Field, Winners};

/// For how many of its examples a tool comes first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Standing {
    pub tool: ToolId,
    pub first: usize,
    pub of: usize,
}

impl Prepared<'_> {
    /// The repairs that two tools lend themselves to.
    pub fn repairs(&self, tool: &ToolCard, rival: &ToolCard) -> Vec<Repair> {
        let twins = self.linked.twins.iter().flat_map(|twins| &twins.members);
        let versions = self.linked.families.iter().flat_map(|family| family.members.iter().map(|member| &member.tool));
        proposals(tool, rival, &twins.chain(versions).cloned().collect())
    }

    /// The texts of these tools as a repair would have them: their vectors are wanted by [`Self::standings`].
    pub fn repaired_texts(&self, tools: [&ToolCard; 2], repair: &Repair) -> Vec<String> {
        tools.into_iter().flat_map(|card| card_texts(&repair.applied(card))).collect()
    }

    /// How both tools fare, with or without a repair, in the project in which they fare worst.
    pub fn standings(
        &self,
        tools: [&ToolCard; 2],
        vectors: &Vectors,
        repair: Option<&Repair>,
        former: &Winners,
    ) -> Result<[Standing; 2], CompileError> {
        let ids = tools.map(|card| card.id.clone());
        let seeing = self
            .declarations
            .projects
            .iter()
            .filter(|project| ids.iter().all(|id| project.catalogs.iter().any(|catalog| catalog == id.catalog())));
        let repaired: BTreeMap<&ToolId, ToolCard> = match repair {
            Some(repair) => tools.iter().map(|card| (&card.id, repair.applied(card))).collect(),
            None => BTreeMap::new(),
        };
        let fields: Vec<Field<'_>> = seeing.map(|project| self.field(project, &repaired)).collect();
        let (mut twins, mut families) = (self.linked.twins.clone(), self.linked.families.clone());
        match repair.map(|repair| &repair.change) {
            Some(Change::Twins(group)) => twins.push(group.clone()),
            Some(Change::Family(family)) => families.push(family.clone()),
            Some(Change::Descriptions(_)) | None => {}
        }
        let kin = retrieval::Kin::new(&twins, &families);
        let found = retrieval::check(&fields, vectors, &kin, &self.declarations.settings, former)?;
        Ok(tools.map(|card| {
            let name = card.id.to_string();
            let lost: usize = found
                .clashes
                .iter()
                .map(|clash| match (clash.tool == name, clash.rival == name) {
                    (true, _) => clash.questions.len(),
                    (_, true) => clash.taken.len(),
                    _ => 0,
                })
                .sum();
            let of = if fields.is_empty() { 0 } else { card.examples.len() };
            Standing { tool: card.id.clone(), first: of.saturating_sub(lost), of }
        }))
    }

    /// The tools of one project, some of them as a repair would have them.
    fn field<'a>(&'a self, project: &Project, repaired: &'a BTreeMap<&ToolId, ToolCard>) -> Field<'a> {
        let listed: BTreeSet<&str> = project.catalogs.iter().map(String::as_str).collect();
        let seen = self.admission.cards.values().filter(|card| listed.contains(card.id.catalog()));
        let cards = seen.map(|card| repaired.get(&card.id).unwrap_or(card)).collect();
        Field { project: project.id.clone(), cards }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::prepare;
    use crate::intake::repair::RepairKind;
    use crate::sample;

    /// The small workspace, with two tools that are not told apart.
    fn clashing() -> crate::source::SourceTree {
        let mut tree = sample::tree();
        let bills = "bills.report: { entity: figures, operation: summary, effect: read, produces: [rows] }";
        let text = sample::WORKSPACE
            .replace(bills, "bills.report: { entity: figures, operation: summary, effect: read, examples: [Sum up the overdue bills, Which bills are overdue, Show overdue bills of a person] }")
            .replace("examples: [Show the bills of a person]", "examples: [Which bills does one person pay, List the bills of one person]");
        let text = text
            .replace("effect: read, examples: [Which bills", "effect: read, since: 2026-02-02, examples: [Which bills");
        tree.insert("workspace.yaml", text);
        tree
    }

    #[test]
    fn a_repair_is_measured_by_the_same_test() {
        let tree = clashing();
        let prepared = prepare(&tree);
        let (tool, rival) =
            (prepared.card("office/bills.report").unwrap(), prepared.card("office/bills.list").unwrap());
        let vectors = sample::vectors(prepared.texts());
        let before = prepared.standings([tool, rival], &vectors, None, &Winners::default()).unwrap();
        assert_eq!(before.iter().map(|standing| standing.of).collect::<Vec<_>>(), [3, 2]);
        assert!(before.iter().any(|standing| standing.first < standing.of), "nothing clashes: {before:?}");
        // The compile's own report says the same.
        let report = sample::compile(&tree).unwrap().report;
        let lost: usize = report.clashes.iter().map(|clash| clash.damage()).sum();
        assert!(lost > 0);
        let mut better = 0;
        for repair in prepared.repairs(tool, rival) {
            let texts: Vec<String> =
                prepared.texts().into_iter().chain(prepared.repaired_texts([tool, rival], &repair)).collect();
            let after =
                prepared.standings([tool, rival], &sample::vectors(texts), Some(&repair), &Winners::default()).unwrap();
            better += usize::from(
                after.iter().map(|one| one.first).sum::<usize>() > before.iter().map(|one| one.first).sum(),
            );
        }
        assert!(better > 0);
    }

    #[test]
    fn twins_do_not_take_questions_from_each_other() {
        let tree = clashing();
        let prepared = prepare(&tree);
        let (tool, rival) =
            (prepared.card("office/bills.report").unwrap(), prepared.card("office/bills.list").unwrap());
        let twins = ambit_model::declaration::TwinGroup {
            id: "bills".to_owned(),
            members: vec![rival.id.clone(), tool.id.clone()],
            preferred: rival.id.clone(),
            reason: String::new(),
        };
        let repair = Repair { kind: RepairKind::Twins, change: Change::Twins(twins) };
        let vectors = sample::vectors(prepared.texts());
        let lost =
            |standings: [Standing; 2]| standings.map(|standing| standing.of - standing.first).iter().sum::<usize>();
        let before = lost(prepared.standings([tool, rival], &vectors, None, &Winners::default()).unwrap());
        let after = lost(prepared.standings([tool, rival], &vectors, Some(&repair), &Winners::default()).unwrap());
        assert!(after < before, "{after} {before}");
    }
}
