//! Formats the text of a YAML or Cedar file, comments included.
//! INVARIANT: what is given back means the same, has every letter and digit of the old text, and formats to itself.

use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;
use similar::TextDiff;

use crate::source::SourceFile;

mod cedar;
mod yaml;

/// How often a printer may change its mind about its own text.
const ROUNDS: usize = 4;
const BOM: &str = "\u{feff}";

/// What became of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formatted {
    /// The text as it should be; nothing where the file has to stay as it is.
    pub text: Option<String>,
    /// Why it has to.
    pub diagnostics: Vec<Diagnostic>,
}

/// Formats a file by its extension; `path` is the one that diagnostics name. Line breaks and a byte order mark stay of their kind.
pub fn format(path: &str, text: &str) -> Formatted {
    let bare = text.strip_prefix(BOM).unwrap_or(text);
    let windows = bare.lines().next().is_some_and(|first| bare.get(first.len()..).unwrap_or("").starts_with("\r\n"));
    let file = SourceFile { path: path.to_owned(), text: bare.replace("\r\n", "\n") };
    let mut formatted = if path.ends_with(".cedar") { cedar::format(&file) } else { yaml::format(&file) };
    if let Some(text) = &mut formatted.text
        && windows
    {
        *text = text.replace('\n', "\r\n");
    }
    if let Some(formatted) = &mut formatted.text
        && text.starts_with(BOM)
    {
        formatted.insert_str(0, BOM);
    }
    formatted
}

/// What would change, as a unified diff of three lines of context.
pub fn difference(path: &str, before: &str, after: &str) -> String {
    TextDiff::from_lines(before, after)
        .unified_diff()
        .context_radius(3)
        .header(&format!("a/{path}"), &format!("b/{path}"))
        .to_string()
}

/// Prints until the text stays, and gives it back only where `same_meaning` holds and no word was lost.
fn settled(
    file: &SourceFile,
    print: impl Fn(&str) -> Result<String, String>,
    same_meaning: impl Fn(&str) -> bool,
) -> Formatted {
    let mut text = file.text.clone();
    for _ in 0..ROUNDS {
        let printed = match print(&text) {
            Ok(printed) => printed,
            Err(why) => return left(file, &why),
        };
        if printed == text {
            return if !same_words(&file.text, &text) {
                left(file, "a comment or a word would be lost or moved")
            } else if !same_meaning(&text) {
                left(file, "it would not mean the same")
            } else {
                Formatted { text: Some(text), diagnostics: Vec::new() }
            };
        }
        text = printed;
    }
    left(file, "it would not stay as formatted")
}

/// Letters and digits in their order: quotes, commas and line breaks are what a printer may change.
fn same_words(one: &str, other: &str) -> bool {
    let words = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    words(one) == words(other)
}

fn left(file: &SourceFile, why: &str) -> Formatted {
    let problem = Diagnostic::error(codes::E_FORMAT, format!("the file is left as it is: {why}"))
        .at(file.whole())
        .help("move comments to lines of their own, or write the file more plainly");
    Formatted { text: None, diagnostics: vec![problem] }
}

#[cfg(test)]
mod tests;
