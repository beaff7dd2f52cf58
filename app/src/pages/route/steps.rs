//! The steps of an answer, in order: what each needs and makes, and the tool it got.

use ambit_model::route::{Step, StepStatus};
use leptos::prelude::*;

use crate::parts::icon::{Icon, tag};
use crate::parts::tool::tool;

/// A row of steps; each leads to its candidates.
pub(crate) fn steps(steps: &[Step]) -> impl IntoView + use<> {
    let listed = steps.iter().map(card).collect_view();
    view! {
        <ol class="steps" aria-label="Steps">
            {listed}
        </ol>
    }
}

fn card(step: &Step) -> impl IntoView + use<> {
    let flow = flow(step);
    view! {
        <li>
            <a href=format!("#step-{}", step.index)>
                <span class="stepn">{step.index}</span>
                <span>{step.text.clone()}</span>
                {(!flow.is_empty()).then(|| view! { <span class="io">{flow}</span> })}
                <span class="got">{result(step)}</span>
            </a>
        </li>
    }
}

/// `period → report, 3 times`.
fn flow(step: &Step) -> String {
    let times = if step.repeat > 1 { format!(", {} times", step.repeat) } else { String::new() };
    match (step.needs.is_empty(), step.produces.is_empty()) {
        (true, true) => String::new(),
        (false, true) => format!("{}{times}", step.needs.join(", ")),
        (_, false) => format!("{} → {}{times}", step.needs.join(", "), step.produces.join(", ")),
    }
}

fn result(step: &Step) -> impl IntoView + use<> {
    match &step.tool {
        Some(id) => tool(id.as_str()).into_any(),
        None => status(step.status).into_any(),
    }
}

/// How a step ended.
pub(crate) fn status(of: StepStatus) -> impl IntoView {
    match of {
        StepStatus::Bound => tag("accent", Icon::Ok, "bound"),
        StepStatus::AgentNative => tag("info", Icon::Info, "agent native"),
        StepStatus::Unresolved => tag("warn", Icon::Gap, "unresolved"),
    }
}

#[cfg(test)]
mod tests {
    use ambit_model::route::{Step, StepStatus};

    use super::flow;

    fn step(needs: &[&str], produces: &[&str], repeat: usize) -> Step {
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        Step {
            index: 1,
            text: String::new(),
            implicit: false,
            verb: None,
            what: String::new(),
            needs: owned(needs),
            produces: owned(produces),
            repeat,
            status: StepStatus::Unresolved,
            tool: None,
            also: Vec::new(),
            reserve: Vec::new(),
            groups: Vec::new(),
            because: String::new(),
            candidates: Vec::new(),
        }
    }

    #[test]
    fn a_flow_says_what_goes_in_and_out() {
        assert_eq!(flow(&step(&["period"], &["report"], 1)), "period → report");
        assert_eq!(flow(&step(&["id"], &[], 3)), "id, 3 times");
        assert_eq!(flow(&step(&[], &[], 1)), "");
    }
}
