//! Codes for people: the page of one, the list of all by stage.

use crate::cli::pages::Page;

/// The page of one code, its facts above it.
pub(in crate::cli) fn page(page: &Page) -> String {
    let status = page.status.map(|status| format!(", HTTP {status}")).unwrap_or_default();
    format!(
        "{}: {}\n{} of the stage `{}`{status}\n\n{}\n",
        page.code,
        page.meaning,
        page.severity.word(),
        page.stage,
        page.text
    )
}

/// Every code below the stage that reports it.
pub(in crate::cli) fn list(pages: &[Page]) -> String {
    let width = pages.iter().map(|page| page.code.len()).max().unwrap_or(0);
    let mut text = String::new();
    let mut stage = "";
    for page in pages {
        if page.stage != stage {
            stage = page.stage;
            text.push_str(&format!("{stage}\n"));
        }
        text.push_str(&format!("  {:width$}  {}\n", page.code, page.meaning));
    }
    format!("{text}\n{} codes; `ambit explain CODE` says more of one\n", pages.len())
}
