//! Who may discover, route and invoke which tool: Cedar, default deny, and a few forbids that no policy can lift.
//! INVARIANT: every decision is made by `Authority::ask`; listing, routing, validation, execution and administration all come here.

mod administer;
mod askers;
mod check;
mod classes;
mod compile;
mod decide;
mod entities;
mod error;
mod explain;
mod facets;
mod glance;
mod hearing;
mod lints;
mod near;
mod overlay;
mod policy_test;
mod reach;
mod report;
mod residual;
mod scope;
mod sets;
mod spot_check;
mod view;
mod vocabulary;

#[cfg(test)]
pub(crate) mod laws;
#[cfg(test)]
pub(crate) mod sample;

pub use askers::Decided;
pub(crate) use check::nests_too_deep;
pub use check::{CheckedPolicy, KnownEntities, check};
pub(crate) use classes::Visible;
pub use compile::Authority;
pub use decide::Decision;
pub use error::AuthorityError;
pub(crate) use hearing::{Answers, Case, Chair, Everything, Hearing, Use};
pub use overlay::{Overlay, under_blocks};
pub use reach::Reach;
pub use report::{Places, report, untested};
pub use scope::check_scope;
#[cfg(test)]
pub(crate) use spot_check::FORGETS_TOOLS;
pub use spot_check::Parted;
pub use view::{View, ViewRefused};
pub use vocabulary::{BUILT_IN_PREFIX, SCHEMA, built_in_text, entities_named};
