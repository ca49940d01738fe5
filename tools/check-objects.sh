#!/bin/sh
# Compares the object lists of src/Makevars.in with the sources in the tree.
#
#   tools/check-objects.sh           fails and shows the difference
#   tools/check-objects.sh --write   rewrites the lists
set -eu
export LC_ALL=C
cd "$(dirname "$0")/.."

# One sorted object per line, as a make variable.
list() {
  name=$1
  shift
  (cd src && find "$@" -name '*.cpp' ! -name '.*' -print) | sed 's|^\./||; s|\.cpp$|.o|' | sort |
    awk -v name="$name" '{ printf "%s \\\n  %s", (NR == 1 ? name " =" : ""), $0 }
                         END { print (NR == 0 ? name " =" : "") }'
}

expected=$(mktemp)
trap 'rm -f "$expected"' EXIT
# A variable runs to its first line without a trailing backslash.
{
  core=$(list CORE core)
  bindings=$(list BINDINGS . ! -name . -prune)
  core=$core bindings=$bindings awk '
    /^CORE =/ { print ENVIRON["core"]; skipping = 1 }
    /^BINDINGS =/ { print ENVIRON["bindings"]; skipping = 1 }
    !skipping { print }
    skipping && !/\\$/ { skipping = 0 }
  ' src/Makevars.in
} > "$expected"

if [ "${1:-}" = --write ]; then
  cmp -s "$expected" src/Makevars.in || cat "$expected" > src/Makevars.in
elif ! diff -u src/Makevars.in "$expected"; then
  echo "src/Makevars.in does not list the sources; run tools/check-objects.sh --write." >&2
  exit 1
fi
