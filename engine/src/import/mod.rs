//! Importing: what the texts of a source offer becomes one catalog file, and a Catalog document that proposes facts for review.
//! INVARIANT: a source's text is data. It is quoted wherever it is written, and the same texts give the same bytes.

mod changes;
mod document;
mod effect;
mod gather;
mod openapi;
mod pretty;
mod texts;
mod unreviewed;

pub use changes::{Changes, Declared, Drifted, changes, declared};
pub use document::{Heading, document};
pub use gather::{Duplicate, Gathered, gather};
pub use texts::{Input, Syntax};
pub(crate) use unreviewed::{Unreviewed, unreviewed};

/// Most tools that one import takes.
pub const MOST_TOOLS: usize = 100_000;

/// Most bytes of the catalog file that one import makes: a larger one is not read by a compile.
pub const MOST_BYTES: usize = 64 * 1024 * 1024;
