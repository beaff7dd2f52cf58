//! What `ambit check` found as SARIF, for code scanning: a rule for each code, a result for each diagnostic.
//! Acknowledged findings are results too, suppressed. The form is SARIF 2.1.0 (OASIS, 2020).

use std::collections::BTreeMap;
use std::path::Path;

use ambit_model::codes::{CodeEntry, TABLE};
use ambit_model::diagnostic::{Diagnostic, Place, Severity};
use ambit_model::intake::Finding;
use ambit_service::check::Checked;
use serde_json::json;
use serde_sarif::sarif::{
    ArtifactLocation, Invocation, Location, Message, MultiformatMessageString, Notification, PhysicalLocation, Region,
    ReportingConfiguration, ReportingDescriptor, Result as Finished, ResultLevel, Run, RunAutomationDetails, Sarif,
    Suppression, ToolComponent,
};

use super::pages::Page;

/// The schema of the form, as its standard names it.
const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// The name of the workspace's root in every location; the one that code scanning takes for the root of the repository.
const ROOT: &str = "%SRCROOT%";

/// The whole log of one check that ended with this exit code.
pub(super) fn log(checked: &Checked, code: u8) -> serde_json::Result<serde_json::Value> {
    let rules: Vec<&CodeEntry> = rules(checked);
    let acknowledged = checked.compiled.report.findings.iter().filter(|finding| finding.acknowledged);
    let results = checked.diagnostics.iter().map(|diagnostic| result(diagnostic, &rules));
    let results: Vec<Finished> = results.chain(acknowledged.map(|finding| suppressed(finding, &rules))).collect();
    let driver = ToolComponent::builder()
        .name("ambit")
        .version(env!("CARGO_PKG_VERSION"))
        .semantic_version(env!("CARGO_PKG_VERSION"))
        .short_description(text("A compiler for the authority of LLM agents."))
        .rules(rules.into_iter().map(rule).collect::<Vec<_>>())
        .build();
    let run = Run::builder()
        .tool(driver)
        .automation_details(RunAutomationDetails::builder().id("ambit/check/").build())
        .original_uri_base_ids(root(&checked.root))
        .column_kind(json!("unicodeCodePoints"))
        .invocations(vec![invocation(checked, code)])
        .results(results)
        .build();
    let log = Sarif::builder().schema(SCHEMA).version(json!("2.1.0")).runs(vec![run]).build();
    serde_json::to_value(log)
}

/// The codes that compiling reports, and whatever else was reported.
fn rules(checked: &Checked) -> Vec<&'static CodeEntry> {
    let occurs = |code: &str| checked.diagnostics.iter().any(|diagnostic| diagnostic.code == code);
    TABLE.iter().filter(|entry| entry.is_of_compiling() || occurs(entry.code)).collect()
}

fn rule(entry: &CodeEntry) -> ReportingDescriptor {
    let page = Page::of(entry);
    let level = match page.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let help = MultiformatMessageString::builder().text(page.text).markdown(page.text).build();
    ReportingDescriptor::builder()
        .id(entry.code)
        .short_description(text(entry.meaning))
        .full_description(text(&page.first_paragraph()))
        .help(help)
        .help_uri(page.address())
        .default_configuration(ReportingConfiguration::builder().level(json!(level)).build())
        .build()
}

fn result(diagnostic: &Diagnostic, rules: &[&CodeEntry]) -> Finished {
    let related = diagnostic.related.iter().zip(1..).map(|(related, id)| Location {
        id: Some(id),
        message: Some(message(&related.message)),
        ..location(&related.place)
    });
    let related: Vec<Location> = related.collect();
    Finished {
        rule_id: Some(diagnostic.code.to_string()),
        rule_index: index(&diagnostic.code, rules),
        level: Some(level(diagnostic.severity)),
        locations: diagnostic.place.as_ref().map(|place| vec![location(place)]),
        related_locations: (!related.is_empty()).then_some(related),
        ..Finished::builder().message(with_help(&diagnostic.message, diagnostic.help.as_deref())).build()
    }
}

/// The Catalog, a document beside the catalog's file, says that it is known.
fn suppressed(finding: &Finding, rules: &[&CodeEntry]) -> Finished {
    let told = format!("`{}`: {}", finding.tool, finding.message);
    Finished {
        rule_id: Some(finding.code.to_string()),
        rule_index: index(&finding.code, rules),
        level: Some(level(finding.severity)),
        locations: finding.place.as_ref().map(|place| vec![location(place)]),
        suppressions: Some(vec![Suppression::builder().kind(json!("external")).status(json!("accepted")).build()]),
        ..Finished::builder().message(with_help(&told, Some(&finding.remedy))).build()
    }
}

fn index(code: &str, rules: &[&CodeEntry]) -> Option<i64> {
    rules.iter().position(|entry| entry.code == code).and_then(|index| i64::try_from(index).ok())
}

fn level(severity: Severity) -> ResultLevel {
    match severity {
        Severity::Error => ResultLevel::Error,
        Severity::Warning => ResultLevel::Warning,
        Severity::Note => ResultLevel::Note,
    }
}

fn invocation(checked: &Checked, code: u8) -> Invocation {
    let skipped = checked.skipped.iter().map(|skipped| {
        let told = format!("not looked at, for want of a model: {}", skipped.words());
        Notification::builder().message(message(&told)).level(json!("note")).build()
    });
    Invocation::builder()
        .execution_successful(true)
        .exit_code(i64::from(code))
        .tool_execution_notifications(skipped.collect::<Vec<_>>())
        .build()
}

/// Columns are characters, and the last one is the first that is not underlined.
fn location(place: &Place) -> Location {
    let artifact = ArtifactLocation::builder().uri(encoded(&place.file)).uri_base_id(ROOT).build();
    let region = Region::builder()
        .start_line(i64::from(place.line))
        .start_column(i64::from(place.column))
        .end_column(i64::from(place.column) + i64::from(place.length))
        .build();
    Location::builder()
        .physical_location(PhysicalLocation::builder().artifact_location(artifact).region(region).build())
        .build()
}

fn root(root: &Path) -> BTreeMap<String, ArtifactLocation> {
    let uri = format!("file://{}/", encoded(&root.to_string_lossy()).trim_end_matches('/'));
    let described = ArtifactLocation::builder().uri(uri).description(message("the workspace's root")).build();
    BTreeMap::from([(ROOT.to_owned(), described)])
}

/// A path as part of a URI: all but unreserved characters and slashes is percent-encoded (RFC 3986, 2).
fn encoded(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}

fn with_help(told: &str, help: Option<&str>) -> Message {
    match help {
        Some(help) => message(&format!("{told}\nhelp: {help}")),
        None => message(told),
    }
}

fn message(told: &str) -> Message {
    Message::builder().text(told).build()
}

fn text(told: &str) -> MultiformatMessageString {
    MultiformatMessageString::builder().text(told).build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_a_part_of_a_uri() {
        for (path, expected) in [("policies/a.yaml", "policies/a.yaml"), ("a b/ü#?.yaml", "a%20b/%C3%BC%23%3F.yaml")] {
            assert_eq!(encoded(path), expected);
        }
    }
}
