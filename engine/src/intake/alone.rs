//! Self-retrieval of one tool: its own questions among all tools of a project, and the questions of all others against it alone.
//! The scores are those of [`super::retrieval`].

use ambit_model::declaration::Settings;
use ambit_model::identity::ToolId;
use ambit_model::intake::{Fared, Finding};

use super::retrieval::{Arena, Kin, judge};
use crate::index::{IndexError, ProjectIndex, Vectors};

/// How the tool fares in the project; nothing is asked where the project has no such tool.
pub(super) fn alone(
    project: &ProjectIndex,
    tool: &ToolId,
    vectors: &Vectors,
    kin: &Kin,
    settings: &Settings,
) -> Result<Fared, IndexError> {
    let arena = Arena::new(project, vectors, kin, settings);
    let Some((position, indexed)) = project.tools.iter().enumerate().find(|(_, indexed)| indexed.card.id == *tool) else {
        return Ok(Fared::default());
    };
    let trial = arena.ask(position, indexed)?;
    let taken = arena.taken_by(position)?;
    let mut lost: Vec<(String, usize)> =
        trial.lost.iter().map(|(rival, questions)| (rival.to_string(), questions.len())).collect();
    lost.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let since = project.tools.iter().map(|tool| (tool.card.id.clone(), tool.card.since.clone())).collect();
    let threshold = settings.thresholds.self_retrieval;
    let about = |finding: &Finding| finding.tool == tool.as_str();
    let findings = judge(&trial, &since, threshold).into_iter().filter(about).collect();
    Ok(Fared { findings, asked: trial.asked, first: trial.first, lost, taken })
}
