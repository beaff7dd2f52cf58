//! Routing quality on public tool-routing data: what a user gets who does not say how many tools are wanted.
//! The data stays outside the repository: `AMBIT_BENCH`, else `../shared/bench`; without it this says so and ends.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and has nothing to say where its set-up fails"
)]

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use ambit_engine::authority::{Authority, View};
use ambit_engine::compile;
use ambit_engine::index::Vectors;
use ambit_engine::route::{LONGEST_QUESTION, ProjectRouter};
use ambit_engine::source::SourceTree;
use ambit_model::digest::Digest;
use ambit_model::identity::{Principal, ProjectId, ToolId};
use ambit_model::route::{Ambiguity, RouteAnswer, RouteRequest};
use ambit_model::snapshot::{Snapshot, SnapshotName};
use ambit_service::embedder::{self, DEFAULT_MODEL, Embedder, ModelPlaces};
use ambit_tests::repository;
use serde::Deserialize;

/// Questions of each set, those with the lowest digest of their id.
const MOST_QUESTIONS: usize = 120;

#[derive(Debug, Deserialize)]
struct Query {
    id: String,
    query: String,
    gold: Vec<String>,
    #[serde(default)]
    ordered: bool,
}

fn main() {
    let folder = std::env::var_os("AMBIT_BENCH").map_or_else(|| repository().join("../shared/bench"), PathBuf::from);
    let Ok(entries) = std::fs::read_dir(&folder) else {
        println!("routing quality: skipped, there is no data at {}", folder.display());
        return;
    };
    let only: Option<String> = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let model = embedder::open(DEFAULT_MODEL, &ModelPlaces::resolve(None, None)).expect("a model");
    let mut sets: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.join("catalog.json").exists()).collect();
    sets.sort();
    println!(
        "{:<20} {:>6} {:>5} {:>5} | {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7}",
        "set", "kind", "tools", "n", "accept%", "R@8", "exact", "seq", "prec", "returned", "ms", "abstain"
    );
    for set in sets {
        let name = set.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if only.as_ref().is_none_or(|only| name.contains(only.as_str())) {
            print!("{}", measure(&set, &name, model.as_ref()));
        }
    }
}

fn measure(set: &Path, name: &str, model: &dyn Embedder) -> String {
    let world = World::new(&std::fs::read_to_string(set.join("catalog.json")).expect("a catalog"), model);
    let queries = queries(&set.join("queries.jsonl"));
    if queries.is_empty() {
        return format!("{name:<20} {:>6} {:>5} {:>5} | {:>6.1}\n", "-", world.snapshot.tools.len(), 0, world.accepted);
    }
    let mut out = String::new();
    for (kind, multi) in [("single", false), ("multi", true)] {
        let asked: Vec<&Query> = queries.iter().filter(|q| (q.gold.len() > 1) == multi).take(MOST_QUESTIONS).collect();
        if asked.is_empty() {
            continue;
        }
        let mut sums = Sums::default();
        for query in &asked {
            sums.add(query, &world, model);
        }
        let n = asked.len() as f64;
        let sequence =
            if sums.ordered == 0.0 { "-".to_owned() } else { format!("{:.1}", 100.0 * sums.sequence / sums.ordered) };
        let abstained =
            if sums.deleted == 0.0 { "-".to_owned() } else { format!("{:.1}", 100.0 * sums.abstained / sums.deleted) };
        let _ = writeln!(
            out,
            "{name:<20} {kind:>6} {:>5} {:>5} | {:>7.1} {:>7.1} {:>7.1} {sequence:>7} {:>7.1} {:>7.2} {:>7.1} {abstained:>7}",
            world.snapshot.tools.len(),
            asked.len(),
            world.accepted,
            100.0 * sums.recall / n,
            100.0 * sums.exact / n,
            100.0 * sums.precision / n,
            sums.returned / n,
            sums.milliseconds / n,
        );
    }
    out
}

#[derive(Default)]
struct Sums {
    recall: f64,
    exact: f64,
    ordered: f64,
    sequence: f64,
    precision: f64,
    returned: f64,
    milliseconds: f64,
    deleted: f64,
    abstained: f64,
}

impl Sums {
    fn add(&mut self, query: &Query, world: &World, model: &dyn Embedder) {
        let started = Instant::now();
        let answer = world.ask(&query.query, &world.view, model);
        self.milliseconds += started.elapsed().as_secs_f64() * 1000.0;
        let found: Vec<&str> = answer.tools.iter().map(|tool| tool.id.name()).collect();
        let gold: Vec<&str> = query.gold.iter().map(String::as_str).collect();
        let found_set: BTreeSet<&str> = found.iter().copied().collect();
        let gold_set: BTreeSet<&str> = gold.iter().copied().collect();
        let hits = found_set.intersection(&gold_set).count() as f64;
        self.recall += hits / gold_set.len() as f64;
        self.precision += if found.is_empty() { 0.0 } else { hits / found.len() as f64 };
        self.exact += f64::from(u8::from(found_set == gold_set));
        self.returned += found.len() as f64;
        if query.ordered {
            self.ordered += 1.0;
            self.sequence += f64::from(u8::from(found == gold));
        }
        if let [gold] = gold.as_slice() {
            // The tool that would answer is taken out of the view: the right answer is a gap.
            self.deleted += 1.0;
            let gone = [ToolId::new("set", gold)];
            let cut = world.view.withhold(gone, |whole, _| Ok::<_, Infallible>(whole.clone()));
            let view = cut.ok().flatten().unwrap_or_else(|| world.view.clone());
            self.abstained += f64::from(u8::from(world.ask(&query.query, &view, model).tools.is_empty()));
        }
    }
}

/// Read when it runs, so that weights and thresholds can be tried without building anew.
fn declarations() -> String {
    std::fs::read_to_string(repository().join("tests/benches/routing.yaml")).expect("the declarations")
}

/// One set compiled as a workspace of one project whose single user may route everything.
struct World {
    snapshot: Snapshot,
    router: ProjectRouter,
    view: View,
    accepted: f64,
}

impl World {
    fn new(catalog: &str, model: &dyn Embedder) -> Self {
        let mut tree = SourceTree::default();
        tree.insert("catalog.json", catalog);
        tree.insert("workspace.yaml", declarations());
        let compiled = compile::prepare(&tree).finish(&Vectors::default(), "2026-01-01").expect("the set compiles");
        for diagnostic in compiled.diagnostics.iter().filter(|d| d.is_error()) {
            println!("{}: {}", diagnostic.code, diagnostic.message);
        }
        let accepted = 100.0 * compiled.report.accepted.len() as f64 / compiled.report.offered.max(1) as f64;
        let snapshot = compiled.snapshot.expect("the set has no errors");
        let texts = ambit_engine::route::texts(&snapshot);
        let mut vectors = Vectors::default();
        for some in texts.chunks(256) {
            for (text, vector) in some.iter().zip(model.embed(some).expect("vectors")) {
                vectors.insert(Digest::of(text.as_bytes()), vector);
            }
        }
        let project = ProjectId::parse("bench/all", None).expect("a project");
        let authority =
            Authority::compile(&snapshot, &compile::card_digests(&snapshot).expect("digests")).expect("sound policies");
        let view = authority.view(&Principal::parse("bench:user:one").expect("a principal"), &project).expect("a view");
        let router = ProjectRouter::build(&snapshot, &project, vectors).expect("an index");
        Self { snapshot, router, view, accepted }
    }

    fn ask(&self, question: &str, view: &View, model: &dyn Embedder) -> RouteAnswer {
        let question: String = question.chars().take(LONGEST_QUESTION).collect();
        let texts = self.router.question_texts(&question);
        let made = model.embed(&texts).expect("vectors");
        let asked: Vectors = texts.iter().map(|text| Digest::of(text.as_bytes())).zip(made).collect();
        let request = RouteRequest { question, ambiguity: Ambiguity::Strict, k: 8 };
        let name = SnapshotName { number: 1, digest: Digest::of(b"bench") };
        self.router.route(&name, view, &request, &asked).expect("a route")
    }
}

fn queries(file: &Path) -> Vec<Query> {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let mut queries: Vec<Query> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    queries.sort_by_key(|query| Digest::of(query.id.as_bytes()));
    queries
}
