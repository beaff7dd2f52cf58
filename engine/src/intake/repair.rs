//! Proposed repairs of a clash: the declaration that two tools are twins or versions of one, or descriptions that say what sets
//! them apart. Each names what would change; whether it helps is measured by asking the same questions again.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::card::ToolCard;
use ambit_model::identity::ToolId;
use ambit_model::repair::RepairKind;

use super::likeness::Proposal;
use crate::parse::body::Kind;
use crate::patch::Addition;
use crate::scalar::{quoted, scalar};
use crate::schema;
use crate::text;

/// Most words that a description gets.
const MOST_WORDS: usize = 8;
/// What a line says of itself until a person reviewed it.
const REMARK: &str = "proposed";

/// One way to end a clash.
#[derive(Clone, Debug, PartialEq)]
pub enum Repair {
    /// The two are declared as what they look like.
    Declaration(Proposal),
    /// New descriptions of one of the tools or of both.
    Descriptions(BTreeMap<ToolId, String>),
}

impl Repair {
    pub fn kind(&self) -> RepairKind {
        match self {
            Self::Declaration(Proposal::Versions(_)) => RepairKind::Family,
            Self::Declaration(Proposal::Twins(_)) => RepairKind::Twins,
            Self::Descriptions(_) => RepairKind::Description,
        }
    }

    /// The new document, where the repair is one.
    pub fn document(&self) -> Option<String> {
        match self {
            Self::Declaration(proposal) => Some(proposal.yaml_with(REMARK)),
            Self::Descriptions(_) => None,
        }
    }

    /// Beside which documents the new one belongs, and the catalog of its first tool.
    pub fn beside(&self) -> Option<(Kind, String)> {
        let Self::Declaration(proposal) = self else { return None };
        let kind = match proposal {
            Proposal::Twins(_) => Kind::TwinGroup,
            Proposal::Versions(_) => Kind::VersionFamily,
        };
        Some((kind, proposal.members().first()?.catalog().to_owned()))
    }

    /// The keys to write in Catalogs, where the repair is made of such.
    pub fn additions(&self) -> Vec<Addition> {
        let Self::Descriptions(descriptions) = self else { return Vec::new() };
        let addition = |(tool, description): (&ToolId, &String)| Addition {
            catalog: tool.catalog().to_owned(),
            tool: tool.name().to_owned(),
            key: "description".to_owned(),
            lines: vec![format!("description: {}", quoted(description))],
            extends: false,
            remark: Some(REMARK.to_owned()),
        };
        descriptions.iter().map(addition).collect()
    }

    /// All of it to be copied: the document, or for each Catalog the keys with what belongs above them.
    pub fn yaml(&self) -> String {
        if let Some(document) = self.document() {
            return document;
        }
        let mut yaml = String::new();
        let mut above = None;
        for addition in self.additions() {
            if above.as_ref() != Some(&addition.catalog) {
                yaml.push_str(&format!("# in the Catalog {}\ntools:\n", quoted(&addition.catalog)));
            }
            yaml.push_str(&format!("  {}:\n", scalar(&addition.tool)));
            addition.lines.iter().for_each(|line| yaml.push_str(&format!("    {line} # {REMARK}\n")));
            above = Some(addition.catalog);
        }
        yaml
    }

    /// The tools that it is about.
    pub fn tools(&self) -> Vec<&ToolId> {
        match self {
            Self::Declaration(proposal) => proposal.members(),
            Self::Descriptions(descriptions) => descriptions.keys().collect(),
        }
    }

    /// The card as it would be.
    pub fn applied(&self, card: &ToolCard) -> ToolCard {
        let mut card = card.clone();
        if let Self::Descriptions(descriptions) = self
            && let Some(description) = descriptions.get(&card.id)
        {
            card.description.clone_from(description);
        }
        card
    }
}

/// Every repair that these two tools lend themselves to, in the order in which a person would look at them. `declaration` is what they
/// look like, where they look like something.
pub fn proposals(pair: [&ToolCard; 2], declaration: Option<Proposal>) -> Vec<Repair> {
    let [tool, rival] = pair;
    let (first, second) = if tool.id <= rival.id { (tool, rival) } else { (rival, tool) };
    let texts: Vec<(ToolId, String)> = [(first, second), (second, first)]
        .into_iter()
        .filter_map(|(own, other)| Some((own.id.clone(), apart(own, other)?)))
        .collect();
    let described = |texts: &[(ToolId, String)]| Repair::Descriptions(texts.iter().cloned().collect());
    let mut repairs: Vec<Repair> = declaration.map(Repair::Declaration).into_iter().collect();
    repairs.extend(texts.iter().map(|one| described(std::slice::from_ref(one))));
    repairs.extend((texts.len() > 1).then(|| described(&texts)));
    repairs
}

/// The tool's own description, and the words of its own examples, inputs and entity that the rival has nowhere. Nothing where
/// there are none.
fn apart(own: &ToolCard, rival: &ToolCard) -> Option<String> {
    let foreign: BTreeSet<String> = spoken(rival).iter().flat_map(|text| text::words(text)).collect();
    let said: BTreeSet<String> = text::words(&own.description).into_iter().collect();
    let mut counted: BTreeMap<String, (usize, usize, String)> = BTreeMap::new();
    let own_words = spoken(own);
    let words = own_words.iter().flat_map(|text| text::plain_words(text)).map(|(_, word)| word);
    for (place, word) in words.enumerate().filter(|(_, word)| is_word(word)) {
        let Some(stem) = text::words(&word).into_iter().next() else { continue };
        if !foreign.contains(&stem) && !said.contains(&stem) {
            counted.entry(stem).or_insert((0, place, word)).0 += 1;
        }
    }
    let mut words: Vec<(usize, usize, String)> = counted.into_values().collect();
    words.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    let words: Vec<String> = words.into_iter().take(MOST_WORDS).map(|(_, _, word)| word).collect();
    let (last, rest) = words.split_last()?;
    let listed = if rest.is_empty() { last.clone() } else { format!("{} and {last}", rest.join(", ")) };
    let description = own.description.trim().trim_end_matches('.');
    Some(if description.is_empty() { format!("For {listed}.") } else { format!("{description}. For {listed}.") })
}

/// Long enough to say something, and letters alone.
fn is_word(word: &str) -> bool {
    word.chars().count() > 2 && word.chars().all(|c| c.is_alphabetic() || c == '-')
}

/// Everything by which a tool is found. Its examples come first: they are how people ask.
fn spoken(card: &ToolCard) -> Vec<String> {
    let mut inputs = schema::inputs(&schema::parse(&card.input_schema));
    inputs.sort_by(|a, b| a.name.cmp(&b.name));
    let names = inputs.iter().map(|input| text::name_as_prose(&input.name));
    let values = inputs.iter().flat_map(|input| input.values.iter().take(8).map(|value| value.replace('_', " ")));
    let own =
        [text::name_as_prose(&card.facts.entity.value), text::name_as_prose(card.id.name()), card.description.clone()];
    card.examples.iter().cloned().chain(names).chain(values).chain(own).collect()
}

#[cfg(test)]
mod tests {
    use ambit_model::card::SchemaText;
    use ambit_model::facts::{Effect, Risk};
    use ambit_model::intake::LikenessKind;

    use super::*;
    use crate::authority::sample as cards;
    use crate::intake::likeness::{self, Declared, Remedy};
    use crate::{parse, resolve, route};

    fn card(name: &str, description: &str, inputs: &[&str], examples: &[&str]) -> ToolCard {
        let mut card = cards::card(&format!("cat/{name}"), Effect::Read, Risk::Low, false);
        card.description = description.to_owned();
        let properties: serde_json::Map<String, serde_json::Value> =
            inputs.iter().map(|name| ((*name).to_owned(), serde_json::json!({}))).collect();
        card.input_schema = SchemaText(serde_json::json!({ "type": "object", "properties": properties }).to_string());
        card.examples = examples.iter().map(|example| (*example).to_owned()).collect();
        card
    }

    /// What the detector makes of two tools, and what else is proposed.
    fn proposed(tool: &ToolCard, rival: &ToolCard, declared: &Declared) -> Vec<Repair> {
        let pair = [tool, rival];
        proposals(pair, declaration(pair, pair, declared))
    }

    fn declaration<'a>(
        cards: impl IntoIterator<Item = &'a ToolCard>,
        pair: [&ToolCard; 2],
        declared: &Declared,
    ) -> Option<Proposal> {
        match likeness::between(cards, pair, declared, &route::with_built_in(&[])) {
            Some(Remedy::Declare(proposal)) => Some(proposal),
            _ => None,
        }
    }

    #[track_caller]
    fn check(tool: &ToolCard, rival: &ToolCard, expected: &[RepairKind]) {
        let repairs = proposed(tool, rival, &Declared::default());
        assert_eq!(repairs.iter().map(Repair::kind).collect::<Vec<_>>(), expected);
        assert_eq!(repairs, proposed(rival, tool, &Declared::default()));
    }

    #[test]
    fn each_kind_is_proposed_where_it_fits() {
        use RepairKind::{Description, Family, Twins};
        let plain = |name: &str, inputs: &[&str]| card(name, "Gives figures.", inputs, &[]);
        check(&plain("send_mail", &["to"]), &plain("send_mail_v2", &["to", "cc"]), &[Family]);
        check(&plain("find_it", &["q"]), &plain("look_up", &["q"]), &[Twins, Description, Description, Description]);
        check(
            &card("a_it", "Gives figures.", &["q"], &["Which revenue?"]),
            &card("b_it", "Gives figures.", &["period", "to"], &["Which balance?"]),
            &[Description, Description, Description],
        );
    }

    #[test]
    fn what_is_declared_is_not_declared_again_and_no_id_is_taken_twice() {
        let (find, look) = (card("find_it", "Finds.", &["q"], &[]), card("look_up", "Finds.", &["q"], &[]));
        let twins = |declared: &Declared| match proposed(&find, &look, declared).into_iter().next() {
            Some(Repair::Declaration(Proposal::Twins(twins))) => Some(twins),
            _ => None,
        };
        let free = twins(&Declared::default()).unwrap();
        assert_eq!(free.id, "cat-find-it");
        assert_eq!(twins(&Declared::new(std::slice::from_ref(&free), &[])), None);
        let id_beside = |kind: LikenessKind| {
            let mut taken = Declared::default();
            taken.add(kind, "cat-find-it", std::iter::empty());
            twins(&taken).map(|twins| twins.id)
        };
        assert_eq!(id_beside(LikenessKind::Twins).as_deref(), Some("cat-find-it-2"));
        assert_eq!(id_beside(LikenessKind::Versions).as_deref(), Some("cat-find-it"));
    }

    #[test]
    fn every_two_of_a_family_or_of_twins_get_the_same_document() {
        for names in [["send", "send_v2", "send_v3"], ["send", "send_v2", "sendV2"], ["find", "look", "seek"]] {
            let cards = names.map(|name| card(name, "Sends word.", &["to"], &[]));
            let [first, second, third] = cards.each_ref();
            let found = [[first, second], [second, third], [third, first]]
                .map(|pair| declaration(&cards, pair, &Declared::default()).unwrap());
            assert_eq!(found[0].members().len(), 3, "{names:?}");
            assert!(found.iter().all(|one| *one == found[0]), "{found:?}");
        }
    }

    #[test]
    fn a_third_is_added_to_what_is_declared() {
        let cards = ["find", "look", "seek"].map(|name| card(name, "Sends word.", &["to"], &[]));
        let [first, second, third] = cards.each_ref();
        let mut declared = Declared::default();
        declared.add(LikenessKind::Twins, "senders", [first.id.clone(), second.id.clone()]);
        for pair in [[first, third], [third, second]] {
            let found = likeness::between(&cards, pair, &declared, &route::with_built_in(&[]));
            assert_eq!(found, Some(Remedy::Extend("add `cat/seek` to the TwinGroup `senders`".to_owned())));
        }
        assert_eq!(likeness::between(&cards, [first, second], &declared, &route::with_built_in(&[])), None);
    }

    #[test]
    fn a_description_gains_the_words_that_the_rival_lacks() {
        let own = card(
            "list_due",
            "Lists invoices",
            &["days"],
            &["Which invoices are overdue?", "Overdue invoices over 30 days, unpaid"],
        );
        let rival = card("list_all", "Lists invoices.", &["state"], &["Show the invoices of August"]);
        assert_eq!(apart(&own, &rival).as_deref(), Some("Lists invoices. For overdue, days, over, unpaid and due."));
        assert_eq!(apart(&card("list", "Lists", &[], &[]), &card("list", "Lists", &[], &[])), None);
    }

    #[test]
    fn what_is_proposed_compiles() {
        let pair = |one, other| {
            proposed(&card(one, "Sends.", &[], &[]), &card(other, "Sends.", &[], &[]), &Declared::default())
        };
        let documents: Vec<String> =
            [pair("send", "send_v2"), pair("find", "look")].iter().flatten().filter_map(Repair::document).collect();
        assert_eq!(documents.len(), 2);
        let text = format!("kind: Workspace\nname: w\n---\n{}", documents.join("---\n"));
        let tree = parse::rendered::tree(&[("w.yaml", &text)]);
        let (written, problems) = parse::parse(&tree);
        assert_eq!(problems, [], "{text}");
        assert_eq!(resolve::resolve(&written, &tree).1, [], "{text}");
    }

    #[test]
    fn descriptions_are_copied_with_what_belongs_above_them() {
        let texts = [("cat", "a: b"), ("cat", "send"), ("mail", "send")];
        let descriptions = texts.map(|(catalog, name)| (ToolId::new(catalog, name), format!("Says \"{name}\".")));
        let repair = Repair::Descriptions(descriptions.into_iter().collect());
        assert_eq!(
            repair.yaml(),
            "# in the Catalog \"cat\"\ntools:\n  \"a: b\":\n    description: \"Says \\\"a: b\\\".\" # proposed\n  send:\n    \
             description: \"Says \\\"send\\\".\" # proposed\n# in the Catalog \"mail\"\ntools:\n  send:\n    description: \"Says \
             \\\"send\\\".\" # proposed\n"
        );
        assert_eq!(repair.tools().len(), 3);
    }
}
