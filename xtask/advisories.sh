#!/bin/sh
# Checks the lock file against the database of security advisories, where that database can be fetched.
# Offline is no failure: the reason is printed, and the next run with a network checks.
set -eu

# macOS has no `timeout`; there cargo-deny's own limits hold.
limit=''
! command -v timeout >/dev/null 2>&1 || limit='timeout 30'

if reason=$($limit cargo deny --log-level error fetch db 2>&1); then
    exec cargo deny --log-level error check --disable-fetch advisories
fi
printf 'advisories: skipped, the advisory database cannot be fetched: %s\n' "$(printf '%s\n' "$reason" | grep -v '^ *$' | tail -n 1)"
