//! The use cases of Ambit and everything of it that touches the world: store, embedder, sources, outbound calls.
//! Every door decodes, makes a caller and calls one function of this crate; authorisation sits in here, so no door can forget it.

pub mod embedder;
