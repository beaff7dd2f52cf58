//! The README is true: every command marked `run` is run, and the workspace it shows compiles.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a README of another shape is the failure")]

use std::process::Command;

use ambit_tests::{Place, Run, binary, repository};
use serde_yaml::Value;

#[test]
fn every_marked_command_runs() {
    let place = Place::with_sample();
    place.write(
        "tests/golden/plans/orders.json",
        std::fs::read(repository().join("tests/golden/plans/orders.json")).unwrap(),
    );
    assert_eq!(place.run(&["apply"]).code, 0);
    place.edit("policies/acme.yaml", "name: ", "name: The ");
    let readme = readme();
    let mut ran = 0;
    for block in readme.split("<!-- run").skip(1) {
        let expected = i32::from(block.starts_with(": 1"));
        for line in fenced(block).lines().filter(|line| !line.is_empty()) {
            let arguments = words(line.strip_prefix("ambit ").unwrap());
            let run = place.run(&arguments);
            assert_eq!(run.code, expected, "{line}: {run:?}");
            ran += 1;
        }
    }
    assert_eq!(ran, 11);
}

#[test]
fn the_smallest_workspace_compiles_and_routes() {
    let place = Place::empty();
    let readme = readme();
    place.write("policies/workspace.yaml", fenced(readme.split("<!-- workspace -->").nth(1).unwrap()));
    place.write("policies/notes.json", fenced(readme.split("<!-- catalog -->").nth(1).unwrap()));
    let run = place.run(&["apply", "--strict"]);
    assert_eq!(run.code, 0, "{run:?}");
    let run = place.run(&["route", "show my notes", "--as", "acme:user:ada", "--project", "desk"]);
    assert!(run.out.contains("1) notes/notes.list"), "{run:?}");
}

/// The job for pull requests, in a folder for its clone and one for its tools.
struct Job {
    steps: Vec<Value>,
    place: Place,
}

impl Job {
    /// A clone of the small workspace, whose commit is the target branch too.
    fn new() -> Self {
        let readme = readme();
        let job: Value = serde_yaml::from_str(fenced(readme.split("### In a pull request").nth(1).unwrap())).unwrap();
        let steps = job["jobs"]["authority"]["steps"].as_sequence().unwrap().clone();
        let place = Place::empty();
        for file in ["policies/workspace.yaml", "policies/groups.yaml", "policies/notes.yaml", "policies/drafts.yaml"]
            .into_iter()
            .chain(["catalogs/notes.json", "catalogs/drafts.json"])
        {
            let text = std::fs::read(repository().join("tests/golden/small").join(file)).unwrap();
            place.write(&format!("clone/{file}"), text);
        }
        std::fs::create_dir(place.path("tools")).unwrap();
        std::os::unix::fs::symlink(binary(), place.path("tools/ambit")).unwrap();
        let job = Self { steps, place };
        let commit =
            "git init --quiet && git add . && git -c user.name=t -c user.email=t@example.com commit --quiet -m one";
        let clone = job.bash(&format!("{commit} && git update-ref refs/remotes/origin/main HEAD"));
        assert_eq!(clone.code, 0, "{clone:?}");
        job
    }

    /// What a step of GitHub's does with `run:` (<https://docs.github.com/en/actions>, workflow syntax, `shell`).
    fn bash(&self, script: &str) -> Run {
        let path = format!("{}:{}", self.place.path("tools").display(), std::env::var("PATH").unwrap());
        let mut bash = Command::new("bash");
        for name in ["AMBIT_WORKSPACE", "AMBIT_DATA", "AMBIT_DATABASE", "AMBIT_FORMAT", "GIT_DIR", "GIT_WORK_TREE"] {
            bash.env_remove(name);
        }
        bash.current_dir(self.place.path("clone"))
            .args(["-e", "-c", script])
            .env("PATH", path)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GITHUB_BASE_REF", "main")
            .env("GITHUB_OUTPUT", self.place.path("output"));
        bash.output().unwrap().into()
    }

    /// The exit codes of the steps that call `ambit`; the job ends with the first that fails.
    fn run(&self) -> Vec<i32> {
        let mut codes = Vec::new();
        for step in &self.steps {
            let Some(script) = step["run"].as_str().filter(|script| script.contains("ambit ")) else { continue };
            let run = self.bash(script);
            codes.push(run.code);
            if run.code != 0 {
                break;
            }
        }
        codes
    }

    /// What the step `diff` hands on.
    fn output(&self) -> String {
        std::fs::read_to_string(self.place.path("output")).unwrap()
    }

    fn comment(&self) -> String {
        std::fs::read_to_string(self.place.path("comment.md")).unwrap()
    }
}

#[test]
fn the_job_for_pull_requests_asks_for_the_label_where_authority_widens() {
    let job = Job::new();
    job.place.edit("clone/policies/groups.yaml", "title: Everything", "title: All");
    assert_eq!((job.run(), job.output().as_str()), (vec![0, 0], "code=0\n"));
    assert!(job.comment().starts_with("<!-- ambit diff -->\n"), "{}", job.comment());

    let job = Job::new();
    job.place.edit(
        "clone/policies/workspace.yaml",
        "catalogs: [notes, drafts]",
        "catalogs: [notes, drafts]\nceiling: open",
    );
    assert_eq!((job.run(), job.output().as_str()), (vec![0, 0], "code=1\n"), "{}", job.comment());
    assert!(job.comment().contains("**Stopped by `--fail-on`:** "), "{}", job.comment());

    // What those codes lead to.
    let label = job.steps.last().unwrap();
    let wanted =
        "steps.diff.outputs.code == '1' && !contains(github.event.pull_request.labels.*.name, 'wider authority')";
    assert_eq!(label["if"].as_str(), Some(wanted));
    assert_eq!(job.bash(label["run"].as_str().unwrap()).code, 1);
    let diff = job.steps.iter().find(|step| step["id"].as_str() == Some("diff")).unwrap();
    assert!(diff["run"].as_str().unwrap().contains("GITHUB_OUTPUT"), "the code is an output of the step `diff`");
}

#[test]
fn the_job_for_pull_requests_fails_where_nothing_can_be_said() {
    let job = Job::new();
    job.place.edit("clone/policies/workspace.yaml", "catalogs: [notes, drafts]", "catalogs: [note]");
    assert_eq!(job.run(), [1], "what does not compile ends it at `ambit check`");

    let job = Job::new();
    assert_eq!(job.run(), [0, 0]);
    let diff = job.steps.iter().find(|step| step["id"].as_str() == Some("diff")).unwrap();
    let run = job.bash(&format!("rm -r policies\n{}", diff["run"].as_str().unwrap()));
    assert_eq!((run.code, job.output().as_str()), (1, "code=0\ncode=2\n"), "{run:?}");
}

fn readme() -> String {
    std::fs::read_to_string(repository().join("README.md")).unwrap()
}

/// The first fenced block of a text.
fn fenced(text: &str) -> &str {
    let (_, rest) = text.split_once("```").unwrap();
    let (_, rest) = rest.split_once('\n').unwrap();
    rest.split_once("```").unwrap().0
}

/// A command line's words; double quotes hold one together.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for character in line.chars() {
        match character {
            '"' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            other => words.last_mut().unwrap().push(other),
        }
    }
    words
}
