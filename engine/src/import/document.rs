//! The Catalog document of an import: where its file came from, and for each tool what import proposes, pins and dates.
//! A proposed fact ends in `# proposed`; somebody reads it and takes the mark away, or changes the fact.

use std::collections::BTreeSet;

use super::effect;
use crate::catalog::{self, OfferedTool};
use crate::resolve::declarations::CatalogDeclaration;
use crate::scalar::{quoted, scalar};

/// What ends a line that nobody reviewed.
pub(super) const MARK: &str = "# proposed";

/// Longest name that gets lines of its own; intake refuses longer ones.
const LONGEST_NAME: usize = 128;

/// Longest key as it is written, escapes included: 1024 characters are YAML's limit (1.2.2, 7.4).
const LONGEST_KEY: usize = 1000;

/// What the document says of the catalog as a whole.
#[derive(Clone, Copy, Debug)]
pub struct Heading<'a> {
    /// Where editors find the schema, relative to the document.
    pub schema: &'a str,
    pub id: &'a str,
    pub tenant: Option<&'a str>,
    /// The catalog file, relative to the document.
    pub file: &'a str,
    /// `YYYY-MM-DD`.
    pub since: &'a str,
    /// The source, without secrets.
    pub from: &'a str,
    pub format: &'a str,
    /// The name of the secret that the source asked for.
    pub secret: Option<&'a str>,
}

/// The whole document.
pub fn document(heading: &Heading<'_>, tools: &[OfferedTool]) -> String {
    let mut text = format!("# yaml-language-server: $schema={}\nkind: Catalog\n", heading.schema);
    let mut line = |key: &str, value: String| text.push_str(&format!("{key}: {value}\n"));
    line("id", scalar(heading.id));
    heading.tenant.into_iter().for_each(|tenant| line("tenant", scalar(tenant)));
    line("file", if heading.file.starts_with('.') { heading.file.to_owned() } else { scalar(heading.file) });
    line("since", heading.since.to_owned());
    line("imported", format!("{{ from: {}, format: {} }}", quoted(heading.from), heading.format));
    heading.secret.into_iter().for_each(|secret| line("secrets", format!("[{}]", scalar(secret))));
    let lines = lines(tools.iter(), heading.since);
    if !lines.is_empty() {
        text.push_str("tools:\n");
        text.push_str(&lines);
    }
    text
}

/// The lines of tools as they stand below `tools:`; a name that stands twice has them once.
pub(super) fn lines<'a>(tools: impl Iterator<Item = &'a OfferedTool>, since: &str) -> String {
    let mut seen = BTreeSet::new();
    let mut blocks = Vec::new();
    for tool in tools {
        if let Some(name) = tool.name.as_deref().filter(|name| has_lines(name))
            && seen.insert(name)
        {
            blocks.push(block(name, tool, since));
        }
    }
    blocks.join("\n")
}

/// Whether a tool of this name gets lines at all.
pub(super) fn has_lines(name: &str) -> bool {
    !name.is_empty() && name.chars().count() <= LONGEST_NAME && scalar(name).chars().count() <= LONGEST_KEY
}

fn block(name: &str, tool: &OfferedTool, since: &str) -> String {
    let facts = catalog::facts(tool, None, &CatalogDeclaration::silent(&tool.catalog, &tool.place));
    let mut text = format!("  {}:\n", scalar(name));
    let mut proposed = |key: &str, value: &str| text.push_str(&format!("    {key}: {value} {MARK}\n"));
    proposed("effect", effect::propose(tool).word());
    proposed("entity", &scalar(&facts.entity.value));
    proposed("operation", facts.operation.value.word());
    if !facts.identity.is_empty() {
        let fields: Vec<String> = facts.identity.iter().map(|field| scalar(field)).collect();
        proposed("identity", &format!("[{}]", fields.join(", ")));
    }
    text.push_str(&format!("    digest: {}\n    since: {since}\n", tool.definition_digest()));
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::import::{Input, Syntax, gather};
    use crate::parse;
    use crate::parse::body::Body;
    use crate::source::SourceFile;

    fn heading(from: &str) -> Heading<'_> {
        let (schema, file) = ("../schemas/ambit.schema.json", "../../catalogs/c.json");
        let (since, secret) = ("2026-11-30", Some("token"));
        Heading { schema, id: "c", tenant: Some("acme"), file, since, from, format: "mcp", secret }
    }

    fn written(json: &str, from: &str) -> String {
        document(&heading(from), &gather("c", &[Input::new("x.json", json, Syntax::Json)]).tools)
    }

    #[test]
    fn what_is_proposed_is_marked() {
        let json = r#"[{"name":"orders.list","description":"d","inputSchema":{},"outputSchema":{"type":"object","properties":{"id":{"type":"string"}}}}]"#;
        let text = written(json, "https://crm.example/mcp");
        let digest = gather("c", &[Input::new("x.json", json, Syntax::Json)]).tools[0].definition_digest();
        let expected = format!(
            "# yaml-language-server: $schema=../schemas/ambit.schema.json\nkind: Catalog\nid: c\ntenant: acme\nfile: \
             ../../catalogs/c.json\nsince: 2026-11-30\nimported: {{ from: \"https://crm.example/mcp\", format: mcp \
             }}\nsecrets: [token]\ntools:\n  orders.list:\n    effect: read # proposed\n    entity: orders # \
             proposed\n    operation: list # proposed\n    identity: [id] # proposed\n    digest: {digest}\n    since: \
             2026-11-30\n"
        );
        assert_eq!(text, expected);
    }

    /// Reads the document back: the names of its tools, and that laying it out changes nothing but blank lines.
    fn names(text: &str) -> Vec<String> {
        let file = SourceFile { path: "c.yaml".into(), text: text.to_owned() };
        let (bodies, problems) = parse::bodies(&file);
        assert_eq!(problems, [], "{text}");
        let Some(Body::Catalog(catalog)) = bodies.into_iter().next() else { return Vec::new() };
        catalog.tools.into_keys().map(|name| name.value).collect()
    }

    #[test]
    fn a_hostile_name_is_a_key_and_nothing_else() {
        for name in [
            "a: b",
            "x\n  y: {effect: read}",
            "# c",
            "\"q\"",
            "- a",
            "*a",
            "!!str",
            "true",
            "a # proposed",
            "é\u{202e}",
        ] {
            let json = serde_json::json!([{ "name": name, "description": "d", "inputSchema": {} }]).to_string();
            assert_eq!(names(&written(&json, "x # \"y\"\nz")), [name]);
        }
    }

    #[test]
    fn tools_without_a_usable_name_have_no_lines() {
        let (long, hidden) = ("x".repeat(2000), "\u{e0041}".repeat(128));
        let json = serde_json::json!([7, { "name": "" }, { "name": long }, { "name": hidden }, { "name": "a" }, { "name": "a", "title": "b" }]);
        assert_eq!(names(&written(&json.to_string(), "x")), ["a"]);
    }

    proptest! {
        #[test]
        fn no_name_breaks_the_document(found in prop::collection::vec("[\\PC\\n\\t]{1,30}", 1..6), from in "\\PC{0,30}") {
            let json = serde_json::Value::from_iter(found.iter().map(|name| serde_json::json!({ "name": name })));
            let expected: BTreeSet<String> = found.into_iter().collect();
            prop_assert_eq!(names(&written(&json.to_string(), &from)), expected.into_iter().collect::<Vec<_>>());
        }
    }
}
