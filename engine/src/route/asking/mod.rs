//! What a project's language model is asked about a question, and what of its answer is taken: a plan, and a choice among tools.
//! INVARIANT: a prompt is made of the caller's `route` set alone; the planner is told of groups and never of tools.

mod planner;
mod router;
#[cfg(test)]
mod tests;

pub use planner::{Failure, MOST_BYTES, failures, plan_schema, read_plan};
pub use router::{Picked, Presented, choice_schema, read_choice};
