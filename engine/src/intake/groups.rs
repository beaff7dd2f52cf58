//! Groups that are proposed for the tools of a project that are members of none: tools near in meaning and of one entity together.
//! Nothing is done about a proposal: it is a document that an operator may take over. The same tools give the same proposals.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::card::ToolCard;
use ambit_model::declaration::Project;
use ambit_model::digest::Digest;
use ambit_model::identity::{ProjectId, ToolId};
use ambit_model::intake::ProposedGroup;

use super::clusters;
use super::free_ids::FreeIds;
use super::titles::{self, Named};
use crate::index::{Vectors, card_texts};
use crate::scalar::quoted;

/// About ten themes a project (DESIGN 1).
const MOST_GROUPS: usize = 10;
/// Fewer tools than this are no theme.
const FEWEST_TOOLS: usize = 3;
/// Fewer tools than this are one theme at most.
const FEWEST_TO_PART: usize = 6;
/// How much of a tool's place is where the other tools of its entity are; the rest is its own text.
const OF_ENTITY: f32 = 1.0;

/// What is proposed for every project, in the order of projects and ids. `declared` holds the ids of declared groups.
pub fn propose(
    projects: &[Project],
    cards: &BTreeMap<ToolId, ToolCard>,
    declared: &BTreeSet<&str>,
    vectors: &Vectors,
) -> Vec<ProposedGroup> {
    let mut proposed = Vec::new();
    let mut ids_of: BTreeMap<&str, FreeIds> = BTreeMap::new();
    for project in projects {
        // Of each tenant by itself, so that none tells of what others are proposed.
        let free = || FreeIds::but(declared.iter().map(|id| (*id).to_owned()));
        let ids = ids_of.entry(&project.id.tenant).or_insert_with(free);
        let seen = cards.values().filter(|card| project.catalogs.iter().any(|id| id == card.id.catalog()));
        let (grouped, alone): (Vec<&ToolCard>, Vec<&ToolCard>) = seen.partition(|card| !card.groups.is_empty());
        let themes: BTreeSet<&str> = grouped.iter().flat_map(|card| card.groups.iter().map(String::as_str)).collect();
        let name = project.id.to_string();
        for group in of_project(&alone, vectors, MOST_GROUPS.saturating_sub(themes.len()).max(1)) {
            let id = id(ids, &project.id, &group.title);
            proposed.push(ProposedGroup {
                project: name.clone(),
                id,
                title: group.title,
                description: group.description,
                members: group.members.iter().map(ToString::to_string).collect(),
            });
        }
    }
    proposed
}

/// An id that opens with the project.
fn id(ids: &mut FreeIds, project: &ProjectId, title: &str) -> String {
    let spoken = title.contains(|c: char| c.is_ascii_alphanumeric());
    ids.take(&format!("{}-{}", project.tenant, project.project), if spoken { title } else { "group" })
}

/// The proposal as a Group document that compiles.
pub fn as_yaml(group: &ProposedGroup) -> String {
    let mut yaml = format!(
        "kind: Group\nid: {}\ntitle: {}\ndescription: {}\nmembers:\n",
        group.id,
        quoted(&group.title),
        quoted(&group.description)
    );
    for member in &group.members {
        // A name may hold what a glob would take for a sign.
        yaml.push_str(&format!("  - {}\n", quoted(&globset::escape(member))));
    }
    yaml
}

fn of_project(alone: &[&ToolCard], vectors: &Vectors, most: usize) -> Vec<Named> {
    let placed: Vec<(&ToolCard, &[f32])> =
        alone.iter().filter_map(|card| Some((*card, vector(card, vectors)?))).collect();
    if placed.len() < FEWEST_TOOLS {
        return Vec::new();
    }
    let count = if placed.len() < FEWEST_TO_PART { 1 } else { clusters::rule_of_thumb(placed.len()).min(most) };
    let assigned = clusters::part(&places(&placed), count);
    let mut parts: BTreeMap<usize, Vec<&ToolCard>> = BTreeMap::new();
    for ((card, _), cluster) in placed.iter().zip(assigned) {
        parts.entry(cluster).or_default().push(card);
    }
    titles::name(&parts.into_values().collect::<Vec<_>>())
}

/// The vector of the tool's own text: its examples are what it is asked, not what it is.
fn vector<'v>(card: &ToolCard, vectors: &'v Vectors) -> Option<&'v [f32]> {
    let text = card_texts(card).into_iter().next()?;
    vectors.get(&Digest::of(text.as_bytes()))
}

/// Each tool's place: its own vector, drawn to the middle of the tools of its entity.
fn places(placed: &[(&ToolCard, &[f32])]) -> Vec<Vec<f32>> {
    let mut sums: BTreeMap<&str, (Vec<f32>, f32)> = BTreeMap::new();
    for (card, vector) in placed {
        let (sum, count) =
            sums.entry(card.facts.entity.value.as_str()).or_insert_with(|| (vec![0.0; vector.len()], 0.0));
        sum.iter_mut().zip(*vector).for_each(|(sum, value)| *sum += value);
        *count += 1.0;
    }
    let place = |(card, vector): &(&ToolCard, &[f32])| {
        let Some((sum, count)) = sums.get(card.facts.entity.value.as_str()) else { return vector.to_vec() };
        clusters::unit(vector.iter().zip(sum).map(|(own, sum)| own + OF_ENTITY * sum / count).collect())
    };
    placed.iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use ambit_model::facts::{Effect, Risk};
    use ambit_model::snapshot::Snapshot;

    use super::*;
    use crate::authority::sample as cards;
    use crate::{parse, resolve, sample};

    fn card(catalog: &str, name: &str, entity: &str, description: &str) -> ToolCard {
        let mut card = cards::card(&format!("{catalog}/{name}"), Effect::Read, Risk::Low, false);
        card.facts.entity.value = entity.to_owned();
        card.description = description.to_owned();
        card.groups = Vec::new();
        card
    }

    fn many() -> Vec<ToolCard> {
        let things = [
            ("invoices", "money that a customer owes on an invoice"),
            ("payments", "money that came in as a payment"),
            ("flights", "flights of an airline between airports"),
            ("hotels", "rooms of a hotel near airports"),
            ("patients", "a patient in the clinic and their doctor"),
            ("prescriptions", "a medicine that a doctor of the clinic gave a patient"),
        ];
        let verbs = ["list", "get", "create", "update", "search"];
        let each = |(entity, about): (&str, &str)| {
            verbs.map(|verb| card("cat", &format!("{verb}_{entity}"), entity, &format!("{verb} {about}"))).to_vec()
        };
        things.into_iter().flat_map(each).collect()
    }

    fn proposals(cards: &[ToolCard], declared: &[&str]) -> Vec<ProposedGroup> {
        let vectors = sample::vectors(cards.iter().flat_map(card_texts).collect());
        let cards: BTreeMap<ToolId, ToolCard> = cards.iter().map(|card| (card.id.clone(), card.clone())).collect();
        let project = cards::project("acme/finance", &["cat"], ambit_model::facts::Ceiling::ReadOnly);
        propose(&[project], &cards, &declared.iter().copied().collect(), &vectors)
    }

    #[test]
    fn every_tool_is_in_one_group_and_no_title_stands_twice() {
        let groups = proposals(&many(), &[]);
        assert!((3..=MOST_GROUPS).contains(&groups.len()), "{groups:#?}");
        let members: Vec<&String> = groups.iter().flat_map(|group| &group.members).collect();
        assert_eq!(members.len(), 30);
        assert_eq!(members.iter().collect::<BTreeSet<_>>().len(), 30);
        let titles: BTreeSet<&str> = groups.iter().map(|group| group.title.as_str()).collect();
        assert_eq!(titles.len(), groups.len());
        // Tools of one entity are together.
        for entity in ["invoices", "flights", "patients"] {
            let holds = |group: &&ProposedGroup| group.members.iter().any(|member| member.ends_with(entity));
            let of: Vec<&ProposedGroup> = groups.iter().filter(holds).collect();
            assert_eq!(of.len(), 1, "{entity}: {groups:#?}");
            assert!(
                of.iter()
                    .all(|group| group.title.to_lowercase().contains(entity) || group.description.contains(entity)),
                "{groups:#?}"
            );
        }
    }

    #[test]
    fn the_order_of_tools_says_nothing() {
        let mut cards = many();
        let expected = proposals(&cards, &[]);
        cards.reverse();
        assert_eq!(proposals(&cards, &[]), expected);
        cards.rotate_left(7);
        assert_eq!(proposals(&cards, &[]), expected);
    }

    #[test]
    fn few_tools_are_one_group_or_none() {
        let cards = many();
        assert_eq!(proposals(cards.get(..2).unwrap(), &[]), []);
        let few = proposals(cards.get(..5).unwrap(), &[]);
        assert_eq!(few.iter().map(|group| group.title.as_str()).collect::<Vec<_>>(), ["Invoices"]);
        let ids = |declared: &[&str]| {
            let groups = proposals(cards.get(..5).unwrap(), declared);
            groups.into_iter().map(|group| group.id).collect::<Vec<_>>()
        };
        assert_eq!(ids(&["invoices"]), ["acme-finance-invoices"]);
        assert_eq!(ids(&["acme-finance-invoices"]), ["acme-finance-invoices-2"]);
    }

    #[test]
    fn ids_open_with_the_project_and_no_two_of_a_tenant_are_the_same() {
        let mut ids = FreeIds::default();
        let mut of = |project: &str, title: &str| id(&mut ids, &ProjectId::parse(project, None).unwrap(), title);
        assert_eq!(of("acme/finance", "Invoices"), "acme-finance-invoices");
        assert_eq!(of("acme/finance", "заказы"), "acme-finance-group");
        assert_eq!(of("acme/eu-shop", "Orders"), "acme-eu-shop-orders");
        assert_eq!(of("acme/eu", "Shop orders"), "acme-eu-shop-orders-2");
    }

    #[test]
    fn a_proposal_compiles() {
        let odd = card("cat", "get_[x]*", "invoices", "Invoices: \"all\" # of them");
        let cards: Vec<ToolCard> = many().into_iter().take(5).chain([odd]).collect();
        let groups = proposals(&cards, &[]);
        let text = groups.iter().map(as_yaml).collect::<Vec<_>>().join("---\n");
        let tree = parse::rendered::tree(&[("w.yaml", "kind: Workspace\nname: w\n"), ("g.yaml", &text)]);
        let (written, problems) = parse::parse(&tree);
        assert_eq!(problems, [], "{text}");
        let (declarations, problems) = resolve::resolve(&written, &tree);
        assert_eq!(problems, []);
        assert_eq!(declarations.groups.len(), groups.len());
        let names = resolve::link::ToolNames {
            accepted: cards.iter().map(|card| card.id.clone()).collect(),
            ..Default::default()
        };
        let (linked, problems) = resolve::link::link(&declarations, &names);
        assert_eq!(problems, [], "{text}");
        assert_eq!(linked.groups.iter().map(|group| group.members.len()).sum::<usize>(), cards.len());
    }

    #[test]
    fn ten_thousand_tools_are_parted_too() {
        let cards: Vec<ToolCard> = (0..10_000)
            .map(|n| {
                card(
                    "cat",
                    &format!("tool_{n}"),
                    &format!("thing_{}", n % 40),
                    &format!("Does {} with {}.", n % 7, n % 40),
                )
            })
            .collect();
        let groups = proposals(&cards, &[]);
        assert!(groups.len() <= MOST_GROUPS && groups.len() > 1);
    }

    #[test]
    fn what_the_sample_declares_needs_no_proposal() {
        let snapshot: Snapshot = sample::snapshot().unwrap();
        assert!(snapshot.tools.iter().all(|card| !card.groups.is_empty()));
        let report = sample::compile(&sample::tree()).unwrap().report;
        assert_eq!(report.proposed_groups, []);
    }
}
