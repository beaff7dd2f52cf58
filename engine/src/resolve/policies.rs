//! Policy documents: where in the file their Cedar text stands, so that an error of Cedar can point into it.

use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;

use super::declarations::PolicySource;
use super::forms::Reader;
use crate::parse::at::{Page, Span};
use crate::parse::written::{self, Text};

impl Reader<'_> {
    /// The Cedar text of a document; nothing where it only links a template. `kind` is where a missing key is said.
    pub(super) fn policy(&mut self, policy: &written::Policy, kind: Span) -> Option<PolicySource> {
        policy.id.iter().for_each(|id| self.identifier(id));
        let (id, cedar) = match (&policy.id, &policy.cedar) {
            (Some(id), Some(cedar)) => (id, cedar),
            (None, _) if policy.template.is_none() => return self.lacks("id", kind),
            (_, None) if policy.template.is_none() => return self.lacks("cedar", kind),
            (None, Some(_)) => return self.lacks("id", kind),
            (_, None) => return None,
        };
        if cedar.value.trim().is_empty() {
            self.refuse(
                id.span,
                format!("the policy `{}` has no Cedar text", id.value),
                "write it as a block under `cedar: |`",
            );
            return None;
        }
        let Some((first_line, indent)) = block(self.page, cedar) else {
            let help = "write it as a block under `cedar: |`, so that errors can point into it";
            self.refuse(
                first_line_of(self.page, cedar.span),
                "this way of quoting or folding changes the Cedar text",
                help,
            );
            return None;
        };
        Some(PolicySource {
            id: Some(self.located(id)),
            reason: policy.reason.clone(),
            file: self.file.to_owned(),
            cedar: cedar.value.clone(),
            first_line,
            indent,
        })
    }

    fn lacks<T>(&mut self, key: &str, kind: Span) -> Option<T> {
        let problem = Diagnostic::error(codes::E_MISSING_KEY, format!("missing key `{key}` in `Policy`"));
        let place = self.place(kind);
        self.report(problem.at(place).help(format!("add `{key}: …`")));
        None
    }
}

/// The 1-based line of the file on which the text's first line stands, and the characters before each of its lines.
/// Nothing where the text is not in the file line by line, as in a folded scalar or one with escapes.
fn block(page: Page<'_>, cedar: &Text) -> Option<(usize, usize)> {
    let source = page.file.text.get(page.start + cedar.span.start..)?;
    let quote = usize::from(source.starts_with(['"', '\'']));
    let before = page.file.text.get(..page.start + cedar.span.start)?;
    let lead = before.rsplit('\n').next()?;
    let indent = lead.chars().count() + quote;
    // The span begins at the first line that is not blank.
    let blank = cedar.value.lines().take_while(|line| line.trim().is_empty()).count();
    let mut said = cedar.value.lines().skip(blank);
    let mut lines = source.lines();
    let first = said.next()?;
    let stands = lines.next()?.get(quote..)?.starts_with(first)
        && said.all(|line| lines.next().is_some_and(|source| without(source, indent) == line));
    stands.then_some(((page.lines_above + cedar.span.line).saturating_sub(blank), indent))
}

/// The line without its first `indent` characters; empty where it is shorter.
fn without(line: &str, indent: usize) -> &str {
    line.char_indices().nth(indent).and_then(|(at, _)| line.get(at..)).unwrap_or("")
}

/// A span cut to its first line.
fn first_line_of(page: Page<'_>, span: Span) -> Span {
    let length = page.text(span).lines().next().map_or(0, str::len);
    Span { end: span.start + length, ..span }
}
