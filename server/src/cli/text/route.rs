//! A route as text: the steps in order, each with its tool and why, then what is missing and what it costs.

use ambit_model::route::{Candidate, Planner, RouteAnswer, Step, StepStatus};
use ambit_service::route::Routed;

use super::snapshots::counted;

/// The whole answer; `explain` adds every candidate.
pub(in crate::cli) fn answer(routed: &Routed, explain: bool) -> String {
    let (answer, asker) = (&routed.answer, &routed.asker);
    let mut text = format!(
        "snapshot {} ({}), {} in {}\n\n",
        answer.snapshot.number,
        answer.snapshot.digest.short(),
        asker,
        asker.project
    );
    for step in &answer.steps {
        text.push_str(&one_step(step, explain));
    }
    for gap in &answer.gaps {
        let nearest: Vec<String> =
            gap.nearest.iter().map(|near| format!("{} {:.2}", near.tool, near.score.to_f64())).collect();
        let nearest = if nearest.is_empty() { String::new() } else { format!("; nearest: {}", nearest.join(", ")) };
        text.push_str(&format!("gap in step {}: “{}”, {}{nearest}\n", gap.step, gap.text, gap.cause.word()));
    }
    answer.question.iter().for_each(|question| text.push_str(&format!("ask back: {question}\n")));
    if answer.planner == Planner::Llm {
        text.push_str("the steps are a plan of the project's language model\n");
    }
    for word in &answer.degraded {
        text.push_str(&format!("degraded: {}\n", degraded(word)));
    }
    if let Some(overlay) = &answer.overlay {
        text.push_str(&format!(
            "some of the tools that may be named are blocked for now (overlay {}): `ambit blocks` lists them\n",
            overlay.short()
        ));
    }
    if let Some(why) = &routed.without_model {
        text.push_str(&format!("  because: {}\n  help: {}\n", why.because, why.help));
    }
    text.push_str(&last_line(answer));
    text
}

fn one_step(step: &Step, explain: bool) -> String {
    let implicit = if step.implicit { "  (implicit)" } else { "" };
    let times = if step.repeat > 1 { format!(" ×{}", step.repeat) } else { String::new() };
    let head = match (&step.tool, step.status) {
        (Some(tool), _) => format!("{}) {tool}{times}{implicit}", step.index),
        (None, StepStatus::AgentNative) => format!("{}) no tool needed", step.index),
        (None, _) => format!("{}) unresolved", step.index),
    };
    let mut text = format!("{head}\n   “{}”\n", step.text);
    text.push_str(&format!("   {}\n", step.because));
    if let Some(picked) = step.candidates.iter().find(|c| Some(&c.tool) == step.tool.as_ref()) {
        text.push_str(&format!("   {}\n", signals(picked)));
    }
    if !step.also.is_empty() {
        text.push_str(&format!("   also offered: {}\n", ids(&step.also)));
    }
    if !step.reserve.is_empty() {
        text.push_str(&format!("   in reserve: {}\n", ids(&step.reserve)));
    }
    if explain {
        for candidate in &step.candidates {
            let outcome = serde_json::to_value(candidate.outcome)
                .ok()
                .and_then(|v| v.as_str().map(str::to_owned))
                .unwrap_or_default();
            text.push_str(&format!("     {:<36} {:<16} {}\n", candidate.tool, outcome, signals(candidate)));
            candidate.notes.iter().for_each(|note| text.push_str(&format!("       {note}\n")));
        }
    }
    text.push('\n');
    text
}

fn signals(candidate: &Candidate) -> String {
    let s = &candidate.signals;
    format!(
        "score {:.4}: semantic {:.2}, bm25 {:.2}, param_fit {:.2}, output_fit {:.2}",
        candidate.score.to_f64(),
        s.semantic.to_f64(),
        s.bm25.to_f64(),
        s.param_fit.to_f64(),
        s.output_fit.to_f64()
    )
}

fn ids(tools: &[ambit_model::identity::ToolId]) -> String {
    tools.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn degraded(word: &str) -> &str {
    match word {
        "words_only" => "words_only: no vectors were at hand, so meaning did not count",
        "language" => "language: the question is not in the model's language, so words count more",
        "planner" => "planner: the project's language model made no plan, so the local planner did",
        "router" => "router: the project's language model chose no tool, so the local rank decided",
        other => other,
    }
}

fn last_line(answer: &RouteAnswer) -> String {
    let plan = if answer.plan_hint.is_empty() { String::new() } else { format!("plan: {}\n", answer.plan_hint) };
    format!(
        "{plan}{}; {} of {} tokens; `--explain` shows the candidates\n",
        counted(answer.tools.len(), "tool"),
        answer.tokens.handed,
        answer.tokens.view
    )
}
