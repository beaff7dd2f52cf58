//! Who may discover, route and invoke which tool: Cedar, default deny, and a few forbids that no policy can lift.
//! INVARIANT: `decide` is the only door to a decision; listing, routing, validation and execution all come here.

mod check;
mod compile;
mod decide;
mod entities;
mod error;
mod policy_test;
mod view;
mod vocabulary;

#[cfg(test)]
mod laws;
#[cfg(test)]
mod sample;

pub use check::{KnownEntities, check};
pub use compile::Authority;
pub use decide::Decision;
pub use error::AuthorityError;
pub use policy_test::run_tests;
pub use view::ViewRefused;
pub use vocabulary::{BUILT_IN_PREFIX, SCHEMA};
