//! Rows of pages, made of what is stored.

use ambit_model::overlay::ListedBlock;
use ambit_model::snapshot::{Activation, ActivationKind, SnapshotRecord};
use ambit_service::clock;

use crate::data::{ActivationRow, BlockRow, Moment, SnapshotRow};

pub(super) fn moment(at: &str) -> Moment {
    Moment { at: at.to_owned(), ago: clock::ago(at) }
}

pub(super) fn snapshot(record: &SnapshotRecord, live: Option<i64>) -> SnapshotRow {
    SnapshotRow {
        number: record.number,
        live: live == Some(record.number),
        digest: record.digest.as_str().to_owned(),
        short: record.digest.short(),
        parent: record.parent,
        created: moment(&record.created_at),
        author: record.author.clone(),
        message: record.message.clone(),
        commit: record.git_commit.clone(),
        tools: record.tools,
        refused: record.report.rejected(),
    }
}

pub(super) fn activation(activation: &Activation) -> ActivationRow {
    let kind = match activation.kind {
        ActivationKind::Apply => "apply",
        ActivationKind::Rollback => "rollback",
    };
    ActivationRow {
        sequence: activation.sequence,
        snapshot: activation.snapshot,
        kind: kind.to_owned(),
        at: moment(&activation.at),
        by: activation.by.clone(),
        reason: activation.reason.clone(),
    }
}

pub(super) fn block(block: ListedBlock) -> BlockRow {
    let ListedBlock { tool, reason, until, at, by, ended, in_snapshot } = block;
    let until = match until {
        None => "until it is unblocked".to_owned(),
        Some(end) if ended => format!("ended {end}"),
        Some(end) => format!("until {end}"),
    };
    let until = if in_snapshot { until } else { format!("{until}; not in the live snapshot") };
    BlockRow { tool: tool.to_string(), reason, until, ended, at: moment(&at), by }
}
