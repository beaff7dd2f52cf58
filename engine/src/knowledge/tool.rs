//! The tool `knowledge.search` of one project: offered like a catalog's, so that intake, policies and routing know no difference.
//! Titles are files of the operator, and so trusted text; they are bounded all the same.

use std::collections::BTreeMap;

use ambit_model::codes;
use ambit_model::facts::{Effect, Operation, Risk, SourceKind};
use ambit_model::intake::Finding;
use ambit_model::knowledge::{CATALOG_PREFIX, KnowledgeDocument, MOST_PASSAGES, TOOL_NAME, USUAL_PASSAGES, catalog_id};

use crate::catalog::{Format, OfferedTool};
use crate::resolve::declarations::{CatalogDeclaration, KnowledgeDeclaration, Located, ToolDeclaration, WrittenFacts};

/// Most titles that a description names: each is one bounded line, and a prompt has room for no more.
const MOST_TITLES: usize = 12;

/// The tool and the catalog of its own that it stands in.
pub(super) fn of(project: &KnowledgeDeclaration, documents: &[KnowledgeDocument]) -> (CatalogDeclaration, OfferedTool) {
    let id = catalog_id(&project.project);
    let offered = OfferedTool {
        catalog: id.clone(),
        position: 1,
        format: Format::Mcp,
        name: Some(TOOL_NAME.to_owned()),
        title: Some(format!("Documents of {}", project.name)),
        description: Some(description(project, documents)),
        input_schema: Some(input_schema()),
        output_schema: Some(OUTPUT_SCHEMA.to_owned()),
        input_pointer: "/inputSchema".to_owned(),
        output_pointer: "/outputSchema".to_owned(),
        annotations: None,
        extras: BTreeMap::new(),
        meta: None,
        flaws: Vec::new(),
        place: project.place.clone(),
    };
    (catalog(id, project), offered)
}

/// A finding of intake about such a tool, with a remedy that names where its words are written.
pub fn reworded(finding: Finding) -> Finding {
    if !finding.tool.starts_with(CATALOG_PREFIX) || finding.code != codes::W_NO_EXAMPLES {
        return finding;
    }
    let remedy = "write `knowledge: { folders: […], examples: […] }` in its Project, with about eight questions";
    Finding { remedy: remedy.to_owned(), ..finding }
}

fn catalog(id: String, project: &KnowledgeDeclaration) -> CatalogDeclaration {
    let list = |words: &[&str]| Some(words.iter().map(|word| (*word).to_owned()).collect());
    let facts = WrittenFacts {
        source: Some(SourceKind::Knowledge),
        entity: Some("documents".to_owned()),
        operation: Some(Operation::Search),
        effect: Some(Effect::Read),
        risk: Some(Risk::Low),
        confirmation: Some(false),
        identity: list(&["path", "line"]),
        collection: Some("results".to_owned()),
        produces: list(&["documents"]),
        ..WrittenFacts::default()
    };
    let tool = ToolDeclaration {
        proposed_effect: None,
        facts,
        description: project.description.clone(),
        examples: project.examples.clone(),
        ..ToolDeclaration::default()
    };
    let tool = Located { value: tool, place: project.place.clone() };
    CatalogDeclaration {
        tenant: Some(project.project.tenant.clone()),
        tools: BTreeMap::from([(TOOL_NAME.to_owned(), tool)]),
        ..CatalogDeclaration::silent(&id, &project.place)
    }
}

fn description(project: &KnowledgeDeclaration, documents: &[KnowledgeDocument]) -> String {
    let titles: Vec<&str> = documents.iter().take(MOST_TITLES).map(|document| document.title.as_str()).collect();
    let more = match documents.len().saturating_sub(titles.len()) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    format!("Searches the written documents of {} and returns passages: {}{more}.", project.name, titles.join("; "))
}

fn input_schema() -> String {
    format!(
        r#"{{"type":"object","properties":{{"query":{{"type":"string","description":"What to look up, as a question or in keywords."}},"limit":{{"type":"integer","minimum":1,"maximum":{MOST_PASSAGES},"default":{USUAL_PASSAGES},"description":"Most passages to return."}}}},"required":["query"],"additionalProperties":false}}"#
    )
}

/// The shape of [`ambit_model::knowledge::Passage`]; a test holds one against it.
const OUTPUT_SCHEMA: &str = r#"{"type":"object","properties":{"results":{"type":"array","description":"The best passage first.","items":{"type":"object","properties":{"path":{"type":"string"},"title":{"type":"string"},"heading":{"type":"string"},"line":{"type":"integer"},"text":{"type":"string"},"score":{"type":"number"}},"required":["path","title","heading","line","text","score"]}}},"required":["results"]}"#;
