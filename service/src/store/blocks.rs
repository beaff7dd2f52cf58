//! Blocks of tools: at most one a tool, beside the snapshots and touched by no activation.
//! INVARIANT: a block comes and goes in the transaction of its entry in the audit.

use ambit_model::identity::ToolId;
use ambit_model::overlay::Block;
use sea_orm::sea_query::OnConflict;
use sea_orm::{EntityTrait as _, QueryOrder as _, Set};

use super::audit::NewAudit;
use super::entity::block::{ActiveModel, Column, Entity, Model};
use super::{Store, StoreError};

impl Store {
    /// Blocks a tool; a former block of it is replaced, and is the answer.
    pub async fn put_block(&self, block: &Block, audit: &NewAudit) -> Result<Option<Block>, StoreError> {
        let writing = self.write("block the tool").await?;
        let tool = block.tool.as_str();
        let former = Entity::find_by_id(tool).one(writing.transaction()).await.map_err(writing.failed())?;
        let replace = OnConflict::column(Column::Tool)
            .update_columns([Column::Reason, Column::Until, Column::At, Column::By])
            .to_owned();
        let insert = Entity::insert(row(block)).on_conflict(replace);
        insert.exec_without_returning(writing.transaction()).await.map_err(writing.failed())?;
        writing.add_audit(audit).await?;
        writing.commit().await?;
        former.map(read).transpose()
    }

    /// Takes a block away, and answers with it; where there is none nothing happens.
    pub async fn remove_block(&self, tool: &str, audit: &NewAudit) -> Result<Option<Block>, StoreError> {
        let writing = self.write("unblock the tool").await?;
        let found = Entity::find_by_id(tool).one(writing.transaction()).await.map_err(writing.failed())?;
        let Some(found) = found else { return Ok(None) };
        Entity::delete_by_id(tool).exec(writing.transaction()).await.map_err(writing.failed())?;
        writing.add_audit(audit).await?;
        writing.commit().await?;
        read(found).map(Some)
    }

    /// All of them, those that have ended too, by tool. Cheap enough to ask all the time.
    pub async fn blocks(&self) -> Result<Vec<Block>, StoreError> {
        self.present()?;
        let query = Entity::find().order_by_asc(Column::Tool);
        let rows = query.all(&self.database).await.map_err(self.failed("read the blocks"))?;
        rows.into_iter().map(read).collect()
    }
}

fn row(block: &Block) -> ActiveModel {
    let Block { tool, reason, until, at, by } = block.clone();
    let tool = tool.as_str().to_owned();
    ActiveModel { tool: Set(tool), reason: Set(reason), until: Set(until), at: Set(at), by: Set(by) }
}

fn read(row: Model) -> Result<Block, StoreError> {
    let Model { tool, reason, until, at, by } = row;
    let id = ToolId::parse(&tool);
    let tool = id.ok_or_else(|| StoreError::corrupt("a block", format!("`{tool}` is not the id of a tool")))?;
    Ok(Block { tool, reason, until, at, by })
}
