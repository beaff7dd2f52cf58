//! Narrowing a clause to the groups it speaks of, before tools are bound.
//! INVARIANT: a group is considered only if it holds a member in the caller's `route` set.

use std::collections::BTreeSet;

use ambit_model::declaration::Group;
use ambit_model::digest::Digest;
use ambit_model::ratio::Ratio;

use super::signals::{Asked, Scored};
use crate::index::{ProjectIndex, Vectors};

/// Groups searched first.
pub(super) const FIRST: usize = 2;
/// Groups searched when the first hold nothing.
pub(super) const WIDER: usize = 4;

/// A group of the view, with how well it fits the clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ranked {
    pub(super) id: String,
    score: Ratio,
    /// Positions of members in the `route` set.
    members: BTreeSet<usize>,
}

/// Groups that hold a tool of the `route` set, best first: half its own text's likeness, half its best member's score.
pub(super) fn rank(
    groups: &[(Group, Digest)],
    scored: &[Scored],
    asked: &Asked<'_>,
    index: &ProjectIndex,
    vectors: &Vectors,
) -> Vec<Ranked> {
    let mut ranked: Vec<Ranked> = groups
        .iter()
        .filter_map(|(group, text)| {
            let members =
                scored.iter().filter(|s| index.tools.get(s.at).is_some_and(|t| t.card.groups.contains(&group.id)));
            let best = members.clone().map(|s| s.score).max()?;
            let vector = asked.clause_vector.or(asked.question_vector);
            let own = vector.and_then(|v| vectors.best(v, [text])).map_or(0.0, |(_, cosine)| cosine.max(0.0));
            let score = Ratio::from_f64(0.5 * own + 0.5 * best.to_f64());
            Some(Ranked { id: group.id.clone(), score, members: members.map(|s| s.at).collect() })
        })
        .collect();
    ranked.sort_by(|a, b| b.score.cmp(&a.score).then_with(|| a.id.cmp(&b.id)));
    ranked
}

/// The positions that the best `count` groups hold, and every tool that is in no group; their ids too.
pub(super) fn best(
    ranked: &[Ranked],
    count: usize,
    scored: &[Scored],
    index: &ProjectIndex,
) -> (Vec<String>, BTreeSet<usize>) {
    let chosen = ranked.iter().take(count);
    let ids = chosen.clone().map(|g| g.id.clone()).collect();
    let mut members: BTreeSet<usize> = chosen.flat_map(|g| g.members.iter().copied()).collect();
    let alone = scored.iter().filter(|s| index.tools.get(s.at).is_some_and(|t| t.card.groups.is_empty()));
    members.extend(alone.map(|s| s.at));
    // A group's own text never shuts out the tool that fits best.
    members.extend(scored.first().map(|s| s.at));
    (ids, members)
}
