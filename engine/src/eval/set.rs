//! A set: a catalog, and questions of which somebody said which tools answer them.

use std::collections::BTreeSet;

use ambit_model::codes;
use ambit_model::diagnostic::{Diagnostic, Place};
use serde::Deserialize;

/// A question and the tools that answer it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    pub id: String,
    pub query: String,
    /// Names of tools, each once, in order of first use. Nothing where the right answer is that there is no tool.
    pub gold: Vec<String>,
    /// The order of `gold` is part of the truth.
    pub ordered: bool,
    /// Earlier turns of the same person, the oldest first.
    pub context: Vec<String>,
}

impl Question {
    /// More than one tool is wanted.
    pub fn is_multi(&self) -> bool {
        self.gold.len() > 1
    }
}

#[derive(Deserialize)]
struct Line {
    #[serde(default)]
    id: Option<String>,
    query: String,
    gold: Vec<String>,
    #[serde(default)]
    ordered: bool,
    #[serde(default)]
    context: Vec<String>,
}

/// Reads `queries.jsonl`: one question a line, `{"query": …, "gold": […], "id"?, "ordered"?, "context"?}`; other keys are left alone.
/// A line that is none is a problem at its place, and the rest is read.
pub fn read(file: &str, text: &str) -> (Vec<Question>, Vec<Diagnostic>) {
    let mut questions = Vec::new();
    let mut problems = Vec::new();
    for (at, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        match serde_json::from_str::<Line>(line) {
            Ok(line) if !line.query.trim().is_empty() => questions.push(question(line, at + 1)),
            Ok(_) => problems.push(problem(file, at, line, "the question is empty")),
            Err(error) => problems.push(problem(file, at, line, &error.to_string())),
        }
    }
    (questions, problems)
}

fn question(line: Line, number: usize) -> Question {
    let mut seen = BTreeSet::new();
    let gold = line.gold.into_iter().filter(|name| seen.insert(name.clone())).collect();
    let id = line.id.unwrap_or_else(|| number.to_string());
    Question { id, query: line.query, gold, ordered: line.ordered, context: line.context }
}

/// Characters of a line that are shown.
const SHOWN: usize = 400;

fn problem(file: &str, at: usize, line: &str, why: &str) -> Diagnostic {
    let text: String = line.chars().take(SHOWN).collect();
    let length = u32::try_from(text.chars().count()).unwrap_or(1).max(1);
    let line = u32::try_from(at + 1).unwrap_or(u32::MAX);
    Diagnostic::error(codes::E_REQUEST, format!("`{file}` holds a line that is no question: {why}"))
        .at(Some(Place { file: file.to_owned(), line, column: 1, length, text }))
        .help("write `{\"query\": \"…\", \"gold\": [\"name\"]}` on one line")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_no_question_is_said_and_the_rest_is_read() {
        let text = "\u{feff}{\"query\": \"q\", \"gold\": [\"b\", \"a\", \"b\"], \"kind\": \"multi\"}\n\n{\"query\": \" \", \"gold\": []}\n[\n";
        let (questions, problems) = read("queries.jsonl", text);
        assert_eq!(
            questions.iter().map(|q| (q.id.as_str(), q.gold.as_slice())).collect::<Vec<_>>(),
            [("1", ["b".to_owned(), "a".to_owned()].as_slice())]
        );
        let lines: Vec<u32> = problems.iter().filter_map(|problem| problem.place.as_ref().map(|at| at.line)).collect();
        assert_eq!(lines, [3, 4]);
    }
}
