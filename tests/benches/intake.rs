//! Intake against public catalogs: the share of each that is admitted, and every refusal, to be read by a person.
//! The data stays outside the repository: `AMBIT_BENCH`, else `../shared/bench`; without it this says so and ends.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and has nothing to say where its set-up fails"
)]

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use ambit_engine::compile;
use ambit_engine::source::SourceTree;
use ambit_model::codes;
use ambit_model::diagnostic::Severity;
use ambit_model::intake::IntakeReport;
use ambit_tests::repository;

/// Share of the tools of each catalog that has to be admitted, in percent.
const LEAST: f64 = 95.0;

/// One project over one catalog, about which nothing is declared.
const WORKSPACE: &str = "\
kind: Workspace
name: intake
---
kind: Tenant
id: acme
name: Acme
---
kind: Project
id: all
tenant: acme
name: All
catalogs: [set]
---
kind: Catalog
id: set
file: set.json
";

fn main() -> ExitCode {
    let folder = std::env::var_os("AMBIT_BENCH").map_or_else(|| repository().join("../shared/bench"), PathBuf::from);
    let Ok(entries) = std::fs::read_dir(&folder) else {
        println!("intake of public catalogs: not here, there is no data at {}", folder.display());
        return ExitCode::SUCCESS;
    };
    let mut sets: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.join("catalog.json").exists()).collect();
    sets.sort();
    println!("{:<24} {:>7} {:>9} {:>8} {:>8} {:>8} {:>7}", "set", "offered", "admitted", "%", "orders", "alike", "ms");
    let shares: Vec<f64> = sets.iter().map(|set| measure(set)).collect();
    if shares.iter().all(|share| *share >= LEAST) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Prints a line and the refusals of one set; its share.
fn measure(set: &Path) -> f64 {
    let mut tree = SourceTree::default();
    tree.insert("workspace.yaml", WORKSPACE);
    tree.insert("set.json", std::fs::read_to_string(set.join("catalog.json")).expect("a catalog"));
    let started = Instant::now();
    let compiled = compile::prepare(&tree).finish_without_retrieval("2026-06-01").expect("a compile");
    let took = started.elapsed().as_millis();
    let report = compiled.report;
    let share = 100.0 * report.accepted.len() as f64 / report.offered.max(1) as f64;
    let orders = report.findings.iter().filter(|finding| finding.code == codes::W_INSTRUCTION).count();
    let name = set.file_name().unwrap_or_default().to_string_lossy();
    let (offered, admitted, alike) = (report.offered, report.accepted.len(), report.likenesses.len());
    println!("{name:<24} {offered:>7} {admitted:>9} {share:>8.2} {orders:>8} {alike:>8} {took:>7}");
    print_refusals(&report);
    share
}

fn print_refusals(report: &IntakeReport) {
    for finding in report.findings.iter().filter(|finding| finding.severity == Severity::Error) {
        println!("  {} {} {}: {}", finding.tool, finding.code, finding.pointer, finding.message);
    }
}
