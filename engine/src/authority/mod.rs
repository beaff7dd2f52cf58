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
mod lints;
mod near;
mod policy_test;
mod reach;
mod report;
mod scope;
mod view;
mod vocabulary;

#[cfg(test)]
mod laws;
#[cfg(test)]
pub(crate) mod sample;

pub use check::{CheckedPolicy, KnownEntities, check};
pub use compile::Authority;
pub use decide::Decision;
pub use error::AuthorityError;
pub use reach::Reach;
pub use report::{Places, report, untested};
pub use scope::check_scope;
pub use view::ViewRefused;
pub use vocabulary::{BUILT_IN_PREFIX, SCHEMA, entities_named};
