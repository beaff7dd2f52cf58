//! Who may discover, route and invoke which tool: Cedar, default deny, and a few forbids that no policy can lift.
//! INVARIANT: every decision is made by `Authority::ask`; listing, routing, validation, execution and administration all come here.

mod administer;
mod check;
mod classes;
mod compile;
mod decide;
mod entities;
mod error;
mod explain;
mod glance;
mod hearing;
mod near;
mod policy_test;
mod reach;
mod scope;
mod view;
mod vocabulary;

#[cfg(test)]
pub(crate) mod laws;
#[cfg(test)]
pub(crate) mod sample;

pub use check::{KnownEntities, check};
pub use compile::Authority;
pub use decide::Decision;
pub use error::AuthorityError;
pub(crate) use hearing::{Answers, Case, Chair, Hearing, Use};
pub use policy_test::run_tests;
pub use reach::Reach;
pub use scope::check_scope;
pub use view::ViewRefused;
pub use vocabulary::{BUILT_IN_PREFIX, SCHEMA, entities_named};
