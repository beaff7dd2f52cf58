//! The tables as the ORM sees them; migrations make them, and nothing outside the store names them.
//! INVARIANT: no behaviour here; what a row means is read in the store's topics.

pub(super) mod activation;
pub(super) mod audit;
pub(super) mod block;
pub(super) mod feedback;
pub(super) mod gap;
pub(super) mod key;
pub(super) mod part;
pub(super) mod refusal;
pub(super) mod session;
pub(super) mod snapshot;
pub(super) mod vector;
pub(super) mod winners;
