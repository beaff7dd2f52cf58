//! Arguments against the tool's own input schema, with `jsonschema`, which fetches nothing here.
//! INVARIANT: no dummy value stands in for a reference. What a reference could change is left unproved, never refused.

use std::collections::BTreeSet;
use std::ops::Bound;

use ambit_model::plan::ViolationCode;
use jsonschema::error::ValidationErrorKind as Kind;
use jsonschema::{ValidationError, Validator};
use serde_json::{Map, Value};

use super::explain::explain;
use super::reference::locate;
use super::report::{Report, quote};
use super::tools::Tool;
use crate::schema::evaluation_cost;

/// Most evaluations spent on one action: five for each of the values a plan may hold.
const MOST_EVALUATIONS: u64 = 100_000;

/// Checks the arguments that stand at the pointer `at`.
pub(super) fn check(tool: &Tool<'_>, arguments: &Map<String, Value>, at: &str, report: &mut Report) {
    let value = Value::Object(arguments.clone());
    let bounded = evaluation_cost(&tool.input, &value, MOST_EVALUATIONS).is_some();
    let Some(validator) = bounded.then(|| compile(&tool.input)).flatten() else {
        report.unproved.insert(at.to_owned());
        return;
    };
    let references = References(locate(arguments).into_iter().map(|(pointer, _)| pointer).collect());
    for error in validator.iter_errors(&value) {
        match references.judge(&error) {
            Judgement::Certain => refuse(tool, &error, at, report),
            Judgement::Unproved => {
                report.unproved.insert(format!("{at}{}", error.instance_path().as_str()));
            }
            Judgement::LeftToValue => {}
        }
    }
}

/// Nothing where the schema does not compile offline, with patterns that run in linear time.
fn compile(schema: &Value) -> Option<Validator> {
    crate::schema::validator(schema).ok()
}

fn refuse(tool: &Tool<'_>, error: &ValidationError<'_>, at: &str, report: &mut Report) {
    for problem in explain(error, tool) {
        let rule = format!("{} takes other arguments: {}", quote(tool.card.id.as_str()), problem.rule);
        report.violation(&format!("{at}{}", problem.at), ViolationCode::ArgumentsInvalid, rule, problem.help);
    }
}

/// What an error says of a plan whose references have no values yet.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Judgement {
    /// It holds whatever the references become.
    Certain,
    /// The values of references may mend it.
    Unproved,
    /// It is about a reference itself, whose value is checked just before the call.
    LeftToValue,
}

/// Pointers to references, relative to the arguments.
struct References(BTreeSet<String>);

impl References {
    fn judge(&self, error: &ValidationError<'_>) -> Judgement {
        let at = error.instance_path().as_str();
        if matches!(
            error.kind(),
            Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } | Kind::Referencing(_)
        ) {
            return Judgement::Unproved;
        }
        if self.0.is_empty() {
            return Judgement::Certain;
        }
        if self.covers(at) {
            return Judgement::LeftToValue;
        }
        if self.decides_branch(error) || (self.lies_in(at) && !self.holds_anyway(error)) {
            return Judgement::Unproved;
        }
        Judgement::Certain
    }

    /// The place is a reference or inside one.
    fn covers(&self, at: &str) -> bool {
        let ends = at.match_indices('/').map(|(end, _)| end).chain([at.len()]);
        ends.into_iter().any(|end| at.get(..end).is_some_and(|above| self.0.contains(above)))
    }

    /// Some reference stands below the place.
    fn lies_in(&self, at: &str) -> bool {
        let below = format!("{at}/");
        let next = self.0.range::<str, _>((Bound::Included(below.as_str()), Bound::Unbounded)).next();
        next.is_some_and(|reference| reference.starts_with(&below))
    }

    /// `then` and `else` apply by a condition that may have looked at a reference.
    fn decides_branch(&self, error: &ValidationError<'_>) -> bool {
        let path = error.evaluation_path().as_str();
        path.split('/').any(|step| step == "then" || step == "else")
    }

    /// Errors about which members there are, how many, or of which type the whole is: no value below can mend them.
    fn holds_anyway(&self, error: &ValidationError<'_>) -> bool {
        match error.kind() {
            Kind::Required { .. }
            | Kind::Type { .. }
            | Kind::AdditionalProperties { .. }
            | Kind::AdditionalItems { .. }
            | Kind::PropertyNames { .. }
            | Kind::FalseSchema
            | Kind::MinProperties { .. }
            | Kind::MaxProperties { .. }
            | Kind::MinItems { .. }
            | Kind::MaxItems { .. } => true,
            Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
                context.iter().all(|branch| branch.iter().any(|error| self.judge(error) == Judgement::Certain))
            }
            _ => false,
        }
    }
}
