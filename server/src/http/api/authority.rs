//! Who may what, and why: for whoever may read snapshots.

use ambit_model::declaration::Action;
use ambit_model::explain::Why;
use ambit_model::listed::{PrincipalList, ToolList};
use ambit_model::policies::PolicyList;
use ambit_model::route::FormattedDefinition;
use ambit_service::caller::Wanted;
use ambit_service::{policies as written, principals as declared, why as explaining};
use axum::extract::State;
use serde::Deserialize;

use super::Answer;
use crate::http::Shared;
use crate::http::extract::{Administrator, Nothing, Query};
use crate::http::refusal::Refusal;

/// Who is asked about.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct About {
    r#as: String,
    r#for: Option<String>,
    project: Option<String>,
}

/// The same, and which decision.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Question {
    r#as: String,
    r#for: Option<String>,
    project: Option<String>,
    tool: String,
    #[serde(default = "invoke")]
    action: Action,
}

fn invoke() -> Action {
    Action::Invoke
}

pub(super) async fn why(
    State(shared): State<Shared>,
    Administrator(caller): Administrator,
    Query(asked): Query<Question>,
) -> Result<Answer<Why>, Refusal> {
    let wanted = Wanted { principal: Some(asked.r#as), acting_for: asked.r#for, project: asked.project };
    let why = explaining::explain_decision(&caller, &shared.live, &wanted, &asked.tool, asked.action).await?;
    Ok(Answer::new(Some(why.snapshot.number), why))
}

pub(super) async fn view(
    State(shared): State<Shared>,
    Administrator(caller): Administrator,
    Query(about): Query<About>,
) -> Result<Answer<ToolList<FormattedDefinition>>, Refusal> {
    let wanted = Wanted { principal: Some(about.r#as), acting_for: about.r#for, project: about.project };
    let view = declared::read_view(&caller, &shared.live, &wanted).await?;
    Ok(Answer::new(Some(view.snapshot.number), view))
}

pub(super) async fn principals(
    State(shared): State<Shared>,
    Administrator(caller): Administrator,
    _: Query<Nothing>,
) -> Result<Answer<PrincipalList>, Refusal> {
    let list = declared::list_principals(&caller, &shared.live).await?;
    Ok(Answer::new(Some(list.snapshot.number), list))
}

pub(super) async fn policies(
    State(shared): State<Shared>,
    Administrator(caller): Administrator,
    _: Query<Nothing>,
) -> Result<Answer<PolicyList>, Refusal> {
    let list = written::list_policies(&caller, &shared.live).await?;
    Ok(Answer::new(Some(list.snapshot.number), list))
}
