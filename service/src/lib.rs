//! The use cases of Ambit and everything that touches the world: files, the store, the embedder.
//! INVARIANT: each use case takes the Caller first and decides about it before it does anything else.

pub mod apply;
pub mod caller;
pub mod check;
pub mod clock;
pub mod embedder;
pub mod error;
pub mod live;
pub mod plan;
pub mod rollback;
pub mod route;
pub mod snapshots;
pub mod store;
pub mod vectors;
pub mod workspace;

pub use error::Error;
