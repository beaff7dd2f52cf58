//! The log of this process, kept so that what a request adds to it can be read.

use std::io;
use std::sync::{Mutex, Once, PoisonError};

static LINES: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static KEEPING: Once = Once::new();

struct Kept;

impl io::Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        LINES.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Begins to keep what a server logs at its usual level.
pub(crate) fn keep() {
    KEEPING.call_once(|| {
        tracing_subscriber::fmt()
            .with_max_level(tracing_subscriber::filter::LevelFilter::INFO)
            .with_ansi(false)
            .with_writer(|| Kept)
            .init();
    });
}

/// How long the log is by now.
pub(crate) fn mark() -> usize {
    LINES.lock().unwrap_or_else(PoisonError::into_inner).len()
}

/// What was added since.
pub(crate) fn since(mark: usize) -> String {
    let lines = LINES.lock().unwrap_or_else(PoisonError::into_inner);
    String::from_utf8_lossy(lines.get(mark..).unwrap_or_default()).into_owned()
}
