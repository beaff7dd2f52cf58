//! Golden splits: questions of many domains, none of them of the sample workspace, and the steps that a person reads in them.

use ambit_model::facts::Operation;
use serde::Deserialize;

use super::planner::{self, Clause, LocalPlan};
use super::vocabulary::tests::english;

/// One question and its steps, in the order of doing.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Golden {
    question: String,
    domain: String,
    steps: Vec<Said>,
    /// Words that belong to no step.
    #[serde(default)]
    not: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Said {
    /// Words of this step and of no other.
    says: String,
    /// What its verb may ask for; `native` where no tool is needed.
    does: Does,
    #[serde(default = "once")]
    repeat: usize,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Does {
    One(String),
    AnyOf(Vec<String>),
}

fn once() -> usize {
    1
}

fn read(text: &str) -> Vec<Golden> {
    serde_saphyr::from_str(text).unwrap()
}

/// What is wrong with the plan of a question.
fn wrong(golden: &Golden, plan: &LocalPlan) -> Option<String> {
    let texts: Vec<&str> = plan.clauses.iter().map(|clause| clause.text.as_str()).collect();
    if texts.len() != golden.steps.len() {
        return Some(format!("{} steps in place of {}: {texts:?}", texts.len(), golden.steps.len()));
    }
    for (said, clause) in golden.steps.iter().zip(&plan.clauses) {
        if !clause.text.contains(&said.says) {
            return Some(format!("`{}` is not in `{}`", said.says, clause.text));
        }
        if !fits(&said.does, clause) {
            return Some(format!("`{}` does {:?}, native {}", clause.text, clause.operations, clause.native));
        }
        if clause.repeat != said.repeat {
            return Some(format!("`{}` is repeated {} times", clause.text, clause.repeat));
        }
    }
    let stray = golden.not.iter().find(|words| texts.iter().any(|text| text.contains(words.as_str())));
    stray.map(|words| format!("`{words}` is in a step"))
}

fn fits(does: &Does, clause: &Clause) -> bool {
    let one = |does: &String| match does.as_str() {
        "native" => clause.native,
        operation => Operation::parse(operation).is_some_and(|operation| clause.operations.contains(&operation)),
    };
    match does {
        Does::One(does) => one(does),
        Does::AnyOf(some) => some.iter().any(one),
    }
}

/// The questions that are split otherwise.
fn failures(goldens: &[Golden]) -> Vec<String> {
    let english = english();
    let judged = goldens.iter().filter_map(|golden| {
        let found = wrong(golden, &planner::plan(&golden.question, &english))?;
        Some(format!("{}: {found}", golden.question))
    });
    judged.collect()
}

#[test]
fn splits_of_somebody_who_knows_the_planner() {
    let goldens = read(include_str!("splits/seen.yaml"));
    let domains: std::collections::BTreeSet<&str> = goldens.iter().map(|golden| golden.domain.as_str()).collect();
    assert!(goldens.len() >= 100 && domains.len() >= 8, "{} in {domains:?}", goldens.len());
    let failures = failures(&goldens);
    assert!(failures.is_empty(), "{} of {}\n{}", failures.len(), goldens.len(), failures.join("\n"));
}
