//! The scope of a key: globs over canonical ids, which take away and never add.

use std::collections::BTreeSet;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

/// What is wrong with a scope, if anything is.
pub fn check_scope(globs: &BTreeSet<String>) -> Result<(), String> {
    read(globs).map(drop)
}

/// One matcher for all globs. `*` matches within a name and across its slashes, as in policies' tests and groups.
pub(super) fn read(globs: &BTreeSet<String>) -> Result<GlobSet, String> {
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        let read = GlobBuilder::new(glob).literal_separator(false).backslash_escape(false).build();
        set.add(read.map_err(|error| format!("`{glob}` is not a glob: {}", error.kind()))?);
    }
    set.build().map_err(|error| error.to_string())
}
