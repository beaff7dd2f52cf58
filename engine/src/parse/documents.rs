//! One file cut into its documents before YAML is read, so that a broken document does not hide the others.
//! A line that is `---` at column 0 is a document marker wherever it stands (YAML 1.2.2, 9.1.2), even inside a block scalar.

/// The text of one document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chunk<'a> {
    pub(crate) text: &'a str,
    /// The byte of the file at which `text` begins.
    pub(crate) start: usize,
    /// Lines of the file above the first line of `text`.
    pub(crate) lines_above: usize,
}

/// The documents of a file in order, without those that hold only comments, directives and blank lines.
pub(crate) fn split(text: &str) -> Vec<Chunk<'_>> {
    let mut chunks = Vec::new();
    let (mut start, mut lines_above, mut at) = (0, 0, 0);
    for (number, line) in text.split_inclusive('\n').enumerate() {
        if is_marker(line) {
            chunks.push(chunk(text, start, at, lines_above));
            start = at + MARKER.len();
            lines_above = number;
        }
        at += line.len();
    }
    chunks.push(chunk(text, start, at, lines_above));
    chunks.retain(|chunk| !is_empty(chunk.text));
    chunks
}

/// The word after `kind:` in the first line that says anything, read without YAML: what a broken document meant to be.
pub(crate) fn apparent_kind(text: &str) -> Option<&str> {
    let line = text.lines().map(str::trim).find(|line| !is_remark(line))?;
    let value = line.trim_start_matches('{').trim_start().strip_prefix("kind:")?;
    value.split([',', '}', '#']).next().map(|word| word.trim().trim_matches(['"', '\'']))
}

const MARKER: &str = "---";

fn is_marker(line: &str) -> bool {
    line.strip_prefix(MARKER).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\r', '\n']))
}

fn chunk(text: &str, start: usize, end: usize, lines_above: usize) -> Chunk<'_> {
    Chunk { text: text.get(start..end).unwrap_or(""), start, lines_above }
}

fn is_empty(text: &str) -> bool {
    text.lines().all(|line| is_remark(line.trim()) || line.starts_with('%'))
}

fn is_remark(line: &str) -> bool {
    line.is_empty() || line.starts_with('#') || line == "..."
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(&str, usize, usize)]) {
        let chunks: Vec<_> = split(text).iter().map(|c| (c.text, c.start, c.lines_above)).collect();
        assert_eq!(chunks, expected);
    }

    #[test]
    fn a_file_is_cut_at_its_markers() {
        check("", &[]);
        check("# nothing\n---\n", &[]);
        check("a: 1", &[("a: 1", 0, 0)]);
        check("a: 1\n---\nb: 2\n", &[("a: 1\n", 0, 0), ("\nb: 2\n", 8, 1)]);
        check("--- # first\r\na: 1\r\n---\r\n", &[(" # first\r\na: 1\r\n", 3, 0)]);
        check("%YAML 1.2\n---\na: 1\n...\n", &[("\na: 1\n...\n", 13, 1)]);
    }

    #[test]
    fn only_a_marker_cuts() {
        check("a: ---\n ---\n----\n--- b", &[("a: ---\n ---\n----\n", 0, 0), (" b", 20, 3)]);
    }

    #[test]
    fn the_kind_is_seen_through_broken_yaml() {
        for (text, kind) in [
            ("# c\n\nkind: Tenant # x\n\tid: [", Some("Tenant")),
            ("{kind: 'Group', id: ", Some("Group")),
            ("id: a\nkind: Group", None),
        ] {
            assert_eq!(apparent_kind(text), kind, "{text}");
        }
    }
}
