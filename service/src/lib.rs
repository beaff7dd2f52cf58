//! The use cases of Ambit and everything that touches the world: store, embedder, sources and outbound calls.
//! INVARIANT: authorisation sits inside a use case, so no door can forget it.

pub mod store;
