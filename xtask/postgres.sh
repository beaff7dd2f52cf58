#!/bin/sh
# Runs a command with a throw-away Postgres server beside it: `sh xtask/postgres.sh COMMAND...`. The command finds it by
# AMBIT_TEST_POSTGRES, at a socket in a folder of its own, so that it meets no other server; it ends with the command, also a failed one.
set -eu

say() { printf 'postgres: %s\n' "$1"; }

fail() {
    printf 'error: %s\n  help: %s\n' "$1" "$2" >&2
    exit 1
}

# Debian keeps the server's programs of each version in a folder of their own and off the path; the newest is last, and a folder
# without all that is needed here is passed over.
programs() {
    for initdb in "$(command -v initdb || true)" /usr/lib/postgresql/*/bin/initdb; do
        folder=$(dirname "$initdb")
        [ ! -x "$initdb" ] || [ ! -x "$folder/pg_ctl" ] || [ ! -x "$folder/createuser" ] || found=$folder
    done
    printf '%s' "${found:-}"
}

programs=$(programs)
if [ "${1:-}" = --look ]; then
    [ -n "$programs" ]
    exit
fi
[ $# -gt 0 ] || fail "usage: xtask/postgres.sh COMMAND..." "the Makefile calls it"
if [ -z "$programs" ]; then
    [ -z "${CI:-}" ] || fail "this machine lacks Postgres, and CI tests on it" "sh xtask/prepare.sh postgres"
    say "this machine lacks it: every test on Postgres will be skipped (\`sh xtask/prepare.sh postgres\` brings it)"
    exec "$@"
fi

folder=$(mktemp -d "${TMPDIR:-/tmp}/ambit-postgres.XXXXXX")
# Postgres refuses to run as root; Debian's package makes a user for it.
if [ "$(id -u)" = 0 ]; then
    chown postgres "$folder"
    as_server() { setpriv --reuid=postgres --regid=postgres --clear-groups env HOME="$folder" "$@"; }
else
    as_server() { "$@"; }
fi

stop() {
    # A second signal would leave the folder behind.
    trap '' HUP INT TERM
    as_server "$programs/pg_ctl" stop -D "$folder/data" -m immediate -w >/dev/null 2>&1 || true
    rm -rf "$folder"
}
trap stop EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# What is kept here is lost anyway, so nothing waits for the disk.
settings="-c listen_addresses= -c unix_socket_directories=$folder -c port=5432 -c fsync=off -c max_connections=200"
cd "$folder"
as_server "$programs/initdb" -D "$folder/data" -U ambit -E UTF8 --auth=trust --no-sync >"$folder/initdb.log" 2>&1 ||
    { cat "$folder/initdb.log" >&2; fail "initdb could not make a database" "see its message above"; }
# Tests of who is not let in have roles that need their password.
printf '%s\n' 'local all +guarded scram-sha-256' 'local all all trust' >"$folder/data/pg_hba.conf"
as_server "$programs/pg_ctl" start -D "$folder/data" -w -l "$folder/data/server.log" -o "$settings" >/dev/null ||
    { cat "$folder/data/server.log" >&2; fail "Postgres did not start" "see its log above"; }
as_server "$programs/createuser" -h "$folder" -p 5432 -U ambit --no-login guarded
cd "$OLDPWD"

PATH=$programs:$PATH AMBIT_TEST_POSTGRES="postgres:///postgres?host=$folder&port=5432&user=ambit" "$@"
