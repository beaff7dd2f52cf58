//! `ambit check --watch`: a report at once, one after each change of a declaration or a catalog, none after reading or hidden
//! files, and an end by signal with the last report's exit code.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a process of another behaviour is the failure")]

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use ambit_tests::Place;
use serde_json::Value;

/// Longest wait for a report, on a machine that does other things too.
const PATIENCE: Duration = Duration::from_secs(60);

struct Watching {
    child: Child,
    lines: Receiver<String>,
}

impl Watching {
    fn start(place: &Place, arguments: &[&str]) -> Self {
        let mut command = place.command(&[&["check", "--watch"], arguments].concat());
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let (send, lines) = channel();
        std::thread::spawn(move || out.lines().map_while(Result::ok).try_for_each(|line| send.send(line).ok()));
        Self { child, lines }
    }

    fn report(&self) -> Value {
        serde_json::from_str(&self.lines.recv_timeout(PATIENCE).expect("a report")).expect("one JSON value a line")
    }

    fn codes(&self) -> Vec<String> {
        let report = self.report();
        let problems = report.get("diagnostics").and_then(|found| found.as_array()).unwrap();
        problems.iter().map(|problem| problem["code"].as_str().unwrap().to_owned()).collect()
    }

    fn is_quiet(&self) -> bool {
        self.lines.recv_timeout(Duration::from_millis(900)) == Err(RecvTimeoutError::Timeout)
    }

    fn end(mut self, signal: &str) -> i32 {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
        self.child.wait().unwrap().code().expect("it ends by itself")
    }
}

fn begun() -> Place {
    let place = Place::empty();
    // The catalog lies beside the folder of declarations, and the data folder in it.
    assert_eq!(place.run(&["init"]).code, 0);
    place.edit("policies/workspace.yaml", "name: my-workspace\n", "name: my-workspace\nroot: ..\n");
    place.edit("policies/catalogs/notes.yaml", "file: notes.json", "file: ../../tools/notes.json");
    let tools = std::fs::read_to_string(place.path("policies/catalogs/notes.json")).unwrap();
    std::fs::remove_file(place.path("policies/catalogs/notes.json")).unwrap();
    place.write("tools/notes.json", tools);
    place
}

#[test]
fn each_change_is_checked() {
    let place = begun();
    let watching = Watching::start(&place, &["--format", "json", "--data", "policies/data"]);
    assert_eq!(watching.codes(), [""; 0]);
    assert!(watching.is_quiet(), "its own reading and its own data are no change");

    place.edit("policies/tenant.yaml", "name: Acme", "nmae: Acme");
    assert!(watching.codes().contains(&"E_UNKNOWN_KEY".to_owned()));
    place.write("policies/.draft.yaml", "kind: [");
    place.write("tools/other.json", "{}");
    place.write("elsewhere.yaml", "kind: [");
    assert!(watching.is_quiet(), "what is not read is no change");
    place.edit("policies/tenant.yaml", "nmae: Acme", "name: Acme");
    assert_eq!(watching.codes(), [""; 0]);

    place.write("policies/new/deep/more.yaml", "kind: Tennant\n");
    assert!(watching.codes().contains(&"E_KIND".to_owned()));
    std::fs::remove_dir_all(place.path("policies/new")).unwrap();
    assert_eq!(watching.codes(), [""; 0]);

    // As an editor saves: another file takes the name.
    let tools = std::fs::read_to_string(place.path("tools/notes.json")).unwrap();
    place.write("tools/.notes.json.new", tools.get(..20).unwrap_or_default());
    std::fs::rename(place.path("tools/.notes.json.new"), place.path("tools/notes.json")).unwrap();
    assert!(watching.codes().contains(&"E_CATALOG".to_owned()));
    assert_eq!(watching.end("-INT"), 1, "the exit code of the last report");
}

#[test]
fn documents_are_watched_where_they_lie() {
    let place = begun();
    place.write("handbook/deep/a.md", "# Returns\n\nWithin 30 days.\n");
    place.edit("policies/tenant.yaml", "name: Desk\n", "name: Desk\nknowledge: [../handbook]\n");
    let watching = Watching::start(&place, &["--format", "json"]);
    let first = watching.codes();
    assert!(!first.contains(&"W_UNUSED".to_owned()), "{first:?}");
    place.write("handbook/deep/notes.txt", "no document");
    assert!(watching.is_quiet(), "what is not read is no change");
    place.write("handbook/deep/b.md", "---\ntitle: Nothing yet\n---\n");
    assert!(watching.codes().contains(&"W_UNUSED".to_owned()));
    place.edit("handbook/deep/b.md", "---\ntitle", "Some text.\n\n---\ntitle");
    assert_eq!(watching.codes(), first);
    std::fs::remove_file(place.path("handbook/deep/a.md")).unwrap();
    assert_eq!(watching.codes(), first);
    assert_eq!(watching.end("-INT"), 0);
}

#[test]
fn text_reports_stand_below_their_time() {
    let place = begun();
    let watching = Watching::start(&place, &[]);
    let first = watching.lines.recv_timeout(PATIENCE).unwrap();
    assert!(first.starts_with("--- 2") && first.ends_with('Z'), "{first}");
    assert!(watching.lines.recv_timeout(PATIENCE).unwrap().contains("3 accepted"));
    assert_eq!(watching.end("-TERM"), 0);
}

#[test]
fn a_folder_that_is_not_there_is_refused() {
    let run = Place::empty().run(&["check", "--watch", "--workspace", "none"]);
    assert_eq!(run.code, 2, "{run:?}");
}
