//! A repository in small, and which changes to it ask for a new bundle.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use super::*;

fn repository() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for place in CRATES {
        fs::create_dir_all(root.path().join(place).join("src")).unwrap();
        fs::write(root.path().join(place).join("src/lib.rs"), place).unwrap();
    }
    fs::create_dir_all(root.path().join("xtask/src/web")).unwrap();
    for file in ["Cargo.lock", "Cargo.toml", "xtask/src/web.rs"] {
        fs::write(root.path().join(file), file).unwrap();
    }
    root
}

/// Whether writing this file changes the digest.
fn check(file: &str, changes: bool) {
    let root = repository();
    let before = digest(root.path(), "rustc 1.95.0").unwrap();
    assert_eq!(before, digest(root.path(), "rustc 1.95.0").unwrap(), "the same twice");
    let path = root.path().join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, "another text").unwrap();
    assert_eq!(before != digest(root.path(), "rustc 1.95.0").unwrap(), changes, "{file}");
}

#[test]
fn what_is_compiled_into_the_bundle_changes_the_digest() {
    for file in
        ["app/src/lib.rs", "app/src/pages/new.rs", "model/Cargo.toml", "Cargo.lock", "Cargo.toml", "xtask/src/web.rs"]
    {
        check(file, true);
    }
}

#[test]
fn what_is_not_leaves_it() {
    for file in ["server/src/main.rs", "README.md", "xtask/src/up.rs", "app/src/.lib.rs.swp"] {
        check(file, false);
    }
}

#[test]
fn another_place_or_toolchain_or_a_moved_file() {
    let (one, two) = (repository(), repository());
    let digests = |root: &Path, toolchain: &str| digest(root, toolchain).unwrap();
    assert_eq!(digests(one.path(), "1.95.0"), digests(two.path(), "1.95.0"), "the clone's own path is no input");
    assert_ne!(digests(one.path(), "1.95.0"), digests(one.path(), "1.96.0"));
    fs::rename(two.path().join("app/src/lib.rs"), two.path().join("app/src/main.rs")).unwrap();
    assert_ne!(digests(one.path(), "1.95.0"), digests(two.path(), "1.95.0"));
}

#[test]
fn a_missing_input_is_said() {
    let root = repository();
    fs::remove_file(root.path().join("Cargo.lock")).unwrap();
    let error = digest(root.path(), "").unwrap_err();
    assert!(error.message.contains("Cargo.lock"), "{error:?}");
}

/// INVARIANT of the module. The optional dependencies of these crates are for the server's build.
#[test]
fn every_crate_of_the_bundle_is_named() {
    let output = Command::new("cargo").args(["metadata", "--no-deps", "--format-version", "1"]).output().unwrap();
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let root = metadata["workspace_root"].as_str().unwrap();
    let packages: BTreeMap<&str, &serde_json::Value> = metadata["packages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|package| (package["name"].as_str().unwrap(), package))
        .collect();
    let mut waiting = vec!["ambit-frontend"];
    let mut found = BTreeSet::new();
    while let Some(name) = waiting.pop() {
        let package = packages[name];
        let folder =
            Path::new(package["manifest_path"].as_str().unwrap()).parent().unwrap().strip_prefix(root).unwrap();
        if !found.insert(folder.to_str().unwrap().to_owned()) {
            continue;
        }
        let used = package["dependencies"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|used| used["path"].is_string() && used["optional"] == false && used["kind"].is_null());
        waiting.extend(used.map(|used| used["name"].as_str().unwrap()));
    }
    assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), CRATES);
}
