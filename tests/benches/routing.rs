//! Routing quality on public tool-routing data, by `ambit eval` of the real binary: one configuration for all sets.
//! The data stays outside the repository: `AMBIT_BENCH`, else `../shared/bench`; without it this says so and ends. `QUESTIONS` sets how
//! many questions of each set are asked.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and has nothing to say where its set-up fails"
)]

use std::path::PathBuf;

use ambit_tests::{Place, repository};
use serde_json::Value;

/// Questions of each set, those with the lowest digests of their ids.
const QUESTIONS: &str = "200";

fn main() {
    let folder = std::env::var_os("AMBIT_BENCH").map_or_else(|| repository().join("../shared/bench"), PathBuf::from);
    let Ok(entries) = std::fs::read_dir(&folder) else {
        println!("routing quality: skipped, there is no data at {}", folder.display());
        return;
    };
    let only: Option<String> = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let most = std::env::var("QUESTIONS").unwrap_or_else(|_| QUESTIONS.to_owned());
    let mut sets: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.join("queries.jsonl").exists()).collect();
    sets.retain(|set| only.as_ref().is_none_or(|only| set.to_string_lossy().contains(only.as_str())));
    sets.sort();
    let place = Place::empty();
    let mut averages = [("single", Average::default()), ("multi", Average::default())];
    println!(
        "{:<18} {:>6} {:>5} {:>4} | {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>8} {:>7} {:>7}",
        "set", "kind", "tools", "n", "R@8", "NDCG@5", "exact", "seq", "prec", "tools", "abst P/R", "p50 ms", "p99 ms"
    );
    for set in sets {
        let run =
            place.run(&["eval", set.to_str().expect("a path in UTF-8"), "--questions", &most, "--format", "json"]);
        assert_eq!(run.code, 0, "{}", run.err);
        let of = run.json();
        for (kind, average) in &mut averages {
            if let Some(measures) = of.get(*kind).filter(|measures| measures.is_object()) {
                print_row(&of, kind);
                average.add(measures);
            }
        }
    }
    for (kind, average) in &averages {
        println!("average {kind:<7} exact {:.1}  sequence {:.1}", average.exact(), average.sequence());
    }
}

fn print_row(of: &Value, kind: &str) {
    let measures = &of[kind];
    let share =
        |key: &str| measures[key].as_f64().map_or_else(|| "-".to_owned(), |share| format!("{:.1}", share * 100.0));
    let plain = |key: &str, digits: usize| format!("{:.digits$}", measures[key].as_f64().unwrap_or(0.0));
    println!(
        "{:<18} {kind:>6} {:>5} {:>4} | {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>8} {:>7} {:>7}",
        of["set"].as_str().unwrap_or(""),
        of["tools"],
        measures["n"],
        share("recall_at_8"),
        share("ndcg_at_5"),
        share("exact_set"),
        share("exact_sequence"),
        share("precision"),
        plain("mean_tools", 2),
        format!("{}/{}", share("abstention_precision"), share("abstention_recall")),
        plain("p50_ms", 1),
        plain("p99_ms", 1),
    );
}

/// Over sets, each weighing the same.
#[derive(Default)]
struct Average {
    exact: Vec<f64>,
    sequence: Vec<f64>,
}

impl Average {
    fn add(&mut self, measures: &Value) {
        self.exact.extend(measures["exact_set"].as_f64());
        self.sequence.extend(measures["exact_sequence"].as_f64());
    }

    fn exact(&self) -> f64 {
        mean(&self.exact)
    }

    fn sequence(&self) -> f64 {
        mean(&self.sequence)
    }
}

fn mean(shares: &[f64]) -> f64 {
    100.0 * shares.iter().sum::<f64>() / shares.len().max(1) as f64
}
