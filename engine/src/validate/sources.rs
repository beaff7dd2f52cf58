//! Where a reference leads: its source, and the place that the source's output schema declares at its path.
//! INVARIANT: nothing stands in for a value here; a path is shown on the schema or refused.

use ambit_model::plan::{Standing, ViolationCode};

use super::dependencies::position;
use super::reference::Reference;
use super::report::{Report, near, quote};
use super::shape::{Draft, ForEach, RESERVED};
use super::tools::Tool;
use super::undeclared;
use crate::schema::{Place, Segment, follow};

/// The plan with the tool of each action, as far as both are known.
pub(super) struct Scene<'s> {
    pub(super) draft: &'s Draft<'s>,
    pub(super) tools: &'s [Option<Tool<'s>>],
}

/// Where a good reference leads.
pub(super) enum Target<'s> {
    Place(Place<'s>, Standing),
    /// Only a run can tell.
    Run,
}

impl Target<'_> {
    pub(super) fn standing(&self) -> Standing {
        match self {
            Self::Place(_, standing) => *standing,
            Self::Run => Standing::Declared,
        }
    }
}

/// The word for whether a path is proved.
pub(super) fn standing(proved: bool) -> Standing {
    if proved { Standing::Proved } else { Standing::Declared }
}

/// Where a reference to anything but `item` leads; nothing where it is refused, or where its source is refused already.
pub(super) fn target<'s>(
    scene: &Scene<'s>,
    index: usize,
    reference: &Reference<'_>,
    report: &mut Report,
) -> Option<Target<'s>> {
    if reference.source == "item" {
        let rule = "`item` is known only inside the arguments of an action with `for_each`";
        report.violation(
            &reference.at,
            ViolationCode::ReferenceSource,
            rule,
            "name the action whose result holds the collection",
        );
        return None;
    }
    if RESERVED.contains(&reference.source) {
        return Some(Target::Run);
    }
    let source = source(scene, index, reference, report)?;
    let tool = scene.tools.get(source)?.as_ref()?;
    let Some(output) = &tool.output else {
        let rule = format!("a path must be declared, and {} has no output schema", quote(tool.card.id.as_str()));
        let help = "run it, look at its result, and plan again with the value itself";
        report.violation(&reference.at, ViolationCode::ReferenceUndeclaredPath, rule, help);
        return None;
    };
    let repeated = scene.draft.actions.get(source).and_then(|action| action.for_each);
    let (path, proved) = of_repeated(repeated, reference, report)?;
    match follow(Place::root(output), path) {
        Ok((place, certain)) => Some(Target::Place(place, standing(proved && certain))),
        Err(lost) => {
            let rule = format!(
                "a path must be declared, and {} declares no {}",
                quote(tool.card.id.as_str()),
                quote(reference.written)
            );
            let help = undeclared::of_result(tool, &Place::root(output), &lost, path);
            report.violation(&reference.at, ViolationCode::ReferenceUndeclaredPath, rule, help);
            None
        }
    }
}

/// The place of the source action, which must be an earlier one that this action waits for.
fn source(scene: &Scene<'_>, index: usize, reference: &Reference<'_>, report: &mut Report) -> Option<usize> {
    let action = scene.draft.actions.get(index)?;
    let named = quote(reference.source);
    let Some(source) = position(scene.draft, reference.source) else {
        let rule = format!("{named} is no action of this plan and no selection");
        let earlier = scene.draft.actions.iter().take(index).filter_map(|action| action.id);
        let help = near(reference.source, earlier.chain(RESERVED))
            .unwrap_or_else(|| "name an earlier action, `current_selection` or `selected_row`".to_owned());
        report.violation(&reference.at, ViolationCode::ReferenceSource, rule, help);
        return None;
    };
    if source == index {
        let rule = "an action cannot read its own result";
        report.violation(&reference.at, ViolationCode::ReferenceSource, rule, "name an earlier action");
        return None;
    }
    if !action.depends_on.iter().any(|(_, name)| *name == reference.source) {
        let rule = format!("an action waits for what it reads, and {named} is not in its `depends_on`");
        let help = if source < index {
            format!("add {named} to `depends_on`")
        } else {
            format!("move {named} before this action and add it to `depends_on`")
        };
        report.violation(&reference.at, ViolationCode::DependencyMissing, rule, help);
    }
    Some(source)
}

/// An action with `for_each` returns a list of results: the path goes into one of them first.
fn of_repeated<'r>(
    for_each: Option<ForEach<'_>>,
    reference: &'r Reference<'_>,
    report: &mut Report,
) -> Option<(&'r [Segment], bool)> {
    let Some(for_each) = for_each else { return Some((&reference.path, true)) };
    let run = reference.path.split_first().and_then(|(first, rest)| Some((first.index()?, rest)));
    match (for_each, run) {
        (ForEach::List(list), Some((run, rest))) if usize::try_from(run).is_ok_and(|run| run < list.len()) => {
            Some((rest, true))
        }
        (ForEach::Reference(_), Some((_, rest))) => Some((rest, false)),
        (ForEach::Unreadable, _) => None,
        _ => {
            let rule =
                format!("{} runs once for each item, so its result is a list of results", quote(reference.source));
            let help = "put the number of the run first, from 0: `0.id`";
            report.violation(&reference.at, ViolationCode::ReferenceUndeclaredPath, rule, help);
            None
        }
    }
}
