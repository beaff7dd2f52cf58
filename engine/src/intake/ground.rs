//! What repairs are found and measured on: tools, the projects that see them, and what is declared about them. How two tools fare is
//! the same test that a compile runs, asked of these two alone, as things are or as a repair would have them.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use ambit_model::card::ToolCard;
use ambit_model::declaration::{Project, Settings, TwinGroup, VersionFamily, Vocabulary};
use ambit_model::digest::Digest;
use ambit_model::identity::ToolId;
use ambit_model::intake::Clash;
use ambit_model::repair::Standing;
use ambit_model::snapshot::Snapshot;

use super::likeness::{self, Declared, Neighbours, Proposal, Remedy};
use super::repair::{Repair, proposals};
use super::retrieval::{self, Field, Kin};
use crate::index::{IndexError, Vectors, card_texts};

/// Tools and all that their questions depend on.
pub struct Ground<'a> {
    cards: BTreeMap<&'a ToolId, &'a ToolCard>,
    projects: &'a [Project],
    twins: &'a [TwinGroup],
    families: &'a [VersionFamily],
    declared: Declared,
    /// Refused tools that are looked at for likenesses, and asked nothing.
    refused: Vec<&'a ToolCard>,
    vocabularies: Cow<'a, [Vocabulary]>,
    settings: &'a Settings,
}

/// What would end a clash.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Suggested {
    /// What can be measured.
    pub repairs: Vec<Repair>,
    /// What to add to a document that tools like these two are in already, in words.
    pub addition: Option<String>,
}

/// How two tools fare, in the project in which each fares worst.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measured {
    /// In the order of the pair.
    pub standings: [Standing; 2],
    /// What each loses to the other.
    pub clash: Option<Clash>,
}

impl<'a> Ground<'a> {
    /// These tools. `declared` is of the twin groups and families, and may have more ids.
    pub(crate) fn new(
        cards: impl IntoIterator<Item = &'a ToolCard>,
        projects: &'a [Project],
        (twins, families, declared): (&'a [TwinGroup], &'a [VersionFamily], Declared),
        vocabularies: Cow<'a, [Vocabulary]>,
        settings: &'a Settings,
    ) -> Self {
        let cards = cards.into_iter().map(|card| (&card.id, card)).collect();
        Self { cards, projects, twins, families, declared, refused: Vec::new(), vocabularies, settings }
    }

    /// The tools of a snapshot and these two, which it may have refused. Of `refused` it is only known what they look like.
    pub fn of(snapshot: &'a Snapshot, refused: &'a [ToolCard], pair: [&'a ToolCard; 2]) -> Self {
        let declared = Declared::new(&snapshot.twins, &snapshot.families);
        let ground = Self::new(
            snapshot.tools.iter().chain(pair),
            &snapshot.projects,
            (&snapshot.twins, &snapshot.families, declared),
            Cow::Borrowed(&snapshot.vocabularies),
            &snapshot.settings,
        );
        Self { refused: refused.iter().collect(), ..ground }
    }

    /// What two tools lend themselves to.
    pub fn suggest(&self, pair: [&ToolCard; 2]) -> Suggested {
        let neighbours = Neighbours::of(self.projects);
        let [first, _] = pair;
        let cards = self.cards.values().chain(&self.refused).copied();
        let cards = cards.filter(|card| neighbours.are(&card.id, &first.id));
        let (declaration, addition) = match likeness::between(cards, pair, &self.declared, &self.vocabularies) {
            Some(Remedy::Declare(proposal)) => (Some(proposal), None),
            Some(Remedy::Extend(words)) => (None, Some(words)),
            None => (None, None),
        };
        Suggested { repairs: proposals(pair, declaration), addition }
    }

    /// A project has both, so that they can be compared at all.
    pub fn compares(&self, pair: [&ToolCard; 2]) -> bool {
        self.seeing(pair).next().is_some()
    }

    /// How both tools fare, with or without a repair. Examples whose vectors are not known are not asked.
    pub fn measure(
        &self,
        pair: [&ToolCard; 2],
        vectors: &Vectors,
        repair: Option<&Repair>,
    ) -> Result<Measured, IndexError> {
        let changed: BTreeMap<&ToolId, ToolCard> =
            repair.into_iter().flat_map(|repair| pair.map(|card| (&card.id, repair.applied(card)))).collect();
        let fields: Vec<Field<'_>> = self.seeing(pair).map(|project| self.field(project, &changed)).collect();
        let (mut twins, mut families) = (self.twins.to_vec(), self.families.to_vec());
        match repair {
            Some(Repair::Declaration(Proposal::Twins(group))) => twins.push(group.clone()),
            Some(Repair::Declaration(Proposal::Versions(family))) => families.push(family.clone()),
            Some(Repair::Descriptions(_)) | None => {}
        }
        let kin = Kin::new(&twins, &families);
        let found = retrieval::check_of(&pair.map(|card| &card.id).into(), &fields, vectors, &kin, self.settings)?;
        let known = |example: &&String| vectors.get(&Digest::of(example.as_bytes())).is_some();
        let standings = pair.map(|card| {
            let name = card.id.as_str();
            let of = if fields.is_empty() { 0 } else { card.examples.iter().filter(known).count() };
            let lost: usize = found.clashes.iter().map(|clash| lost_by(name, clash)).sum();
            Standing { tool: name.to_owned(), first: of.saturating_sub(lost), of }
        });
        let names: BTreeSet<&str> = pair.iter().map(|card| card.id.as_str()).collect();
        let is_it = |clash: &Clash| names == BTreeSet::from([clash.tool.as_str(), clash.rival.as_str()]);
        Ok(Measured { standings, clash: found.clashes.into_iter().find(is_it) })
    }

    fn seeing(&self, pair: [&ToolCard; 2]) -> impl Iterator<Item = &'a Project> {
        let catalogs = pair.map(|card| card.id.catalog().to_owned());
        self.projects.iter().filter(move |project| catalogs.iter().all(|catalog| project.catalogs.contains(catalog)))
    }

    /// The tools of one project, some of them as a repair would have them.
    fn field<'f>(&'f self, project: &Project, changed: &'f BTreeMap<&ToolId, ToolCard>) -> Field<'f> {
        let listed: BTreeSet<&str> = project.catalogs.iter().map(String::as_str).collect();
        let seen = self.cards.values().filter(|card| listed.contains(card.id.catalog()));
        Field { project: project.id.clone(), cards: seen.map(|card| changed.get(&card.id).unwrap_or(card)).collect() }
    }
}

/// The texts of these tools as a repair would have them: their vectors are wanted by [`Ground::measure`].
pub fn texts(pair: [&ToolCard; 2], repair: &Repair) -> Vec<String> {
    pair.into_iter().flat_map(|card| card_texts(&repair.applied(card))).collect()
}

fn lost_by(tool: &str, clash: &Clash) -> usize {
    match (clash.tool == tool, clash.rival == tool) {
        (true, _) => clash.questions.len(),
        (_, true) => clash.taken.len(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use ambit_model::declaration::TwinGroup;
    use ambit_model::facts::{Effect, Risk};

    use super::*;
    use crate::authority::sample as cards;
    use crate::compile::{Prepared, prepare};
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

    fn pair<'p>(prepared: &'p Prepared<'_>) -> [&'p ToolCard; 2] {
        ["office/bills.report", "office/bills.list"].map(|id| prepared.card(id).unwrap())
    }

    fn lost(measured: &Measured) -> usize {
        measured.standings.iter().map(Standing::lost).sum()
    }

    #[test]
    fn a_repair_is_measured_by_the_same_test() {
        let tree = clashing();
        let prepared = prepare(&tree);
        let (ground, pair) = (prepared.ground(), pair(&prepared));
        let before = ground.measure(pair, &sample::vectors(prepared.texts()), None).unwrap();
        assert_eq!(before.standings.iter().map(|standing| standing.of).collect::<Vec<_>>(), [3, 2]);
        assert!(lost(&before) > 0, "nothing clashes: {before:?}");
        let helps = |repair: &Repair| {
            let texts = prepared.texts().into_iter().chain(texts(pair, repair)).collect();
            lost(&ground.measure(pair, &sample::vectors(texts), Some(repair)).unwrap()) < lost(&before)
        };
        assert!(ground.suggest(pair).repairs.iter().any(helps));
    }

    #[test]
    fn the_two_fare_as_they_do_among_all_that_are_asked() {
        let tree = clashing();
        let prepared = prepare(&tree);
        let measured = prepared.ground().measure(pair(&prepared), &sample::vectors(prepared.texts()), None).unwrap();
        let report = sample::compile(&tree).unwrap().report;
        let told = |clash: &&Clash| {
            (clash.tool.as_str(), clash.rival.as_str()) == ("office/bills.list", "office/bills.report")
        };
        assert_eq!(measured.clash.as_ref(), report.clashes.iter().find(told));
        let all: usize = measured
            .standings
            .iter()
            .flat_map(|one| report.clashes.iter().map(|clash| lost_by(&one.tool, clash)))
            .sum();
        assert_eq!(lost(&measured), all);
    }

    /// These tools alone, and nobody can tell them apart.
    fn equal(names: &[&str]) -> Snapshot {
        let card = |name: &&str| ToolCard {
            description: "Rings the bell.".to_owned(),
            examples: vec!["Ring the bell please".to_owned()],
            ..cards::card(&format!("billing/{name}"), Effect::Read, Risk::Low, false)
        };
        Snapshot { tools: names.iter().map(card).collect(), ..cards::snapshot(&[]) }
    }

    #[test]
    fn of_three_equal_tools_any_two_have_a_repair_that_helps() {
        let twins = ["find", "look", "seek"];
        let version_twice = ["send", "send_v2", "sendV2"];
        let twin_of_versions = ["ring_bell", "ring_bell_v2", "bell.ring"];
        for names in [twins, version_twice, twin_of_versions] {
            let snapshot = equal(&names);
            let vectors = sample::vectors(snapshot.tools.iter().flat_map(card_texts).collect());
            for (first, second) in [(0, 1), (1, 2), (0, 2)] {
                let pair = [&snapshot.tools[first], &snapshot.tools[second]];
                let ground = Ground::of(&snapshot, &[], pair);
                assert_eq!(lost(&ground.measure(pair, &vectors, None).unwrap()), 2, "{names:?}");
                let repairs = ground.suggest(pair).repairs;
                let after = ground.measure(pair, &vectors, repairs.first()).unwrap();
                assert_eq!(lost(&after), 0, "{names:?}: {repairs:?}");
            }
        }
    }

    #[test]
    fn a_document_is_of_the_refused_too() {
        let mut snapshot = equal(&["send", "send_v2", "send_v3"]);
        let refused = snapshot.tools.split_off(1);
        let pair = [&snapshot.tools[0], &refused[0]];
        let suggested = Ground::of(&snapshot, &refused, pair).suggest(pair);
        let tools: Vec<&str> = suggested.repairs[0].tools().into_iter().map(ToolId::as_str).collect();
        assert_eq!(tools, ["billing/send", "billing/send_v2", "billing/send_v3"]);
    }

    #[test]
    fn twins_do_not_take_questions_from_each_other() {
        let tree = clashing();
        let prepared = prepare(&tree);
        let (ground, pair) = (prepared.ground(), pair(&prepared));
        let twins = TwinGroup {
            id: "bills".to_owned(),
            members: pair.iter().map(|card| card.id.clone()).collect(),
            preferred: pair[0].id.clone(),
            reason: String::new(),
        };
        let repair = Repair::Declaration(Proposal::Twins(twins));
        let vectors = sample::vectors(prepared.texts());
        let before = ground.measure(pair, &vectors, None).unwrap();
        let after = ground.measure(pair, &vectors, Some(&repair)).unwrap();
        assert!(lost(&after) < lost(&before), "{after:?} {before:?}");
    }
}
