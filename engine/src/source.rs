//! The files of a workspace as text, and how a position in one becomes a `Place`.
//! The service reads them; from here on a file is only its path relative to the root and its text.

use std::collections::BTreeMap;

use ambit_model::diagnostic::Place;

/// Files of declarations and of knowledge, whose line breaks are made alike, so that a checkout on another system compiles to the same; catalogs keep their bytes.
const DECLARATIONS: &[&str] = &[".yaml", ".yml", ".cedar", ".md"];

/// Most characters of a line that a place carries.
const LONGEST_LINE: usize = 400;

/// One file: its path relative to the workspace's root, with `/`, and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    pub path: String,
    pub text: String,
}

impl SourceFile {
    /// The place of the bytes `start..end`; positions outside the text or inside a character are moved to the nearest boundary.
    pub fn place(&self, start: usize, end: usize) -> Place {
        let start = floor_boundary(&self.text, start);
        let before = self.text.get(..start).unwrap_or("");
        self.place_on_line(before.matches('\n').count() + 1, start, end)
    }

    /// The place of the bytes `start..end`, where the 1-based line of `start` is known: no walk over the whole file.
    pub fn place_on_line(&self, line: usize, start: usize, end: usize) -> Place {
        let start = floor_boundary(&self.text, start);
        let end = floor_boundary(&self.text, end.max(start));
        let before = self.text.get(..start).unwrap_or("");
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let column = before.get(line_start..).unwrap_or("").chars().count() + 1;
        let text = line_at(&self.text, line_start);
        let room = text.chars().count().saturating_sub(column - 1).max(1);
        let length = self.text.get(start..end).unwrap_or("").chars().take_while(|c| !matches!(c, '\r' | '\n')).count();
        Place {
            file: self.path.clone(),
            line: to_u32(line),
            column: to_u32(column),
            length: to_u32(length.clamp(1, room)),
            text: text.chars().take(LONGEST_LINE).collect(),
        }
    }

    /// The place of `length` characters from a 1-based line and column.
    pub fn place_at(&self, line: usize, column: usize, length: usize) -> Place {
        let text = self.text.lines().nth(line.saturating_sub(1)).unwrap_or("");
        let room = text.chars().count().saturating_sub(column.saturating_sub(1)).max(1);
        Place {
            file: self.path.clone(),
            line: to_u32(line.max(1)),
            column: to_u32(column.max(1)),
            length: to_u32(length.clamp(1, room)),
            text: text.chars().take(LONGEST_LINE).collect(),
        }
    }

    /// The first line, for a problem of the whole file.
    pub fn whole(&self) -> Place {
        self.place(0, 0)
    }
}

/// Every file that a compile sees, by path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceTree {
    /// The workspace folder relative to the root; empty where they are the same.
    pub folder: String,
    pub files: BTreeMap<String, SourceFile>,
}

impl SourceTree {
    /// Adds a file; a second one of the same path replaces the first. A leading byte order mark is no part of the text, so that
    /// columns are those an editor shows.
    pub fn insert(&mut self, path: impl Into<String>, text: impl Into<String>) {
        let path = path.into();
        let mut text = text.into();
        if text.starts_with('\u{feff}') {
            text.remove(0);
        }
        if DECLARATIONS.iter().any(|extension| path.ends_with(extension)) {
            text = text.replace("\r\n", "\n").replace('\r', "\n");
        }
        self.files.insert(path.clone(), SourceFile { path, text });
    }

    /// The file of this path.
    pub fn get(&self, path: &str) -> Option<&SourceFile> {
        self.files.get(path)
    }
}

/// Joins `path` to the folder of `from`, both relative to the root. Nothing where it climbs out of the root or is absolute.
pub fn join(from: &str, path: &str) -> Option<String> {
    if path.starts_with('/') {
        return None;
    }
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = folder.split('/').filter(|p| !p.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            other => parts.push(other),
        }
    }
    Some(parts.join("/"))
}

fn line_at(text: &str, start: usize) -> &str {
    let rest = text.get(start..).unwrap_or("");
    rest.lines().next().unwrap_or("")
}

fn floor_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn to_u32(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_counts_characters_and_stays_in_its_line() {
        let file = SourceFile { path: "a.yaml".into(), text: "ä: b\nkey: wörd\n".into() };
        let start = file.text.find("wörd").unwrap_or(0);
        let place = file.place(start, start + 5);
        assert_eq!((place.line, place.column, place.length, place.text.as_str()), (2, 6, 4, "key: wörd"));
        assert_eq!(file.place(start, 10_000).length, 4);
        assert_eq!(file.place(10_000, 10_001).line, 3);
    }

    #[test]
    fn a_path_never_climbs_out_of_the_root() {
        assert_eq!(join("policies/a.yaml", "../catalogs/c.json").as_deref(), Some("catalogs/c.json"));
        assert_eq!(join("policies/a.yaml", "../../etc/passwd"), None);
        assert_eq!(join("policies/a.yaml", "/etc/passwd"), None);
    }
}
