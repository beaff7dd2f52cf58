//! Answers as text for people: brief, readable without colour, the last line a count and the next step.

pub(super) mod audit;
pub(super) mod blocks;
pub(super) mod check;
pub(super) mod diff;
pub(super) mod enrich;
pub(super) mod evaluate;
pub(super) mod explain;
pub(super) mod export;
pub(super) mod feedback;
pub(super) mod format;
pub(super) mod import;
pub(super) mod init;
pub(super) mod intake;
pub(super) mod keys;
pub(super) mod knowledge;
pub(super) mod repair;
pub(super) mod route;
pub(super) mod secrets;
pub(super) mod snapshots;
pub(super) mod testing;
pub(super) mod tools;
pub(super) mod vectors;
pub(super) mod verdict;
pub(super) mod why;
