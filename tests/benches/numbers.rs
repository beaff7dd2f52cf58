//! The numbers of the road by terminal: whole processes with cached vectors, peak memory, and a route against its own embedding.
//! Each is printed with its limit; a number over its limit makes the benchmark fail.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and has nothing to say where its set-up fails"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::process::{ExitCode, Stdio};
use std::time::{Duration, Instant};

use ambit_engine::authority::Authority;
use ambit_engine::compile::card_digests;
use ambit_engine::index::Vectors;
use ambit_engine::parts::{Part, split};
use ambit_engine::route::{ProjectRouter, texts};
use ambit_model::audit::{AuditOutcome, AuditPayload};
use ambit_model::card::ToolCard;
use ambit_model::declaration::Policy;
use ambit_model::digest::Digest;
use ambit_model::identity::{Principal, ProjectId, ToolId};
use ambit_model::route::{Ambiguity, RouteRequest};
use ambit_model::snapshot::{Snapshot, SnapshotName, SnapshotRecord};
use ambit_service::apply::{ApplyRequest, apply_workspace};
use ambit_service::authentication::authenticate;
use ambit_service::caller::{Caller, Wanted};
use ambit_service::check::check_workspace;
use ambit_service::embedder::{self, ModelPlaces};
use ambit_service::keys::{NewKey, create_key};
use ambit_service::live::{Live, load};
use ambit_service::store::{NewAudit, NewSnapshot, Store, StoredPart};
use ambit_service::whoami::who_am_i;
use ambit_tests::{Place, repository};

const RUNS: usize = 9;
const ROUTE: [&str; 6] = [
    "route",
    "Pull last quarter's revenue and email the chart to finance.",
    "--as",
    "acme:user:analyst",
    "--project",
    "finance",
];
const QUESTIONS: &[&str] = &[
    "Pull last quarter's revenue and email the chart to finance.",
    "Show the orders for Northwind Supplies",
    "Which customers have overdue invoices, and how late are they?",
    "List the overdue invoices and export them to an Excel spreadsheet",
    "What was our revenue in September?",
];

fn main() -> ExitCode {
    let place = Place::with_sample();
    assert_eq!(place.run(&["apply"]).code, 0, "the sample applies");
    let mut table = Table::default();
    let (check, check_memory) = process(&place, &["check"]);
    table.row("check, cached vectors", seconds(check), "s", 0.5);
    let (diff, _) = process(&place, &["diff"]);
    table.row("diff, cached vectors", seconds(diff), "s", 0.5);
    let (unchanged, _) = process(&place, &["apply"]);
    table.row("apply, nothing changed", seconds(unchanged), "s", 2.0);
    let mut changed = Vec::new();
    let mut name = "name: ".to_owned();
    for _ in 0..RUNS {
        let next = format!("{name}The ");
        place.edit("policies/acme.yaml", &name, &next);
        name = next;
        changed.push(once(&place, &["apply"]).0);
    }
    table.row("apply, one project changed", seconds(median(changed)), "s", 2.0);
    let (route, route_memory) = process(&place, &ROUTE);
    table.row("route, whole process", seconds(route), "s", 1.0);
    table.row("peak memory of check", check_memory, "MB", 400.0);
    table.row("peak memory of route", route_memory, "MB", 400.0);
    in_process(&mut table);
    callers(&mut table);
    table.print()
}

/// A route as often as a server would do it: everything loaded, the question embedded anew each time.
fn in_process(table: &mut Table) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let folder = tempfile::tempdir().expect("a folder");
    let places = ModelPlaces::resolve(None, None);
    let checked = runtime.block_on(async {
        let store = Store::open(folder.path()).await.expect("a store");
        check_workspace(&Caller::local("bench"), &repository().join("policies"), &store, &places)
            .await
            .expect("the sample compiles")
    });
    let snapshot = checked.compiled.snapshot.expect("the sample has no errors");
    let model = embedder::open(&snapshot.settings.embedding_model, &places).expect("a model");
    let embed = |texts: Vec<String>| -> Vectors {
        let made = model.embed(&texts).expect("vectors");
        texts.iter().map(|text| Digest::of(text.as_bytes())).zip(made).collect()
    };
    let authority = Authority::compile(&snapshot, &card_digests(&snapshot).expect("digests")).expect("sound policies");
    let principal = Principal::parse("acme:user:analyst").expect("a principal");
    let project = ProjectId::parse("acme/finance", None).expect("a project");
    let router = ProjectRouter::build(&snapshot, &project, embed(texts(&snapshot))).expect("an index");
    let name = SnapshotName { number: 1, digest: Digest::of(b"bench") };
    let (mut embeds, mut routes, mut views) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..40 {
        for question in QUESTIONS {
            let request = RouteRequest {
                question: (*question).to_owned(),
                context: Default::default(),
                ambiguity: Ambiguity::Advisory,
                k: 8,
            };
            let started = Instant::now();
            let asked = embed(router.question_texts(question));
            let embedded = started.elapsed();
            let started = Instant::now();
            let view = authority.view(&principal, &project).expect("a view");
            let viewed = started.elapsed();
            let started = Instant::now();
            router.route(&name, &view, &request, &asked).expect("a route");
            let routed = started.elapsed();
            if round > 4 {
                embeds.push(embedded);
                routes.push(routed);
                views.push(viewed);
            }
        }
    }
    let (embed, route, view) = (median(embeds), median(routes), median(views));
    println!("in process: embedding {embed:.2?}, routing {route:.2?}, view without cache {view:.2?} (medians)");
    table.row("route / embedding, in process", seconds(embed + route) / seconds(embed), "x", 1.5);
    table.row(
        "route with a fresh view / embedding",
        seconds(embed + route + view) / seconds(embed),
        "x",
        f64::INFINITY,
    );
}

/// Tools and policies of a large workspace.
const MANY_TOOLS: usize = 10_000;
const MANY_POLICIES: usize = 100;

/// Who asks, and what is in sight for them, in a large snapshot: the first time, and then at each request.
fn callers(table: &mut Table) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let folder = tempfile::tempdir().expect("a folder");
    runtime.block_on(async {
        let places = ModelPlaces::resolve(None, None);
        let store = Store::open(folder.path()).await.expect("a store");
        let local = Caller::local("bench");
        let policies = repository().join("policies");
        apply_workspace(&local, &policies, &store, &places, ApplyRequest::default()).await.expect("an apply");
        let (record, _) = store.live().await.expect("a store").expect("a live snapshot");
        let grown = grown(load(&store, &record).await.expect("the sample"));
        publish(&store, &grown, &record).await;
        let live = Live::new(store, places);
        let new = NewKey {
            name: "bench".to_owned(),
            principal: "acme:agent:finance-bot".to_owned(),
            project: Some("finance".to_owned()),
            tools: BTreeSet::new(),
            expires_in: None,
        };
        let key = create_key(&local, &live, new).await.expect("a key").key;
        let wanted = Wanted { acting_for: Some("acme:user:analyst".to_owned()), ..Wanted::default() };
        let (mut times, mut views) = (Vec::new(), Vec::new());
        for _ in 0..500 {
            let started = Instant::now();
            let caller = authenticate(&live, Some(&key)).await.expect("a caller");
            let authenticated = Instant::now();
            let who = who_am_i(&caller, &live, &wanted).await.expect("an answer");
            times.push(started.elapsed());
            views.push(authenticated.elapsed());
            assert!(who.asks.is_some_and(|asks| asks.discover > MANY_TOOLS / 10), "much is in sight");
        }
        let cold = times.first().copied().unwrap_or_default();
        println!("{MANY_TOOLS} tools, {MANY_POLICIES} policies, acting for a user: first view {cold:.2?}");
        // Two views, of the agent and of the user, are looked up in it, and an answer made of what both may use.
        table.row("view, warm, with its answer", seconds(median(views)) * 1000.0, "ms", 0.05);
        table.row("authentication and view, warm", seconds(median(times)) * 1000.0, "ms", 1.0);
    });
}

/// The snapshot with as many tools and policies, of the kinds that it has.
fn grown(mut snapshot: Snapshot) -> Snapshot {
    let cards = snapshot.tools.clone();
    for (number, card) in cards.iter().cycle().take(MANY_TOOLS - cards.len()).enumerate() {
        let id = ToolId::new(card.id.catalog(), &format!("{}_{number}", card.id.name()));
        snapshot.tools.push(ToolCard { id, ..card.clone() });
    }
    let policies = snapshot.policies.clone();
    for (number, policy) in policies.iter().cycle().take(MANY_POLICIES - policies.len()).enumerate() {
        snapshot.policies.push(Policy { id: format!("{}-{number}", policy.id), ..policy.clone() });
    }
    snapshot.tools.sort_by(|a, b| a.id.cmp(&b.id));
    snapshot.policies.sort_by(|a, b| a.id.cmp(&b.id));
    snapshot
}

async fn publish(store: &Store, snapshot: &Snapshot, record: &SnapshotRecord) {
    let parts = split(snapshot).expect("parts");
    let digest = parts.last().expect("a root").digest.clone();
    let stored = |part: Part| (part.digest, StoredPart { kind: part.kind.word().to_owned(), body: part.body });
    let new = NewSnapshot {
        digest,
        source_digest: record.source_digest.clone(),
        parts: parts.into_iter().map(stored).collect(),
        created_at: record.created_at.clone(),
        author: record.author.clone(),
        message: None,
        git_commit: None,
        tools: record.tools,
        report: record.report.clone(),
        policies: record.policies.clone(),
    };
    let payload = AuditPayload {
        caller: "local:bench".to_owned(),
        principal: None,
        resource: "snapshot".to_owned(),
        policies: Vec::new(),
        details: BTreeMap::new(),
    };
    let audit = NewAudit {
        at: record.created_at.clone(),
        tenant: None,
        action: "apply".to_owned(),
        outcome: AuditOutcome::Done,
        payload,
        salt: "5a17".to_owned(),
    };
    store.publish(new, Some(record.number), audit).await.expect("a large snapshot");
}

/// Median time and highest peak memory of several runs, after one that warms up.
fn process(place: &Place, arguments: &[&str]) -> (Duration, f64) {
    once(place, arguments);
    let runs: Vec<(Duration, f64)> = (0..RUNS).map(|_| once(place, arguments)).collect();
    let memory = runs.iter().map(|(_, memory)| *memory).fold(0.0, f64::max);
    (median(runs.into_iter().map(|(time, _)| time).collect()), memory)
}

/// One run: its time, and the highest `VmHWM` seen of it in megabytes (0 where there is no `/proc`).
fn once(place: &Place, arguments: &[&str]) -> (Duration, f64) {
    let started = Instant::now();
    let mut child = place.command(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("ambit starts");
    let status = format!("/proc/{}/status", child.id());
    let mut peak: f64 = 0.0;
    loop {
        if let Some(text) = std::fs::read_to_string(&status).ok().filter(|text| text.contains("VmHWM")) {
            let line = text.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default();
            let kilobytes: f64 = line.split_whitespace().nth(1).and_then(|n| n.parse().ok()).unwrap_or(0.0);
            peak = peak.max(kilobytes / 1024.0);
        }
        if let Some(ended) = child.try_wait().expect("ambit ends") {
            assert!(ended.success(), "{arguments:?} ended with {ended}");
            return (started.elapsed(), peak);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn seconds(time: Duration) -> f64 {
    time.as_secs_f64()
}

#[derive(Default)]
struct Table(Vec<(String, f64, &'static str, f64)>);

impl Table {
    fn row(&mut self, what: &str, value: f64, unit: &'static str, limit: f64) {
        self.0.push((what.to_owned(), value, unit, limit));
    }

    fn print(&self) -> ExitCode {
        println!("{:<40} {:>10}  {:>10}", "what", "median", "limit");
        for (what, value, unit, limit) in &self.0 {
            let limit = if limit.is_finite() { format!("{limit} {unit}") } else { "none".to_owned() };
            println!("{what:<40} {value:>7.3} {unit:<2}  {limit:>10}");
        }
        if self.0.iter().all(|(_, value, _, limit)| value <= limit) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}
