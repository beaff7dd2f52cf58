//! An apply that is killed at any moment leaves the former snapshot live and whole, or the new one.
//!
//! `AMBIT_KILLS` and `AMBIT_KILLS_SEED` choose more kills, at other moments (`make fuzz`).

#![expect(clippy::expect_used, clippy::indexing_slicing, reason = "a test without its processes has nothing to say")]

use std::fmt;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use ambit_tests::draw::Draw;
use ambit_tests::postgres::Database;
use ambit_tests::server::until;
use ambit_tests::{Place, Run};
use serde_json::Value;

/// The kills of `make test`: so many, at moments of this seed.
const KILLS: usize = 15;
const SEED: u64 = 20_261_130;
/// How far around the moment of publishing the kills that aim at it are spread, and how far one miss moves that moment.
const SPREAD: u64 = 12_000;
const STEP: u64 = 2_000;
/// The byte of SQLite's shared memory that a writer locks (<https://sqlite.org/walformat.html>, 2.3.1).
const WRITING: u64 = 120;

#[test]
fn a_killed_apply_changes_nothing_or_everything() {
    let place = Place::with_sample();
    Killing::of(&place).run(kills(), || ());
}

#[test]
fn nor_does_one_that_is_killed_while_a_server_keeps_the_database() {
    let Some(database) = Database::new() else { return };
    let mut place = Place::with_sample();
    place.use_database(database.url());
    // A server ends by itself what the dead had asked for last.
    Killing::of(&place).run(kills().div_ceil(3), || until("nobody is connected", || database.connections() == 0));
}

fn kills() -> usize {
    number("AMBIT_KILLS").and_then(|kills| kills.try_into().ok()).unwrap_or(KILLS)
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().map(|text| text.parse().expect("a number"))
}

/// What the store says of itself.
#[derive(Clone, Debug, PartialEq)]
struct State {
    live: i64,
    /// Newest first.
    activations: Vec<Value>,
    head: String,
}

/// Where the kills hit.
#[derive(Debug, Default)]
struct Hits {
    /// Nothing was published.
    before: usize,
    /// Nothing either, and a transaction that writes was open. Only where the system tells who holds which lock, and for SQLite.
    inside: usize,
    /// The new snapshot was live.
    after: usize,
    /// It had ended already.
    late: usize,
}

impl fmt::Display for Hits {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (real, Self { before, inside, after, late }) = (self.real(), self);
        write!(
            out,
            "{real} kills: {before} before the publish, {inside} inside, {after} after it; {late} more came too late; 0 broken stores"
        )
    }
}

impl Hits {
    /// Kills that met a living process.
    fn real(&self) -> usize {
        self.before + self.inside + self.after
    }
}

/// A workspace that is applied and killed again and again.
struct Killing<'p> {
    place: &'p Place,
    draw: Draw,
    /// Changes of the workspace so far.
    changes: usize,
    /// In microseconds: how long an apply lives, and when it publishes, as far as the kills so far tell.
    life: u64,
    publishes: u64,
}

impl<'p> Killing<'p> {
    fn of(place: &'p Place) -> Self {
        let seed = number("AMBIT_KILLS_SEED").unwrap_or(SEED);
        let mut killing = Self { place, draw: Draw::new(seed), changes: 0, life: 0, publishes: 0 };
        killing.succeed(&["apply"]);
        killing.change();
        let started = Instant::now();
        killing.succeed(&["apply"]);
        killing.life = u64::try_from(started.elapsed().as_micros()).expect("a short while");
        killing.publishes = killing.life * 8 / 10;
        killing
    }

    /// Kills so many applies, and looks at what is left after each; `settle` waits until that no longer changes. A kill that came
    /// too late shows nothing, so it is looked at and does not count.
    #[expect(clippy::print_stderr, reason = "the numbers are what a long run is for")]
    fn run(mut self, kills: usize, settle: impl Fn()) {
        let mut hits = Hits::default();
        let mut state = self.state();
        let mut round = 0;
        while hits.real() < kills {
            self.change();
            let moment = self.moment(round);
            let (ended, writing) = self.apply_and_kill(Duration::from_micros(moment));
            settle();
            let left = self.state();
            let context = format!("kill {round}, {moment} µs after the start");
            check(&state, &left, &context);
            let hit = match (ended, left.live == state.live, writing) {
                (true, ..) => &mut hits.late,
                (false, true, false) => &mut hits.before,
                (false, true, true) => &mut hits.inside,
                (false, false, _) => &mut hits.after,
            };
            *hit += 1;
            self.learn(left.live != state.live, ended);
            self.succeed(&["apply"]);
            let next = self.state();
            check(&left, &next, &format!("the apply after {context}"));
            assert_eq!(next.live, state.live + 1, "the change is live in the end: {context}");
            state = next;
            round += 1;
            assert!(hits.late <= kills, "most kills have to meet a living process: {hits}");
        }
        eprintln!("{hits}");
    }

    /// When to kill: in half of the rounds anywhere in its life and a little later, in the others near the publish.
    fn moment(&mut self, round: usize) -> u64 {
        if round.is_multiple_of(2) {
            return self.draw.number() % (self.life * 11 / 10);
        }
        (self.publishes + self.draw.number() % (2 * SPREAD)).saturating_sub(SPREAD)
    }

    fn learn(&mut self, published: bool, late: bool) {
        // A machine that has less to do than at the start ends an apply sooner.
        if late {
            self.life -= self.life / 8;
        }
        self.publishes = if published { self.publishes.saturating_sub(STEP) } else { self.publishes + STEP };
        // What is heavier to start now, or lighter, moves it; a life stays a life.
        self.publishes = self.publishes.clamp(self.life / 10, self.life * 2);
    }

    /// Makes the workspace another one: the name of a tenant, and with it every other time what a tool says of itself, in one of
    /// two ways, so that both are embedded soon.
    fn change(&mut self) {
        let name = |number: usize| format!("name: Acme Trading {number}\n");
        let from = if self.changes == 0 { "name: Acme Trading\n".to_owned() } else { name(self.changes) };
        self.place.edit("policies/acme.yaml", &from, &name(self.changes + 1));
        let texts = ["Lists unpaid", "Lists all unpaid"];
        let (from, to) = if self.changes % 4 < 2 { (texts[0], texts[1]) } else { (texts[1], texts[0]) };
        if self.changes % 2 == 1 {
            self.place.edit("catalogs/billing.openai.json", from, to);
        }
        self.changes += 1;
    }

    /// Whether it had ended before, and whether it was writing. It is stopped first, so that what was seen is what is killed.
    fn apply_and_kill(&self, moment: Duration) -> (bool, bool) {
        let mut apply = self.place.command(&["apply"]);
        let mut child = apply.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("ambit starts");
        thread::sleep(moment);
        let stop = Command::new("kill").arg("-STOP").arg(child.id().to_string()).status().expect("kill starts");
        let ended = child.try_wait().expect("a child").is_some();
        let writing = stop.success() && !ended && is_writing(&child);
        // One that ended by itself cannot be killed.
        drop(child.kill());
        child.wait().expect("a child");
        (ended, writing)
    }

    /// What is live, with its parts and the audit verified.
    fn state(&self) -> State {
        let listed = self.succeed(&["snapshots", "--format", "json"]).json();
        self.succeed(&["verify"]);
        let audit = self.succeed(&["audit", "verify", "--format", "json"]).json();
        let activations = listed["activations"].as_array().expect("activations").clone();
        State {
            live: listed["live"].as_i64().expect("a live snapshot"),
            activations,
            head: audit["head"]["hash"].as_str().expect("a head").to_owned(),
        }
    }

    #[track_caller]
    fn succeed(&self, arguments: &[&str]) -> Run {
        let run = self.place.run(arguments);
        assert_eq!(run.code, 0, "{arguments:?} after {} changes: {run:?}", self.changes);
        run
    }
}

/// The later state is the earlier one, or that and one more snapshot, which is live.
#[track_caller]
fn check(earlier: &State, later: &State, context: &str) {
    let added = later.activations.len() - earlier.activations.len();
    assert_eq!(later.activations.get(added..), Some(earlier.activations.as_slice()), "only appended: {context}");
    assert_eq!(later.live - earlier.live, i64::try_from(added).expect("a small number"), "{context}");
    assert!(added <= 1, "{context}");
    assert_eq!(later.head == earlier.head, added == 0, "an activation and its entry are one: {context}");
}

/// It holds SQLite's lock for writers, where the system tells.
fn is_writing(child: &Child) -> bool {
    let locks = std::fs::read_to_string("/proc/locks").unwrap_or_default();
    locks.lines().any(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [_, "POSIX", _, "WRITE", process, _, start, end] = words.as_slice() else { return false };
        let range = start.parse().unwrap_or(u64::MAX)..=end.parse().unwrap_or(0);
        *process == child.id().to_string() && range.contains(&WRITING)
    })
}
