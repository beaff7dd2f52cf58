//! The nouns of Ambit: plain serde types that every other crate and the browser share.
//! INVARIANT: nothing here does I/O, reads a clock or decides anything.

pub mod administration;
pub mod audit;
pub mod card;
pub mod codes;
pub mod declaration;
pub mod diagnostic;
pub mod diff;
pub mod digest;
pub mod explain;
pub mod export;
pub mod facts;
pub mod feedback;
pub mod hidden;
pub mod identity;
pub mod intake;
pub mod key;
pub mod knowledge;
pub mod listed;
pub mod llm;
pub mod overlay;
pub mod plan;
pub mod policies;
pub mod proof;
pub mod ratio;
pub mod repair;
pub mod route;
pub mod snapshot;
pub mod view;
