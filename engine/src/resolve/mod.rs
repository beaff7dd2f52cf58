//! From names to things: see `declarations` for what this stage hands on.

pub mod declarations;
