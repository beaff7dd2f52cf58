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
use crate::parse::written_catalog::{Catalog, Facts};
use crate::parse::{self, Document, Written};
use crate::resolve::declarations::{CatalogDeclaration, WrittenFacts};
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
    /// By catalog, the open facts of tools; those of no tool are of its `defaults`.
    open: BTreeMap<String, BTreeSet<OpenFact>>,
}

/// A fact that policies decide by, and that a source could talk an operator into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Decisive {
    Effect,
    Operation,
    Entity,
}

impl Decisive {
    const ALL: [Self; 3] = [Self::Effect, Self::Operation, Self::Entity];

    fn key(self) -> &'static str {
        match self {
            Self::Effect => "effect",
            Self::Operation => "operation",
            Self::Entity => "entity",
        }
    }

    fn of_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|fact| fact.key() == key)
    }
}

impl Unreviewed {
    /// Takes back what nobody reviewed and what would widen authority: an effect can only be graver than what would hold without the
    /// line, and operation and entity are the guess or the hint that they were made of.
    pub(crate) fn hold_back(&self, catalogs: &mut [CatalogDeclaration]) {
        for catalog in catalogs {
            for (tool, fact) in self.open.get(&catalog.id.value).into_iter().flatten() {
                match tool {
                    Some(tool) => {
                        if let Some(declared) = catalog.tools.get_mut(tool) {
                            let effect = take_back(&mut declared.value.facts, *fact);
                            declared.value.proposed_effect = declared.value.proposed_effect.or(effect);
                        }
                    }
                    None => {
                        let effect = take_back(&mut catalog.defaults, *fact);
                        // The gravest narrows whatever it replaces.
                        catalog.defaults.effect =
                            catalog.defaults.effect.or(effect.filter(|effect| *effect == Effect::Destructive));
                    }
                }
            }
        }
    }
}

/// Leaves the fact unsaid; the effect that was said.
fn take_back(facts: &mut WrittenFacts, fact: Decisive) -> Option<Effect> {
    match fact {
        Decisive::Effect => return facts.effect.take(),
        Decisive::Operation => facts.operation = None,
        Decisive::Entity => facts.entity = None,
    }
    None
}

/// A tool, or the `defaults` of a catalog, and a fact of it.
type OpenFact = (Option<String>, Decisive);

/// What marks on these lines leave open: the fact that the line writes; nothing where it writes another key or an item of a list; and
/// all facts of the tool where it begins with anything else, such as the tool's own key, the end of a mapping, or the rest of a value.
fn open_facts(marked: &[Place], catalog: &Catalog, page: &Page<'_>) -> Vec<OpenFact> {
    let lines = Lines::of(catalog, page);
    marked.iter().flat_map(|place| lines.open(place)).collect()
}

/// Where things of a catalog begin.
struct Lines<'a> {
    /// Each tool, in the order of lines.
    tools: Vec<(u32, &'a str)>,
    facts: Vec<(u32, OpenFact)>,
}

impl<'a> Lines<'a> {
    fn of(catalog: &'a Catalog, page: &Page<'_>) -> Self {
        let line = |text: &Text| page.place(text.span).line;
        let mut tools: Vec<(u32, &str)> = catalog.tools.keys().map(|name| (line(name), name.value.as_str())).collect();
        tools.sort_unstable();
        let written = |of: Option<&str>, facts: Facts<'_>| {
            let each = [
                (Decisive::Effect, facts.effect),
                (Decisive::Operation, facts.operation),
                (Decisive::Entity, facts.entity),
            ];
            let of = of.map(str::to_owned);
            each.into_iter().filter_map(move |(fact, text)| Some((line(text?), (of.clone(), fact)))).collect::<Vec<_>>()
        };
        let of_tools = catalog.tools.iter().flat_map(|(name, tool)| written(Some(&name.value), tool.facts()));
        let facts = of_tools.chain(written(None, catalog.defaults.facts())).collect();
        Self { tools, facts }
    }

    fn open(&self, mark: &Place) -> Vec<OpenFact> {
        let on_line: Vec<&str> =
            self.tools.iter().filter(|(line, _)| *line == mark.line).map(|(_, name)| *name).collect();
        if !on_line.is_empty() {
            return on_line.into_iter().flat_map(|name| all_of(Some(name))).collect();
        }
        let line = mark.text.trim_start();
        // The end of a mapping that began above.
        if line.matches('}').count() > line.matches('{').count() {
            return self.around(mark.line);
        }
        let is_key = |key: &&str| key.chars().all(|c| c.is_ascii_lowercase() || c == '_');
        match line.split_once(':').map(|(key, _)| key).filter(is_key) {
            Some("tools") => self.tools.iter().flat_map(|(_, name)| all_of(Some(name))).collect(),
            Some("defaults") => all_of(None),
            Some(key) => self.written(key, mark.line),
            None if line.starts_with("- ") => Vec::new(),
            None => self.around(mark.line),
        }
    }

    /// The fact that stands on this line, else the last of this name above it, whose value then stands below its key.
    fn written(&self, key: &str, line: u32) -> Vec<OpenFact> {
        if Decisive::of_key(key).is_none() {
            return Vec::new();
        }
        let here: Vec<OpenFact> =
            self.facts.iter().filter(|(at, _)| *at == line).map(|(_, open)| open.clone()).collect();
        if here.is_empty() { self.around(line) } else { here }
    }

    /// Everything of the tool that begins last above this line, and of the defaults where they do.
    fn around(&self, line: u32) -> Vec<OpenFact> {
        let head = self.tools.iter().rev().find(|(at, _)| *at <= line);
        let defaults = self.facts.iter().filter(|(_, (of, _))| of.is_none()).map(|(at, _)| *at);
        let from = head.map_or(0, |(at, _)| *at);
        let mut open = head.map(|(_, name)| all_of(Some(name))).unwrap_or_default();
        if defaults.into_iter().any(|at| at >= from) {
            open.extend(all_of(None));
        }
        open
    }
}

fn all_of(tool: Option<&str>) -> Vec<OpenFact> {
    Decisive::ALL.into_iter().map(|fact| (tool.map(str::to_owned), fact)).collect()
}

/// Counts the proposed lines of every Catalog document.
pub(crate) fn unreviewed(written: &Written, tree: &SourceTree) -> Unreviewed {
    let mut found = Unreviewed::default();
    for document in &written.documents {
        if let Body::Catalog(catalog) = &document.body {
            let places = places(document, tree);
            if !places.is_empty() {
                let page = document.page(tree);
                let open = page.into_iter().flat_map(|page| open_facts(&places, catalog, &page));
                found.open.entry(catalog.id.value.clone()).or_default().extend(open);
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
    let line = line.trim_end();
    let (before, end) = line.split_at_checked(line.len().checked_sub(MARK.len())?)?;
    if !end.eq_ignore_ascii_case(MARK) {
        return None;
    }
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

    /// Tools with effect, operation and entity that are held back, written `tool effect`; no tool is the defaults.
    #[track_caller]
    fn check_open(text: &str, expected: &[&str]) {
        let mut tree = SourceTree { folder: "policies".into(), ..SourceTree::default() };
        tree.insert("policies/c.yaml", format!("kind: Catalog\nid: c\nfile: c.json\n{text}"));
        let (written, problems) = parse::parse(&tree);
        assert_eq!(problems, [], "{text}");
        let found = unreviewed(&written, &tree);
        let open = found.open.values().flatten();
        let said: Vec<String> =
            open.map(|(tool, fact)| format!("{} {}", tool.as_deref().unwrap_or("-"), fact.key())).collect();
        assert_eq!(said, expected, "{text}");
    }

    #[test]
    fn a_mark_holds_back_what_it_stands_at() {
        check_open("tools:\n  a:\n    effect: read # proposed\n    entity: x\n", &["a effect"]);
        check_open(
            "tools:\n  a:\n    effect: read\n    identity: [id] # proposed\n    examples:\n      - q # proposed\n",
            &[],
        );
        let all = ["a effect", "a operation", "a entity"];
        check_open("tools:\n  a: { effect: read } # proposed\n  b: { effect: read }\n", &all);
        check_open("tools:\n  a: {\n    effect: read,\n    entity: x } # proposed\n  b: { effect: read }\n", &all);
        check_open("tools:\n  a:\n    {\n      effect: read,\n    } # proposed\n  b: { effect: read }\n", &all);
        check_open("tools:\n  a: # proposed\n    effect: read\n", &all);
        check_open("tools:\n  a:\n    effect: # proposed\n      read\n", &all);
        check_open("tools:\n  a:\n    effect:\n      read # proposed\n", &all);
        check_open("tools:\n  a:\n    entity: \"x\n      y\" # Proposed\n", &all);
        check_open("tools:\n  a:\n    effect: read # proposed\r    entity: x\n", &["a effect"]);
        check_open("defaults: { effect: read } # proposed\n", &["- effect", "- operation", "- entity"]);
        check_open("tools: { a: { effect: read } }\ndefaults:\n  effect: read # proposed\n", &["- effect"]);
    }
}
