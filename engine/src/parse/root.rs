//! Finds `root:` of the Workspace document before anything else is read: every other path is written relative to it.

use serde::Deserialize as _;

use super::at::{At, Page};
use super::body::Kind;
use super::documents::{apparent_kind, split};
use super::read::with_document;
use crate::resolve::declarations::Located;
use crate::source::SourceFile;

/// Where `root` is not written, the workspace folder itself is the root.
pub const DEFAULT_ROOT: &str = ".";

/// The only key that counts here; `parse` judges the others.
#[derive(serde::Deserialize)]
struct Rooted {
    root: Option<At<String>>,
}

/// The `root` of the first Workspace document that says one, from the YAML files by their path relative to the workspace folder;
/// nothing where none does (see [`DEFAULT_ROOT`]). The value is as written and not yet a checked path.
pub fn workspace_root<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Option<Located<String>> {
    let mut files: Vec<_> = files.into_iter().collect();
    files.sort_unstable();
    files.into_iter().find_map(|(path, text)| root_of(path, text.trim_start_matches('\u{feff}')))
}

fn root_of(path: &str, text: &str) -> Option<Located<String>> {
    let file = SourceFile { path: path.to_owned(), text: text.to_owned() };
    split(text).into_iter().filter(|chunk| apparent_kind(chunk.text) == Some(Kind::Workspace.word())).find_map(
        |chunk| {
            let root = with_document(chunk.text, |deserializer| Rooted::deserialize(deserializer)).ok()?.root?;
            Some(Page { file: &file, start: chunk.start, lines_above: chunk.lines_above }.located(&root))
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(files: &[(&str, &str)], expected: Option<(&str, &str, u32, u32)>) {
        let root = workspace_root(files.iter().copied());
        let found = root.as_ref().map(|r| (r.value.as_str(), r.place.file.as_str(), r.place.line, r.place.column));
        assert_eq!(found, expected);
    }

    #[test]
    fn the_root_is_found_whatever_else_is_wrong() {
        check(&[], None);
        check(&[("a.yaml", "kind: Workspace\nname: x\n")], None);
        check(
            &[("b.yaml", "kind: [\n---\nkind: Workspace\nnmae: x\nroot: ..\n"), ("a.yaml", "kind: Tenant\nroot: /\n")],
            Some(("..", "b.yaml", 5, 7)),
        );
        check(&[("a.yml", "\u{feff}kind: Workspace\r\nroot: '../..'\r\n")], Some(("../..", "a.yml", 2, 7)));
    }
}
