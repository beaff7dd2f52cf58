//! The pure heart of Ambit: text and vectors in; snapshots, views, routes, verdicts and diagnostics out.
//! INVARIANT: no I/O, no clock, no async, and the same answer on every run: parallel over tools, never inside a sum.

pub mod audit;
pub mod authority;
pub mod canonical;
pub mod catalog;
pub mod compile;
pub mod cut;
pub mod diff;
pub mod eval;
pub mod examples;
pub mod export;
pub mod format;
mod identifier;
pub mod import;
pub mod index;
pub mod intake;
pub mod knowledge;
pub mod nearest;
pub mod parse;
pub mod parts;
pub mod patch;
pub mod prompt;
pub mod resolve;
pub mod route;
#[cfg(test)]
mod sample;
mod scalar;
pub mod schema;
pub mod source;
pub mod text;
pub mod validate;
