//! The matrix: every door by random principals, policies and catalogs. It shows that a door opens to whoever the live policies
//! let in and to nobody else, that what a caller cannot discover changes no byte of an answer (DESIGN 5), and that tenants never
//! appear in each other's answers, counts, errors or logs. What a new issue serves becomes a row in `matrix/doors.rs`.
//!
//! `AMBIT_MATRIX_SEED` and `AMBIT_MATRIX_WORLDS` choose other worlds and more of them (`make fuzz`).

#![expect(clippy::expect_used, reason = "a world that cannot be set up is the failure")]

#[path = "matrix/doors.rs"]
mod doors;
#[path = "matrix/log.rs"]
mod log;
#[path = "matrix/play.rs"]
mod play;
#[path = "matrix/side.rs"]
mod side;
#[path = "matrix/stage.rs"]
mod stage;
#[path = "matrix/world.rs"]
mod world;

use ambit_tests::{Place, Run};
use serde_json::json;

use crate::play::Count;
use crate::stage::Stage;

/// The worlds of `make test`: so many, of this seed, with at least so many pairs of a door and a principal.
const WORLDS: usize = 12;
const SEED: u64 = 20_261_130;
const PAIRS: usize = 10_000;
/// Tests that share the worlds between them.
const SHARES: usize = 4;

#[test]
fn every_door_by_every_principal_1() {
    deep(play(0));
}

#[test]
fn every_door_by_every_principal_2() {
    deep(play(1));
}

#[test]
fn every_door_by_every_principal_3() {
    deep(play(2));
}

#[test]
fn every_door_by_every_principal_4() {
    deep(play(3));
}

/// Runs it as the server does, where the stack is deep enough for a page of an unoptimised build.
fn deep(play: impl Future<Output = ()> + Send + 'static) {
    const STACK: usize = 16 * 1024 * 1024;
    let run = move || {
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = runtime.worker_threads(2).thread_stack_size(STACK).enable_all().build().expect("a runtime");
        runtime.block_on(play);
    };
    let done = std::thread::Builder::new().stack_size(STACK).spawn(run).expect("a thread").join();
    if let Err(panic) = done {
        std::panic::resume_unwind(panic);
    }
}

/// The worlds of one share.
async fn play(share: usize) {
    let (seed, worlds) = settings();
    let mut all = Count::default();
    for number in (share..worlds).step_by(SHARES) {
        let (mut stage, mut draw) = Stage::set(seed, number).await;
        let count = stage.play(&mut draw).await;
        let label = &stage.world.label;
        assert!(count.without > 0, "{label}: everybody has a right: {count:?}");
        assert!(count.opened > 0 && count.refused > 0 && count.same > 0, "{label}: shows nothing: {count:?}");
        all.pairs += count.pairs;
        drop(stage.close().await);
    }
    assert!(worlds < WORLDS || all.pairs >= PAIRS / SHARES, "AMBIT_MATRIX_SEED={seed}: too few pairs: {}", all.pairs);
}

fn settings() -> (u64, usize) {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().expect("a number"));
    let worlds = number("AMBIT_MATRIX_WORLDS").map_or(WORLDS, |worlds| usize::try_from(worlds).expect("a number"));
    (number("AMBIT_MATRIX_SEED").unwrap_or(SEED), worlds)
}

/// The command line, as a user would: it may ask for anybody, and says of others no more than the network does.
#[test]
fn the_command_line_tells_no_more_than_the_network() {
    deep(command_line_in_worlds());
}

async fn command_line_in_worlds() {
    let (seed, _) = settings();
    let mut shown = 0;
    for number in [1, 3] {
        for wanted in [0, 1] {
            // Worlds of another seed: where tests share a process, they share its log.
            let (mut stage, _) = Stage::set(seed.wrapping_add(1), number).await;
            shown += usize::from(command_line(&mut stage, wanted).await);
            drop(stage.close().await);
        }
    }
    assert!(shown > 1, "AMBIT_MATRIX_SEED={seed}: too few had anything to ask: {shown}");
}

/// Somebody who may use something (0), or who asks for another (1): the answers of the whole snapshot and of the cut one. False
/// where the world has nobody like that.
async fn command_line(stage: &mut Stage, wanted: usize) -> bool {
    let asks = |subject: &&stage::Subject| {
        let acts = subject.acting_for.is_some() == (wanted == 1);
        acts && subject.named.is_some() && subject.tools.is_empty() && !stage.in_sight(subject).is_empty()
    };
    let Some(place) = stage.subjects.iter().position(|subject| asks(&subject)) else { return false };
    let subject = stage.subjects.get(place).expect("a subject");
    let seen = stage.in_sight(subject);
    let project = subject.named.as_ref().map(ToString::to_string).unwrap_or_default();
    let (principal, user) = (subject.principal.to_string(), subject.acting_for.as_ref().map(ToString::to_string));
    stage.cut_to(&seen).await;
    let subject = stage.subjects.get(place).expect("a subject");
    let (_, other) = stage.other(subject);
    let own = stage.tenant(subject).tools.first().expect("a tool");
    let plan =
        doors::plan(&[own.as_str(), &other.tools.first().expect("a tool").replace(&other.token, &stage.world.nowhere)]);
    let place = Place::empty();
    place.write("plan.json", plan.to_string());
    let mut who = vec!["--as", principal.as_str(), "--project", project.as_str(), "--format", "json"];
    if let Some(user) = &user {
        who.extend(["--for", user.as_str()]);
    }
    let question = format!("Show the orders of {} and send them", stage.tenant(subject).token);
    let commands: [&[&str]; 3] =
        [&["tools", "--tools-as", "openai"], &["route", question.as_str()], &["plan", "validate", "plan.json"]];
    for command in commands {
        let [whole, cut] = stage.folders().map(|data| {
            let data = data.display().to_string();
            let run = place.run(&[command, who.as_slice(), ["--data", data.as_str()].as_slice()].concat());
            assert!(matches!(run.code, 0 | 1), "{}: {command:?} {who:?}: {run:?}", stage.world.label);
            run
        });
        for secret in stage.secrets_of_others(subject) {
            let told = whole.out.contains(secret) || whole.err.contains(secret);
            assert!(!told, "{}: {command:?} {who:?} tells `{secret}`: {whole:?}", stage.world.label);
        }
        assert_eq!(without_snapshot(&whole), without_snapshot(&cut), "{}: {command:?} {who:?}", stage.world.label);
    }
    true
}

/// What was printed, without the number and the digest of the snapshot.
fn without_snapshot(run: &Run) -> serde_json::Value {
    let mut said = run.json();
    if let Some(snapshot) = said.get_mut("snapshot") {
        *snapshot = json!(null);
    }
    said
}
