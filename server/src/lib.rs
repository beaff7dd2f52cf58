//! The doors of Ambit. Each decodes, makes a Caller, calls one use case and encodes what it gives.

pub mod cli;
mod http;
mod json;
