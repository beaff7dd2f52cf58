//! Blocks without a snapshot that holds their tools: what is blocked stays, is listed as such, and can be taken back.

use std::collections::BTreeMap;

use ambit_model::audit::{AuditOutcome, AuditPayload};
use ambit_model::codes;
use ambit_model::identity::ToolId;
use ambit_model::overlay::Block;
use ambit_service::blocks::{NewBlock, block_tool, list_blocks, unblock_tool};
use ambit_service::caller::Caller;
use ambit_service::embedder::ModelPlaces;
use ambit_service::live::Live;
use ambit_service::store::{NewAudit, Store};

fn entry() -> NewAudit {
    NewAudit {
        at: "2026-11-30T12:00:00Z".to_owned(),
        tenant: None,
        action: "block".to_owned(),
        outcome: AuditOutcome::Done,
        payload: AuditPayload {
            caller: "local:ann".to_owned(),
            principal: None,
            resource: "tool:crm/find".to_owned(),
            policies: Vec::new(),
            details: BTreeMap::new(),
        },
        salt: "5a17".to_owned(),
    }
}

#[tokio::test]
async fn a_block_outlives_its_tool() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    let live = Live::new(store.clone(), ModelPlaces::resolve(None, None));
    let ann = Caller::local("ann");
    let block = Block {
        tool: ToolId::new("crm", "find"),
        reason: "it answers too much".to_owned(),
        until: Some("2024-01-01T00:00:00Z".to_owned()),
        at: "2023-12-31T12:00:00Z".to_owned(),
        by: "local:ann".to_owned(),
    };
    store.put_block(&block, &entry()).await.unwrap();
    let listed = list_blocks(&ann, &live).await.unwrap();
    let told: Vec<_> = listed.iter().map(|block| (block.tool.as_str(), block.ended, block.in_snapshot)).collect();
    assert_eq!(told, [("crm/find", true, false)]);

    let again = NewBlock { tool: "crm/find".to_owned(), reason: "again".to_owned(), until: None };
    let refused = block_tool(&ann, &live, again).await.unwrap_err();
    assert_eq!(refused.code(), codes::E_NO_SNAPSHOT, "what is blocked anew is a tool of the live snapshot");
    assert_eq!(unblock_tool(&ann, &live, "crm/find", "done").await.unwrap(), block);
    assert_eq!(unblock_tool(&ann, &live, "crm/find", "done").await.unwrap_err().code(), codes::E_NOT_BLOCKED);
    assert_eq!(list_blocks(&ann, &live).await.unwrap(), []);
}
