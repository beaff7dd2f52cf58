//! The doors of Ambit. Each decodes, makes a Caller, calls one use case and encodes what it gives.

// The type of a page is as deep as its tree of elements.
#![recursion_limit = "512"]

pub mod cli;
pub mod http;
mod json;
