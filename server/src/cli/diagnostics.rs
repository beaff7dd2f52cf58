//! Diagnostics as a compiler prints them: code, message, the underlined line, help; and the last line, a count and the next step.

use std::ops::Range;

use ambit_model::diagnostic::{Diagnostic, Place, Severity};
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

/// Each diagnostic as a block of lines.
pub(super) fn render(diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().map(block).collect()
}

/// "2 errors, 1 warning", or nothing where there is none.
pub(super) fn count(diagnostics: &[Diagnostic]) -> Option<String> {
    let of = |severity| diagnostics.iter().filter(|d| d.severity == severity).count();
    let (errors, warnings) = (of(Severity::Error), of(Severity::Warning));
    let words = |count: usize, word: &str| match count {
        0 => None,
        1 => Some(format!("1 {word}")),
        _ => Some(format!("{count} {word}s")),
    };
    let parts: Vec<String> = words(errors, "error").into_iter().chain(words(warnings, "warning")).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// Why a command could not run, in the form of a diagnostic without a place.
pub(super) fn failure(code: &str, message: &str, causes: &[String], help: Option<&str>) -> String {
    placeless(Severity::Error, code, message, causes, help)
}

fn placeless(severity: Severity, code: &str, message: &str, causes: &[String], help: Option<&str>) -> String {
    let causes = causes.iter().map(|cause| format!("  = because: {cause}\n"));
    let help = help.iter().map(|help| format!("  = help: {help}\n"));
    format!("{}[{code}]: {message}\n{}\n", severity.word(), causes.chain(help).collect::<String>())
}

fn block(diagnostic: &Diagnostic) -> String {
    if diagnostic.place.is_none() {
        let Diagnostic { severity, code, message, help, .. } = diagnostic;
        return placeless(*severity, code, message, &[], help.as_deref());
    }
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let mut group = level
        .primary_title(diagnostic.message.as_str())
        .id(diagnostic.code.as_ref())
        .elements(diagnostic.place.iter().map(|place| snippet(place, AnnotationKind::Primary, None)));
    for related in &diagnostic.related {
        group = group.element(snippet(&related.place, AnnotationKind::Context, Some(&related.message)));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    let rendered = Renderer::plain().decor_style(DecorStyle::Ascii).render(&[group]);
    format!("{rendered}\n\n")
}

fn snippet<'a>(
    place: &'a Place,
    kind: AnnotationKind,
    label: Option<&'a str>,
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    Snippet::source(place.text.as_str())
        .line_start(usize::try_from(place.line).unwrap_or(1))
        .path(place.file.as_str())
        .annotation(kind.span(bytes(place)).label(label))
}

/// The underlined characters as bytes of the line.
fn bytes(place: &Place) -> Range<usize> {
    let at = |characters: u32| {
        let nth = usize::try_from(characters).unwrap_or(usize::MAX);
        place.text.char_indices().nth(nth).map_or(place.text.len(), |(byte, _)| byte)
    };
    let start = place.column.saturating_sub(1);
    at(start)..at(start.saturating_add(place.length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diagnostic_is_printed_with_its_line() {
        let place = Place { file: "policies/a.yaml".into(), line: 7, column: 5, length: 4, text: "öö: wörd".into() };
        let diagnostic = Diagnostic::error("E_VALUE", "`wörd` is no word").at(place).help("write `word`");
        let text = render(std::slice::from_ref(&diagnostic));
        let expected = "error[E_VALUE]: `wörd` is no word\n --> policies/a.yaml:7:5\n  |\n7 | öö: wörd\n  |     ^^^^\n  |\n  = help: write `word`\n\n";
        assert_eq!(text, expected);
        assert_eq!(count(&[diagnostic]).as_deref(), Some("1 error"));
        assert_eq!(count(&[]), None);
    }

    #[test]
    fn what_has_no_place_is_printed_in_the_same_style() {
        let text = failure("E_STORE", "could not keep vectors", &["the disk is full".to_owned()], Some("make room"));
        let expected = "error[E_STORE]: could not keep vectors\n  = because: the disk is full\n  = help: make room\n\n";
        assert_eq!(text, expected);
        assert_eq!(
            render(&[Diagnostic::error("E_REASON", "the reason is empty")]),
            "error[E_REASON]: the reason is empty\n\n"
        );
    }
}
