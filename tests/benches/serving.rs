//! The numbers of the road by network: how soon a server is ready, how soon a page is written, how large the browser bundle is,
//! and whether twenty distinct questions a second are answered for a minute. A number over its limit makes the benchmark fail.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and has nothing to say where its set-up fails"
)]

use std::process::ExitCode;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use ambit_tests::server::{Server, apply, make_key};
use ambit_tests::{Place, binary};

/// Questions a second, for so many seconds, asked by so many clients.
const RATE: u32 = 20;
const SECONDS: u32 = 60;
const CLIENTS: u32 = 4;
const RUNS: usize = 9;
/// Largest bundle, brotli, in kilobytes.
const BUNDLE_LIMIT: f64 = 600.0;

/// Each is asked with another number in its place, so that no two questions are the same.
const QUESTIONS: &[&str] = &[
    "Show the orders of customer C-{}",
    "Pull the revenue of quarter {} and email the chart to finance",
    "Which customers have more than {} overdue invoices?",
    "List the invoices over {} euros and export them to an Excel spreadsheet",
    "Find customer {} and open their newest order",
];

fn main() -> ExitCode {
    let place = Place::with_sample();
    apply(&place);
    let key = make_key(&place, &["--name", "bench", "--as", "acme:user:platform"]);
    let mut good = true;
    let mut row = |what: &str, value: f64, unit: &str, limit: f64| {
        good &= value <= limit;
        println!("{what:<44} {value:>9.3} {unit:<2}  {limit:>7} {unit}");
    };
    row("ready from a stored snapshot", median(&mut ready(&place)), "s", 2.0);
    let mut server = Server::start(&place);
    server.asks_in_finance(&key);
    wait_until_ready(&server);
    let cookie = sign_in(&server, &key);
    for page in ["/", "/intake", "/snapshots", "/route?q=Which+invoices+are+overdue"] {
        row(&format!("first page {page}"), median(&mut pages(&server, &cookie, page)) * 1000.0, "ms", 150.0);
    }
    if let Some(kilobytes) = bundle() {
        row("browser bundle, brotli", kilobytes, "kB", BUNDLE_LIMIT);
    } else {
        println!("no browser bundle was built: its size is not measured");
    }
    let load = load(&server, &key);
    row("distinct routes that failed", load.failed, "", 0.0);
    row("time for a minute's routes", load.seconds, "s", f64::from(SECONDS) + 1.0);
    println!(
        "{} routes: median {:.1} ms, 95th percentile {:.1} ms, 99th {:.1} ms; texts embedded a route: {:.2}",
        load.times.len(),
        load.at(0.5),
        load.at(0.95),
        load.at(0.99),
        load.texts / f64::from(RATE * SECONDS)
    );
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// From the start of the process to the first answer of readiness.
fn ready(place: &Place) -> Vec<f64> {
    let once = || {
        let started = Instant::now();
        wait_until_ready(&Server::start(place));
        started.elapsed().as_secs_f64()
    };
    (0..RUNS).map(|_| once()).collect()
}

fn wait_until_ready(server: &Server) {
    while server.open("/v1/ready").status != 200 {
        thread::sleep(Duration::from_millis(2));
    }
}

fn sign_in(server: &Server, key: &str) -> String {
    let headers = [("content-type", "application/x-www-form-urlencoded"), ("accept", "text/html")];
    let reply = server.send("POST", "/api/ui/sign_in", &headers, Some(format!("key={key}&next=%2F").as_bytes()));
    reply.header("set-cookie").split(';').next().unwrap_or_default().to_owned()
}

fn pages(server: &Server, cookie: &str, page: &str) -> Vec<f64> {
    let once = || {
        let started = Instant::now();
        let reply = server.send("GET", page, &[("cookie", cookie)], None);
        assert_eq!(reply.status, 200, "{page}");
        started.elapsed().as_secs_f64()
    };
    (0..RUNS).map(|_| once()).collect()
}

/// Kilobytes of what a browser fetches.
fn bundle() -> Option<f64> {
    let binary = binary();
    let pkg = binary.parent()?.parent()?.join("site/pkg");
    let sizes =
        ["ambit.js.br", "ambit_bg.wasm.br"].map(|file| std::fs::metadata(pkg.join(file)).map(|file| file.len()));
    let [Ok(script), Ok(wasm)] = sizes else { return None };
    Some((script + wasm) as f64 / 1000.0)
}

#[derive(Default)]
struct Load {
    /// Milliseconds, sorted.
    times: Vec<f64>,
    failed: f64,
    texts: f64,
    seconds: f64,
}

impl Load {
    fn at(&self, share: f64) -> f64 {
        let last = self.times.len().saturating_sub(1);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a small count")]
        let at = (last as f64 * share).round() as usize;
        self.times.get(at).copied().unwrap_or_default()
    }
}

/// Each client asks at its times, whether or not the answer before was quick.
fn load(server: &Server, key: &str) -> Load {
    let load = Mutex::new(Load::default());
    let started = Instant::now();
    thread::scope(|scope| {
        for client in 0..CLIENTS {
            let load = &load;
            scope.spawn(move || {
                for number in (client..RATE * SECONDS).step_by(CLIENTS as usize) {
                    let due = started + Duration::from_secs(1) * number / RATE;
                    thread::sleep(due.saturating_duration_since(Instant::now()));
                    ask(server, key, number, load);
                }
            });
        }
    });
    let mut load = load.into_inner().expect("no client panicked");
    load.seconds = started.elapsed().as_secs_f64();
    load.times.sort_by(f64::total_cmp);
    load
}

fn ask(server: &Server, key: &str, number: u32, load: &Mutex<Load>) {
    let pattern = QUESTIONS.get(number as usize % QUESTIONS.len()).copied().unwrap_or_default();
    let began = Instant::now();
    let reply = server.route(key, &pattern.replace("{}", &number.to_string()));
    let took = began.elapsed().as_secs_f64() * 1000.0;
    let mut load = load.lock().expect("no client panicked");
    load.failed += f64::from(u8::from(reply.status != 200));
    load.texts += texts(reply.header("server-timing"));
    load.times.push(took);
}

/// `embed;dur=6.1;desc="3 texts", …`
fn texts(timing: &str) -> f64 {
    let described = timing.split("desc=\"").nth(1).and_then(|rest| rest.split(' ').next());
    described.and_then(|count| count.parse().ok()).unwrap_or_default()
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or_default()
}
