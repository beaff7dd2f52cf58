//! Where models and the runtime library are looked for: as told, else by the environment, else in the user's cache.
//! `make setup` (xtask) fills the same default folder.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The folder of models, and the runtime library where it is not the one in that folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelPlaces {
    /// Holds a folder for each local model, the runtime's folder, and `hub` for what fastembed fetches.
    pub models: PathBuf,
    /// The file of an ONNX Runtime library; absent: the one that set-up placed under `models`.
    pub runtime: Option<PathBuf>,
}

impl ModelPlaces {
    /// As told by flags, else `AMBIT_MODELS` and `AMBIT_RUNTIME`, else `ambit/models` in the user's cache folder.
    pub fn resolve(models: Option<PathBuf>, runtime: Option<PathBuf>) -> Self {
        let home = std::env::home_dir();
        resolve_in(models, runtime, home.as_deref(), &|name| std::env::var_os(name))
    }

    /// The library to load, whether or not it is there.
    pub(super) fn library(&self) -> PathBuf {
        let placed = || self.models.join("onnxruntime-1.32.0").join(library_name());
        self.runtime.clone().unwrap_or_else(placed)
    }

    /// What fastembed fetches for `hub:` models.
    pub(super) fn hub(&self) -> PathBuf {
        self.models.join("hub")
    }
}

/// As this system names a library: `libonnxruntime.so`.
pub(super) fn library_name() -> String {
    use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
    format!("{DLL_PREFIX}onnxruntime{DLL_SUFFIX}")
}

fn resolve_in(
    models: Option<PathBuf>,
    runtime: Option<PathBuf>,
    home: Option<&Path>,
    variable: &dyn Fn(&str) -> Option<OsString>,
) -> ModelPlaces {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = || {
        // A user without a home folder gets one relative to the working folder; the error of a missing file names it.
        let cache = set("XDG_CACHE_HOME").unwrap_or_else(|| home.unwrap_or(Path::new("")).join(".cache"));
        cache.join("ambit").join("models")
    };
    ModelPlaces {
        models: models.or_else(|| set("AMBIT_MODELS")).unwrap_or_else(cache),
        runtime: runtime.or_else(|| set("AMBIT_RUNTIME")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(flag: Option<&str>, environment: &[(&str, &str)], expected: &str) {
        let variable =
            |name: &str| environment.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value));
        let places = resolve_in(flag.map(PathBuf::from), None, Some(Path::new("/home/ada")), &variable);
        assert_eq!(places.models, Path::new(expected));
    }

    #[test]
    fn the_nearest_word_wins() {
        check(Some("/flag"), &[("AMBIT_MODELS", "/set"), ("XDG_CACHE_HOME", "/cache")], "/flag");
        check(None, &[("AMBIT_MODELS", "/set"), ("XDG_CACHE_HOME", "/cache")], "/set");
        check(None, &[("AMBIT_MODELS", ""), ("XDG_CACHE_HOME", "/cache")], "/cache/ambit/models");
        check(None, &[], "/home/ada/.cache/ambit/models");
    }

    #[test]
    fn a_runtime_of_ones_own_needs_no_place_under_the_models() {
        let variable = |name: &str| (name == "AMBIT_RUNTIME").then(|| OsString::from("/opt/lib.so"));
        assert_eq!(resolve_in(None, None, None, &variable).library(), Path::new("/opt/lib.so"));
        let placed = resolve_in(Some("/m".into()), None, None, &|_| None).library();
        assert_eq!(placed, Path::new("/m/onnxruntime-1.32.0").join(library_name()));
    }
}
