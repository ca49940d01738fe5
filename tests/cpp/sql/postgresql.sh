#!/bin/sh
# Runs the statements of file $1 in a temporary PostgreSQL, and writes the result to file $2: one
# line per row, with `|` between cells. Fails if the engine raises an error.
set -eu
bin=$(for each in /usr/lib/postgresql/*/bin; do echo "$each"; done | tail -n 1)
home=$(mktemp -d)
# The server does not run as root.
as=
if [ "$(id -u)" = 0 ]; then
  chown postgres "$home"
  as='setpriv --reuid postgres --regid postgres --clear-groups'
fi
stop() {
  # shellcheck disable=SC2086 # a command and its arguments
  $as "$bin/pg_ctl" -D "$home/data" -m immediate stop > "$home/stop.log" 2>&1 || true
  rm -rf "$home"
}
trap stop EXIT
# shellcheck disable=SC2086
{
  cd "$home"
  $as "$bin/initdb" -D "$home/data" -U tests -A trust -E UTF8 --locale=C.UTF-8 -N > /dev/null
  $as "$bin/pg_ctl" -D "$home/data" -o "-k '$home' -c listen_addresses= -c fsync=off" -w \
    -l "$home/log" start > /dev/null
}
psql -h "$home" -U tests -d postgres -X -q -A -t -F '|' -v ON_ERROR_STOP=1 -f "$1" > "$2"
