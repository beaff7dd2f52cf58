//! Comes with this branch.
