//! What changes: the workspace against what is live, or two snapshots; for people, programs, and the comment of a pull request.

use ambit_model::diagnostic::Diagnostic;
use ambit_model::diff::{Alarm, Diff};
use ambit_service::diff::{Comparison, Proposal, diff_workspace, prove_snapshots};
use ambit_service::saved_diff::SavedDiff;
use ambit_service::snapshots::diff_snapshots;
use ambit_service::store::Store;
use anyhow::Context as _;
use serde_json::json;

use super::{CLEAN, Desk, FINDINGS, Said, text};
use crate::cli::arguments::{DiffArguments, Format};
use crate::cli::markdown;
use crate::cli::text::diff::{Detail, Report};

pub(super) async fn diff(desk: &Desk, asked: DiffArguments, format: Format) -> anyhow::Result<Said> {
    match asked.from {
        Some(from) => stored(desk, from, &asked, format).await,
        None => workspace(desk, &asked, format).await,
    }
}

async fn stored(desk: &Desk, from: i64, asked: &DiffArguments, format: Format) -> anyhow::Result<Said> {
    let live = desk.live().await?;
    let compared = diff_snapshots(&desk.caller, &live, Some(from), asked.to).await?;
    let comparison = Comparison::from(compared);
    let stopped = stopped(&comparison.diff, asked);
    let proof = if asked.prove { Some(prove_snapshots(&desk.caller, &live, from, asked.to).await?) } else { None };
    let (comparison, stopped) = (&comparison, &stopped);
    let report = Report { comparison, problems: &[], refusals: &[], stopped, saved: None, proof: proof.as_ref() };
    Ok(said(&report, asked, format, crate::json::diff(comparison)))
}

async fn workspace(desk: &Desk, asked: &DiffArguments, format: Format) -> anyhow::Result<Said> {
    let store = Store::open(&desk.data).await.map_err(ambit_service::Error::from)?;
    let proposal = diff_workspace(&desk.caller, &desk.workspace, &store, &desk.places, asked.prove).await?;
    store.close().await.map_err(ambit_service::Error::from)?;
    let Proposal { checked, comparison, refusals, proof } = proposal;
    let Some(comparison) = comparison else {
        return Ok(uncompiled(&checked.diagnostics, format));
    };
    if let (Some(file), Some(saved)) = (&asked.out, SavedDiff::of(&comparison)) {
        saved.write(file).with_context(|| format!("cannot write `{}`", file.display()))?;
    }
    let stopped = stopped(&comparison.diff, asked);
    let problems = &checked.diagnostics;
    let saved = asked.out.as_ref().map(|file| file.display().to_string());
    let report = Report {
        comparison: &comparison,
        problems,
        refusals: &refusals,
        stopped: &stopped,
        saved: saved.as_deref(),
        proof: proof.as_ref(),
    };
    let mut json = crate::json::diff(&comparison);
    if let Some(object) = json.as_object_mut() {
        object.insert("diagnostics".to_owned(), json!(problems));
        object.insert("refusals".to_owned(), json!(refusals));
    }
    Ok(said(&report, asked, format, json))
}

/// What `--fail-on` names and the diff holds.
fn stopped(diff: &Diff, asked: &DiffArguments) -> Vec<Alarm> {
    let named: Vec<Alarm> = asked.fail_on.iter().copied().map(Into::into).collect();
    diff.alarms().into_iter().filter(|alarm| named.contains(alarm)).collect()
}

fn said(report: &Report<'_>, asked: &DiffArguments, format: Format, mut json: serde_json::Value) -> Said {
    if let Some(object) = json.as_object_mut().filter(|_| !asked.fail_on.is_empty()) {
        object.insert("stopped_by".to_owned(), json!(report.stopped));
    }
    if let (Some(object), Some(proof)) = (json.as_object_mut(), report.proof) {
        object.insert("proof".to_owned(), json!(proof));
    }
    let detail = if asked.full { Detail::Full } else { Detail::Short };
    let differs = asked.exit_code && !report.comparison.diff.is_empty();
    let text =
        if format == Format::Markdown { markdown::diff::comment(report) } else { text::diff::diff(report, detail) };
    Said { text, json, code: if differs || !report.stopped.is_empty() { FINDINGS } else { CLEAN } }
}

/// Errors of the workspace are findings: there is nothing to compare.
fn uncompiled(problems: &[Diagnostic], format: Format) -> Said {
    let text = if format == Format::Markdown {
        markdown::diff::uncompiled(problems)
    } else {
        text::diff::uncompiled(problems)
    };
    Said { text, json: json!({ "diff": null, "diagnostics": problems }), code: FINDINGS }
}
