//! What the tests share: the binary, built once, and throw-away folders to run it in.

pub mod draw;
pub mod llm;
pub mod postgres;
pub mod server;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// The root of this repository.
pub fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}

/// The `ambit` binary that cargo built beside these tests (`server/tests` has it built with the workspace's tests).
#[expect(clippy::expect_used, reason = "a test without the binary has nothing to say")]
pub fn binary() -> PathBuf {
    let test = std::env::current_exe().expect("the path of this test");
    let folder = test.ancestors().nth(2).expect("the folder of the profile");
    let binary = folder.join(format!("ambit{}", std::env::consts::EXE_SUFFIX));
    assert!(binary.is_file(), "{} is not built: run the tests of the whole workspace", binary.display());
    binary
}

/// What a run of `ambit` gave.
#[derive(Debug)]
pub struct Run {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Run {
    /// Standard output as JSON.
    #[expect(clippy::panic, reason = "a test that wants JSON and gets none has failed")]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("not JSON ({error}): {self:?}"))
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// A folder with a workspace and a data folder of its own, gone when the test ends.
pub struct Place {
    folder: TempDir,
    database: Option<String>,
}

impl Place {
    /// With a copy of the sample workspace, whose texts have vectors already: what a second run on a machine finds.
    #[expect(clippy::expect_used, reason = "a test without its folder has nothing to say")]
    pub fn with_sample() -> Self {
        let place = Self::with_cold_sample();
        copy(&warm(), &place.path(".ambit")).expect("vectors of the sample");
        place
    }

    /// With a copy of the sample workspace and no data folder.
    #[expect(clippy::expect_used, reason = "a test without its folder has nothing to say")]
    pub fn with_cold_sample() -> Self {
        let place = Self::empty();
        for folder in ["policies", "catalogs"] {
            copy(&repository().join(folder), &place.path(folder)).expect("the sample workspace can be copied");
        }
        place
    }

    /// With the smallest workspace that compiles without a finding, and no data folder.
    #[expect(clippy::expect_used, reason = "a test without its workspace has nothing to say")]
    pub fn small() -> Self {
        let place = Self::empty();
        for folder in ["policies", "catalogs"] {
            let from = repository().join("tests/golden/small").join(folder);
            copy(&from, &place.path(folder)).expect("the small workspace can be copied");
        }
        place
    }

    /// With an empty workspace folder.
    #[expect(clippy::expect_used, reason = "a test without its folder has nothing to say")]
    pub fn empty() -> Self {
        let folder = tempfile::tempdir().expect("a folder for the test");
        std::fs::create_dir(folder.path().join("policies")).expect("a workspace folder");
        Self { folder, database: None }
    }

    /// Runs `ambit` here with the database at this URL from now on.
    pub fn use_database(&mut self, url: String) {
        self.database = Some(url);
    }

    /// A path inside.
    pub fn path(&self, relative: &str) -> PathBuf {
        self.folder.path().join(relative)
    }

    /// Writes a file, with its folders.
    #[expect(clippy::expect_used, reason = "a test without its files has nothing to say")]
    pub fn write(&self, relative: &str, text: impl AsRef<[u8]>) {
        let path = self.path(relative);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).expect("a folder");
        }
        std::fs::write(path, text).expect("a file");
    }

    /// Replaces the first occurrence of `from` in a file.
    #[expect(clippy::expect_used, reason = "a test that changes nothing has nothing to say")]
    pub fn edit(&self, relative: &str, from: &str, to: &str) {
        let text = std::fs::read_to_string(self.path(relative)).expect("a file to edit");
        assert!(text.contains(from), "{relative} does not hold {from}");
        self.write(relative, text.replacen(from, to, 1));
    }

    /// A command that runs `ambit` here.
    pub fn command<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Command {
        let mut command = Command::new(binary());
        command.current_dir(self.folder.path()).args(arguments);
        for name in [
            "AMBIT_WORKSPACE",
            "AMBIT_DATA",
            "AMBIT_DATABASE",
            "AMBIT_FORMAT",
            "AMBIT_AS",
            "AMBIT_FOR",
            "AMBIT_PROJECT",
            "AMBIT_PUBLIC_URL",
            "AMBIT_RATE_PER_KEY",
            "AMBIT_RATE_PER_ADDRESS",
            "AMBIT_BEHIND_PROXY",
            "AMBIT_LISTEN",
            "AMBIT_SITE",
            "AMBIT_LOG",
            "AMBIT_LOG_FORMAT",
        ] {
            command.env_remove(name);
        }
        if let Some(url) = &self.database {
            command.env("AMBIT_DATABASE", url);
        }
        command
    }

    /// Runs `ambit` here to its end.
    #[expect(clippy::expect_used, reason = "a binary that does not start is the failure")]
    pub fn run<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Run {
        self.command(arguments).output().expect("ambit starts").into()
    }
}

/// A data folder that holds the vectors of the sample and no snapshot, made once for each build of the binary.
#[expect(clippy::expect_used, reason = "a test without its vectors has nothing to say")]
fn warm() -> PathBuf {
    let binary = binary();
    let built = std::fs::metadata(&binary).and_then(|file| file.modified()).expect("the time of the build");
    let age = built.duration_since(std::time::UNIX_EPOCH).unwrap_or_default().as_millis();
    let warm = binary.with_file_name(format!("ambit-tests-vectors-{age}"));
    if !warm.exists() {
        let place = Place::with_cold_sample();
        place.run(&["check"]);
        let beside = warm.with_extension(std::process::id().to_string());
        copy(&place.path(".ambit"), &beside).expect("the vectors can be kept");
        // Another test may have been quicker: then its folder stays.
        if std::fs::rename(&beside, &warm).is_err() {
            std::fs::remove_dir_all(&beside).expect("the folder can be removed");
        }
    }
    warm
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), &target)?;
        }
    }
    Ok(())
}
