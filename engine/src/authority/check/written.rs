//! One policy of the operator on its way through the check, and how a complaint about it finds its place in the file.
//! Cedar counts bytes of the policy's own text; people read lines and columns of the file, indentation included.

use std::collections::BTreeMap;
use std::ops::Range;

use ambit_model::codes::{E_CEDAR, E_POLICY_ID};
use ambit_model::declaration::Policy;
use ambit_model::diagnostic::{Diagnostic, Place};
use ambit_model::identity::is_identifier;
use cedar_policy::{ActionConstraint, Template};

use super::super::vocabulary::BUILT_IN_PREFIX;
use super::CheckedPolicy;
use super::statement::{Statement, statements};
use super::unresolved::KnownEntities;
use crate::resolve::declarations::PolicySource;
use crate::source::SourceTree;

/// One policy on its way through the check.
pub(super) struct Written<'a> {
    source: &'a PolicySource,
    tree: &'a SourceTree,
    statement: Statement,
    /// The only policy of its source.
    alone: bool,
    pub(super) id: Option<String>,
    pub(super) parsed: Option<cedar_policy::Policy>,
    /// In its place, where it has slots.
    pub(super) template: Option<Template>,
    sound: bool,
    /// At most one complaint for one stretch of text: Cedar repeats itself for each kind of principal and action.
    pub(super) complaints: BTreeMap<(usize, usize, bool), Diagnostic>,
}

/// The policies of a source, not yet parsed.
pub(super) fn cut<'a>(source: &'a PolicySource, tree: &'a SourceTree) -> Vec<Written<'a>> {
    let statements = statements(&source.cedar);
    let alone = statements.len() == 1;
    let written = statements.into_iter().map(|statement| Written {
        source,
        tree,
        statement,
        alone,
        id: None,
        parsed: None,
        template: None,
        sound: false,
        complaints: BTreeMap::new(),
    });
    written.collect()
}

impl Written<'_> {
    /// Where it stands among all, whatever the order of the sources.
    pub(super) fn position(&self) -> (&str, usize, usize) {
        (&self.source.file, self.source.first_line, self.statement.span.start)
    }

    /// The id and where it is written, or what is wrong with it.
    pub(super) fn written_id(&self) -> Result<(String, Option<Place>), Box<Diagnostic>> {
        let head = self.place(self.statement.head(&self.source.cedar));
        let (id, place) = match (self.statement.id(&self.source.cedar), &self.source.id) {
            (Some((id, span)), _) => (id, self.place(span)),
            (None, Some(document)) if self.alone => (document.value.clone(), Some(document.place.clone())),
            (None, document) => return Err(Box::new(no_id(document.as_ref().map(|d| d.value.as_str())).at(head))),
        };
        let Some(complaint) = bad_id(&id) else { return Ok((id, place)) };
        Err(Box::new(complaint.at(place)))
    }

    pub(super) fn parse(&mut self) {
        let text = self.statement.text(&self.source.cedar);
        let errors = if self.statement.has_slots() {
            match Template::parse(None, text) {
                Ok(template) => {
                    (self.template, self.sound) = (Some(template), true);
                    None
                }
                Err(errors) => Some(errors),
            }
        } else {
            match cedar_policy::Policy::parse(None, text) {
                Ok(policy) => {
                    (self.parsed, self.sound) = (Some(policy), true);
                    None
                }
                Err(errors) => Some(errors),
            }
        };
        for error in errors.iter().flat_map(cedar_policy::ParseErrors::iter) {
            self.complain_as_cedar(error);
        }
    }

    pub(super) fn complain_as_cedar(&mut self, error: &dyn miette::Diagnostic) {
        self.sound = false;
        let label = error.labels().and_then(|mut labels| labels.next());
        let span = label.as_ref().map_or(self.statement.span.clone(), |label| {
            let start = self.statement.span.start + label.offset();
            if label.is_empty() || start >= self.statement.span.end {
                self.statement.token_at(start)
            } else {
                start..start + label.len()
            }
        });
        let expected = label.as_ref().and_then(|label| label.label()).map(str::to_owned);
        let help =
            error.help().map(|help| without_policy(&help.to_string()).to_owned()).or_else(|| self.help_with_groups());
        let complaint = Diagnostic::error(E_CEDAR, message(&error.to_string()));
        self.complain(
            span,
            match help.or(expected) {
                Some(help) => complaint.help(help),
                None => complaint,
            },
        );
    }

    /// `use` is three actions at once: equal to none of them, so Cedar only says that nothing applies.
    fn help_with_groups(&self) -> Option<String> {
        let policy = self.parsed.as_ref().map(cedar_policy::Policy::action_constraint);
        let constraint = policy.or_else(|| self.template.as_ref().map(Template::action_constraint))?;
        let ActionConstraint::Eq(action) = constraint else { return None };
        let many = match action.id().unescaped() {
            "use" => "three actions",
            "administer" => "all admin actions",
            _ => return None,
        };
        Some(format!("`{}` stands for {many}: write `action in`, not `action ==`", action.id().unescaped()))
    }

    pub(super) fn resolve(&mut self, known: &KnownEntities) {
        for (entity, span) in self.statement.entities(&self.source.cedar) {
            if let Some(complaint) = known.complaint(&entity) {
                self.complain(span, complaint);
            }
        }
    }

    /// Of two complaints about the same words, the one with help stays, then the more telling one, then the first by its message.
    fn complain(&mut self, span: Range<usize>, complaint: Diagnostic) {
        let complaint = complaint.at(self.place(span.clone()));
        let kept = self
            .complaints
            .entry((span.start, span.end, complaint.code == E_CEDAR))
            .or_insert_with(|| complaint.clone());
        let rank =
            |c: &Diagnostic| (c.help.is_none(), c.message.starts_with("policy is impossible"), c.message.clone());
        if rank(&complaint) < rank(kept) {
            *kept = complaint;
        }
    }

    /// Where bytes of the source's text stand in its file.
    fn place(&self, span: Range<usize>) -> Option<Place> {
        let before = self.source.cedar.get(..span.start)?;
        let line = before.matches('\n').count();
        let column = before.rsplit('\n').next().unwrap_or("").chars().count();
        let length = self.source.cedar.get(span)?.chars().take_while(|c| !matches!(c, '\n' | '\r')).count();
        let file = self.tree.get(&self.source.file)?;
        Some(file.place_at(self.source.first_line + line, self.source.indent + column + 1, length))
    }

    /// Where `permit` or `forbid` stands.
    pub(super) fn head(&self) -> Option<Place> {
        self.place(self.statement.head(&self.source.cedar))
    }

    pub(super) fn policy(&self) -> Option<CheckedPolicy> {
        let parsed = self.parsed.as_ref().filter(|_| self.sound)?;
        let policy = Policy {
            id: self.id.clone()?,
            cedar: self.statement.text(&self.source.cedar).to_owned(),
            reason: parsed.annotation("reason").map(str::to_owned).or_else(|| self.source.reason.clone()),
        };
        Some(CheckedPolicy { policy, place: self.head(), template: None })
    }

    /// The template as a policy with this id; nothing where Cedar has something against it.
    pub(super) fn linked(&self, id: &str, fill: impl Fn(&str) -> Option<String>) -> Option<Policy> {
        let template = self.template.as_ref().filter(|_| self.sound)?;
        Some(Policy {
            id: id.to_owned(),
            cedar: self.statement.filled(&self.source.cedar, id, fill),
            reason: template.annotation("reason").map(str::to_owned).or_else(|| self.source.reason.clone()),
        })
    }
}

/// What is wrong with the id of a policy, if anything.
fn bad_id(id: &str) -> Option<Diagnostic> {
    if id.starts_with(BUILT_IN_PREFIX) {
        let message = format!("`{id}` is reserved: ids that start with `{BUILT_IN_PREFIX}` are built in");
        return Some(Diagnostic::error(E_POLICY_ID, message).help("choose an id without a slash"));
    }
    let form = "an id is letters, digits, `_`, `-` and `.`, at most 64 characters, opening with a letter or digit";
    (!is_identifier(id)).then(|| Diagnostic::error(E_POLICY_ID, format!("`{id}` is not an id")).help(form))
}

fn no_id(document: Option<&str>) -> Diagnostic {
    let message = match document {
        Some(document) => format!("a policy in `{document}` has no `@id`"),
        None => "a policy has no `@id`".to_owned(),
    };
    Diagnostic::error(E_POLICY_ID, message).help(match document {
        Some(_) => "a document with several policies needs `@id(\"…\")` before each",
        None => "write `@id(\"…\")` before it",
    })
}

/// Cedar's words as ours: without the number we gave the policy, and not opening with a capital.
pub(super) fn message(cedar: &str) -> String {
    let text = without_policy(cedar);
    let mut characters = text.chars();
    let opening = characters.next().map(|c| c.to_lowercase().to_string()).unwrap_or_default();
    format!("{opening}{}", characters.as_str())
}

fn without_policy(text: &str) -> &str {
    let Some(numbered) = text.strip_prefix("for policy `") else { return text };
    let rest = numbered.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.strip_prefix("`, ").or_else(|| rest.strip_prefix("`: ")).unwrap_or(text)
}
