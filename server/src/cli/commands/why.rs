//! Why a tool is allowed or denied.

use ambit_service::why;

use super::{CLEAN, Desk, FINDINGS, Said, text, wanted};
use crate::cli::arguments::WhyArguments;

pub(super) async fn explain(desk: &Desk, asked: WhyArguments) -> anyhow::Result<Said> {
    let live = desk.live().await?;
    let (wanted, action) = (wanted(asked.asker), asked.action.into());
    let why = why::explain_decision(&desk.caller, &live, &wanted, &asked.tool, action).await?;
    let code = if why.explained.allow { CLEAN } else { FINDINGS };
    Ok(Said { text: text::why::why(&why), json: serde_json::to_value(&why)?, code })
}
