//! The dashboard in a real browser, as people use it: without JavaScript, and alive with the browser bundle. The journeys are
//! in `tests/browser`. Where there is no browser or no bundle a desk says so and goes on; CI fails.

#![expect(clippy::expect_used, reason = "a test that cannot begin has nothing to say")]

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use ambit_tests::{Place, binary, repository};
use serde_json::Value;

/// How long the server may take to listen.
const PATIENCE: Duration = Duration::from_secs(60);
const OPERATOR: [&str; 2] = ["--as", "acme:user:platform"];
const BOT: [&str; 4] = ["--as", "acme:agent:finance-bot", "--project", "finance"];

#[test]
fn people_find_their_way_without_javascript() {
    if let Some(browser) = Browser::found() {
        browser.run("people", None);
    }
}

#[test]
fn people_find_their_way_on_live_pages() {
    if let (Some(browser), Some(site)) = (Browser::found(), bundle()) {
        browser.run("people", Some(&site));
    }
}

#[test]
fn pages_look_right_in_both_themes_and_on_a_phone() {
    if let Some(browser) = Browser::found() {
        // What is looked at is the same with and without the bundle.
        browser.run("looks", bundle().as_deref());
    }
}

/// What drives a browser, and the browser.
struct Browser {
    node: PathBuf,
    chromium: PathBuf,
}

impl Browser {
    /// As `xtask/prepare.sh browser` brings it.
    fn found() -> Option<Self> {
        if !repository().join("tests/browser/node_modules/playwright-core").is_dir() {
            return lacking("the packages of tests/browser are not installed");
        }
        match (in_path(&["node"]), in_path(&["chromium", "chromium-browser", "google-chrome"])) {
            (Some(node), Some(chromium)) => Some(Self { node, chromium }),
            (None, _) => lacking("there is no node here"),
            (_, None) => lacking("there is no chromium here"),
        }
    }

    /// Runs these journeys against a server of their own. Their lines go where this test's go, so that they are seen even
    /// where a limit of time ends the test.
    fn run(&self, journeys: &str, site: Option<&Path>) {
        let place = Place::with_sample();
        let (key, plain) = three_snapshots_and_two_keys(&place);
        let server = Server::start(&place, site);
        let status = Command::new(&self.node)
            .arg(repository().join("tests/browser/run.mjs"))
            .arg(journeys)
            .env("AMBIT_URL", &server.url)
            .env("AMBIT_KEY", key)
            .env("AMBIT_KEY_PLAIN", plain)
            .env("AMBIT_CHROMIUM", &self.chromium)
            .env("AMBIT_HYDRATED", if site.is_some() { "1" } else { "0" })
            .status()
            .expect("node starts");
        assert!(status.success(), "see above which journeys failed; the server said:\n{}", faults(&server.log));
    }
}

/// A missing browser is no failure at a desk.
#[expect(clippy::print_stderr, reason = "whoever runs the tests has to know what was not tested")]
fn lacking<T>(what: &str) -> Option<T> {
    assert!(std::env::var_os("CI").is_none(), "{what}, and CI tests in a browser");
    eprintln!("skipped: {what} (`make test` brings it)");
    None
}

fn in_path(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let files = |folder: PathBuf| names.iter().map(move |name| folder.join(name));
    std::env::split_paths(&path).flat_map(files).find(|file| file.is_file())
}

/// The browser bundle, in the target folder beside the folder of the profile.
fn bundle() -> Option<PathBuf> {
    let site = binary().ancestors().nth(2).expect("the target folder").join("site");
    if site.join("pkg/ambit.js").is_file() { Some(site) } else { lacking("the browser bundle is not built") }
}

/// A policy that decides nothing, for another permits the same, and that no test reaches.
const SHADOWED: &str = "@id(\"acme-operators-plan-meetings\")\n@reason(\"whoever plans the shifts plans meetings\")\npermit (\n  \
                        principal in Ambit::Role::\"acme:role:operator\",\n  action in Ambit::Action::\"use\",\n  \
                        resource in Ambit::Group::\"calendar\"\n)\nwhen { resource.effect == Ambit::Effect::\"write\" };\n";

/// Any two snapshots can be compared, and a third can come in between. The newest has a finding that nobody acknowledged.
fn three_snapshots_and_two_keys(place: &Place) -> (String, String) {
    let done = |arguments: &[&str]| {
        let run = place.run(arguments);
        assert_eq!(run.code, 0, "{run:?}");
        run
    };
    done(&["apply", "--message", "first"]);
    place.edit("policies/acme.yaml", "name: Customer support", "name: Customer care");
    // A text of several lines, which the page folds.
    let role = r#"Ambit::Role::"globex:role:payroll","#;
    place.edit("policies/globex.yaml", role, &format!("{role} // the paymaster"));
    done(&["apply", "--message", "second"]);
    place.edit("policies/globex.yaml", "ceiling: confirm_writes", "ceiling: open");
    place.edit(
        "catalogs/mail.anthropic.json",
        "Sends a plain text email to one recipient. First version: no attachments, no copies; kept for old scripts.",
        "Sends text email.",
    );
    place.write("policies/meetings.cedar", SHADOWED);
    // An example question that belongs to another tool, so that two clash.
    let example = "      - Add a new customer to the register\n";
    let taken = format!("{example}      - Find a customer in Leeds by name with the old client, please\n");
    place.edit("policies/catalogs/crm.yaml", example, &taken);
    done(&["apply", "--message", "third"]);

    let create = ["keys", "create", "--format", "json", "--name"];
    done(&[create.as_slice(), &["operator"], &OPERATOR].concat());
    let key = std::fs::read_to_string(place.path(".ambit/admin.key")).expect("the first key lies in a file");
    let plain = done(&[create.as_slice(), &["plain"], &BOT].concat()).json();
    let plain = plain.pointer("/key").and_then(Value::as_str).expect("a key");
    (key.trim().to_owned(), plain.to_owned())
}

/// `ambit serve` at a free port; it ends with the test.
struct Server {
    child: Child,
    url: String,
    log: PathBuf,
}

impl Server {
    fn start(place: &Place, site: Option<&Path>) -> Self {
        let log = place.path("serve.log");
        let mut command = place.command(&["serve", "--listen", "127.0.0.1:0"]);
        for name in ["AMBIT_SITE", "AMBIT_LOG_FORMAT"] {
            command.env_remove(name);
        }
        if let Some(site) = site {
            command.arg("--site").arg(site);
        }
        let child = command.stderr(File::create(&log).expect("a log")).spawn().expect("ambit starts");
        let mut server = Self { child, url: String::new(), log };
        let since = Instant::now();
        while server.url.is_empty() {
            assert!(since.elapsed() < PATIENCE, "the server does not listen");
            thread::sleep(Duration::from_millis(20));
            server.url = address(&std::fs::read_to_string(&server.log).expect("the log"));
        }
        server
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself, and then there is nothing to end.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// The address out of `listening on http://127.0.0.1:1234`; nothing while that is not written whole.
fn address(log: &str) -> String {
    let rest = log.split_once("listening on ").map_or("", |(_, rest)| rest);
    rest.split_once(['"', '\n']).map_or(String::new(), |(address, _)| address.trim().to_owned())
}

/// What the server logged as a fault of its own, and its last line, which says whether it was told to stop.
fn faults(log: &Path) -> String {
    let log = std::fs::read_to_string(log).unwrap_or_default();
    let faults = log.lines().filter(|line| line.contains("ERROR") || line.contains("WARN"));
    faults.chain(log.lines().last()).collect::<Vec<_>>().join("\n")
}
