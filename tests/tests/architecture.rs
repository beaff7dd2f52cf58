//! The map is true: no crate has an arrow that ARCHITECTURE.md does not draw, and every path it names exists.

#![expect(clippy::expect_used, reason = "a test that cannot read the repository has failed")]

use std::collections::BTreeMap;
use std::path::Path;

use ambit_tests::repository;
use cargo_metadata::{DependencyKind, MetadataCommand};

/// For each package, the packages of this repository that it may use.
const ARROWS: &[(&str, &[&str])] = &[
    ("ambit-model", &[]),
    ("ambit-engine", &["ambit-model"]),
    ("ambit-migrations", &[]),
    ("ambit-service", &["ambit-model", "ambit-engine", "ambit-migrations"]),
    ("ambit-app", &["ambit-model", "ambit-service"]),
    ("ambit-frontend", &["ambit-app"]),
    ("ambit-server", &["ambit-model", "ambit-service", "ambit-app"]),
    ("ambit-tests", &[]),
    ("ambit-xtask", &[]),
];

#[test]
fn crates_have_only_the_arrows_of_the_map() {
    let manifest = repository().join("Cargo.toml");
    let metadata = MetadataCommand::new().manifest_path(manifest).no_deps().exec().expect("cargo metadata");
    let allowed: BTreeMap<&str, &[&str]> = ARROWS.iter().copied().collect();
    for package in metadata.packages {
        let may = allowed.get(package.name.as_str()).unwrap_or_else(|| panic!("{} is not on the map", package.name));
        for dependency in package.dependencies.iter().filter(|d| d.name.starts_with("ambit-")) {
            let benchmark = package.name.as_str() == "ambit-tests" && dependency.kind == DependencyKind::Development;
            assert!(
                benchmark || may.contains(&dependency.name.as_str()),
                "{} must not depend on {}",
                package.name,
                dependency.name
            );
        }
    }
}

#[test]
fn the_model_and_the_engine_touch_nothing() {
    for folder in ["model/src", "engine/src"] {
        let sources = sources(&repository().join(folder));
        for (path, text) in sources.into_iter().filter(|(path, _)| !path.contains("/tests")) {
            for word in
                ["std::fs", "std::net", "std::env", "std::process", "SystemTime", "Instant", "tokio", "async fn"]
            {
                assert!(!text.contains(word), "{path} names `{word}`");
            }
        }
    }
}

#[test]
fn only_the_store_names_the_orm_and_only_print_prints() {
    for folder in ["service/src", "server/src"] {
        for (path, text) in sources(&repository().join(folder)) {
            assert!(path.contains("/store/") || !text.contains("sea_orm"), "{path} names the ORM");
            assert!(path.ends_with("cli/print.rs") || !text.contains("io::stdout()"), "{path} prints");
        }
    }
}

#[test]
fn every_path_of_the_map_exists() {
    let text = std::fs::read_to_string(repository().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let quoted = text.split('`').skip(1).step_by(2).filter(|quoted| quoted.contains('/') && !quoted.contains(' '));
    let missing: Vec<&str> = quoted.filter(|path| !repository().join(path).exists()).collect();
    assert!(missing.is_empty(), "ARCHITECTURE.md names paths that are gone: {missing:?}");
}

fn sources(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a source folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let relative = path.strip_prefix(repository()).expect("a path of this repository");
            found.push((
                relative.to_string_lossy().into_owned(),
                std::fs::read_to_string(&path).expect("a source file"),
            ));
        }
    }
    found
}
