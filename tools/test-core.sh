#!/bin/sh
# Builds and tests the core alone.
#
#   tools/test-core.sh [counts]            quick tier, under the sanitizers
#   tools/test-core.sh --threads [counts]  quick tier, under the race detector instead
#   tools/test-core.sh --long [counts]     with the long statistical tier, at full speed instead
#
# "passed failed" goes to the file `counts`, if one is named; a skipped test counts as failed.
set -u
cd "$(dirname "$0")/.."
. tools/env.sh

if [ "${1:-}" = --long ]; then
  shift
  folder=$build/core-long
  set -- "${1:-}" -DPSILENCE_LONG_TESTS=ON -DPSILENCE_SANITIZE= -DCMAKE_BUILD_TYPE=Release
elif [ "${1:-}" = --threads ]; then
  shift
  folder=$build/core-threads
  set -- "${1:-}" -DPSILENCE_SANITIZE=thread
  # The race detector wants its places in memory free, which random addresses may take.
  if setarch -R true 2> /dev/null; then fixed_addresses='setarch -R'; fi
else
  folder=$build/core
  set -- "${1:-}"
fi
counts=$1
shift

cmake -S tests/cpp -B "$folder" -G Ninja "$@" > "$build/cmake.log" 2>&1 || {
  cat "$build/cmake.log"
  exit 1
}
# shellcheck disable=SC2086 # a command and its option, or nothing
${fixed_addresses:-} cmake --build "$folder" --parallel "$jobs" || exit 1
rm -f "$folder/junit.xml"
# shellcheck disable=SC2086
${fixed_addresses:-} ctest --test-dir "$folder" --parallel "$jobs" --output-on-failure --progress \
  --output-junit junit.xml | grep -v '^[[:space:]]*$'

# The attributes of the one <testsuite> element.
attribute() {
  sed -n "s/.*[[:space:]]$1=\"\([0-9]*\)\".*/\1/p" "$folder/junit.xml" | head -n 1
}
tests=$(attribute tests)
failed=$(($(attribute failures) + $(attribute disabled) + $(attribute skipped)))
[ "$tests" -gt 0 ] || failed=1
[ -z "$counts" ] || echo "$((tests - failed)) $failed" > "$counts"
[ "$failed" = 0 ]
