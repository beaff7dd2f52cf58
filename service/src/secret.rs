//! Random texts that nobody can guess.

use crate::Error;

/// Bytes of a secret: 256 bits.
pub(crate) const BYTES: usize = 32;

/// That many random bytes of the operating system, in lower-case hex.
pub(crate) fn random(bytes: usize) -> Result<String, Error> {
    let mut random = vec![0; bytes];
    getrandom::fill(&mut random)?;
    Ok(hex::encode(random))
}
