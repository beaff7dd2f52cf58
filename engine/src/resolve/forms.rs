//! Reads written values in the form their key wants: ids, words of closed lists, shares, dates, digests, tools, globs.
//! A value of the wrong form is reported and counts as absent, so that one document can show all its mistakes at once.

use ambit_model::codes;
use ambit_model::diagnostic::{Diagnostic, Place};
use ambit_model::digest::Digest;
use ambit_model::identity::{Principal, ProjectId, ToolId, is_identifier};
use ambit_model::ratio::Ratio;
use globset::{Glob, GlobBuilder};

use super::declarations::Located;
use super::names::{Names, unresolved};
use crate::nearest::did_you_mean;
use crate::parse::at::{At, Page, Span};
use crate::parse::body::Kind;
use crate::parse::problem::listed;
use crate::parse::written::Text;

/// Reads the values of one document and keeps what is wrong with them.
pub(super) struct Reader<'a> {
    pub(super) page: Page<'a>,
    /// The document's file, relative to the root.
    pub(super) file: &'a str,
    pub(super) names: &'a Names<'a>,
    pub(super) problems: &'a mut Vec<Diagnostic>,
}

impl Reader<'_> {
    pub(super) fn place(&self, span: Span) -> Place {
        self.page.place(span)
    }

    pub(super) fn located<T: Clone>(&self, written: &At<T>) -> Located<T> {
        self.page.located(written)
    }

    pub(super) fn report(&mut self, problem: Diagnostic) {
        self.problems.push(problem);
    }

    /// A value of the wrong form.
    pub(super) fn refuse(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        let place = self.place(span);
        self.report(Diagnostic::error(codes::E_VALUE, message).at(place).help(help));
    }

    /// An id inside a document: reports a wrong form.
    pub(super) fn identifier(&mut self, written: &Text) {
        let problem = bad_identifier(&written.value, self.place(written.span));
        self.problems.extend(problem);
    }

    /// A word of a closed list.
    pub(super) fn word<T: Copy>(&mut self, written: &Text, all: &[T], word: impl Fn(T) -> &'static str) -> Option<T> {
        let found = all.iter().copied().find(|one| word(*one) == written.value);
        if found.is_none() {
            let words = all.iter().map(|one| word(*one));
            let help = did_you_mean(&written.value, words.clone())
                .unwrap_or_else(|| format!("the words are {}", listed(words)));
            self.refuse(written.span, format!("`{}` is not one of the words for this key", written.value), help);
        }
        found
    }

    /// A share from 0 to 1 with at most four digits after the point, as whole 1/10000.
    pub(super) fn ratio(&mut self, written: &Text) -> Option<Ratio> {
        let ratio = exact_ratio(&written.value);
        if ratio.is_none() {
            self.refuse(
                written.span,
                format!("`{}` is not a share", written.value),
                "write a number from 0 to 1 with at most four digits after the point, such as 0.85",
            );
        }
        ratio
    }

    /// A day of the calendar, `YYYY-MM-DD`.
    pub(super) fn date(&mut self, written: &Text) -> Option<String> {
        let text = &written.value;
        // jiff also reads other ISO 8601 forms; one form keeps dates comparable as text.
        let is_date = text.len() == 10 && text.parse::<jiff::civil::Date>().is_ok_and(|date| date.to_string() == *text);
        if !is_date {
            self.refuse(written.span, format!("`{text}` is not a date"), "write `YYYY-MM-DD`, such as 2026-01-10");
        }
        is_date.then(|| text.clone())
    }

    pub(super) fn digest(&mut self, written: &Text) -> Option<Located<String>> {
        if Digest::parse(&written.value).is_none() {
            self.refuse(
                written.span,
                format!("`{}` is not a digest", written.value),
                "write `sha256:` and 64 lower-case hexadecimal digits",
            );
            return None;
        }
        Some(self.located(written))
    }

    /// A canonical id of a tool.
    pub(super) fn tool_id(&mut self, written: &Text) -> Option<Located<String>> {
        if ToolId::parse(&written.value).is_none() {
            self.refuse(written.span, format!("`{}` is not a tool id", written.value), "write `catalog/tool`");
            return None;
        }
        Some(self.located(written))
    }

    /// A canonical id or a glob over them.
    pub(super) fn glob(&mut self, written: &Text) -> Option<Located<String>> {
        if !is_glob(&written.value) {
            return self.tool_id(written);
        }
        if let Err(error) = tool_glob(&written.value) {
            self.refuse(
                written.span,
                format!("`{}` is not a glob: {}", written.value, error.kind()),
                "write `catalog/*`, or a whole id `catalog/tool`",
            );
            return None;
        }
        Some(self.located(written))
    }

    /// A principal that is declared.
    pub(super) fn principal(&mut self, written: &Text) -> Option<Principal> {
        let principal = match Principal::parse(&written.value) {
            Ok(principal) => principal,
            Err(_) => {
                let help = "write `tenant:user:name`, `tenant:agent:name` or `tenant:role:name`";
                self.refuse(written.span, format!("`{}` is not a principal", written.value), help);
                return None;
            }
        };
        if self.names.may_hide(Kind::Tenant) {
            return Some(principal);
        }
        let Some(members) = self.names.tenants.get(principal.tenant.as_str()) else {
            self.unknown_tenant(&principal.tenant, written.span);
            return None;
        };
        let known = members.of_kind(principal.kind);
        if !known.contains(principal.name.as_str()) {
            let message =
                format!("tenant `{}` has no {} `{}`", principal.tenant, principal.kind.word(), principal.name);
            let problem = unresolved(message, &principal.name, known.iter().copied(), self.page.place(written.span));
            self.report(problem);
            return None;
        }
        Some(principal)
    }

    /// A project that is declared; its tenant may be left out where `tenant` is known.
    pub(super) fn project_id(&mut self, written: &Text, tenant: Option<&str>) -> Option<ProjectId> {
        let Ok(project) = ProjectId::parse(&written.value, tenant) else {
            self.refuse(written.span, format!("`{}` is not a project", written.value), "write `tenant/project`");
            return None;
        };
        let name = project.to_string();
        if self.names.projects.contains(&name) || self.names.may_hide(Kind::Project) {
            return Some(project);
        }
        let known = self.names.projects.iter().map(String::as_str);
        let problem = unresolved(format!("no project `{name}`"), &name, known, self.place(written.span));
        self.report(problem);
        None
    }

    /// The tenant that a document names.
    pub(super) fn tenant_id(&mut self, written: &Text) -> Option<String> {
        if !self.names.tenants.contains_key(written.value.as_str()) {
            self.unknown_tenant(&written.value, written.span);
            return None;
        }
        Some(written.value.clone())
    }

    fn unknown_tenant(&mut self, name: &str, span: Span) {
        if self.names.may_hide(Kind::Tenant) {
            return;
        }
        let known = self.names.tenants.keys().copied();
        let problem = unresolved(format!("no tenant `{name}`"), name, known, self.place(span));
        self.report(problem);
    }
}

/// What is wrong with an id, if anything.
pub(super) fn bad_identifier(id: &str, place: Place) -> Option<Diagnostic> {
    let problem = || {
        Diagnostic::error(codes::E_VALUE, format!("`{id}` is not an id"))
            .at(place)
            .help("begin with a letter or digit and use only letters, digits, `_`, `-` and `.`, at most 64 in all")
    };
    (!is_identifier(id)).then(problem)
}

/// The text holds a glob's special characters.
pub(super) fn is_glob(text: &str) -> bool {
    text.contains(['*', '?', '[', ']', '{', '}', '\\'])
}

/// A glob over canonical ids, in which `*` and `?` do not cross a slash.
pub(crate) fn tool_glob(text: &str) -> Result<Glob, globset::Error> {
    GlobBuilder::new(text).literal_separator(true).build()
}

/// Reads the digits themselves, so that no float rounds in between.
fn exact_ratio(text: &str) -> Option<Ratio> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    if whole.len() != 1 || fraction.len() > 4 || !digits(whole) || !digits(fraction) {
        return None;
    }
    let whole: i32 = whole.parse().ok()?;
    let fraction: i32 = format!("{fraction:0<4}").parse().ok()?;
    let units = whole * Ratio::ONE.0 + fraction;
    (units <= Ratio::ONE.0).then_some(Ratio(units))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_read_digit_by_digit() {
        for (text, units) in [
            ("0", Some(0)),
            ("1", Some(10_000)),
            ("1.0", Some(10_000)),
            ("0.85", Some(8_500)),
            ("0.0001", Some(1)),
            ("0.00001", None),
            ("1.0001", None),
            ("2", None),
            ("-0.1", None),
            ("+0.1", None),
            (".5", None),
            ("0.", None),
            ("1e-2", None),
            ("0,5", None),
            ("", None),
        ] {
            assert_eq!(exact_ratio(text), units.map(Ratio), "{text}");
        }
    }
}
