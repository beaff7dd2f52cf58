//! YAML by pretty_yaml: flow collections stay flow where they fit, block scalars keep their text.

use pretty_yaml::config::{FormatOptions, LanguageOptions, LayoutOptions};

use super::{Formatted, settled};
use crate::parse;
use crate::source::SourceFile;

/// Columns of a line, as far as it can be broken.
const WIDTH: usize = 120;

/// A file with a document that cannot be read is left as it is, with what is wrong.
pub(super) fn format(file: &SourceFile) -> Formatted {
    let (documents, problems) = parse::bodies(file);
    if !problems.is_empty() {
        return Formatted { text: None, diagnostics: problems };
    }
    if file.text.trim().is_empty() {
        return Formatted { text: Some(file.text.clone()), diagnostics: Vec::new() };
    }
    let options = options();
    let print = |text: &str| pretty_yaml::format_text(text, &options).map_err(|error| error.message().to_owned());
    settled(file, print, |text| {
        let (again, problems) = parse::bodies(&SourceFile { path: file.path.clone(), text: text.to_owned() });
        problems.is_empty() && again == documents
    })
}

fn options() -> FormatOptions {
    FormatOptions {
        layout: LayoutOptions { print_width: WIDTH, ..LayoutOptions::default() },
        language: LanguageOptions { trailing_comma: false, ..LanguageOptions::default() },
    }
}
