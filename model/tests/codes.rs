//! docs/codes.md is the table of codes, and every code is used by the stage that the table puts it in.

#![expect(clippy::unwrap_used, reason = "a test that cannot read the repository has failed")]

use std::path::Path;

use ambit_model::codes::TABLE;

const INTRODUCTION: &str = "# Codes\n\n\
    Every problem that Ambit reports has a code. `E_` refuses (the apply, the tool or the request), `W_` is worth a look, `N_` is a note. \
    This page is made from\n`model/src/codes.rs`; a test says when it has to be written again (`UPDATE=1 cargo test -p ambit-model`).\n\n\
    | code | means |\n|---|---|\n";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

#[test]
fn the_page_is_the_table() {
    let rows: String = TABLE.iter().map(|entry| format!("| `{}` | {} |\n", entry.code, entry.meaning)).collect();
    let page = format!("{INTRODUCTION}{rows}");
    let path = root().join("docs/codes.md");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap(), page);
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

fn collect(folder: &Path, into: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        if entry.path().is_dir() {
            collect(&entry.path(), into);
        } else {
            into.push_str(&std::fs::read_to_string(entry.path()).unwrap_or_default());
        }
    }
}
