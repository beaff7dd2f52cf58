#!/bin/sh
# Brings what cargo cannot bring: the system's packages (`packages`), cargo's own tools for the tests (`tools`), a compiler for the
# browser bundle (`web`), a browser with what drives it and the identity provider that tests sign in with (`browser`), a Postgres
# server (`postgres`), and a solver for proofs (`solver`).
# Looks for each by command first, so that a prepared machine needs neither root nor the network.
set -eu

say() { printf 'setup: %s\n' "$1"; }

fail() {
    printf 'error: %s\n  help: %s\n' "$1" "$2" >&2
    exit 1
}

# --- the system's packages -------------------------------------------------------------------------------------------

has_compiler() { command -v cc >/dev/null 2>&1; }
has_python() { command -v python3 >/dev/null 2>&1; }
has_pip() { python3 -m pip --version >/dev/null 2>&1; }
# macOS keeps its certificates in the keychain.
has_certificates() { [ "$(uname -s)" = Darwin ] || [ -e /etc/ssl/certs/ca-certificates.crt ] || [ -d /etc/pki/tls/certs ] || [ -e /etc/ssl/cert.pem ]; }

# What is missing: Debian's package names, then the same for people.
look() {
    packages='' wanted=''
    has_compiler || { packages="$packages gcc libc6-dev"; wanted="$wanted, a C compiler (cc)"; }
    has_python || { packages="$packages python3"; wanted="$wanted, Python 3 (python3)"; }
    has_pip || { packages="$packages python3-pip"; wanted="$wanted, pip (python3 -m pip)"; }
    has_certificates || { packages="$packages ca-certificates"; wanted="$wanted, the CA certificates"; }
    wanted=${wanted#, }
}

apt() {
    if [ "$(id -u)" = 0 ]; then
        DEBIAN_FRONTEND=noninteractive apt-get "$@"
    else
        sudo env DEBIAN_FRONTEND=noninteractive apt-get "$@"
    fi
}

prepare_packages() {
    look
    [ -n "$packages" ] || return 0
    command -v apt-get >/dev/null 2>&1 ||
        fail "this machine lacks $wanted" "install it with the system's package manager and run \`make setup\` again"
    [ "$(id -u)" = 0 ] || command -v sudo >/dev/null 2>&1 ||
        fail "this machine lacks $wanted" "as root: apt-get update && apt-get install -y$packages"
    say "installing$packages"
    # shellcheck disable=SC2086 # the list is split on purpose
    apt -qq update && apt -qq install -y --no-install-recommends $packages </dev/null >/dev/null ||
        fail "apt-get could not install$packages" "see its message above, repair it and run \`make setup\` again"
    look
    [ -z "$packages" ] ||
        fail "after installing, this machine still lacks $wanted" "see which python3 and cc come first in PATH, and run \`make setup\` again"
}

prepare_rust() {
    cargo --version >/dev/null 2>&1 ||
        fail "cargo does not run here" "install Rust 1.95.0 with rustup (\`rustup toolchain install 1.95.0\`), or set RUSTUP_TOOLCHAIN to an installed toolchain of that version"
}

# --- cargo's tools ---------------------------------------------------------------------------------------------------

# component SUBCOMMAND NAME: a part of the toolchain.
component() {
    cargo "$1" --version >/dev/null 2>&1 ||
        fail "the toolchain has no \`cargo $1\`" "rustup component add $2"
}

# tool SUBCOMMAND VERSION: an installed one of any version is kept, a missing one is built in the pinned version.
tool() {
    ! cargo "$1" --version >/dev/null 2>&1 || return 0
    say "building cargo-$1 $2 (some minutes, once)"
    (
        # Built once and run briefly: a quick build is worth more than a quick program. Its artefacts are no part of Ambit's.
        unset CARGO_TARGET_DIR RUSTC_WORKSPACE_WRAPPER
        export CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_OPT_LEVEL=1
        cargo install --quiet --locked "cargo-$1" --version "$2"
    ) || fail "cargo-$1 could not be built" "see cargo's message above; then \`cargo install --locked cargo-$1 --version $2\`"
}

prepare_tools() {
    component fmt rustfmt
    component clippy clippy
    tool nextest 0.9.143
    tool deny 0.20.2
}

# --- a compiler for WebAssembly, for the browser bundle --------------------------------------------------------------

wasm_target=wasm32-unknown-unknown
wasm_packages='rustc-web cargo-web rust-web-src lld-22'

# The step that builds the bundle chooses its compiler, so it is also what looks for one.
has_wasm_compiler() { cargo run --quiet ${CI:+--locked} --package ambit-xtask -- web --look >/dev/null 2>&1; }
has_rustup() { command -v rustup >/dev/null 2>&1; }
has_apt() { command -v apt-get >/dev/null 2>&1 && { [ "$(id -u)" = 0 ] || command -v sudo >/dev/null 2>&1; }; }

# install PACKAGE...: from Debian.
install() {
    say "installing $*"
    apt -qq update && apt -qq install -y --no-install-recommends "$@" </dev/null >/dev/null
}

# Succeeds without one: the server does not need the bundle, and the step that builds it says what is missing.
prepare_web() {
    ! has_wasm_compiler || return 0
    # Machines of CI cannot fetch what rustup would.
    if [ -z "${CI:-}" ] && has_rustup; then
        say "adding $wasm_target to the toolchain"
        ! rustup target add "$wasm_target" || return 0
    fi
    if has_apt; then
        # shellcheck disable=SC2086 # the list is split on purpose
        ! install $wasm_packages || ! has_wasm_compiler || return 0
    fi
    say "no compiler for $wasm_target could be installed: pages will work without the browser bundle"
}

# --- a browser, and node to drive it ---------------------------------------------------------------------------------

browser_tests=tests/browser
provider=tests/provider

has_chromium() { command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1 || command -v google-chrome >/dev/null 2>&1; }
has_node() { command -v node >/dev/null 2>&1; }
has_npm() { command -v npm >/dev/null 2>&1; }

look_for_browser() {
    packages='' wanted=''
    has_chromium || { packages="$packages chromium"; wanted="$wanted, Chromium (chromium)"; }
    has_node || { packages="$packages nodejs"; wanted="$wanted, Node.js (node)"; }
    has_npm || { packages="$packages npm"; wanted="$wanted, npm"; }
    wanted=${wanted#, }
}

# skip_browser REASON HELP: a failure in CI only.
skip_browser() {
    [ -z "${CI:-}" ] || fail "$1" "$2"
    say "$1: every test that opens pages in a browser will be skipped ($2)"
}

prepare_browser() {
    look_for_browser
    if [ -n "$packages" ] && has_apt; then
        # shellcheck disable=SC2086 # the list is split on purpose
        install $packages || say "apt-get could not install$packages"
        look_for_browser
    fi
    if [ -n "$packages" ]; then
        skip_browser "this machine lacks $wanted" "install it with the system's package manager"
    else
        prepare_node_packages "$browser_tests"
    fi
    # The identity provider that tests sign in with needs node, and no browser.
    ! has_npm || prepare_node_packages "$provider"
}

# prepare_node_packages FOLDER: a copy of the lock file tells what was installed.
prepare_node_packages() {
    ! cmp -s "$1/package-lock.json" "$1/node_modules/.installed" || return 0
    say "installing the packages of $1"
    if (cd "$1" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error </dev/null >/dev/null); then
        mkdir -p "$1/node_modules"
        cp "$1/package-lock.json" "$1/node_modules/.installed"
    else
        skip_browser "npm could not install the packages of $1" "see its message above"
    fi
}

# --- what some tests want: CI needs it, elsewhere they are skipped without it ------------------------------------------

# $1: the look for it, $2: Debian's package, $3: its name, $4: the tests that want it, $5: what to do.
optional() {
    ! "$1" || return 0
    if has_apt; then
        install "$2" || say "apt-get could not install $2"
        ! "$1" || return 0
    fi
    [ -z "${CI:-}" ] || fail "this machine lacks $3" "$5 with the system's package manager"
    say "this machine lacks $3: $4 will be skipped ($5 with the system's package manager)"
}

# --- a Postgres server, which xtask/postgres.sh starts and stops ------------------------------------------------------

has_postgres() { sh xtask/postgres.sh --look; }

# A server that Debian sets up and may start beside it is not used.
prepare_postgres() { optional has_postgres postgresql "Postgres" "every test on it" "install its server"; }

# --- a solver, for proofs about policies ------------------------------------------------------------------------------

has_solver() { command -v "${CVC5:-cvc5}" >/dev/null 2>&1; }

prepare_solver() { optional has_solver cvc5 "the solver cvc5" "every test of proofs" "install it"; }

case "${1:-}" in
packages) prepare_packages && prepare_rust ;;
tools) prepare_tools ;;
web) prepare_web ;;
browser) prepare_browser ;;
postgres) prepare_postgres ;;
solver) prepare_solver ;;
*) fail "usage: xtask/prepare.sh packages|tools|web|browser|postgres|solver" "the Makefile calls it" ;;
esac
