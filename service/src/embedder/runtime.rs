//! The ONNX Runtime library: its id without loading it, and loading it once in a process.
//! Without this, a missing library is a panic inside fastembed instead of an error.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use ambit_model::digest::Digest;
use ort::environment::Environment;

use super::EmbedError;

/// What a process runs; set once, as the library cannot be unloaded.
struct Loaded {
    library: PathBuf,
    runtime: Runtime,
}

static LOADED: Mutex<Option<Loaded>> = Mutex::new(None);

/// A loaded runtime library and its id.
#[derive(Clone)]
pub(super) struct Runtime {
    pub(super) id: String,
    pub(super) environment: Environment,
}

/// `onnxruntime-1.32.0`, by the `version.txt` that set-up writes beside the library; else a digest of the library's file.
pub(super) fn id(library: &Path) -> Result<String, EmbedError> {
    require(library)?;
    let noted = fs::read_to_string(library.with_file_name("version.txt")).unwrap_or_default();
    if let Some(id) = noted.lines().next().filter(|line| is_id(line)) {
        return Ok(id.to_owned());
    }
    let bytes = fs::read(library)
        .map_err(|cause| EmbedError::RuntimeInvalid { path: library.to_owned(), cause: cause.into() })?;
    Ok(format!("onnxruntime-sha256-{}", Digest::of(&bytes).short()))
}

fn is_id(line: &str) -> bool {
    let version = line.strip_prefix("onnxruntime-").unwrap_or_default();
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+');
    (1..=64).contains(&version.len()) && version.chars().all(plain)
}

/// Loads the library, or finds it loaded; a second library in one process is an error.
pub(super) fn load(library: &Path) -> Result<Runtime, EmbedError> {
    require(library)?;
    let library = fs::canonicalize(library)
        .map_err(|cause| EmbedError::RuntimeInvalid { path: library.to_owned(), cause: cause.into() })?;
    let mut loaded = LOADED
        .lock()
        .map_err(|_| EmbedError::failed("load the ONNX Runtime library", "an earlier attempt panicked"))?;
    match loaded.as_ref() {
        Some(present) if present.library == library => Ok(present.runtime.clone()),
        Some(present) => Err(EmbedError::RuntimeSettled { path: library, loaded: present.library.clone() }),
        None => {
            let runtime = start(&library)?;
            *loaded = Some(Loaded { library, runtime: runtime.clone() });
            Ok(runtime)
        }
    }
}

fn start(library: &Path) -> Result<Runtime, EmbedError> {
    let builder = ort::init_from(library)
        .map_err(|cause| EmbedError::RuntimeInvalid { path: library.to_owned(), cause: cause.into() })?;
    let environment = builder
        .with_name("ambit")
        .with_telemetry(false)
        .build()
        .map_err(|cause| EmbedError::failed("start the ONNX Runtime", cause))?;
    Ok(Runtime { id: id(library)?, environment })
}

fn require(library: &Path) -> Result<(), EmbedError> {
    if library.is_file() { Ok(()) } else { Err(EmbedError::RuntimeMissing { path: library.to_owned() }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: bool) {
        assert_eq!(is_id(line), expected, "{line}");
    }

    #[test]
    fn only_a_plain_version_is_an_id() {
        check("onnxruntime-1.32.0", true);
        check("onnxruntime-1.33.0-rc1+cpu", true);
        check("onnxruntime-", false);
        check("1.32.0", false);
        check("onnxruntime-1 .32", false);
        check("", false);
    }
}
