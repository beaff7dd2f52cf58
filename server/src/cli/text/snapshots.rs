//! The list of snapshots, one snapshot, and what a rollback or a verification found.

use ambit_model::snapshot::{Snapshot, SnapshotRecord};
use ambit_service::rollback::RolledBack;
use ambit_service::snapshots::Listed;

/// Newest first; `*` marks the live one.
pub(in crate::cli) fn list(listed: &Listed) -> String {
    let mut text = String::from("  number  digest        tools  created               author            message\n");
    for record in &listed.records {
        let mark = if listed.live == Some(record.number) { '*' } else { ' ' };
        text.push_str(&format!(
            "{mark} {:<7} {:<13} {:<6} {:<21} {:<17} {}\n",
            record.number,
            record.digest.short(),
            record.tools,
            record.created_at,
            record.author,
            record.message.as_deref().unwrap_or("")
        ));
    }
    text.push_str("\nlive since  what      snapshot  by                reason\n");
    for activation in &listed.activations {
        text.push_str(&format!(
            "{}  {:<8}  {:<8}  {:<16}  {}\n",
            activation.at,
            format!("{:?}", activation.kind).to_lowercase(),
            activation.snapshot,
            activation.by,
            activation.reason.as_deref().unwrap_or("")
        ));
    }
    let next = "`ambit rollback NUMBER --reason …` makes an earlier one live";
    format!("{text}\n{}; {next}\n", counted(listed.records.len(), "snapshot"))
}

/// "1 tool", "2 tools".
pub(super) fn counted(count: usize, word: &str) -> String {
    if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") }
}

/// What a snapshot holds, and what intake reported.
pub(in crate::cli) fn show(record: &SnapshotRecord, snapshot: &Snapshot) -> String {
    let mut text = format!(
        "snapshot {}\n  digest        {}\n  source        {}\n  created       {} by {}\n",
        record.number, record.digest, record.source_digest, record.created_at, record.author
    );
    let mut line = |name: &str, value: String| text.push_str(&format!("  {name:<13} {value}\n"));
    record.parent.iter().for_each(|parent| line("parent", parent.to_string()));
    record.message.iter().for_each(|message| line("message", message.clone()));
    record.git_commit.iter().for_each(|commit| line("git commit", commit.clone()));
    line("model", snapshot.settings.embedding_model.clone());
    line(
        "projects",
        snapshot.projects.iter().map(|p| format!("{} ({})", p.id, p.ceiling)).collect::<Vec<_>>().join(", "),
    );
    line("policies", snapshot.policies.len().to_string());
    line("groups", snapshot.groups.iter().map(|g| g.id.as_str()).collect::<Vec<_>>().join(", "));
    if !snapshot.knowledge.is_empty() {
        line("documents", snapshot.knowledge.len().to_string());
    }
    line("tools", format!("{} in {} catalogs", snapshot.tools.len(), snapshot.catalogs.len()));
    for card in &snapshot.tools {
        let facts = &card.facts;
        text.push_str(&format!(
            "    {:<40} {:<8} {:<11} risk {}\n",
            card.id, facts.operation.value, facts.effect.value, facts.risk.value
        ));
    }
    for finding in &record.report.findings {
        let known = if finding.acknowledged { " (acknowledged)" } else { "" };
        text.push_str(&format!("  {} {} {}{known}\n", finding.code, finding.tool, finding.message));
    }
    format!("{text}\n`ambit verify {}` recomputes its digest from the stored parts\n", record.number)
}

/// What is live after a rollback.
pub(in crate::cli) fn rolled_back(done: &RolledBack) -> String {
    let changes: String = done.gained.iter().chain(&done.lost).map(|line| format!("{line}\n")).collect();
    format!(
        "{changes}snapshot {} ({}) is live again, {} no longer; the next `ambit apply` brings the workspace back, unless git takes it back too\n",
        done.to.number,
        done.to.digest.short(),
        done.from
    )
}

/// The stored parts are what was compiled.
pub(in crate::cli) fn verified(record: &SnapshotRecord, parts: usize) -> String {
    format!("snapshot {}: {parts} parts, {} is right\n", record.number, record.digest)
}
