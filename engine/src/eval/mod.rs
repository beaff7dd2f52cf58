//! Measuring a router against ground truth: what a user gets who does not say how many tools are wanted.
//! INVARIANT: nothing here moves an answer. The gold count of a question is never told to a router, and a set has no switch of its own.

pub mod baseline;
pub mod change;
mod interval;
pub mod leak;
pub mod measures;
pub mod set;
pub mod tune;
pub mod world;

pub use interval::{Interval, wilson};
