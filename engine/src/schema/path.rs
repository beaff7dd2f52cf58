//! Whether a path into a value is declared by its schema, and whether every value of the schema has it.
//! A path that only `anyOf`, `prefixItems` or `additionalProperties` would allow counts as undeclared.

use serde_json::Value;

use super::place::{JsonType, Place};

/// Most names offered where a path goes wrong.
const MOST_NAMES: usize = 8;

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    /// A property's name or, in digits, the place of an item, from 0.
    Name(String),
    /// `*`: every item of a list.
    Every,
}

impl Segment {
    /// The item's place, where the segment is a number as JSON writes it.
    pub fn index(&self) -> Option<u64> {
        match self {
            Self::Name(name) if name == "0" || !name.starts_with(['0', '+']) => name.parse().ok(),
            _ => None,
        }
    }

    /// The segment as written.
    pub fn text(&self) -> &str {
        match self {
            Self::Name(name) => name,
            Self::Every => "*",
        }
    }
}

/// How well a schema shows a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathStanding {
    /// Every value has it: each property is required and each list is long enough.
    Proved,
    /// The schema names it, but a value may lack it.
    Declared,
    Undeclared(Lost),
}

/// Where a path left the schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    /// The segment that leads nowhere, from 0.
    pub at: usize,
    /// Names declared at that level, those most like the segment first, at most eight.
    pub known: Vec<String>,
    /// A list stands there: a number or `*` is wanted.
    pub list: bool,
}

/// How well the schema shows this path.
pub fn path_standing(schema: &Value, segments: &[Segment]) -> PathStanding {
    match follow(Place::root(schema), segments) {
        Ok((_, true)) => PathStanding::Proved,
        Ok((_, false)) => PathStanding::Declared,
        Err(lost) => PathStanding::Undeclared(lost),
    }
}

/// The place that the path leads to and whether it is proved.
pub fn follow<'s>(from: Place<'s>, segments: &[Segment]) -> Result<(Place<'s>, bool), Lost> {
    let mut place = from;
    let mut proved = true;
    for (at, segment) in segments.iter().enumerate() {
        let (next, certain) = step(&place, segment).ok_or_else(|| lost(at, &place, segment))?;
        place = next;
        proved &= certain;
    }
    Ok((place, proved))
}

fn step<'s>(place: &Place<'s>, segment: &Segment) -> Option<(Place<'s>, bool)> {
    if let Segment::Name(name) = segment
        && let Some(next) = place.property(name)
    {
        return Some((next, place.is_only(JsonType::Object) && place.requires(name)));
    }
    // `*` over an empty list is an empty list, so it needs no least length.
    let long_enough = match (segment, segment.index()) {
        (Segment::Every, _) => true,
        (_, Some(index)) => place.least_items() > index,
        (_, None) => return None,
    };
    place.items().map(|items| (items, long_enough && place.is_only(JsonType::Array)))
}

fn lost(at: usize, place: &Place<'_>, segment: &Segment) -> Lost {
    let mut names = place.properties();
    names.sort_unstable();
    names.sort_by(|left, right| likeness(segment, right).total_cmp(&likeness(segment, left)));
    let known: Vec<String> = names.into_iter().take(MOST_NAMES).map(str::to_owned).collect();
    Lost { at, list: known.is_empty() && place.is_list(), known }
}

fn likeness(segment: &Segment, name: &str) -> f64 {
    strsim::jaro_winkler(segment.text(), name)
}
