//! Two servers on one Postgres database, each with a data folder of its own: what one makes live, both answer from.

use std::thread;

use ambit_tests::Place;
use ambit_tests::postgres::Database;
use ambit_tests::server::{OPERATOR, Server, apply, make_key, until};
use serde_json::json;

const QUESTION: &str = "Which invoices are overdue?";

/// A copy of the sample that keeps everything in this database.
fn replica(database: &Database) -> Place {
    let mut place = Place::with_cold_sample();
    place.use_database(database.url());
    place
}

#[test]
fn two_servers_on_one_database_follow_each_other() {
    let Some(database) = Database::new() else { return };
    let (here, there) = (replica(&database), replica(&database));
    let empty = here.run(&["snapshots"]);
    assert_eq!(empty.code, 2, "{empty:?}");
    assert!(empty.err.contains("holds nothing of ambit yet"), "{empty:?}");
    apply(&here);
    let key = make_key(&here, &[["--name", "first"].as_slice(), OPERATOR.as_slice()].concat());
    assert!(here.path(".ambit/admin.key").exists() && !there.path(".ambit").exists());
    assert!(!here.path(".ambit/ambit.db").exists(), "the database is elsewhere");
    let asking = |place: &Place| {
        let mut server = Server::start(place);
        server.asks_in_finance(&key);
        server
    };
    let servers = [asking(&here), asking(&there)];
    let both_answer_from = |number: i64| {
        for server in &servers {
            until("the live snapshot answers", || server.route(&key, QUESTION).snapshot() == Some(number));
        }
    };
    both_answer_from(1);

    there.edit("policies/acme.yaml", "name: ", "name: The ");
    apply(&there);
    both_answer_from(2);

    let [first, second] = &servers;
    let reply = second.post("/v1/snapshots/1/rollback", &key, json!({ "reason": "the day before" }).to_string());
    assert_eq!(reply.status, 200, "{}", reply.text());
    both_answer_from(1);

    database.cut();
    both_answer_from(1);

    let other = make_key(&there, &[["--name", "second"].as_slice(), OPERATOR.as_slice()].concat());
    assert_eq!(first.get("/v1/whoami", &other).status, 200);
    let id = other.split('_').nth(1).unwrap_or_default();
    assert_eq!(here.run(&["keys", "revoke", id]).code, 0);
    second.get("/v1/whoami", &other).refused(401, "E_KEY");

    for place in [&here, &there] {
        assert_eq!(place.run(&["verify"]).code, 0);
        let audit = place.run(&["audit", "verify"]);
        assert_eq!(audit.code, 0, "{audit:?}");
    }
    for server in &servers {
        assert!(!server.log().contains(Database::PASSWORD), "{}", server.log());
    }
}

#[test]
fn of_two_applies_at_once_one_wins() {
    let Some(database) = Database::new() else { return };
    let (here, there) = (replica(&database), replica(&database));
    apply(&here);
    for round in 0..3 {
        for (place, whose) in [(&here, "Our"), (&there, "Their")] {
            place.edit("policies/acme.yaml", "name: ", &format!("name: {whose} {round} "));
        }
        let runs = thread::scope(|scope| {
            [&here, &there].map(|place| scope.spawn(|| place.run(&["apply", "--format", "json"]))).map(|run| run.join())
        });
        let runs = runs.map(|run| run.unwrap());
        assert!(runs.iter().any(|run| run.code == 0), "{runs:?}");
        for lost in runs.iter().filter(|run| run.code != 0) {
            assert!(format!("{lost:?}").contains("E_MOVED"), "{lost:?}");
        }
        assert_eq!(here.run(&["audit", "verify"]).code, 0);
    }
}

#[test]
fn a_database_that_cannot_be_used_is_said_without_its_password() {
    let mut place = Place::with_cold_sample();
    for (url, code) in [
        ("postgres://ada:quokka-hunter2@127.0.0.1:1/ambit", "E_STORE"),
        ("mysql://ada:quokka-hunter2@127.0.0.1/ambit", "E_VALUE"),
        ("postgres://ada:quokka/hunter2@127.0.0.1/ambit", "E_VALUE"),
    ] {
        place.use_database(url.to_owned());
        for arguments in [["apply"].as_slice(), &["snapshots"], &["serve", "--listen", "127.0.0.1:0"], &["--help"]] {
            let run = place.run(&[["--format", "json"].as_slice(), arguments].concat());
            let help = arguments == ["--help"];
            assert_eq!(run.code, if help { 0 } else { 2 }, "{run:?}");
            assert!(help || run.json().pointer("/error/code").is_some_and(|said| said == code), "{run:?}");
            assert!(!format!("{run:?}").contains("hunter2"), "{run:?}");
        }
    }
    assert!(!place.path(".ambit").exists(), "nothing is made beside it");
}
