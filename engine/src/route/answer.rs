//! Assembly: at most `k` tools in step order, with their whole schemas, the plan hint, the gaps and the cost in tokens.

use crate::authority::View;
use ambit_model::card::ToolCard;
use ambit_model::identity::ToolId;
use ambit_model::route::{
    Gap, GapCause, HandedTool, Nearest, Outcome, Planner, RouteAnswer, RouteRequest, Step, StepStatus, Tokens,
};
use ambit_model::snapshot::SnapshotName;

use super::ProjectRouter;
use super::handed::definition;
use super::steps::{Draft, Drafted};

const PLAN_HINT: &str = include_str!("plan_hint.txt");
/// Nearest tools named in a gap.
const NEAREST: usize = 3;
/// Characters of a definition that count as one token, a common rule of thumb for English and JSON.
const CHARACTERS_A_TOKEN: usize = 4;

pub(super) fn assemble(
    router: &ProjectRouter,
    name: &SnapshotName,
    view: &View,
    request: &RouteRequest,
    drafted: Drafted,
) -> RouteAnswer {
    let mut drafts = drafted.drafts;
    let chosen = within_limit(&mut drafts, request.k);
    let cards: Vec<&ToolCard> = chosen.iter().filter_map(|at| router.index.tools.get(*at)).map(|t| &t.card).collect();
    let tools: Vec<HandedTool> =
        cards.iter().map(|card| HandedTool { id: card.id.clone(), definition: definition(card) }).collect();
    let in_route =
        drafted.route.iter().filter_map(|at| usize::try_from(at).ok()).filter_map(|at| router.index.tools.get(at));
    let tokens =
        Tokens { view: in_route.map(|t| tokens(&t.card)).sum(), handed: cards.iter().map(|card| tokens(card)).sum() };
    let gaps = gaps(&drafts);
    let steps: Vec<Step> = drafts.into_iter().map(|draft| finished(router, draft)).collect();
    RouteAnswer {
        snapshot: name.clone(),
        view: view.digest.clone(),
        mode: "capability".to_owned(),
        planner: Planner::Local,
        degraded: drafted.degraded,
        complete: !gaps.iter().any(|gap| gap.cause == GapCause::Limit),
        plan_hint: plan_hint(&steps, &ToolId::name),
        question: question_back(&steps),
        steps,
        tools,
        gaps,
        tokens,
        overlay: None,
    }
}

/// Numbers the steps and takes their tools until `k` are held: picks first, then near ties. A step past the limit says so.
fn within_limit(drafts: &mut [Draft], k: usize) -> Vec<usize> {
    let mut held: Vec<usize> = Vec::new();
    for (position, draft) in drafts.iter_mut().enumerate() {
        draft.step.index = position + 1;
        let Some(pick) = draft.pick else { continue };
        if held.contains(&pick) {
            continue;
        }
        if held.len() < k {
            held.push(pick);
            continue;
        }
        draft.pick = None;
        draft.also.clear();
        draft.step.status = StepStatus::Unresolved;
        draft.cause = Some(GapCause::Limit);
        draft.step.because = format!("{}; {k} tools are the most that were asked for", draft.step.because);
        for candidate in draft.step.candidates.iter_mut().filter(|c| c.outcome == Outcome::Picked) {
            candidate.outcome = Outcome::Cut;
        }
    }
    let mut room = k - held.len().min(k);
    let picks = held.clone();
    for draft in drafts.iter_mut() {
        draft.also.retain(|at| {
            let fits = picks.contains(at) || room > 0;
            room -= usize::from(fits && !picks.contains(at));
            fits
        });
    }
    let in_order = drafts.iter().flat_map(|d| d.pick.into_iter().chain(d.also.iter().copied()));
    let mut chosen: Vec<usize> = Vec::new();
    for at in in_order {
        if !chosen.contains(&at) {
            chosen.push(at);
        }
    }
    chosen
}

fn finished(router: &ProjectRouter, draft: Draft) -> Step {
    let id = |at: usize| router.index.tools.get(at).map(|t| t.card.id.clone());
    let also: Vec<ToolId> = draft.also.iter().filter_map(|at| id(*at)).collect();
    let mut step = draft.step;
    for candidate in &mut step.candidates {
        let cut = candidate.outcome == Outcome::Picked
            && draft.pick.and_then(id).as_ref() != Some(&candidate.tool)
            && !also.contains(&candidate.tool);
        if cut {
            candidate.outcome = Outcome::Cut;
        }
    }
    step.tool = draft.pick.and_then(id);
    step.reserve = draft.reserve.iter().filter_map(|at| id(*at)).collect();
    step.also = also;
    step
}

fn gaps(drafts: &[Draft]) -> Vec<Gap> {
    let unresolved =
        drafts.iter().filter_map(|draft| draft.cause.map(|cause| gap(draft, draft.step.text.clone(), cause)));
    let unmet =
        drafts.iter().flat_map(|draft| draft.unmet.iter().map(|need| gap(draft, need.clone(), GapCause::NoOutputPath)));
    let mut gaps: Vec<Gap> = unresolved.chain(unmet).collect();
    gaps.sort_by(|a, b| (a.step, a.cause, &a.text).cmp(&(b.step, b.cause, &b.text)));
    gaps
}

fn gap(draft: &Draft, text: String, cause: GapCause) -> Gap {
    let nearest = draft.step.candidates.iter().take(NEAREST).map(|c| Nearest { tool: c.tool.clone(), score: c.score });
    let nearest = if cause == GapCause::NoOutputPath { Vec::new() } else { nearest.collect() };
    Gap { step: draft.step.index, text, cause, nearest }
}

fn question_back(steps: &[Step]) -> Option<String> {
    let open = steps.iter().find(|s| s.status == StepStatus::Unresolved)?;
    Some(format!("No tool that may be used here fits “{}”. What should be done, and with what?", open.text))
}

/// The bound steps as one line, each with its tool's name as the agent knows it.
pub(super) fn plan_hint<'a>(steps: &'a [Step], name: &dyn Fn(&'a ToolId) -> &'a str) -> String {
    let bound: Vec<minijinja::Value> = steps
        .iter()
        .filter_map(|step| step.tool.as_ref().map(|tool| (step, tool)))
        .zip(1usize..)
        .map(|((step, tool), index)| minijinja::context! { index, name => name(tool), repeat => step.repeat })
        .collect();
    let mut environment = minijinja::Environment::new();
    environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
    let rendered = environment.render_str(PLAN_HINT, minijinja::context! { steps => bound });
    rendered.map(|text| text.trim().to_owned()).unwrap_or_default()
}

/// About how many tokens a tool's definition takes.
pub(crate) fn tokens(card: &ToolCard) -> usize {
    let schemas = [Some(&card.input_schema), card.output_schema.as_ref()];
    let texts = schemas.into_iter().flatten().map(|s| s.0.chars().count()).sum::<usize>();
    (texts + card.description.chars().count() + card.id.name().chars().count()).div_ceil(CHARACTERS_A_TOKEN)
}
