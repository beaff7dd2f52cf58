//! Where a repair of a clash would be written: the places of the Catalogs of both tools, and of what those say of them.

use std::collections::BTreeMap;

use ambit_model::diagnostic::Place;
use ambit_model::identity::ToolId;
use ambit_model::intake::Clash;
use ambit_model::repair::WrittenAt;

use crate::resolve::declarations::CatalogDeclaration;

/// Of the tools of these clashes and their Catalogs, those that stand in a file.
pub(super) fn of(catalogs: &[CatalogDeclaration], clashes: &[Clash]) -> BTreeMap<String, WrittenAt> {
    let by_id: BTreeMap<&str, &CatalogDeclaration> = catalogs.iter().map(|one| (one.id.value.as_str(), one)).collect();
    let tools = clashes.iter().flat_map(|clash| [&clash.tool, &clash.rival]).filter_map(|tool| ToolId::parse(tool));
    let mut written = BTreeMap::new();
    for tool in tools {
        let Some(catalog) = by_id.get(tool.catalog()) else { continue };
        let mut add = |name: &str, place: &Place| {
            if !place.file.is_empty() {
                written.insert(name.to_owned(), WrittenAt { file: place.file.clone(), line: place.line });
            }
        };
        add(tool.catalog(), &catalog.id.place);
        if let Some(declared) = catalog.tools.get(tool.name()) {
            add(tool.as_str(), &declared.place);
        }
    }
    written
}
