//! A server that goes on: it follows what other processes make live, outlives a store that is away, and ends without loss.

#![expect(clippy::expect_used, reason = "a test without its threads and processes has nothing to say")]

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use ambit_tests::Place;
use ambit_tests::server::{ANALYST, Reply, Served, Server, apply, files_with, make_key, rest, served, until};
use serde_json::{Value, json};

const QUESTION: &str = "Which invoices are overdue?";
/// Nothing does this, so it becomes a gap, which is kept.
const GAP: &str = "Please defragment the quokka enclosure";

/// Holds every lock of the database's shared memory (<https://sqlite.org/walformat.html>, 2.3.1): nobody reads or writes.
const HOLD_ALL: &str = "\
import fcntl, sys, time
shared = open(sys.argv[1] + '-shm', 'r+b')
fcntl.lockf(shared, fcntl.LOCK_EX, 8, 120)
print('held', flush=True)
time.sleep(float(sys.argv[2]))
";

/// Holds the one lock for writing.
const HOLD_WRITING: &str = "\
import sqlite3, sys, time
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute('BEGIN IMMEDIATE')
print('held', flush=True)
time.sleep(float(sys.argv[2]))
database.execute('ROLLBACK')
";

/// Another process that holds locks of the database for a while; set-up wants Python, so it is there.
fn hold(place: &Place, code: &str, seconds: u64) -> Child {
    let mut python = Command::new("python3");
    python.args(["-c", code]).arg(place.path(".ambit/ambit.db")).arg(seconds.to_string());
    let mut child = python.stdout(Stdio::piped()).spawn().expect("python3 starts");
    let mut said = String::new();
    let out = child.stdout.take().expect("what it says");
    BufReader::new(out).read_line(&mut said).expect("a line of it");
    assert_eq!(said.trim(), "held");
    child
}

/// The snapshot that answers now; nothing where it is refused.
fn answering(served: &Served) -> Option<i64> {
    served.server.route(&served.key, QUESTION).snapshot()
}

/// The snapshot that is live in the store.
fn live(served: &Served) -> Option<i64> {
    served.place.run(&["snapshots", "--format", "json"]).json().pointer("/live").and_then(Value::as_i64)
}

/// Applies an edited workspace: another name of the tenant.
fn apply_another(served: &Served) {
    served.place.edit("policies/acme.yaml", "name: ", "name: The ");
    apply(&served.place);
}

/// Asks for so long with several clients at once, and looks at the server's health meanwhile.
fn ask_for(served: &Served, long: Duration) -> Vec<Reply> {
    let end = Instant::now() + long;
    let ask = || {
        let mut replies = Vec::new();
        while Instant::now() < end {
            replies.push(served.server.route(&served.key, QUESTION));
            thread::sleep(Duration::from_millis(50));
        }
        replies
    };
    thread::scope(|scope| {
        let asking: Vec<_> = (0..6).map(|_| scope.spawn(ask)).collect();
        while Instant::now() < end {
            assert_eq!(served.server.open("/v1/health").status, 200);
            thread::sleep(Duration::from_millis(200));
        }
        asking.into_iter().flat_map(|asking| asking.join().expect("every request has an answer")).collect()
    })
}

/// Each is the right answer, or says that the store cannot be used.
#[track_caller]
fn check_right_or_refused(replies: &[Reply]) {
    assert!(!replies.is_empty());
    for reply in replies {
        if reply.status == 200 {
            assert_eq!(reply.snapshot(), Some(1), "{}", reply.text());
        } else {
            reply.refused(503, "E_STORE");
            assert!(!reply.text().contains(".ambit"), "it says nothing of the machine: {}", reply.text());
        }
    }
}

#[test]
fn what_other_processes_make_live_is_followed() {
    let served = served();
    apply_another(&served);
    until("the applied snapshot answers", || answering(&served) == Some(2));
    let run = served.place.run(&["rollback", "1", "--reason", "the day before"]);
    assert_eq!(run.code, 0, "{run:?}");
    until("the earlier snapshot answers", || answering(&served) == Some(1));
}

#[test]
fn a_server_without_a_snapshot_waits_for_the_first_apply() {
    let place = Place::with_sample();
    let key = make_key(&place, &[["--name", "early"].as_slice(), ANALYST.as_slice()].concat());
    let server = Server::start(&place);
    server.open("/v1/ready").refused(503, "E_NO_SNAPSHOT");
    server.route(&key, QUESTION).refused(503, "E_NO_SNAPSHOT");
    assert_eq!(server.open("/v1/health").status, 200);
    apply(&place);
    until("it is ready", || server.open("/v1/ready").status == 200);
    assert_eq!(server.route(&key, QUESTION).snapshot(), Some(1));
}

#[test]
fn answers_never_mix_two_snapshots() {
    let served = served();
    served.place.edit("catalogs/billing.openai.json", "Lists unpaid", "Lists all unpaid");
    apply(&served.place);
    let listed = served.server.get("/v1/snapshots", &served.key).json();
    let digest = |record: &Value| (record["number"].as_i64().unwrap(), record["digest"].clone());
    let digests: BTreeMap<i64, Value> = listed["snapshots"].as_array().unwrap().iter().map(digest).collect();
    let replies = thread::scope(|scope| {
        let asking = scope.spawn(|| ask_for(&served, Duration::from_secs(6)));
        for (turn, number) in [1, 2, 1, 2, 1, 2, 1, 2].into_iter().enumerate() {
            thread::sleep(Duration::from_millis(600));
            if turn % 2 == 0 {
                let run = served.place.run(&["rollback", &number.to_string(), "--reason", "to and fro"]);
                assert_eq!(run.code, 0, "{run:?}");
            } else {
                let path = format!("/v1/snapshots/{number}/rollback");
                let reply = served.server.post(&path, &served.key, json!({ "reason": "to and fro" }).to_string());
                assert_eq!(reply.status, 200, "{}", reply.text());
            }
        }
        asking.join().unwrap()
    });
    let mut seen = BTreeMap::new();
    for reply in &replies {
        assert_eq!(reply.status, 200, "{}", reply.text());
        let answer = reply.json();
        let number = answer["snapshot"]["number"].as_i64().unwrap();
        assert_eq!(reply.snapshot(), Some(number));
        assert_eq!(answer["snapshot"]["digest"], digests[&number]);
        let description = answer["tools"][0]["definition"]["description"].as_str().unwrap();
        assert_eq!(description.starts_with("Lists all unpaid"), number == 2, "snapshot {number}: {description}");
        *seen.entry(number).or_insert(0) += 1;
    }
    assert_eq!(seen.len(), 2, "both answered: {seen:?}");
}

#[test]
fn a_killed_apply_leaves_the_server_with_the_former_snapshot() {
    let served = served();
    let mut name = "name: ".to_owned();
    let mut kept = 0;
    for delay in [40, 120, 220, 320, 440, 600] {
        let before = live(&served);
        let next = format!("{name}The ");
        served.place.edit("policies/acme.yaml", &name, &next);
        name = next;
        let mut apply = served.place.command(&["apply"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_millis(delay));
        assert!(answering(&served).is_some(), "while it applies, after {delay} ms");
        apply.kill().unwrap();
        apply.wait().unwrap();
        let after = live(&served);
        kept += usize::from(after == before);
        until("what is live answers", || answering(&served) == after);
    }
    assert!(kept > 0, "no apply was killed in time");
    apply(&served.place);
    until("the next apply is followed", || answering(&served) == live(&served));
}

#[test]
fn a_data_folder_that_is_away_for_ten_seconds_is_found_again() {
    let served = served();
    let (here, away) = (served.place.path(".ambit"), served.place.path("away"));
    std::fs::rename(&here, &away).unwrap();
    let replies = ask_for(&served, Duration::from_secs(10));
    std::fs::rename(&away, &here).unwrap();
    check_right_or_refused(&replies);
    let refused = replies.iter().filter(|reply| reply.status == 503).count();
    assert!(
        refused + 6 >= replies.len(),
        "what was asked while it was away was refused: {refused} of {}",
        replies.len()
    );
    until("it answers again", || answering(&served) == Some(1));
    assert_eq!(served.server.open("/v1/ready").status, 200);
    apply_another(&served);
    until("it follows again", || answering(&served) == Some(2));
}

#[test]
fn a_database_that_is_locked_for_ten_seconds_is_used_again() {
    let served = served();
    assert_eq!(answering(&served), Some(1));
    let mut holder = hold(&served.place, HOLD_ALL, 10);
    served.server.open("/v1/ready").refused(503, "E_STORE");
    let replies = ask_for(&served, Duration::from_secs(9));
    assert!(holder.wait().unwrap().success());
    check_right_or_refused(&replies);
    assert!(replies.iter().any(|reply| reply.status == 503), "nobody can read while it is locked");
    until("it answers again", || answering(&served) == Some(1));
    assert_eq!(served.server.open("/v1/ready").status, 200);
    apply_another(&served);
    until("it follows again", || answering(&served) == Some(2));
}

#[test]
fn while_another_process_writes_questions_are_answered_and_gaps_wait() {
    let mut served = served();
    apply_another(&served);
    until("the applied snapshot answers", || answering(&served) == Some(2));
    let mut holder = hold(&served.place, HOLD_WRITING, 13);
    let started = Instant::now();
    assert_eq!(served.server.route(&served.key, GAP).snapshot(), Some(2));
    assert!(started.elapsed() < Duration::from_secs(4), "an answer waits for no gap: {:?}", started.elapsed());
    let roll_back = || served.server.post("/v1/snapshots/1/rollback", &served.key, r#"{"reason": "now"}"#);
    roll_back().refused(503, "E_STORE");
    assert_eq!(answering(&served), Some(2));
    assert!(holder.wait().unwrap().success());
    assert_eq!(roll_back().status, 200);
    assert_eq!(answering(&served), Some(1));
    assert_eq!(served.server.terminate(), Some(0));
    assert!(!files_with(&served.place, "quokka enclosure").is_empty(), "the gap was kept");
}

#[test]
fn answers_in_flight_are_finished_before_the_end() {
    let mut served = served();
    let body = json!({ "question": GAP }).to_string();
    let (early, late) = body.split_at(20);
    let head = format!(
        "POST /v1/route?project=finance HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{early}",
        served.server.address(),
        served.key,
        body.len()
    );
    let mut clients: Vec<TcpStream> = (0..4).map(|_| served.server.connect()).collect();
    for client in &mut clients {
        client.write_all(head.as_bytes()).unwrap();
    }
    thread::sleep(Duration::from_millis(500));
    served.server.tell_to_stop();
    until("nobody new is let in", || TcpStream::connect(served.server.address()).is_err());
    for client in &mut clients {
        client.write_all(late.as_bytes()).unwrap();
    }
    for client in &mut clients {
        let answer = rest(client);
        assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        let body: Value = serde_json::from_str(body).unwrap();
        assert_eq!(body["snapshot"]["number"], 1);
        assert!(!body["gaps"].as_array().unwrap().is_empty(), "{body}");
    }
    assert_eq!(served.server.ended(), Some(0), "{}", served.server.log());
    assert_eq!(files_with(&served.place, "quokka enclosure"), ["ambit.db"], "the gaps were kept");
}

#[test]
fn clients_that_say_nothing_do_not_hold_up_the_end() {
    let mut served = served();
    let _silent = served.server.connect();
    let mut idle = served.server.connect();
    idle.write_all(b"GET /v1/health HTTP/1.1\r\nhost: x\r\n\r\n").unwrap();
    thread::sleep(Duration::from_millis(300));
    let started = Instant::now();
    assert_eq!(served.server.terminate(), Some(0), "{}", served.server.log());
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
}
