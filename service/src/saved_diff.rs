//! A diff that is saved to be applied as it was looked at.
//! INVARIANT: it is void for any other base and any other target than the two it names by their digests.

use std::io::{Read as _, Write as _};
use std::path::Path;

use ambit_model::codes;
use ambit_model::diagnostic::Diagnostic;
use ambit_model::diff::Diff;
use ambit_model::digest::Digest;
use ambit_model::snapshot::{SnapshotName, SnapshotRecord};
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::diff::{Comparison, End};

/// The form of saved diffs that this ambit writes and reads.
const VERSION: u32 = 1;
/// Largest saved diff that is read, in bytes.
const LARGEST: u64 = 256 * 1024 * 1024;

/// A diff that was looked at, and can be applied as it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedDiff {
    pub version: u32,
    /// What was live; absent where nothing was.
    pub base: Option<SnapshotName>,
    /// What the workspace compiled to.
    pub target: Digest,
    /// What it was compiled from.
    pub source: Digest,
    pub diff: Diff,
}

impl SavedDiff {
    /// Of a workspace against what is live; nothing of any other comparison, which cannot be applied.
    pub fn of(comparison: &Comparison) -> Option<Self> {
        let base = match &comparison.from {
            End::Nothing => None,
            End::Snapshot { name, .. } => Some(name.clone()),
            End::Workspace { .. } => return None,
        };
        let End::Workspace { digest, source_digest } = &comparison.to else { return None };
        let (target, source) = (digest.clone(), source_digest.clone());
        Some(Self { version: VERSION, base, target, source, diff: comparison.diff.clone() })
    }

    /// Writes it whole or not at all, for its owner alone: it names principals and holds policies.
    pub fn write(&self, path: &Path) -> Result<(), std::io::Error> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        serde_json::to_writer_pretty(&mut file, self)?;
        file.write_all(b"\n")?;
        file.as_file().sync_all()?;
        file.persist(path)?;
        Ok(())
    }

    /// Reads one back. What is no saved diff of this form is refused with `E_DIFF`.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let mut text = String::new();
        let read = std::fs::File::open(path).and_then(|file| file.take(LARGEST).read_to_string(&mut text));
        read.map_err(|error| refused(path, &format!("cannot be read: {error}")))?;
        Self::parse(&text).map_err(|wrong| refused(path, &wrong))
    }

    /// Refuses where another snapshot is live by now than the one it was made of.
    pub(crate) fn expect_base(&self, live: Option<&SnapshotRecord>) -> Result<(), Error> {
        let (expected, found) = (self.base.as_ref(), live);
        let numbers = (expected.map(|base| base.number), found.map(|record| record.number));
        if found.is_some_and(|record| record.digest == self.target) {
            let diagnostic = Diagnostic::error(codes::E_ALREADY_LIVE, "what the saved diff leads to is live already")
                .help("there is nothing to apply");
            return Err(Error::Request(Box::new(diagnostic)));
        }
        if numbers.0 != numbers.1 {
            let number =
                |number: Option<i64>| number.map_or("nothing".to_owned(), |number| format!("snapshot {number}"));
            let message =
                format!("the diff was made against {}, and {} is live by now", number(numbers.0), number(numbers.1));
            let diagnostic = Diagnostic::error(codes::E_MOVED, message)
                .help("look at what changed with `ambit diff`, and make a new one with `ambit diff --out FILE`");
            return Err(Error::Request(Box::new(diagnostic)));
        }
        if expected.map(|base| &base.digest) == found.map(|record| &record.digest) {
            return Ok(());
        }
        let diagnostic = Diagnostic::error(codes::E_DIFF, "the diff was made of another data folder's snapshots")
            .help("make a new one with `ambit diff --out FILE`");
        Err(Error::Request(Box::new(diagnostic)))
    }

    /// What is wrong where the workspace compiles to something else by now.
    pub(crate) fn expect_target(&self, target: &Digest, source: &Digest) -> Option<Diagnostic> {
        if self.target == *target {
            return None;
        }
        let message = if self.source == *source {
            "the workspace compiles to another snapshot than the saved diff says, from the same source"
        } else {
            "the workspace is another than the saved diff was made of"
        };
        let help = format!(
            "it was made of source {}, and this is {}; check that one out, or make a new diff with `ambit diff --out FILE`",
            self.source.short(),
            source.short()
        );
        Some(Diagnostic::error(codes::E_DIFF, message).help(help))
    }

    fn parse(text: &str) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Versioned {
            version: u32,
        }
        let Versioned { version } = serde_json::from_str(text).map_err(|error| format!("is no saved diff: {error}"))?;
        if version != VERSION {
            return Err(format!("has version {version}, and this ambit reads version {VERSION}"));
        }
        serde_json::from_str(text).map_err(|error| format!("is no saved diff: {error}"))
    }
}

fn refused(path: &Path, wrong: &str) -> Error {
    let diagnostic = Diagnostic::error(codes::E_DIFF, format!("`{}` {wrong}", path.display()))
        .help("make a new one with `ambit diff --out FILE`");
    Error::Request(Box::new(diagnostic))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_saved_diff_is_read_back_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("change.json");
        let base = SnapshotName { number: 3, digest: Digest::of(b"base") };
        let (target, source) = (Digest::of(b"target"), Digest::of(b"source"));
        let saved = SavedDiff { version: VERSION, base: Some(base), target, source, diff: Diff::default() };
        std::fs::write(&path, "of somebody else").unwrap();
        saved.write(&path).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(SavedDiff::read(&path).unwrap(), saved);
    }

    #[test]
    fn what_is_no_saved_diff_is_refused() {
        let check = |text: &str, expected: &str| {
            let wrong = SavedDiff::parse(text).unwrap_err();
            assert!(wrong.contains(expected), "{text}: {wrong}");
        };
        check("", "is no saved diff");
        check("[]", "is no saved diff");
        check(r#"{"version": 2, "base": 7}"#, "has version 2");
        check(r#"{"version": 1}"#, "missing field");
        let error = SavedDiff::read(Path::new("/nowhere/change.json")).unwrap_err();
        assert_eq!(error.code(), codes::E_DIFF);
    }
}
