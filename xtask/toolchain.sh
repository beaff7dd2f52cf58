#!/bin/sh
# Prints the name of an installed toolchain of the pinned version, where rustup has it under another name only (a machine whose
# `stable` is that version and which fetches no toolchains). Prints nothing where there is none.
set -eu
pinned=$(sed -n 's/^channel = "\(.*\)"$/\1/p' rust-toolchain.toml)
for name in $(rustup toolchain list --quiet 2>/dev/null); do
    case "$(rustc "+$name" --version 2>/dev/null)" in
    "rustc $pinned "*) printf '%s\n' "$name" && exit 0 ;;
    esac
done
