//! The language model of a project: what it may be asked for, where it is, and by which secret it knows the project.
//! INVARIANT: no two projects have a variable of the environment in common, so none can read another's secret.

use std::collections::BTreeSet;

use ambit_model::codes;
use ambit_model::diagnostic::{Diagnostic, Place};
use ambit_model::llm::{Llm, LlmProvider, LlmUse};

use super::catalogs::{is_secret_name, variable_part};
use super::forms::Reader;
use super::identity::wrong_with_issuer;
use crate::parse::Written;
use crate::parse::body::Body;
use crate::parse::written;
use crate::source::SourceTree;

/// The beginning of the environment variables of a project's secrets: `AMBIT_PROJECT_SECRET_ACME_FINANCE_`.
pub fn project_secret_prefix(tenant: &str, project: &str) -> String {
    format!("AMBIT_PROJECT_SECRET_{}_{}_", variable_part(tenant), variable_part(project))
}

impl Reader<'_> {
    /// Nothing where anything is wrong with it: half of it might be sent elsewhere than was meant.
    pub(super) fn llm(&mut self, written: &written::Llm) -> Option<Llm> {
        let before = self.problems.len();
        let uses: BTreeSet<LlmUse> =
            written.uses.value.iter().filter_map(|word| self.word(word, &LlmUse::ALL, LlmUse::word)).collect();
        if written.uses.value.is_empty() {
            self.refuse(written.uses.span, "the list is empty", "write what it may be asked for, or leave `llm` out");
        }
        let provider = self.word(&written.provider, &LlmProvider::ALL, LlmProvider::word);
        if written.model.value.trim().is_empty() {
            self.refuse(written.model.span, "the model has no name", "write it as its provider names it");
        }
        self.llm_url(written, provider);
        self.llm_secret(written);
        let llm = Llm {
            uses: uses.into_iter().collect(),
            provider: provider?,
            model: written.model.value.clone(),
            url: written.url.as_ref().map(|url| url.value.clone()),
            secret: written.secret.as_ref().map(|secret| secret.value.clone()),
        };
        (self.problems.len() == before).then_some(llm)
    }

    fn llm_url(&mut self, written: &written::Llm, provider: Option<LlmProvider>) {
        match &written.url {
            // What an issuer is held to holds here too: nothing of it can be read in two ways, and nobody listens in.
            Some(url) => {
                if let Some((why, _)) = wrong_with_issuer(&url.value) {
                    let help = "write an https URL, or an http one of this machine, such as `http://127.0.0.1:8000/v1`";
                    self.refuse(url.span, format!("`{}` cannot be asked: {why}", url.value), help);
                }
            }
            None if provider == Some(LlmProvider::OpenaiCompatible) => self.refuse(
                written.provider.span,
                "nobody knows where this provider is",
                "write its `url`, such as `https://llm.example.com/v1`",
            ),
            None => {}
        }
    }

    fn llm_secret(&mut self, written: &written::Llm) {
        let Some(secret) = written.secret.as_ref().filter(|secret| !is_secret_name(&secret.value)) else { return };
        self.refuse(
            secret.span,
            format!("`{}` is not the name of a secret", secret.value),
            "use only lower-case letters, digits and `_`, at most 64 in all; a secret itself never stands in a declaration",
        );
    }
}

/// Reports the later of two projects of which one could read a secret of the other.
pub(super) fn part_secrets(written: &Written, tree: &SourceTree, problems: &mut Vec<Diagnostic>) {
    let mut earlier: Vec<(String, String, Place)> = Vec::new();
    for document in &written.documents {
        let (Body::Project(project), Some(page)) = (&document.body, document.page(tree)) else { continue };
        if project.llm.as_ref().is_none_or(|llm| llm.secret.is_none()) {
            continue;
        }
        let name = format!("{}/{}", project.tenant.value, project.id.value);
        let (prefix, place) =
            (project_secret_prefix(&project.tenant.value, &project.id.value), page.place(project.id.span));
        let shares = |other: &str| other.starts_with(&prefix) || prefix.starts_with(other);
        // A project that is declared twice is reported as that.
        if let Some((_, first, at)) = earlier.iter().find(|(other, first, _)| *first != name && shares(other)) {
            let message = format!("the projects `{first}` and `{name}` could read each other's secrets");
            problems.push(
                Diagnostic::error(codes::E_VALUE, message)
                    .at(place.clone())
                    .related("the other project is this one", Some(at.clone()))
                    .help("give one of them another id: in a variable, all that is no letter or digit becomes `_`"),
            );
        }
        earlier.push((prefix, name, place));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::{self, rendered::tree};
    use crate::resolve::resolve;

    fn resolved(llm: &str) -> (Option<Llm>, Vec<String>) {
        let text = format!(
            "kind: Workspace\nname: w\n---\nkind: Tenant\nid: a\nname: A\n---\nkind: Project\nid: p\ntenant: a\nname: P\nllm: {llm}\n"
        );
        let tree = tree(&[("a.yaml", &text)]);
        let (written, mut problems) = parse::parse(&tree);
        let (declarations, more) = resolve(&written, &tree);
        problems.extend(more);
        let llm = declarations.projects.into_iter().next().and_then(|project| project.llm);
        (llm, problems.into_iter().map(|problem| problem.message).collect())
    }

    #[track_caller]
    fn check(llm: &str, expected: &[&str]) {
        let (found, problems) = resolved(llm);
        assert_eq!(
            (found.is_some(), problems.iter().map(String::as_str).collect::<Vec<_>>()),
            (expected.is_empty(), expected.to_vec()),
            "{llm}"
        );
    }

    #[test]
    fn a_model_is_whole_or_none() {
        check("{ for: [drafts], provider: openai, model: gpt-x, secret: key }", &[]);
        check("{ for: [drafts], provider: ollama, model: llama, url: \"http://127.0.0.1:11434\" }", &[]);
        check("{ for: [router, planner], provider: openai, model: m }", &[]);
        check("{ for: [judge], provider: openai, model: m }", &["`judge` is not one of the words for this key"]);
        check("{ for: [], provider: openai, model: m }", &["the list is empty"]);
        check("{ for: [drafts], provider: openai_compatible, model: m }", &["nobody knows where this provider is"]);
        check(
            "{ for: [drafts], provider: openai, model: m, url: \"http://llm.example.com/v1\" }",
            &["`http://llm.example.com/v1` cannot be asked: it is not `https`"],
        );
        check(
            "{ for: [drafts], provider: openai, model: m, secret: sk-123 }",
            &["`sk-123` is not the name of a secret"],
        );
    }

    #[test]
    fn no_project_reads_the_secret_of_another() {
        let project = |tenant: &str, id: &str| {
            format!(
                "---\nkind: Tenant\nid: {tenant}\nname: T\n---\nkind: Project\nid: {id}\ntenant: {tenant}\nname: P\nllm: {{ for: [drafts], provider: openai, model: m, secret: k }}\n"
            )
        };
        let problems = |one: String, other: String| {
            let tree = tree(&[("a.yaml", &format!("kind: Workspace\nname: w\n{one}{other}"))]);
            resolve(&parse::parse(&tree).0, &tree).1.into_iter().map(|problem| problem.message).collect::<Vec<_>>()
        };
        assert_eq!(problems(project("a", "b"), project("c", "d")), [""; 0]);
        assert_eq!(
            problems(project("a-b", "c"), project("a", "b-c")),
            ["the projects `a-b/c` and `a/b-c` could read each other's secrets"]
        );
    }
}
