//! A SHA-256 digest in its written form, `sha256:<64 lower-case hex digits>`.
//! Digests name parts, snapshots, views and texts; two equal digests mean equal content.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// `sha256:` and 64 lower-case hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Digest(String);

impl Digest {
    /// The digest of these bytes (FIPS 180-4, SHA-256).
    pub fn of(bytes: &[u8]) -> Self {
        Self(format!("sha256:{}", hex::encode(Sha256::digest(bytes))))
    }

    /// Takes a written digest back, or nothing where the form is not a digest's.
    pub fn parse(text: &str) -> Option<Self> {
        let hexadecimal = text.strip_prefix("sha256:")?;
        let valid =
            hexadecimal.len() == 64 && hexadecimal.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        valid.then(|| Self(text.to_owned()))
    }

    /// Sixty-four zeros: the digest of nothing that is known, where a chain begins.
    pub fn zero() -> Self {
        Self(format!("sha256:{:064}", 0))
    }

    /// The written form.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The digest itself.
    pub fn bytes(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        // INVARIANT: a `Digest` holds 64 hexadecimal digits, so nothing is left to fail.
        let _ = hex::decode_to_slice(self.0.trim_start_matches("sha256:"), &mut bytes);
        bytes
    }

    /// The first twelve hexadecimal digits, for people; never compare by it.
    pub fn short(&self) -> String {
        self.0.chars().skip("sha256:".len()).take(12).collect()
    }
}

impl std::fmt::Display for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}
