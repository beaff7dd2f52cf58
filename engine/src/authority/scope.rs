//! The scope of a key: globs over canonical ids, which take away and never add.

use std::collections::BTreeSet;

use globset::{GlobSet, GlobSetBuilder};

use crate::resolve::tool_glob;

/// What is wrong with a scope, if anything is.
pub fn check_scope(globs: &BTreeSet<String>) -> Result<(), String> {
    read(globs).map(drop)
}

/// One matcher for all globs; they are read as in groups, so `*` stays within one name.
pub(super) fn read(globs: &BTreeSet<String>) -> Result<GlobSet, String> {
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        set.add(tool_glob(glob).map_err(|error| format!("`{glob}` is not a glob: {}", error.kind()))?);
    }
    set.build().map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(globs: &[&str], tool: &str, expected: bool) {
        let globs = globs.iter().map(|glob| (*glob).to_owned()).collect();
        assert_eq!(read(&globs).map(|set| set.is_match(tool)), Ok(expected), "{globs:?} {tool}");
    }

    #[test]
    fn globs_are_those_of_groups() {
        check(&["crm/*"], "crm/customers.search", true);
        check(&["crm/*"], "crm/v2/find", false);
        check(&["crm/**"], "crm/v2/find", true);
        check(&["mail/*", "crm/find"], "crm/find", true);
        check(&["crm/find"], "crm/find_all", false);
        assert!(check_scope(&BTreeSet::from(["[a".to_owned()])).is_err());
    }
}
