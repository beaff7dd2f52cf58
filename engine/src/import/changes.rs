//! Importing again: what the source offers now against the file that lay here, and against what the Catalog document says.
//! The document is its operator's; it is never rewritten, and the lines that it would want are given to be copied.

use std::collections::{BTreeMap, BTreeSet};

use ambit_model::diagnostic::Place;
use ambit_model::digest::Digest;

use super::document;
use crate::catalog::OfferedTool;
use crate::parse;
use crate::parse::body::Body;
use crate::resolve::declarations::Located;
use crate::source::{SourceTree, join};

/// A Catalog document that is there already.
#[derive(Clone, Debug)]
pub struct Declared {
    pub place: Place,
    /// The catalog file, relative to the root; nothing where the path leaves it.
    pub file: Option<String>,
    /// It says that it was imported.
    pub imported: bool,
    /// By name, with the pinned digest.
    pub tools: BTreeMap<String, Option<Located<String>>>,
}

/// What importing again found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Names, sorted.
    pub new: Vec<String>,
    pub changed: Vec<String>,
    pub vanished: Vec<String>,
    /// Pins of the document that no longer hold.
    pub drifted: Vec<Drifted>,
    /// What the document lacks, as it would stand below `tools:`.
    pub lines: String,
}

/// A tool whose definition is not the pinned one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drifted {
    pub tool: String,
    /// Of the pin.
    pub place: Place,
    pub found: Digest,
}

/// The Catalog document of this id, wherever it stands in the workspace.
pub fn declared(tree: &SourceTree, id: &str) -> Option<Declared> {
    let (written, _) = parse::parse(tree);
    written.documents.iter().find_map(|document| {
        let Body::Catalog(catalog) = &document.body else { return None };
        let page = document.page(tree).filter(|_| catalog.id.value == id)?;
        let tools = catalog.tools.iter();
        let pin = |digest: &Option<_>| digest.as_ref().map(|digest| page.located(digest));
        Some(Declared {
            place: page.place(catalog.id.span),
            file: join(&document.file, &catalog.file.value),
            imported: catalog.imported.is_some(),
            tools: tools.map(|(name, tool)| (name.value.clone(), pin(&tool.digest))).collect(),
        })
    })
}

/// Compares what the document says and what its file held with what the source offers; `today` dates the lines of new tools.
pub fn changes(declared: &Declared, before: &[OfferedTool], now: &[OfferedTool], today: &str) -> Changes {
    let (was, is) = (by_name(before), by_name(now));
    let known: BTreeSet<&str> = was.keys().copied().chain(declared.tools.keys().map(String::as_str)).collect();
    let differs = |name: &&str| was.get(name).zip(is.get(name)).is_some_and(|(was, is)| digests(was) != digests(is));
    let names = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
    let lacks = |tool: &&OfferedTool| tool.name.as_ref().is_some_and(|name| !declared.tools.contains_key(name));
    let new = is.keys().copied().filter(|name| !known.contains(name)).collect::<Vec<_>>();
    let unsaid = now.iter().filter(lacks).filter(|tool| tool.name.as_deref().is_some_and(|name| new.contains(&name)));
    Changes {
        lines: document::lines(unsaid, today),
        changed: names(is.keys().copied().filter(differs).collect()),
        vanished: names(known.iter().copied().filter(|name| !is.contains_key(name)).collect()),
        drifted: declared.tools.iter().filter_map(|(name, pin)| drifted(name, pin.as_ref()?, &is)).collect(),
        new: names(new),
    }
}

fn drifted(name: &str, pin: &Located<String>, now: &BTreeMap<&str, Vec<&OfferedTool>>) -> Option<Drifted> {
    let found = now.get(name)?.first()?.definition_digest();
    let holds = pin.value == found.as_str();
    (!holds).then(|| Drifted { tool: name.to_owned(), place: pin.place.clone(), found })
}

fn by_name(tools: &[OfferedTool]) -> BTreeMap<&str, Vec<&OfferedTool>> {
    let mut named: BTreeMap<&str, Vec<&OfferedTool>> = BTreeMap::new();
    for tool in tools {
        let name = tool.name.as_deref().filter(|name| document::has_lines(name));
        name.into_iter().for_each(|name| named.entry(name).or_default().push(tool));
    }
    named
}

fn digests(tools: &[&OfferedTool]) -> BTreeSet<Digest> {
    tools.iter().map(|tool| tool.definition_digest()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog;
    use crate::source::SourceFile;

    fn offered(json: serde_json::Value) -> Vec<OfferedTool> {
        catalog::read("c", &SourceFile { path: "c.json".into(), text: json.to_string() }).0
    }

    #[test]
    fn new_changed_and_vanished_tools_are_told_and_the_document_is_read() {
        let tool = |name: &str, text: &str| serde_json::json!({ "name": name, "description": text, "inputSchema": {} });
        let before = offered(serde_json::json!([tool("same", "a"), tool("other", "a"), tool("gone", "a")]));
        let now = offered(serde_json::json!([tool("same", "a"), tool("other", "b"), tool("list_new", "a")]));
        let pin = before[1].definition_digest();
        let yaml = format!(
            "kind: Catalog\nid: c\nfile: ../catalogs/c.json\nimported: {{ from: \"x\", format: mcp }}\ntools:\n  same: \
             {{ effect: read }}\n  other:\n    digest: {pin}\n  dreamt: {{ effect: read }}\n"
        );
        let mut tree = SourceTree { folder: "policies".into(), ..SourceTree::default() };
        tree.insert("policies/c.yaml", yaml);
        let declared = declared(&tree, "c").unwrap();
        assert_eq!((declared.file.as_deref(), declared.imported), (Some("catalogs/c.json"), true));
        let found = changes(&declared, &before, &now, "2026-12-01");
        assert_eq!(found.new, ["list_new"]);
        assert_eq!(found.changed, ["other"]);
        assert_eq!(found.vanished, ["dreamt", "gone"]);
        assert_eq!(found.drifted.iter().map(|d| (d.tool.as_str(), d.place.line)).collect::<Vec<_>>(), [("other", 8)]);
        assert!(found.lines.starts_with("  list_new:\n    effect: read # proposed\n"), "{}", found.lines);
        assert!(super::declared(&tree, "d").is_none());
        assert_eq!(changes(&declared, &now, &now, "2026-12-01").new, [""; 0]);
    }
}
