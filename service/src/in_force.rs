//! The blocks that are in force, and views as they are under them, remembered as long as the same blocks are.
//! INVARIANT: it never changes; other blocks are another value, so no view of one set of blocks is taken for that of another.

use std::sync::Arc;

use ambit_engine::authority::{Overlay, View, under_blocks};
use ambit_model::key::Asker;
use ambit_model::overlay::Block;

use crate::Error;
use crate::remembered::Remembered;

/// A view, and the overlay that is part of it where there is one.
pub(crate) type Seen = (Arc<View>, Option<Arc<Overlay>>);

/// Blocks, by tool.
pub(crate) struct InForce {
    blocks: Vec<Block>,
    views: Remembered<Asker, Seen>,
}

impl InForce {
    /// Remembers views of no more than so many tools together.
    pub(crate) fn new(blocks: Vec<Block>, most_seen: usize) -> Self {
        Self { blocks, views: Remembered::new(most_seen) }
    }

    pub(crate) fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The view of whoever asks, as it is under the blocks.
    pub(crate) fn over(&self, asker: &Asker, view: Arc<View>) -> Result<Seen, Error> {
        if self.blocks.is_empty() {
            return Ok((view, None));
        }
        let look = || match under_blocks(&view, &self.blocks)? {
            Some((narrow, overlay)) => Ok::<Seen, Error>((Arc::new(narrow), Some(Arc::new(overlay)))),
            None => Ok((Arc::clone(&view), None)),
        };
        let seen = self.views.get_or_find(asker, |(view, _)| view.len() + 1, look)?;
        Ok(Seen::clone(&seen))
    }
}
