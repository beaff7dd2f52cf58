//! What a principal may use: the tools of its view, a question routed, a plan checked.

use ambit_model::plan::VerdictWord;
use ambit_model::route::{Ambiguity, RouteRequest};
use ambit_service::plan::{self, Proposed};
use ambit_service::{route, tools};

use super::{CLEAN, Desk, FINDINGS, Said, print, text, wanted};
use crate::cli::arguments::{AskedQuestion, PlanCommand, ToolForm, WhoAsks};

pub(super) async fn route(desk: &Desk, asked: AskedQuestion) -> anyhow::Result<Said> {
    let ambiguity = if asked.strict { Ambiguity::Strict } else { Ambiguity::Advisory };
    let request = RouteRequest { question: asked.question, context: Default::default(), ambiguity, k: asked.k };
    let live = desk.live().await?;
    let wanted = wanted(asked.asker);
    let routed = if asked.local {
        route::route_locally(&desk.caller, &live, &wanted, &request).await?
    } else {
        route::route_question(&desk.caller, &live, &wanted, &request).await?
    };
    live.flush().await?;
    let said = text::route::answer(&routed, asked.explain);
    let answer = route::in_format(routed.answer, asked.tools_as.unwrap_or_default().into());
    Ok(Said { text: said, json: serde_json::to_value(&answer)?, code: CLEAN })
}

pub(super) async fn tools(desk: &Desk, asker: WhoAsks, tools_as: Option<ToolForm>) -> anyhow::Result<Said> {
    let live = desk.live().await?;
    let list = tools::list_tools(&desk.caller, &live, &wanted(asker), tools_as.map(Into::into)).await?;
    Ok(Said { text: text::tools::list(&list), json: serde_json::to_value(&list)?, code: CLEAN })
}

pub(super) async fn plan(desk: &Desk, PlanCommand::Validate { file, asker }: PlanCommand) -> anyhow::Result<Said> {
    let plan = Proposed { name: file.display().to_string(), text: print::read(&file)? };
    let live = desk.live().await?;
    let verdict = plan::validate_plan(&desk.caller, &live, &wanted(asker), &plan).await?;
    let code = if verdict.verdict == VerdictWord::Accepted { CLEAN } else { FINDINGS };
    Ok(Said { text: text::verdict::verdict(&verdict), json: serde_json::to_value(&verdict)?, code })
}
