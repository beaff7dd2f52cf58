//! Implicit steps, found by backward chaining: when a picked tool requires an identifier or a thing that neither the question
//! nor an earlier step supplies, the best tool of the `route` set that returns it goes in front. Readers only, search before
//! list before get where the question names something (measured in a study on seven public sets before it was written).

use ambit_model::facts::Effect;
use ambit_model::ratio::Ratio;
use roaring::RoaringBitmap;

use super::deeds::Deed;
use super::planner::Clause;
use super::supply::{self, HandedOn, finding_preference, identified, is_bare, is_identifier};
use super::values::{Value, ValueKind};
use crate::index::{IndexedTool, ProjectIndex, Vectors};
use crate::schema::JsonType;
use crate::text;

/// Most implicit steps in a route.
pub(super) const MOST: usize = 3;
/// How far back a chain goes.
const DEEPEST: usize = 2;

/// Strength of a product that the operator declared.
const DECLARED: f64 = 1.0;
/// How much likeness to the question counts beside strength.
const MEANING_WEIGHT: f64 = 0.25;
/// What each unfilled identifier of a supplier costs it.
const OPEN_INPUT_COST: f64 = 0.3;

/// A tool that goes in front of another, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) tool: usize,
    /// The input or thing it supplies.
    pub(super) supplies: String,
}

/// A chain in the making.
struct Chain {
    known: HandedOn,
    links: Vec<Link>,
    unmet: Vec<String>,
    room: usize,
}

impl Chain {
    fn is_full(&self) -> bool {
        self.links.len() >= self.room
    }
}

/// What chaining goes by.
pub(super) struct Chainer<'a> {
    pub(super) index: &'a ProjectIndex,
    pub(super) deeds: &'a [Deed],
    pub(super) vectors: &'a Vectors,
    pub(super) route: &'a RoaringBitmap,
    pub(super) question_vector: Option<&'a [f32]>,
    pub(super) values: &'a [Value],
    /// Turns came before the question: an identifier that it does not say was most likely found there.
    pub(super) follows: bool,
    /// The member of its family or twin group that stands for a tool.
    pub(super) stand_in: &'a dyn Fn(usize) -> usize,
}

impl Chainer<'_> {
    /// The tools to put in front of `tool`, in the order they are to be called, and the needs that no tool of the set meets.
    pub(super) fn before(
        &self,
        tool: usize,
        clause: &Clause,
        handed_on: &HandedOn,
        room: usize,
    ) -> (Vec<Link>, Vec<String>) {
        let mut chain = Chain { known: handed_on.clone(), links: Vec::new(), unmet: Vec::new(), room };
        for need in &clause.needs {
            self.supply_thing(need, tool, &mut chain);
        }
        self.supply_tool(tool, DEEPEST, &mut chain);
        chain.links.retain(|link| link.tool != tool);
        (chain.links, chain.unmet)
    }

    /// Something the question takes as given: only a tool that declares that it makes it will do.
    fn supply_thing(&self, need: &str, tool: usize, chain: &mut Chain) {
        let stem = text::stem(need);
        let makes = |t: &IndexedTool| t.facts.produces.iter().any(|p| text::stem(p) == stem);
        let already = self.index.tools.get(tool).is_some_and(makes);
        if already || chain.known.holds(&stem) || chain.is_full() {
            return;
        }
        match self.best(tool, need, |t| if makes(t) { DECLARED } else { 0.0 }, &chain.known) {
            Some(found) => self.put_in_front(found, need.to_owned(), DEEPEST, chain),
            None if self.is_a_thing(&stem) => chain.unmet.push(need.to_owned()),
            None => {}
        }
    }

    /// A stem that some tool of the set deals in; other words are prose.
    fn is_a_thing(&self, stem: &str) -> bool {
        self.tools().any(|(_, t)| t.facts.requires.iter().any(|r| text::stem(r) == stem))
    }

    /// What a tool's schema and its declaration require, and the tools that must have come first.
    fn supply_tool(&self, tool: usize, depth: usize, chain: &mut Chain) {
        let Some(consumer) = self.index.tools.get(tool) else { return };
        let missing: Vec<String> =
            supply::missing(consumer, self.values, &chain.known).into_iter().map(str::to_owned).collect();
        for input in missing {
            if self.follows || chain.is_full() || chain.known.fills(&input) {
                continue;
            }
            if let Some(found) = self.best(tool, &input, |t| supplies(t, &input, consumer), &chain.known) {
                self.put_in_front(found, input, depth, chain);
            }
        }
        for need in &consumer.facts.requires {
            self.supply_declared(need, tool, consumer, depth, chain);
        }
        for first in &consumer.facts.after {
            let found = self.tools().find(|(_, t)| t.card.id == *first).map(|(at, _)| at);
            if let Some(found) = found.filter(|_| !chain.is_full()) {
                self.put_in_front(found, format!("`{first}`, which must come first"), depth, chain);
            }
        }
    }

    fn supply_declared(&self, need: &str, tool: usize, consumer: &IndexedTool, depth: usize, chain: &mut Chain) {
        let given = is_identifier(need) && self.values.iter().any(|v| v.kind == ValueKind::Id);
        if given || chain.known.fills(need) || chain.known.holds(&text::stem(need)) || chain.is_full() {
            return;
        }
        match self.best(tool, need, |t| supplies(t, need, consumer), &chain.known) {
            Some(found) => self.put_in_front(found, need.to_owned(), depth, chain),
            // Rows that an earlier step lists are rows, whatever the operator calls them.
            None if chain.known.rows && takes_rows(consumer, need) => {}
            None => chain.unmet.push(need.to_owned()),
        }
    }

    /// What the supplier itself needs goes in front of it.
    fn put_in_front(&self, found: usize, supplies: String, depth: usize, chain: &mut Chain) {
        if chain.links.iter().any(|l| l.tool == found) {
            return;
        }
        if depth > 1 {
            chain.room = chain.room.saturating_sub(1);
            self.supply_tool(found, depth - 1, chain);
            chain.room += 1;
        }
        if let Some(tool) = self.index.tools.get(found) {
            chain.known.add(tool);
        }
        chain.links.push(Link { tool: found, supplies });
    }

    /// The strongest supplier. A tool that writes never finds things for us, unless the operator declared that it makes them.
    fn best(
        &self,
        consumer: usize,
        need: &str,
        strength: impl Fn(&IndexedTool) -> f64,
        known: &HandedOn,
    ) -> Option<usize> {
        let graded = self.tools().filter(|(at, _)| *at != consumer).filter_map(|(at, tool)| {
            let strong = strength(tool);
            let facts = &tool.facts;
            let reads = self.deeds.get(at).is_some_and(Deed::reads);
            let may = strong > 0.0 && (reads || (strong >= DECLARED && facts.effect.value != Effect::Destructive));
            may.then(|| (Ratio::from_f64(strong + self.preference(tool, need, known)), at))
        });
        let best = graded.max_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1)))?;
        Some((self.stand_in)(best.1)).filter(|at| *at != consumer)
    }

    /// An identifier is found by the kind of call, a thing by what the question is about.
    fn preference(&self, tool: &IndexedTool, need: &str, known: &HandedOn) -> f64 {
        let meaning =
            self.question_vector.and_then(|v| self.vectors.best(v, &tool.texts)).map_or(0.0, |(_, cosine)| cosine);
        #[expect(clippy::cast_precision_loss, reason = "a tool has a handful of required inputs")]
        let open = OPEN_INPUT_COST * supply::missing(tool, self.values, known).len() as f64;
        if !is_identifier(need) {
            return meaning - open;
        }
        let names_something = self.values.iter().any(|v| matches!(v.kind, ValueKind::Name | ValueKind::Quoted));
        finding_preference(tool.facts.operation.value, names_something) + MEANING_WEIGHT * meaning - open
    }

    fn tools(&self) -> impl Iterator<Item = (usize, &IndexedTool)> {
        let positions = self.route.iter().filter_map(|at| usize::try_from(at).ok());
        positions.filter_map(|at| self.index.tools.get(at).map(|tool| (at, tool)))
    }
}

/// The input of this name is a list.
fn takes_rows(consumer: &IndexedTool, need: &str) -> bool {
    consumer.inputs.iter().any(|input| input.name == need && input.types.contains(&JsonType::Array))
}

/// How surely a tool's result holds what an input wants: 1.0 declared by the operator, 0.9 an output of that name, 0.8 an
/// identifier in rows of the thing the input names, 0 not at all.
fn supplies(tool: &IndexedTool, input: &str, consumer: &IndexedTool) -> f64 {
    let facts = &tool.facts;
    if facts.produces.iter().any(|p| p == input) {
        return DECLARED;
    }
    if !is_bare(input) && tool.outputs.iter().any(|o| o.name == input) {
        return 0.9;
    }
    let wanted = identified(input).or_else(|| text::words(&consumer.facts.entity.value).pop());
    let Some(wanted) = wanted else { return 0.0 };
    let identifies = |name: &str| is_identifier(name) || facts.identity.iter().any(|i| i == name);
    let in_rows = tool.outputs.iter().any(|o| {
        let thing = o.parent.as_deref().map(text::stem);
        identifies(&o.name) && thing.as_deref() == Some(wanted.as_str())
    });
    let of_entity = text::words(&facts.entity.value).pop().as_deref() == Some(wanted.as_str())
        && tool.outputs.iter().any(|o| identifies(&o.name));
    if in_rows || of_entity { 0.8 } else { 0.0 }
}
