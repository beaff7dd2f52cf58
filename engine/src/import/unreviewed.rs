//! What import proposed and nobody reviewed yet: lines of Catalog documents whose comment is `# proposed`.
//! A line that only looks like one, inside a quoted or a block text, does not count: taking its comment away would change a value.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::codes;
use ambit_model::diagnostic::{Diagnostic, Place};
use ambit_model::facts::Effect;

use super::document::MARK;
use crate::parse::at::Page;
use crate::parse::body::Body;
use crate::parse::written::Text;
use crate::parse::written_catalog::{Catalog, Tool};
use crate::parse::{self, Document, Written};
use crate::resolve::declarations::CatalogDeclaration;
use crate::source::{SourceFile, SourceTree};

/// Places that a note shows beside the first.
const FEW: usize = 2;

/// What nobody reviewed yet.
#[derive(Debug, Default)]
pub(crate) struct Unreviewed {
    /// Catalog to lines.
    pub(crate) counts: BTreeMap<String, usize>,
    /// One note a Catalog.
    pub(crate) notes: Vec<Diagnostic>,
    /// Catalog, tool and fact of the lines that policies could decide by.
    facts: BTreeSet<(String, String, Fact)>,
}

/// A fact that policies decide by, and that a source could talk an operator into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fact {
    Effect,
    Operation,
    Entity,
}

impl Unreviewed {
    /// Takes back what nobody reviewed and what would widen authority: an effect of `read` is nobody's word, and operation and entity
    /// are the guess or the hint that they were made of. A graver effect stands, for it only narrows.
    pub(crate) fn hold_back(&self, catalogs: &mut [CatalogDeclaration]) {
        for catalog in catalogs {
            let id = catalog.id.value.clone();
            for (tool, declared) in &mut catalog.tools {
                let is_open = |fact| self.facts.contains(&(id.clone(), tool.clone(), fact));
                let facts = &mut declared.value.facts;
                facts.effect.take_if(|effect| *effect == Effect::Read && is_open(Fact::Effect));
                facts.operation.take_if(|_| is_open(Fact::Operation));
                facts.entity.take_if(|_| is_open(Fact::Entity));
            }
        }
    }
}

/// The facts on these lines.
fn facts_on(lines: &BTreeSet<u32>, catalog: &Catalog, page: &Page<'_>) -> Vec<(String, String, Fact)> {
    let of_tool = |(name, tool): (&Text, &Tool)| {
        let facts = tool.facts();
        let three = [(Fact::Effect, facts.effect), (Fact::Operation, facts.operation), (Fact::Entity, facts.entity)];
        let open = three.into_iter().filter(|(_, text)| text.is_some_and(|t| lines.contains(&page.place(t.span).line)));
        open.map(|(fact, _)| (catalog.id.value.clone(), name.value.clone(), fact)).collect::<Vec<_>>()
    };
    catalog.tools.iter().flat_map(of_tool).collect()
}

/// Counts the proposed lines of every Catalog document.
pub(crate) fn unreviewed(written: &Written, tree: &SourceTree) -> Unreviewed {
    let mut found = Unreviewed::default();
    for document in &written.documents {
        if let Body::Catalog(catalog) = &document.body {
            let places = places(document, tree);
            if !places.is_empty() {
                let lines = places.iter().map(|place| place.line).collect();
                let page = document.page(tree);
                found.facts.extend(page.into_iter().flat_map(|page| facts_on(&lines, catalog, &page)));
                *found.counts.entry(catalog.id.value.clone()).or_default() += places.len();
                found.notes.push(note(&catalog.id.value, &places));
            }
        }
    }
    found
}

fn note(catalog: &str, places: &[Place]) -> Diagnostic {
    let message = match places.len() {
        1 => format!("1 proposed line of the Catalog `{catalog}` is unreviewed"),
        lines => format!("{lines} proposed lines of the Catalog `{catalog}` are unreviewed"),
    };
    let note = Diagnostic::note(codes::N_UNREVIEWED, message)
        .at(places.first().cloned())
        .help("mend what is wrong, then take `# proposed` away");
    places.iter().skip(1).take(FEW).fold(note, |note, place| note.related("and this one", Some(place.clone())))
}

fn places(document: &Document, tree: &SourceTree) -> Vec<Place> {
    let (Some(text), Some(page)) = (document.text(tree), document.page(tree)) else { return Vec::new() };
    let lines: Vec<&str> = text.split('\n').collect();
    let candidates: Vec<usize> =
        (0..lines.len()).filter(|line| lines.get(*line).is_some_and(|l| mark(l).is_some())).collect();
    let mut starts = Vec::with_capacity(lines.len());
    let mut at = page.start;
    for line in &lines {
        starts.push(at);
        at += line.len() + 1;
    }
    let reader = Reader { path: &document.file, lines: &lines, body: &document.body };
    let place = |line: usize| {
        let (start, mark) = (*starts.get(line)?, mark(lines.get(line)?)?);
        Some(page.file.place_on_line(page.lines_above + line + 1, start + mark, start + mark + MARK.len()))
    };
    reader.comments(&candidates).into_iter().filter_map(place).collect()
}

/// The byte at which a line's mark begins, where it ends in one behind a value.
fn mark(line: &str) -> Option<usize> {
    let before = line.trim_end().strip_suffix(MARK)?;
    let value = before.trim();
    (before.ends_with([' ', '\t']) && !value.is_empty() && !value.starts_with('#')).then_some(before.len())
}

/// One document, read again with marks taken away.
struct Reader<'a> {
    path: &'a str,
    lines: &'a [&'a str],
    body: &'a Body,
}

impl Reader<'_> {
    /// Those of the lines whose mark is a comment: all of them where the document says the same without the marks, else by halves.
    fn comments(&self, candidates: &[usize]) -> Vec<usize> {
        if candidates.is_empty() || self.says_the_same_without(candidates) {
            return candidates.to_vec();
        }
        let (first, second) = candidates.split_at(candidates.len() / 2);
        if first.is_empty() {
            return Vec::new();
        }
        let mut found = self.comments(first);
        found.extend(self.comments(second));
        found
    }

    fn says_the_same_without(&self, marked: &[usize]) -> bool {
        let mut marked = marked.iter().copied().peekable();
        let mut text = String::new();
        for (number, line) in self.lines.iter().enumerate() {
            let cut = marked.next_if_eq(&number).and_then(|_| mark(line)).unwrap_or(line.len());
            text.push_str(line.get(..cut).unwrap_or(line));
            text.push('\n');
        }
        let (bodies, problems) = parse::bodies(&SourceFile { path: self.path.to_owned(), text });
        problems.is_empty() && bodies.first() == Some(self.body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[u32]) {
        let mut tree = SourceTree { folder: "policies".into(), ..SourceTree::default() };
        tree.insert("policies/c.yaml", text);
        let (written, problems) = parse::parse(&tree);
        assert_eq!(problems, []);
        let is_catalog = |document: &&Document| matches!(document.body, Body::Catalog(_));
        let lines: Vec<u32> = written
            .documents
            .iter()
            .filter(is_catalog)
            .flat_map(|d| places(d, &tree))
            .map(|place| place.line)
            .collect();
        assert_eq!(lines, expected, "{text}");
        let counted: usize = unreviewed(&written, &tree).counts.values().sum();
        assert_eq!(counted, expected.len());
    }

    #[test]
    fn only_comments_behind_values_count() {
        check("kind: Catalog\nid: c # proposed\nfile: c.json\n", &[2]);
        check("kind: Catalog\nid: c\n# proposed\n # not # proposed\nfile: c.json # proposed \n", &[5]);
        check("kind: Catalog\nid: c\nfile: c.json # proposed by me\nsince: 2026-11-30 #proposed\n", &[]);
        check(
            "kind: Tenant\nid: t\nname: T # was # proposed\n---\nkind: Catalog\nid: c\nfile: c.json # proposed\n",
            &[7],
        );
    }

    #[test]
    fn no_text_is_taken_for_a_comment() {
        check(
            "kind: Catalog\nid: c\nfile: c.json # proposed\ntools:\n  a:\n    description: |\n      see # proposed\n      more\n    \
             effect: read # proposed\n  b:\n    description: \"one # proposed\n      two\"\n    entity: 'x # proposed\n      \
             y'\n    effect: read # proposed\n",
            &[3, 9, 15],
        );
    }
}
