//! The Route page: for whom, in which project, and an answer where something was asked.

use ambit_model::codes::{E_FORBIDDEN, E_PRINCIPAL, E_PROJECT, E_QUESTION, E_REQUEST, E_VALUE};
use ambit_model::declaration::Weights;
use ambit_model::route::{Ambiguity, MOST_TOOLS, RouteRequest};
use ambit_service::caller::Wanted;
use ambit_service::route::{Found, Routed, try_question};

use super::{given, noted, refuse, signed_in};
use crate::data::{Answer, Asker, RoutePage, RoutedPage};
use crate::problem::Problem;

/// Example questions on the page.
const EXAMPLES: usize = 6;
/// What lies in the question, the project or the user to act for: the form stays, and something else can be asked.
const ASKED_WRONG: [&str; 6] = [E_FORBIDDEN, E_PRINCIPAL, E_PROJECT, E_QUESTION, E_REQUEST, E_VALUE];

pub(crate) async fn route(
    question: String,
    strict: bool,
    project: &str,
    acting_for: &str,
) -> Result<RoutePage, Problem> {
    let (live, caller) = signed_in()?;
    let wanted = Wanted { principal: None, acting_for: given(acting_for), project: given(project) };
    let ambiguity = if strict { Ambiguity::Strict } else { Ambiguity::Advisory };
    let asked = !question.trim().is_empty();
    let request = asked.then_some(RouteRequest { question, context: Default::default(), ambiguity, k: MOST_TOOLS });
    let tried = try_question(&caller, &live, wanted, request.as_ref()).await.map_err(|e| refuse(&e))?;
    let projects = tried.projects.iter().map(ToString::to_string).collect();
    match tried.found {
        Ok(found) => page(found, projects).map_err(|e| refuse(&e.into())),
        Err(error) if ASKED_WRONG.contains(&error.code()) => {
            let refused = Some(noted(&error));
            Ok(RoutePage { projects, asker: None, refused, answer: None, examples: Vec::new() })
        }
        Err(error) => Err(refuse(&error)),
    }
}

fn page(found: Found, projects: Vec<String>) -> Result<RoutePage, serde_json::Error> {
    let asker = Asker {
        principal: found.asker.principal.to_string(),
        acting_for: found.asker.acting_for.as_ref().map(ToString::to_string),
        project: found.asker.project.to_string(),
        routes: found.routes,
    };
    let weights = found.weights;
    Ok(RoutePage {
        projects,
        asker: Some(asker),
        refused: None,
        answer: found.routed.map(|routed| routed_page(&routed, weights)).transpose()?,
        examples: found.examples.into_iter().take(EXAMPLES).collect(),
    })
}

fn routed_page(routed: &Routed, weights: Weights) -> Result<RoutedPage, serde_json::Error> {
    let milliseconds = |took: std::time::Duration| format!("{:.1}", took.as_secs_f64() * 1000.0);
    Ok(RoutedPage {
        answer: Answer::new(&routed.answer)?,
        weights,
        embed: milliseconds(routed.embedding),
        route: milliseconds(routed.routing),
    })
}
