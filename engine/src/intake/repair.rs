//! Proposed repairs of a clash: the declaration that two tools are twins or versions of one, or descriptions that say what sets
//! them apart. Each names what would change; whether it helps is measured by asking the same questions again.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::card::ToolCard;
use ambit_model::declaration::{FamilyMember, TwinGroup, VersionFamily};
use ambit_model::identity::ToolId;

use crate::parse::body::Kind;
use crate::patch::Addition;
use crate::scalar::quoted;
use crate::schema;
use crate::text;

/// Share of inputs and outputs that twins have in common (Jaccard index).
const TWIN_SHARE: f64 = 0.75;
/// Most words that a description gets.
const MOST_WORDS: usize = 8;
/// What a line says of itself until a person reviewed it.
const REMARK: &str = "proposed";

/// What kind of repair it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RepairKind {
    Family,
    Twins,
    Description,
}

impl RepairKind {
    /// For people.
    pub fn word(self) -> &'static str {
        match self {
            Self::Family => "version family",
            Self::Twins => "twins",
            Self::Description => "description",
        }
    }
}

/// One way to end a clash.
#[derive(Clone, Debug, PartialEq)]
pub struct Repair {
    pub kind: RepairKind,
    pub change: Change,
}

/// What would be written.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    Twins(TwinGroup),
    Family(VersionFamily),
    /// New descriptions of one of the tools or of both.
    Descriptions(BTreeMap<ToolId, String>),
}

impl Repair {
    /// The new document, where the repair is one.
    pub fn document(&self) -> Option<String> {
        match &self.change {
            Change::Twins(twins) => Some(twins_yaml(twins)),
            Change::Family(family) => Some(family_yaml(family)),
            Change::Descriptions(_) => None,
        }
    }

    /// Beside which documents the new one belongs, and the catalog of its first tool.
    pub fn beside(&self) -> Option<(Kind, String)> {
        match &self.change {
            Change::Twins(twins) => Some((Kind::TwinGroup, twins.members.first()?.catalog().to_owned())),
            Change::Family(family) => Some((Kind::VersionFamily, family.members.first()?.tool.catalog().to_owned())),
            Change::Descriptions(_) => None,
        }
    }

    /// The keys to write in Catalogs, where the repair is made of such.
    pub fn additions(&self) -> Vec<Addition> {
        let Change::Descriptions(descriptions) = &self.change else { return Vec::new() };
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

    /// The card as it would be.
    pub fn applied(&self, card: &ToolCard) -> ToolCard {
        let mut card = card.clone();
        if let Change::Descriptions(descriptions) = &self.change
            && let Some(description) = descriptions.get(&card.id)
        {
            card.description.clone_from(description);
        }
        card
    }
}

/// Every repair that these two tools lend themselves to, in the order in which a person would look at them. `settled` tools are
/// twins or members of a family already, so that no other declaration can hold them.
pub fn proposals(tool: &ToolCard, rival: &ToolCard, settled: &BTreeSet<ToolId>) -> Vec<Repair> {
    let (first, second) = if tool.id <= rival.id { (tool, rival) } else { (rival, tool) };
    let free = !settled.contains(&first.id) && !settled.contains(&second.id);
    let mut repairs = Vec::new();
    repairs.extend(
        family(first, second)
            .filter(|_| free)
            .map(|family| Repair { kind: RepairKind::Family, change: Change::Family(family) }),
    );
    // What are versions of one tool are no twins.
    let versions = !repairs.is_empty();
    repairs.extend(
        twins(first, second)
            .filter(|_| free && !versions)
            .map(|twins| Repair { kind: RepairKind::Twins, change: Change::Twins(twins) }),
    );
    let texts: Vec<(ToolId, String)> = [(first, second), (second, first)]
        .into_iter()
        .filter_map(|(own, other)| Some((own.id.clone(), apart(own, other)?)))
        .collect();
    let described = |texts: &[(ToolId, String)]| Repair {
        kind: RepairKind::Description,
        change: Change::Descriptions(texts.iter().cloned().collect()),
    };
    repairs.extend(texts.iter().map(|one| described(std::slice::from_ref(one))));
    repairs.extend((texts.len() > 1).then(|| described(&texts)));
    repairs
}

/// The same names but for a number of version.
fn family(first: &ToolCard, second: &ToolCard) -> Option<VersionFamily> {
    if first.id.catalog() != second.id.catalog() {
        return None;
    }
    let (one, other) = (version(first.id.name()), version(second.id.name()));
    if one.0 != other.0 || one.1 == other.1 || one.0.is_empty() {
        return None;
    }
    let member = |card: &ToolCard, version: u32| FamilyMember {
        tool: card.id.clone(),
        version,
        deprecated: false,
        retired_on: None,
        pin: vec![format!("v{version}")],
    };
    let mut members = vec![member(first, one.1), member(second, other.1)];
    members.sort_by_key(|member| member.version);
    Some(VersionFamily { id: id(&one.0.join("-"), first.id.catalog()), current: one.1.max(other.1), members })
}

/// The words of a name without its version, and the version; a name without one is the first.
fn version(name: &str) -> (Vec<String>, u32) {
    let mut words: Vec<String> =
        text::name_as_prose(name).split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect();
    let number =
        |word: &String| word.strip_prefix('v').and_then(|digits| digits.parse::<u32>().ok()).filter(|n| *n < 1_000);
    match words.iter().position(|word| number(word).is_some()) {
        Some(at) => {
            let version = words.get(at).and_then(number).unwrap_or(1);
            words.remove(at);
            (words, version)
        }
        None => (words, 1),
    }
}

/// The same effect, and most inputs and outputs in common.
fn twins(first: &ToolCard, second: &ToolCard) -> Option<TwinGroup> {
    let same_kind = first.facts.effect.value == second.facts.effect.value && first.tenant == second.tenant;
    let names = |card: &ToolCard| -> BTreeSet<String> {
        let inputs =
            schema::inputs(&schema::parse(&card.input_schema)).into_iter().map(|input| format!("in {}", input.name));
        let outputs = card.output_schema.as_ref().map(|text| schema::outputs(&schema::parse(text))).unwrap_or_default();
        inputs.chain(outputs.into_iter().map(|output| format!("out {}", output.path.join(".")))).collect()
    };
    let (one, other) = (names(first), names(second));
    let (common, all) = (one.intersection(&other).count(), one.union(&other).count());
    #[expect(clippy::cast_precision_loss, reason = "a tool has a few hundred fields at most")]
    let alike = all == 0 || common as f64 / all as f64 >= TWIN_SHARE;
    let preferred = if since(second) < since(first) { second } else { first };
    (same_kind && alike).then(|| TwinGroup {
        id: id(&format!("{}-{}", first.id.name(), second.id.name()), first.id.catalog()),
        members: vec![first.id.clone(), second.id.clone()],
        preferred: preferred.id.clone(),
        reason: "both answer to the same questions".to_owned(),
    })
}

/// The older one has been relied on for longer; one without a date is the oldest.
fn since(card: &ToolCard) -> &str {
    card.since.as_deref().unwrap_or("")
}

/// An id made of a name: letters and digits, parted by `-`.
fn id(name: &str, otherwise: &str) -> String {
    let letters: String =
        text::name_as_prose(name).chars().map(|c| if c.is_ascii_alphanumeric() { c } else { ' ' }).collect();
    let id: String = letters.split_whitespace().collect::<Vec<_>>().join("-").chars().take(64).collect();
    let id = id.trim_end_matches('-');
    if id.is_empty() { otherwise.to_owned() } else { id.to_owned() }
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

fn twins_yaml(twins: &TwinGroup) -> String {
    let members: String = twins.members.iter().map(|member| format!("  - {}\n", quoted(member.as_str()))).collect();
    let (preferred, reason) = (quoted(twins.preferred.as_str()), quoted(&twins.reason));
    format!(
        "kind: TwinGroup\nid: {} # {REMARK}\nmembers:\n{members}preferred: {preferred}\nreason: {reason}\n",
        twins.id
    )
}

fn family_yaml(family: &VersionFamily) -> String {
    let member = |member: &FamilyMember| {
        let pin: Vec<String> = member.pin.iter().map(|word| quoted(word)).collect();
        format!(
            "  - {{ tool: {}, version: {}, pin: [{}] }}\n",
            quoted(member.tool.as_str()),
            member.version,
            pin.join(", ")
        )
    };
    let members: String = family.members.iter().map(member).collect();
    format!("kind: VersionFamily\nid: {} # {REMARK}\ncurrent: {}\nmembers:\n{members}", family.id, family.current)
}

#[cfg(test)]
mod tests {
    use ambit_model::card::SchemaText;
    use ambit_model::facts::{Effect, Risk};

    use super::*;
    use crate::authority::sample as cards;
    use crate::{parse, resolve};

    fn card(name: &str, description: &str, inputs: &[&str], examples: &[&str]) -> ToolCard {
        let mut card = cards::card(&format!("cat/{name}"), Effect::Read, Risk::Low, false);
        card.description = description.to_owned();
        let properties: serde_json::Map<String, serde_json::Value> =
            inputs.iter().map(|name| ((*name).to_owned(), serde_json::json!({}))).collect();
        card.input_schema = SchemaText(serde_json::json!({ "type": "object", "properties": properties }).to_string());
        card.examples = examples.iter().map(|example| (*example).to_owned()).collect();
        card
    }

    #[track_caller]
    fn check(tool: &ToolCard, rival: &ToolCard, expected: &[RepairKind]) {
        let told: Vec<RepairKind> = proposals(tool, rival, &BTreeSet::new()).iter().map(|repair| repair.kind).collect();
        assert_eq!(told, expected);
        assert_eq!(proposals(tool, rival, &BTreeSet::new()), proposals(rival, tool, &BTreeSet::new()));
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
        let settled = BTreeSet::from([plain("look_up", &["q"]).id]);
        let kinds: Vec<RepairKind> = proposals(&plain("find_it", &["q"]), &plain("look_up", &["q"]), &settled)
            .iter()
            .map(|repair| repair.kind)
            .collect();
        assert!(!kinds.contains(&Twins), "{kinds:?}");
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
        let repairs = [
            proposals(&card("send", "Sends.", &[], &[]), &card("send_v2", "Sends.", &[], &[]), &BTreeSet::new()),
            proposals(&card("find", "Finds.", &[], &[]), &card("look", "Finds.", &[], &[]), &BTreeSet::new()),
        ];
        let documents: Vec<String> = repairs.iter().flatten().filter_map(Repair::document).collect();
        assert_eq!(documents.len(), 2);
        let text = format!("kind: Workspace\nname: w\n---\n{}", documents.join("---\n"));
        let tree = parse::rendered::tree(&[("w.yaml", &text)]);
        let (written, problems) = parse::parse(&tree);
        assert_eq!(problems, [], "{text}");
        assert_eq!(resolve::resolve(&written, &tree).1, [], "{text}");
    }
}
