//! Blocks: one a tool, each with its entry in the audit, and out of the way of activations.

use ambit_model::identity::ToolId;
use ambit_model::overlay::Block;

use super::super::{AuditReach, NewAudit, Store, StoreError};
use super::{Home, Tested, audit, rollback, snapshot};

on_both![a_later_block_of_a_tool_replaces_the_earlier_one, blocks_stay_when_another_snapshot_becomes_live];

fn block(tool: &str, reason: &str, until: Option<&str>) -> Block {
    Block {
        tool: ToolId::new("crm", tool),
        reason: reason.to_owned(),
        until: until.map(str::to_owned),
        at: "2026-11-30T12:00:00Z".to_owned(),
        by: "local:ann".to_owned(),
    }
}

fn act(action: &str) -> NewAudit {
    NewAudit { action: action.to_owned(), ..audit() }
}

/// The actions of the audit, oldest first.
async fn acts(store: &Store) -> Result<Vec<String>, StoreError> {
    let entries = store.audit(&AuditReach::Everything, None, 100).await?;
    Ok(entries.into_iter().rev().map(|entry| entry.action).collect())
}

async fn a_later_block_of_a_tool_replaces_the_earlier_one(home: &Home) -> Tested {
    let store = home.store().await?;
    let (first, second) = (block("find", "one", None), block("find", "two", Some("2026-12-01T00:00:00Z")));
    let other = block("a list/with a slash", "naïve 😀", None);
    assert_eq!(store.put_block(&first, &act("block")).await?, None);
    assert_eq!(store.put_block(&second, &act("block")).await?, Some(first));
    assert_eq!(store.put_block(&other, &act("block")).await?, None);
    assert_eq!(store.blocks().await?, [other, second.clone()]);
    assert_eq!(store.remove_block("crm/find", &act("unblock")).await?, Some(second));
    assert_eq!(store.remove_block("crm/find", &act("unblock")).await?, None);
    assert_eq!(store.blocks().await?.len(), 1);
    assert_eq!(acts(&store).await?, ["block", "block", "block", "unblock"], "what did not happen is no entry");
    Ok(())
}

async fn blocks_stay_when_another_snapshot_becomes_live(home: &Home) -> Tested {
    let (store, other) = (home.store().await?, home.store().await?);
    store.publish(snapshot(&["one"]), None, audit()).await?;
    store.put_block(&block("find", "one", None), &act("block")).await?;
    other.publish(snapshot(&["two"]), Some(1), audit()).await?;
    assert_eq!(other.blocks().await?, store.blocks().await?);
    other.activate(rollback(1), Some(2), &audit()).await?;
    assert_eq!(store.blocks().await?, [block("find", "one", None)]);
    Ok(())
}
