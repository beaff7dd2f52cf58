//! The binary starts. Being here, this test also makes cargo build the binary whenever the tests of the workspace are built.

use std::process::Command;

#[test]
fn the_binary_says_its_version() {
    let output = Command::new(env!("CARGO_BIN_EXE_ambit")).arg("--version").output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), format!("ambit {}\n", env!("CARGO_PKG_VERSION")));
}
