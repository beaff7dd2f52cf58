//! Drafts that were paid for once: a file for each in the data folder, named by what it is a draft of.
//! INVARIANT: what is read back is held against the same rules as an answer; a file that fails them is no draft.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ambit_engine::examples;
use ambit_model::card::ToolCard;
use ambit_model::digest::Digest;
use serde_json::json;

use crate::Error;
use crate::replace::replace_file;
use crate::store::make_data_folder;

/// The folder of drafts in the data folder.
const FOLDER: &str = "drafts";

pub(super) struct Kept {
    folder: PathBuf,
}

impl Kept {
    /// Makes the folder where it is missing.
    pub(super) fn new(data: &Path) -> Result<Self, Error> {
        make_data_folder(data)?;
        let folder = data.join(FOLDER);
        std::fs::create_dir_all(&folder).map_err(|source| Error::FileNotWritten { path: folder.clone(), source })?;
        Ok(Self { folder })
    }

    /// The draft of this card that was kept.
    pub(super) fn read(&self, key: &Digest, card: &ToolCard) -> Option<Vec<String>> {
        let text = crate::workspace::read_text(&self.path(key)).ok()?;
        examples::read_answer(&text, card, &BTreeSet::new()).ok()
    }

    pub(super) fn keep(&self, key: &Digest, drafted: &[String]) -> Result<(), Error> {
        let path = self.path(key);
        let text = json!({ "examples": drafted }).to_string();
        replace_file(&path, &text).map_err(|source| Error::FileNotWritten { path, source })
    }

    fn path(&self, key: &Digest) -> PathBuf {
        let digits = key.as_str().rsplit(':').next().unwrap_or_default();
        self.folder.join(format!("{digits}.json"))
    }
}
