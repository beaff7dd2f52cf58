//! docs/codes.md is what `ambit explain` knows, on one page: the table of codes, and below it the page of each.
//! `UPDATE=1 cargo nextest run --workspace -E 'binary(codes)'` writes it again.

#![expect(clippy::unwrap_used, reason = "a test that cannot read the repository has failed")]

use ambit_tests::{Place, repository};
use serde::Deserialize;

#[derive(Deserialize)]
struct Codes {
    codes: Vec<Page>,
}

#[derive(Deserialize)]
struct Page {
    code: String,
    stage: String,
    severity: String,
    meaning: String,
    status: Option<u16>,
    text: String,
}

const INTRODUCTION: &str = "\
# Codes

Every problem that Ambit reports has a code. `E_` refuses (the apply, the tool or the request), `W_` is worth a look. `ambit explain CODE`
prints what stands here. This page is made from `model/src/codes.rs` and `server/src/cli/pages/`; a test says when it has to be written again
(`UPDATE=1 cargo nextest run --workspace -E 'binary(codes)'`).

The examples belong to the small workspace in `tests/golden/small/`: a tenant `acme` with a user `ada`, a project `desk`, and the catalogs
`notes` and `drafts`. A block below the name of a file is that file; where \"How to mend it\" shows the file again, the problem is gone. A test
runs them, and every block of commands.

";

fn pages() -> Vec<Page> {
    let run = Place::empty().run(&["explain", "--format", "json"]);
    let codes: Codes = serde_json::from_str(&run.out).unwrap();
    codes.codes
}

fn written(pages: &[Page]) -> String {
    let mut text = INTRODUCTION.to_owned();
    text.push_str("| code | stage | HTTP | means |\n|---|---|---|---|\n");
    for Page { code, stage, status, meaning, .. } in pages {
        let status = status.map(|status| status.to_string()).unwrap_or_default();
        let anchor = code.to_lowercase();
        text.push_str(&format!("| [`{code}`](#{anchor}) | {stage} | {status} | {meaning} |\n"));
    }
    for Page { code, stage, severity, meaning, status, text: page } in pages {
        let status = status.map(|status| format!(", HTTP {status}")).unwrap_or_default();
        text.push_str(&format!(
            "\n## {code}\n\n{meaning} (A {severity} of the stage `{stage}`{status}.)\n\n{}\n",
            shown(page)
        ));
    }
    text.replace("(A error", "(An error")
}

/// A page for readers in a browser, where the words behind a fence are not seen: the name of a file stands above its block.
fn shown(page: &str) -> String {
    let line = |line: &str| match line.strip_prefix("```").and_then(|fence| fence.split_once(' ')) {
        Some((language, file)) => format!("`{file}`:\n\n```{language}"),
        None => line.to_owned(),
    };
    page.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_page_is_the_table_and_its_pages() {
    let page = written(&pages());
    let path = repository().join("docs/codes.md");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap(), page);
}
