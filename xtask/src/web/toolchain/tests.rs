//! Machines that a test makes up of empty files, and which toolchain is chosen on each.

use super::*;

const LIBRARIES: &str = "toolchain/lib/rustlib/wasm32-unknown-unknown/lib";
const DEBIAN: [&str; 4] =
    ["usr/bin/rustc", "usr/bin/cargo", "usr/lib/rustlib/src/rust/library/core/src/lib.rs", "usr/bin/wasm-ld-22"];

/// The choice on a machine with these files, whose `/usr/bin/rustc` is of this version; `/usr/bin` is cut off.
fn check(files: &[&str], version: (u32, u32), expected: Option<&str>) {
    let root = tempfile::tempdir().unwrap();
    for file in files {
        let path = root.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }
    let libraries = Some(root.path().join(LIBRARIES));
    let chosen = choose(&Machine { libraries, root: root.path().to_owned(), version: &|_| Some(version) });
    let binaries = format!("{}/usr/bin/", root.path().display());
    let chosen = chosen.map(|toolchain| toolchain.to_string().replace(&binaries, ""));
    assert_eq!(chosen.as_deref(), expected, "{files:?}");
}

fn debian_without(missing: &str) -> Vec<&'static str> {
    DEBIAN.into_iter().filter(|file| *file != missing).collect()
}

#[test]
fn the_active_toolchain_comes_first() {
    let core = format!("{LIBRARIES}/libcore-0123456789abcdef.rlib");
    check(&[&core], (1, 63), Some("the active toolchain"));
    check(&[DEBIAN.as_slice(), &[&core]].concat(), (1, 96), Some("the active toolchain"));
}

#[test]
fn a_folder_of_the_target_without_its_core_is_no_toolchain() {
    check(&[&format!("{LIBRARIES}/self-contained/crt1.o")], (1, 95), None);
}

#[test]
fn the_systems_own_is_second_and_must_be_whole() {
    check(&DEBIAN, (1, 96), Some("rustc and wasm-ld-22"));
    for missing in DEBIAN {
        check(&debian_without(missing), (1, 96), None);
    }
}

#[test]
fn the_systems_own_must_know_this_edition_of_the_language() {
    check(&DEBIAN, (1, 63), None);
    check(&DEBIAN, (1, 95), Some("rustc and wasm-ld-22"));
    check(&DEBIAN, (2, 0), Some("rustc and wasm-ld-22"));
}

#[test]
fn the_newest_linker_is_taken() {
    let linkers = ["usr/bin/wasm-ld", "usr/bin/wasm-ld-9", "usr/bin/wasm-ld-19", "usr/bin/wasm-ld-next"];
    check(&[DEBIAN.as_slice(), &linkers].concat(), (1, 96), Some("rustc and wasm-ld-22"));
    let others = debian_without("usr/bin/wasm-ld-22");
    check(&[others.as_slice(), &linkers].concat(), (1, 96), Some("rustc and wasm-ld-19"));
    check(&[others.as_slice(), &["usr/bin/wasm-ld"]].concat(), (1, 96), Some("rustc and wasm-ld"));
}

#[test]
fn versions_are_numbers() {
    for (text, expected) in
        [("1.96.0 (ac68faa20 2026-05-25)", Some((1, 96))), ("1.95", Some((1, 95))), ("nightly", None)]
    {
        assert_eq!(two_numbers(text), expected, "{text}");
    }
}

#[test]
fn a_child_inherits_nothing_that_would_change_its_build() {
    let leaking =
        ["RUSTFLAGS", "CARGO", "RUSTC", "CARGO_TARGET_DIR", "CARGO_BUILD_TARGET", "CARGO_PROFILE_RELEASE_LTO"];
    let kept = ["PATH", "CARGO_HOME", "RUSTUP_HOME", "CARGO_HTTP_PROXY", "RUSTUP_TOOLCHAIN", "RUSTC_WORKSPACE_WRAPPER"];
    assert!(leaking.iter().all(|name| leaks(OsStr::new(name))));
    assert!(!kept.iter().any(|name| leaks(OsStr::new(name))));
}

fn variable(command: &Command, name: &str) -> Option<Option<String>> {
    let mut set = command.get_envs().filter(|(key, _)| *key == OsStr::new(name));
    set.next().map(|(_, value)| value.map(|value| value.to_string_lossy().into_owned()))
}

#[test]
fn unstable_features_are_for_the_systems_own_only() {
    let active = Toolchain::Active.cargo(Path::new("wasm"));
    assert!(active.get_args().all(|argument| argument != "-Zbuild-std=std,panic_abort"));
    assert!(!matches!(variable(&active, "RUSTC_BOOTSTRAP"), Some(Some(_))));

    let [rustc, cargo, linker] = ["/usr/bin/rustc", "/usr/bin/cargo", "/usr/bin/wasm-ld-22"].map(PathBuf::from);
    let system = Toolchain::System { rustc, cargo, linker }.cargo(Path::new("wasm"));
    assert_eq!(variable(&system, "RUSTC_BOOTSTRAP"), Some(Some("1".to_owned())));
    assert_eq!(variable(&system, "RUSTUP_TOOLCHAIN"), Some(None), "taken away");
    assert_eq!(
        variable(&system, "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER"),
        Some(Some("/usr/bin/wasm-ld-22".to_owned()))
    );
}
