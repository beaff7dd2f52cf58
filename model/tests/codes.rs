//! The table of codes lists what is reported somewhere, and nothing twice.

#![expect(clippy::unwrap_used, reason = "a test that cannot read the repository has failed")]

use std::path::Path;

use ambit_model::codes::TABLE;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

#[test]
fn no_code_is_listed_that_nothing_reports() {
    let mut sources = String::new();
    for folder in ["engine/src", "service/src", "server/src", "app/src"] {
        collect(&root().join(folder), &mut sources);
    }
    let unused: Vec<&str> = TABLE.iter().map(|entry| entry.code).filter(|code| !sources.contains(code)).collect();
    assert!(unused.is_empty(), "nothing reports {unused:?}");
}

#[test]
fn a_code_stands_once_and_says_its_severity() {
    let codes: std::collections::BTreeSet<&str> = TABLE.iter().map(|entry| entry.code).collect();
    assert_eq!(codes.len(), TABLE.len());
    assert!(codes.iter().all(|code| ["E_", "W_", "N_"].iter().any(|kind| code.starts_with(kind))));
}

fn collect(folder: &Path, into: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        if entry.path().is_dir() {
            collect(&entry.path(), into);
        } else {
            into.push_str(&std::fs::read_to_string(entry.path()).unwrap_or_default());
        }
    }
}
