//! Implicit steps, found by backward chaining: when a picked tool requires an identifier or a thing that neither the question
//! nor an earlier step supplies, the best tool of the `route` set that returns it goes in front. Readers only, search before
//! list before get where the question names something (measured in a study on seven public sets before it was written).

use roaring::RoaringBitmap;

use super::planner::Clause;
use super::supply::{self, HandedOn, finding_preference, identified, is_identifier};
use super::values::{Value, ValueKind};
use crate::index::{IndexedTool, ProjectIndex, Vectors};
use crate::text;

/// Most implicit steps in a route.
pub(super) const MOST: usize = 3;
/// How far back a chain goes.
const DEEPEST: usize = 2;

/// A tool that goes in front of another, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) tool: usize,
    /// The input or thing it supplies.
    pub(super) supplies: String,
}

/// What chaining goes by.
pub(super) struct Chainer<'a> {
    pub(super) index: &'a ProjectIndex,
    pub(super) vectors: &'a Vectors,
    pub(super) route: &'a RoaringBitmap,
    pub(super) question_vector: Option<&'a [f32]>,
    pub(super) values: &'a [Value],
    /// The member of its family or twin group that stands for a tool.
    pub(super) stand_in: &'a dyn Fn(usize) -> usize,
}

impl Chainer<'_> {
    /// The tools to put in front of `tool`, in the order they are to be called, and the needs that no tool of the set meets.
    pub(super) fn before(&self, tool: usize, clause: &Clause, handed_on: &HandedOn, room: usize) -> (Vec<Link>, Vec<String>) {
        let mut links = Vec::new();
        let mut unmet = Vec::new();
        let mut known = handed_on.clone();
        for need in &clause.needs {
            if !known.holds(need) && links.len() < room {
                self.supply_thing(need, tool, &mut known, &mut links, &mut unmet);
            }
        }
        self.supply_inputs(tool, &mut known, room, DEEPEST, &mut links);
        self.supply_declared(tool, &mut known, room, &mut links, &mut unmet);
        (links, unmet)
    }

    /// Something the question takes as given: only a tool that declares that it makes it will do.
    fn supply_thing(&self, need: &str, tool: usize, known: &mut HandedOn, links: &mut Vec<Link>, unmet: &mut Vec<String>) {
        let makes = |t: &IndexedTool| t.card.facts.produces.iter().any(|p| text::stem(p) == need);
        let already = self.index.tools.get(tool).is_some_and(makes);
        if already {
            return;
        }
        match self.best(tool, |t| if makes(t) { 1.0 } else { 0.0 }, known, true) {
            Some(found) => self.put_in_front(found, need.to_owned(), known, links),
            None if self.is_a_thing(need) => unmet.push(need.to_owned()),
            None => {}
        }
    }

    /// A stem that some tool of the set deals in; other words are prose.
    fn is_a_thing(&self, stem: &str) -> bool {
        self.tools().any(|(_, t)| t.card.facts.requires.iter().any(|r| text::stem(r) == stem))
    }

    fn supply_inputs(&self, tool: usize, known: &mut HandedOn, room: usize, depth: usize, links: &mut Vec<Link>) {
        let Some(card) = self.index.tools.get(tool) else { return };
        let missing: Vec<String> = supply::missing(card, self.values, known).into_iter().map(str::to_owned).collect();
        for input in missing {
            if links.len() >= room || known.fills(&input) {
                continue;
            }
            let strength = |t: &IndexedTool| supplies(t, &input, card);
            let Some(found) = self.best(tool, strength, known, false) else { continue };
            if links.iter().any(|l| l.tool == found) {
                continue;
            }
            if depth > 1 && links.len() + 1 < room {
                self.supply_inputs(found, known, room - 1, depth - 1, links);
            }
            self.put_in_front(found, input, known, links);
        }
    }

    /// What the operator says a tool requires, and the tools that must have come first.
    fn supply_declared(&self, tool: usize, known: &mut HandedOn, room: usize, links: &mut Vec<Link>, unmet: &mut Vec<String>) {
        let Some(card) = self.index.tools.get(tool) else { return };
        for need in &card.card.facts.requires {
            let stem = text::stem(need);
            let identifier = is_identifier(need) && self.values.iter().any(|v| v.kind == ValueKind::Id);
            if identifier || known.fills(need) || known.holds(&stem) || links.len() >= room {
                continue;
            }
            let makes = |t: &IndexedTool| if t.card.facts.produces.iter().any(|p| p == need || text::stem(p) == stem) { 1.0 } else { supplies(t, need, card) };
            match self.best(tool, makes, known, true) {
                Some(found) => self.put_in_front(found, need.clone(), known, links),
                None => unmet.push(need.clone()),
            }
        }
        for first in &card.card.facts.after {
            let found = self.tools().find(|(_, t)| t.card.id.as_str() == first).map(|(at, _)| at);
            if let Some(found) = found.filter(|f| links.len() < room && !links.iter().any(|l| l.tool == *f)) {
                self.put_in_front(found, format!("`{}`, which must come first", first), known, links);
            }
        }
    }

    fn put_in_front(&self, found: usize, supplies: String, known: &mut HandedOn, links: &mut Vec<Link>) {
        if let Some(tool) = self.index.tools.get(found) {
            known.add(tool);
        }
        if !links.iter().any(|l| l.tool == found) {
            links.push(Link { tool: found, supplies });
        }
    }

    /// The strongest supplier. Writers never read for us, unless the operator declared that they make the very thing.
    fn best(&self, consumer: usize, strength: impl Fn(&IndexedTool) -> f64, known: &HandedOn, makers_too: bool) -> Option<usize> {
        let names_something = self.values.iter().any(|v| matches!(v.kind, ValueKind::Name | ValueKind::Quoted));
        let graded = self.tools().filter(|(at, _)| *at != consumer).filter_map(|(at, tool)| {
            let strong = strength(tool);
            let operation = tool.card.facts.operation.value;
            let reads = tool.card.facts.effect.value == ambit_model::facts::Effect::Read && operation.reads();
            let may = strong > 0.0 && (reads || (makers_too && tool.card.facts.effect.value != ambit_model::facts::Effect::Destructive));
            may.then(|| {
                let meaning = self.question_vector.and_then(|v| self.vectors.best(v, &tool.texts)).map_or(0.0, |(_, cosine)| cosine);
                #[expect(clippy::cast_precision_loss, reason = "a tool has a handful of required inputs")]
                let open = supply::missing(tool, self.values, known).len() as f64;
                let preference = if reads { finding_preference(operation, names_something) } else { 0.0 };
                let grade = strong + preference + 0.25 * meaning - 0.3 * open;
                (ambit_model::ratio::Ratio::from_f64(grade), at)
            })
        });
        let best = graded.max_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1)))?;
        Some((self.stand_in)(best.1)).filter(|at| *at != consumer)
    }

    fn tools(&self) -> impl Iterator<Item = (usize, &IndexedTool)> {
        let positions = self.route.iter().filter_map(|at| usize::try_from(at).ok());
        positions.filter_map(|at| self.index.tools.get(at).map(|tool| (at, tool)))
    }
}

/// How surely a tool's result holds what an input wants: 1.0 declared by the operator, 0.9 an output of that name, 0.8 an
/// identifier in rows of the thing the input names, 0 not at all.
fn supplies(tool: &IndexedTool, input: &str, consumer: &IndexedTool) -> f64 {
    let facts = &tool.card.facts;
    if facts.produces.iter().any(|p| p == input) {
        return 1.0;
    }
    let bare = identified(input).is_none();
    if !bare && tool.outputs.iter().any(|o| o.name == input) {
        return 0.9;
    }
    let wanted = identified(input).or_else(|| text::words(&consumer.card.facts.entity.value).pop());
    let Some(wanted) = wanted else { return 0.0 };
    let identifies = |name: &str| is_identifier(name) || facts.identity.iter().any(|i| i == name);
    let in_rows = tool.outputs.iter().any(|o| {
        let thing = o.parent.as_deref().map(text::stem);
        identifies(&o.name) && thing.as_deref() == Some(wanted.as_str())
    });
    let of_entity = text::words(&facts.entity.value).pop().as_deref() == Some(wanted.as_str()) && tool.outputs.iter().any(|o| identifies(&o.name));
    if in_rows || of_entity { 0.8 } else { 0.0 }
}
