//! An apply that is killed in the middle leaves the former snapshot live and whole.

use std::time::Duration;

use ambit_tests::Place;

#[test]
fn a_killed_apply_changes_nothing_or_everything() {
    let place = Place::with_sample();
    assert_eq!(place.run(&["apply"]).code, 0);
    let mut name = "name: ".to_owned();
    for delay in [40, 120, 200, 260, 300, 340, 380, 420, 480, 560] {
        let next = format!("{name}The ");
        place.edit("policies/acme.yaml", &name, &next);
        name = next;
        let mut child = place.command(&["apply"]).stdout(std::process::Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(delay));
        child.kill().unwrap();
        child.wait().unwrap();
        let listed = place.run(&["snapshots", "--format", "json"]);
        assert_eq!(listed.code, 0, "after {delay} ms: {listed:?}");
        let live = listed.json()["live"].as_i64().unwrap();
        let verified = place.run(&["verify", &live.to_string()]);
        assert_eq!(verified.code, 0, "after {delay} ms: {verified:?}");
    }
    let run = place.run(&["apply"]);
    assert_eq!(run.code, 0, "{run:?}");
}
