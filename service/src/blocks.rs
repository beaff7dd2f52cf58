//! Blocking a tool: nobody is offered it or calls it any more, at once and in every snapshot, until it is unblocked or its time comes.
//! INVARIANT: a block only takes away, so it needs no look at who gains; who blocks and unblocks is in the audit.

use std::collections::BTreeSet;

use ambit_engine::nearest::did_you_mean;
use ambit_model::administration::AdminAction;
use ambit_model::audit::{AuditOutcome, WORKSPACE};
use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;
use ambit_model::identity::ToolId;
use ambit_model::overlay::{Block, ListedBlock};

use crate::administration::{denied, narrowed, permit, reach};
use crate::audit::{self, Act};
use crate::caller::Caller;
use crate::live::Live;
use crate::loaded::Loaded;
use crate::named;
use crate::reason::check as check_reason;
use crate::store::NewAudit;
use crate::{Error, clock};

/// Longest id that is looked for, in bytes: no tool's is as long.
const LONGEST: usize = 1_000;

/// What shall be blocked, as somebody wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewBlock {
    /// A tool of the live snapshot.
    pub tool: String,
    pub reason: String,
    /// `2h`, `1d`, or a time of RFC 3339; absent: until it is unblocked.
    pub until: Option<String>,
}

/// A tool that was blocked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocked {
    pub block: Block,
    /// The block in force that this one stands in place of.
    pub replaced: Option<Block>,
}

/// Blocks a tool; a later block of the same tool replaces the earlier one.
pub async fn block_tool(caller: &Caller, live: &Live, new: NewBlock) -> Result<Blocked, Error> {
    let policies = permitted(caller, live).await?;
    check_reason(&new.reason)?;
    let until = new.until.as_deref().map(clock::ahead).transpose().map_err(Error::Request)?;
    let tool = tool_of(caller, &*live.current().await?, written(&new.tool)?)?;
    let block = Block { tool, reason: new.reason, until, at: clock::now(), by: caller.label() };
    let mut details = vec![("reason", block.reason.clone())];
    details.extend(block.until.clone().map(|at| ("until", at)));
    let entry = entry(caller, "block", block.tool.as_str(), &policies, &details)?;
    let replaced = live.store().put_block(&block, &entry).await?;
    tracing::info!(tool = block.tool.as_str(), until = block.until, by = block.by, "a tool is blocked");
    let replaced = replaced.filter(|former| former.holds(&block.at));
    Ok(Blocked { block, replaced })
}

/// Takes a block back, also one that has ended or whose tool the live snapshot lacks; the answer is what it was.
pub async fn unblock_tool(caller: &Caller, live: &Live, tool: &str, reason: &str) -> Result<Block, Error> {
    let policies = permitted(caller, live).await?;
    check_reason(reason)?;
    let tool = written(tool)?;
    let entry = entry(caller, "unblock", tool, &policies, &[("reason", reason.to_owned())])?;
    match live.store().remove_block(tool, &entry).await? {
        Some(block) => {
            tracing::info!(tool, by = caller.label(), "a tool is unblocked");
            Ok(block)
        }
        None => Err(not_blocked(tool, &live.store().blocks().await?)),
    }
}

/// The blocks of the tools that this caller may read about, by tool; those that have ended too.
pub async fn list_blocks(caller: &Caller, live: &Live) -> Result<Vec<ListedBlock>, Error> {
    let reach = reach(caller, live, AdminAction::ReadSnapshot).await?;
    let blocks = live.store().blocks().await?;
    let loaded = live.current_if_any().await?;
    let known = loaded.iter().flat_map(|loaded| &loaded.snapshot.tools).map(|card| &card.id);
    let known: BTreeSet<&ToolId> = known.collect();
    let now = clock::now();
    let rows = blocks.into_iter().map(|block| listed(block, &known, &now));
    match (&reach.tenant, &loaded) {
        _ if reach.everything => Ok(rows.collect()),
        (Some(tenant), Some(loaded)) => {
            let ownership = live.ownership(&loaded.record).await?;
            let catalogs = ownership.in_sight(tenant);
            let in_sight = rows.filter(|block| catalogs.contains(block.tool.catalog()));
            Ok(in_sight.map(without_words).collect())
        }
        _ => Err(denied(caller, live, AdminAction::ReadSnapshot, WORKSPACE, &reach.policies).await),
    }
}

/// Whoever may go back to an earlier snapshot may take one tool away: both are for who is on call, and about everybody.
async fn permitted(caller: &Caller, live: &Live) -> Result<Vec<String>, Error> {
    permit(caller, live, AdminAction::Rollback).await.map_err(|error| match error {
        Error::Forbidden { .. } => Error::Forbidden { what: "block or unblock tools, which needs `rollback`" },
        other => other,
    })
}

fn written(tool: &str) -> Result<&str, Error> {
    let tool = tool.trim();
    if tool.len() <= LONGEST {
        return Ok(tool);
    }
    let message = format!("the id of a tool has {} bytes, and none is longer than {LONGEST}", tool.len());
    Err(Error::Request(Box::new(Diagnostic::error(codes::E_VALUE, message).help("write its id, `catalog/tool`"))))
}

/// The nearest name is for whoever may read all names.
fn tool_of(caller: &Caller, loaded: &Loaded, written: &str) -> Result<ToolId, Error> {
    named::tool(&loaded.snapshot, written).map_err(|unknown| {
        if narrowed(caller, loaded, AdminAction::ReadSnapshot).everything {
            return unknown;
        }
        let message = format!("no tool `{written}` is in the live snapshot");
        let help = "write its id, `catalog/tool`";
        Error::Request(Box::new(Diagnostic::error(codes::E_UNRESOLVED, message).help(help)))
    })
}

fn entry(
    caller: &Caller,
    action: &str,
    tool: &str,
    policies: &[String],
    details: &[(&str, String)],
) -> Result<NewAudit, Error> {
    let resource = format!("tool:{tool}");
    audit::entry(caller, AuditOutcome::Done, &Act { action, tenant: None, resource: &resource, policies, details })
}

fn not_blocked(tool: &str, blocks: &[Block]) -> Error {
    let nearest = did_you_mean(tool, blocks.iter().map(|block| block.tool.as_str()));
    let help = nearest.unwrap_or_else(|| "`ambit blocks` lists the tools that are".to_owned());
    let message = format!("`{tool}` is not blocked");
    Error::Request(Box::new(Diagnostic::error(codes::E_NOT_BLOCKED, message).help(help)))
}

fn listed(block: Block, known: &BTreeSet<&ToolId>, now: &str) -> ListedBlock {
    let (ended, in_snapshot) = (!block.holds(now), known.contains(&block.tool));
    let Block { tool, reason, until, at, by } = block;
    ListedBlock { tool, reason: Some(reason), until, at, by, ended, in_snapshot }
}

/// A block is an act upon the whole workspace: who did it and why may tell a tenant's reader of others.
fn without_words(block: ListedBlock) -> ListedBlock {
    ListedBlock { reason: None, by: WORKSPACE.to_owned(), ..block }
}
