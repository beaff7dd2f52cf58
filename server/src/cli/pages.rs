//! The pages of the codes: why each matters, an example that causes it, and how to mend it. They are Markdown, one file a stage.
//! They lie here and not beside the table, because the table is also compiled into the browser bundle, where nobody reads them.

use ambit_model::codes::CodeEntry;
use ambit_model::diagnostic::Severity;
use serde::Serialize;

/// The files; inside, each code's page stands below the heading `## CODE`.
const FILES: [&str; 11] = [
    include_str!("pages/read.md"),
    include_str!("pages/parse.md"),
    include_str!("pages/resolve.md"),
    include_str!("pages/check.md"),
    include_str!("pages/intake.md"),
    include_str!("pages/ask.md"),
    include_str!("pages/apply.md"),
    include_str!("pages/network.md"),
    include_str!("pages/audit.md"),
    include_str!("pages/secrets.md"),
    include_str!("pages/machine.md"),
];

/// A code with all there is to say of it.
#[derive(Serialize)]
pub(super) struct Page {
    pub(super) code: &'static str,
    pub(super) stage: &'static str,
    pub(super) severity: Severity,
    pub(super) meaning: &'static str,
    /// Of an HTTP answer that is refused with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) status: Option<u16>,
    /// Markdown, without a heading.
    pub(super) text: &'static str,
}

impl Page {
    /// The page of a row of the table.
    pub(super) fn of(entry: &CodeEntry) -> Self {
        Self {
            code: entry.code,
            stage: entry.stage,
            severity: entry.severity(),
            meaning: entry.meaning,
            status: entry.status(),
            text: sections().find(|(code, _)| *code == entry.code).map_or("", |(_, text)| text),
        }
    }
}

impl Page {
    /// What and why, without the example, on one line.
    pub(super) fn first_paragraph(&self) -> String {
        self.text.split("\n\n").next().unwrap_or_default().replace('\n', " ")
    }

    /// Where it stands in the docs, relative to the root of Ambit's own repository.
    pub(super) fn address(&self) -> String {
        format!("docs/codes.md#{}", self.code.to_lowercase())
    }
}

/// Every code with its text, in the order of the files.
fn sections() -> impl Iterator<Item = (&'static str, &'static str)> {
    let cut = FILES.into_iter().flat_map(|file| file.split("\n## ").skip(1));
    cut.map(|section| section.split_once('\n').map_or((section, ""), |(code, text)| (code.trim(), text.trim())))
}

#[cfg(test)]
mod tests {
    use ambit_model::codes::TABLE;

    use super::*;

    #[test]
    fn every_code_has_a_page_and_every_page_a_code() {
        let pages: Vec<&str> = sections().map(|(code, _)| code).collect();
        let table: Vec<&str> = TABLE.iter().map(|entry| entry.code).collect();
        assert_eq!(pages, table, "the pages stand in the order of the table, one for each code");
    }

    #[test]
    fn every_page_says_what_causes_it_and_how_to_mend_it() {
        for (code, text) in sections() {
            let parts: Vec<&str> = text.lines().filter(|line| line.starts_with("### ")).collect();
            assert_eq!(parts, ["### Example", "### How to mend it"], "{code}");
            let example = text.split("### Example").nth(1).unwrap_or_default();
            assert!(example.contains("```"), "{code} shows no example");
        }
    }
}
