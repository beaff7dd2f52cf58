//! Testing the workspace.

use ambit_model::diagnostic::{Diagnostic, Severity};
use ambit_service::store::Store;
use ambit_service::testing::{self, Routes};
use serde_json::json;

use super::{CLEAN, Desk, FINDINGS, Said, text};

pub(super) async fn test(desk: &Desk, no_routes: bool, strict: bool) -> anyhow::Result<Said> {
    let store = Store::open(&desk.data).await.map_err(ambit_service::Error::from)?;
    let tested = testing::test_workspace(&desk.caller, &desk.workspace, &store, &desk.places, !no_routes).await?;
    store.close().await.map_err(ambit_service::Error::from)?;
    let (routes, left_out) = match tested.routes {
        Routes::Asked => ("asked", 0),
        Routes::LeftOut(count) => ("left_out", count),
        Routes::NotCompiled(count) => ("not_compiled", count),
    };
    let diagnostics = &tested.checked.diagnostics;
    let json = json!({
        "tests": tested.outcomes,
        "passed": tested.outcomes.iter().filter(|outcome| outcome.passed).count(),
        "failed": tested.outcomes.iter().filter(|outcome| !outcome.passed).count(),
        "routes": routes,
        "routes_not_asked": left_out,
        "unreached": tested.unreached().collect::<Vec<_>>(),
        "policies": tested.checked.compiled.policies.policies,
        "diagnostics": diagnostics,
    });
    let warned = diagnostics.iter().any(|d| d.severity == Severity::Warning) || tested.unreached().next().is_some();
    let clean = tested.passed() && !diagnostics.iter().any(Diagnostic::is_error) && !(strict && warned);
    Ok(Said { text: text::testing::report(&tested), json, code: if clean { CLEAN } else { FINDINGS } })
}
