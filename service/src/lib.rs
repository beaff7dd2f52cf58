//! The use cases of Ambit and everything that touches the world: files, the store, the embedder.
//! Each use case takes the Caller first, and the live snapshot says what it may; a person at the data folder may always.

mod administration;
pub mod apply;
pub mod audit;
pub mod authentication;
pub mod caller;
pub mod check;
pub mod clock;
mod denials;
pub mod embedder;
pub mod error;
mod gaps;
pub mod identity;
pub mod intake;
pub mod keys;
pub mod live;
pub mod loaded;
mod outbound;
mod ownership;
pub mod plan;
mod reason;
mod remembered;
pub mod rollback;
pub mod route;
mod secret;
pub mod secrets;
pub mod sessions;
pub mod sign_in;
pub mod snapshots;
pub mod store;
pub mod testing;
pub mod tools;
pub mod vectors;
pub mod whoami;
pub mod why;
pub mod workspace;

pub use administration::administers;
pub use error::Error;
