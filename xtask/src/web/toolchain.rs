//! Which compiler builds the bundle, chosen by looking only, and the command that it takes.
//! Some machines cannot fetch rustup's target; Debian's compiler with the sources of the standard library does there.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::StepError;
use crate::workspace::Workspace;

const TARGET: &str = "wasm32-unknown-unknown";
const PROFILE: &str = "wasm-release";

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Toolchain {
    /// The one that compiles everything else: it has the target.
    Active,
    /// The system's own; it compiles the standard library too.
    System { rustc: PathBuf, cargo: PathBuf, linker: PathBuf },
}

/// What there is to look at.
pub(crate) struct Machine<'a> {
    /// Where the active rustc keeps its libraries of the target; it names a folder even where it has none.
    pub(crate) libraries: Option<PathBuf>,
    /// `/`.
    pub(crate) root: PathBuf,
    /// The version that a rustc names, as major and minor.
    pub(crate) version: &'a dyn Fn(&Path) -> Option<(u32, u32)>,
}

impl Machine<'_> {
    /// This machine, with the toolchain that is active in the repository.
    pub(crate) fn this(repository: &Path) -> Self {
        let mut rustc = Command::new("rustc");
        rustc.args(["--print", "target-libdir", "--target", TARGET]).current_dir(repository);
        clean(&mut rustc);
        let libraries = said(&mut rustc).map(|line| PathBuf::from(line.trim()));
        Self { libraries, root: PathBuf::from("/"), version: &version_of }
    }
}

/// The toolchain to build with; nothing where no compiler knows the target.
pub(crate) fn choose(machine: &Machine<'_>) -> Option<Toolchain> {
    if machine.libraries.as_deref().is_some_and(has_core) { Some(Toolchain::Active) } else { system(machine) }
}

fn has_core(libraries: &Path) -> bool {
    names(libraries).any(|name| name.starts_with("libcore-"))
}

fn system(machine: &Machine<'_>) -> Option<Toolchain> {
    let binaries = machine.root.join("usr/bin");
    let (rustc, cargo) = (binaries.join("rustc"), binaries.join("cargo"));
    let sources = machine.root.join("usr/lib/rustlib/src/rust/library/core/src/lib.rs");
    if ![&rustc, &cargo, &sources].into_iter().all(|file| file.is_file()) {
        return None;
    }
    let wanted = two_numbers(env!("CARGO_PKG_RUST_VERSION"))?;
    (machine.version)(&rustc).filter(|found| *found >= wanted)?;
    let linker = newest_linker(&binaries)?;
    Some(Toolchain::System { rustc, cargo, linker })
}

/// `wasm-ld-22` before `wasm-ld-19`, and `wasm-ld` where none has a number. Always spelt with its folder: cargo takes another
/// spelling for another linker and compiles everything again.
fn newest_linker(binaries: &Path) -> Option<PathBuf> {
    let numbered = names(binaries).filter_map(|name| name.strip_prefix("wasm-ld-")?.parse::<u32>().ok()).max();
    let linker = binaries.join(numbered.map_or("wasm-ld".to_owned(), |number| format!("wasm-ld-{number}")));
    linker.is_file().then_some(linker)
}

fn names(folder: &Path) -> impl Iterator<Item = String> {
    fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()))
}

/// `1.96` of `1.96.0 (…)`.
fn two_numbers(version: &str) -> Option<(u32, u32)> {
    let mut numbers = version.split(|c: char| !c.is_ascii_digit()).map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

fn version_of(rustc: &Path) -> Option<(u32, u32)> {
    two_numbers(said(Command::new(rustc).arg("--version"))?.strip_prefix("rustc ")?)
}

fn said(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok()
}

impl Toolchain {
    /// What tells two toolchains apart that would build two bundles: the compiler's version and the linker.
    pub(crate) fn identity(&self) -> Result<String, StepError> {
        let mut rustc = Command::new(self.rustc());
        clean(&mut rustc);
        let version = said(rustc.arg("-vV")).ok_or_else(|| {
            StepError::new(
                format!("`{} -vV` does not say its version", self.rustc().display()),
                "see what it says in a terminal",
            )
        })?;
        Ok(format!("{self}\n{version}"))
    }

    /// Compiles the pages' crate; the WebAssembly file, which still lacks its JavaScript.
    pub(crate) fn compile(&self, workspace: &Workspace) -> Result<PathBuf, StepError> {
        let target = workspace.target.join("wasm");
        let mut cargo = self.cargo(&target);
        let status = cargo.current_dir(&workspace.root).status().map_err(|cause| {
            StepError::new(
                format!("cannot start `{}`: {cause}", cargo.get_program().display()),
                "see that it runs in a terminal",
            )
        })?;
        if !status.success() {
            return Err(StepError::new(
                format!("the browser bundle does not compile (cargo ended with {status})"),
                "mend what the compiler says above; code for the browser is all that `ambit-app` compiles with its feature `hydrate`",
            ));
        }
        Ok(target.join(TARGET).join(PROFILE).join("ambit_frontend.wasm"))
    }

    fn rustc(&self) -> &Path {
        match self {
            Self::Active => Path::new("rustc"),
            Self::System { rustc, .. } => rustc,
        }
    }

    fn cargo(&self, target: &Path) -> Command {
        let mut command = match self {
            Self::Active => Command::new("cargo"),
            Self::System { cargo, .. } => Command::new(cargo),
        };
        clean(&mut command);
        command.args(["build", "--locked", "--package", "ambit-frontend", "--lib", "--profile", PROFILE]);
        command.args(["--target", TARGET]).arg("--target-dir").arg(target);
        if let Self::System { rustc, linker, .. } = self {
            command.arg("-Zbuild-std=std,panic_abort");
            // For this child only: some build scripts switch on unstable features where they see it.
            command.env("RUSTC_BOOTSTRAP", "1").env("RUSTC", rustc);
            command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
            for leaked in ["RUSTUP_TOOLCHAIN", "LD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH"] {
                command.env_remove(leaked);
            }
            command.env("PATH", path_with(rustc.parent()));
        }
        command
    }
}

impl fmt::Display for Toolchain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Active => f.write_str("the active toolchain"),
            Self::System { rustc, linker, .. } => write!(f, "{} and {}", rustc.display(), linker.display()),
        }
    }
}

/// Takes from a child what would change its build and is no part of the digest of inputs. `RUSTC_WORKSPACE_WRAPPER` stays: it
/// keeps apart the artefacts of clones that share a target folder (see `xtask/rustc`), whatever compiler it runs.
fn clean(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        if leaks(&name) {
            command.env_remove(name);
        }
    }
}

fn leaks(name: &OsStr) -> bool {
    const NAMES: [&str; 6] =
        ["CARGO", "CARGO_ENCODED_RUSTFLAGS", "CARGO_INCREMENTAL", "RUSTC", "RUSTC_BOOTSTRAP", "RUSTFLAGS"];
    const OPENINGS: [&str; 5] = ["CARGO_BUILD_", "CARGO_MANIFEST_", "CARGO_PKG_", "CARGO_PROFILE_", "CARGO_TARGET_"];
    let name = name.to_string_lossy();
    NAMES.contains(&name.as_ref()) || OPENINGS.iter().any(|opening| name.starts_with(opening))
}

/// `PATH` with this folder first.
fn path_with(folder: Option<&Path>) -> OsString {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = folder.map(Path::to_owned).into_iter().chain(std::env::split_paths(&path));
    std::env::join_paths(folders).unwrap_or(path)
}

#[cfg(test)]
mod tests;
