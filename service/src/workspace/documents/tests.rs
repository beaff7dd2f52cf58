//! Folders of documents as they should not be: each is a diagnostic at its place, and the rest is read all the same.

use std::path::Path;

use ambit_engine::compile;
use ambit_model::diagnostic::Diagnostic;

use super::*;
use crate::workspace::read;

const YAML: &str = "kind: Workspace\nname: w\nroot: ..\n---\nkind: Tenant\nid: a\nname: A\n---\nkind: Project\nid: p\ntenant: a\nname: P\n";

/// A workspace in `policies` with these files beside it and this `knowledge`.
fn workspace(knowledge: &str, files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "policies/w.yaml", format!("{YAML}{knowledge}").as_bytes());
    for (path, text) in files {
        write(folder.path(), path, text);
    }
    folder
}

fn write(folder: &Path, path: &str, text: &[u8]) {
    let path = folder.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// `file:line:column CODE <underlined> message | help` of each problem, then the documents that were read.
fn said(folder: &tempfile::TempDir) -> (Vec<String>, Vec<String>) {
    let read = read(&folder.path().join("policies")).unwrap();
    let line = |one: &Diagnostic| {
        let place = one.place.clone().unwrap();
        let underlined: String =
            place.text.chars().skip(place.column as usize - 1).take(place.length as usize).collect();
        let help = one.help.clone().unwrap_or_default();
        format!("{}:{}:{} {} <{underlined}> {} | {help}", place.file, place.line, place.column, one.code, one.message)
    };
    let documents = read.tree.files.keys().filter(|path| is_document(path)).cloned().collect();
    (read.diagnostics.iter().map(line).collect(), documents)
}

#[track_caller]
fn check(knowledge: &str, files: &[(&str, &[u8])], problems: &[&str], documents: &[&str]) {
    assert_eq!(said(&workspace(knowledge, files)), (owned(problems), owned(documents)));
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

#[test]
fn documents_are_read_at_any_depth_and_nothing_else() {
    let files: &[(&str, &[u8])] = &[
        ("docs/a.md", b"# A\nx\n"),
        ("docs/deep/b.md", b"# B\nx\n"),
        ("docs/.hidden.md", b"x"),
        ("docs/.git/c.md", b"x"),
        ("docs/notes.txt", b"x"),
        ("other/d.md", b"x"),
    ];
    check("knowledge: [../docs]\n", files, &[], &["docs/a.md", "docs/deep/b.md"]);
    check("knowledge: [../docs/deep, ../docs]\n", files, &[], &["docs/a.md", "docs/deep/b.md"]);
    check("", files, &[], &[]);
}

#[test]
fn a_folder_that_is_not_there_is_told_with_the_nearest() {
    check(
        "knowledge: [../dcos]\n",
        &[("docs/a.md", b"x")],
        &[
            "policies/w.yaml:13:13 E_PATH <../dcos> the knowledge folder `dcos` cannot be read: there is no such folder | did you mean `docs`?",
        ],
        &[],
    );
    check(
        "knowledge: [../docs/a.md]\n",
        &[("docs/a.md", b"x")],
        &[
            "policies/w.yaml:13:13 E_PATH <../docs/a.md> the knowledge folder `docs/a.md` cannot be read: it is no folder | a folder is relative to the YAML file that names it, and stays inside the workspace's root",
        ],
        &[],
    );
}

#[test]
fn a_folder_without_documents_is_a_warning_and_no_tool() {
    let folder = workspace("knowledge: [../docs]\n", &[("docs/notes.txt", b"x")]);
    let (problems, documents) = said(&folder);
    assert_eq!(
        problems,
        [
            "policies/w.yaml:13:13 W_UNUSED <../docs> the knowledge folder `docs` holds no document | documents end with `.md`; add one, or take the folder off the list"
        ]
    );
    assert_eq!(documents, [""; 0]);
    let tree = read(&folder.path().join("policies")).unwrap().tree;
    let compiled = compile::prepare(&tree).finish_without_retrieval("2026-06-01").unwrap();
    assert_eq!((compiled.report.offered, compiled.snapshot.unwrap().knowledge.len()), (0, 0));
}

#[test]
fn what_cannot_be_read_is_told_and_hides_no_other() {
    let large = vec![b'x'; 5 * 1024 * 1024];
    check(
        "knowledge: [../docs]\n",
        &[("docs/a.md", b"x"), ("docs/bad.md", b"# B\nx \xff\n"), ("docs/large.md", &large), ("docs/LOUD.MD", b"x")],
        &[
            "docs/LOUD.MD:1:1 E_UNREADABLE <> the file cannot be read: its ending is written in capitals | save it as UTF-8 text with the ending `.md` that you may read, or remove it",
            "docs/bad.md:2:3 E_UNREADABLE <> the file cannot be read: it is not UTF-8 from line 2, column 3 on | save it as UTF-8 text that you may read, or remove it",
            "docs/large.md:1:1 E_UNREADABLE <> the file cannot be read: it is larger than 1 MiB | save it as UTF-8 text with the ending `.md` that you may read, or remove it",
        ],
        &["docs/a.md"],
    );
}

#[cfg(unix)]
#[test]
fn links_never_leave_the_root() {
    let outside = tempfile::tempdir().unwrap();
    write(outside.path(), "secret.md", b"# Secret\nx\n");
    let folder = workspace("knowledge: [../docs, ../far]\n", &[("docs/a.md", b"x"), ("shared/b.md", b"y")]);
    let link = |to: &Path, at: &str| std::os::unix::fs::symlink(to, folder.path().join(at)).unwrap();
    link(&outside.path().join("secret.md"), "docs/leaves.md");
    link(&folder.path().join("shared/b.md"), "docs/stays.md");
    link(&folder.path().join("nothing.md"), "docs/dangles.md");
    link(outside.path(), "docs/folder");
    link(outside.path(), "far");
    let (problems, documents) = said(&folder);
    let of_file = "E_UNREADABLE <> the file cannot be read:";
    let help = "put the file itself in the place of the link, or remove it";
    assert_eq!(
        problems,
        [
            format!("docs/dangles.md:1:1 {of_file} there is no such file | {help}"),
            format!("docs/folder:1:1 {of_file} it is a link to a folder, and links to folders are not followed | {help}"),
            format!("docs/leaves.md:1:1 {of_file} it is a link that leaves the workspace's root | {help}"),
            "policies/w.yaml:13:22 E_PATH <../far> the knowledge folder `far` cannot be read: it lies outside the workspace's root \
             | a folder is relative to the YAML file that names it, and stays inside the workspace's root"
                .to_owned(),
        ]
    );
    assert_eq!(documents, ["docs/a.md", "docs/stays.md"]);
}

#[cfg(unix)]
#[test]
fn what_cannot_be_read_among_the_declarations_is_told_once_and_as_a_document() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = workspace("knowledge: [know/deep, know]\n", &[("policies/know/deep/a.md", b"x")]);
    let at = |path: &[u8]| folder.path().join("policies/know").join(std::ffi::OsStr::from_bytes(path));
    std::os::unix::fs::symlink(at(b"nothing.md"), at(b"deep/dangles.md")).unwrap();
    std::os::unix::fs::symlink(at(b"deep"), at(b"linked")).unwrap();
    std::fs::write(at(b"bad\xff.md"), "x").unwrap();
    let (problems, documents) = said(&folder);
    let of_file = "E_UNREADABLE <> the file cannot be read:";
    let help = "put the file itself in the place of the link, or remove it";
    let document = "save it as UTF-8 text with the ending `.md` that you may read, or remove it";
    assert_eq!(
        problems,
        [
            format!("policies/know/bad\u{fffd}.md:1:1 {of_file} its name is not UTF-8 | {document}"),
            format!(
                "policies/know/linked:1:1 {of_file} it is a link to a folder, and links to folders are not followed | {help}"
            ),
            format!("policies/know/deep/dangles.md:1:1 {of_file} there is no such file | {help}"),
        ]
    );
    assert_eq!(documents, ["policies/know/deep/a.md"]);
}

#[test]
fn more_than_the_limit_is_one_problem() {
    let folder = workspace("knowledge: [../docs]\n", &[("docs/a.md", b"x")]);
    for number in 0..10_000 {
        std::fs::write(folder.path().join(format!("docs/{number}.md")), "x").unwrap();
    }
    let (problems, documents) = said(&folder);
    assert_eq!(
        problems,
        [
            "policies/w.yaml:13:13 E_UNREADABLE <../docs> with the knowledge folder `docs` there are more than 5000 documents | name only folders whose documents agents are to search"
        ]
    );
    assert_eq!(documents.len(), MOST_DOCUMENTS);
}
