#!/bin/sh
# Builds and tests the core alone, by a preset of tests/cpp/CMakePresets.json.
#
#   tools/test-core.sh [--PRESET] [results]    "--core" by default
#
# "passed failed" goes to the file `results`.counts, "seconds test" of each test to `results`.times,
# the names of failed tests to `results`.bad. A test that was skipped, or that did not end because of
# a crash or a limit of time, has failed.
set -u
cd "$(dirname "$0")/.."
. tools/env.sh

preset=core
case ${1:-} in
  --*)
    preset=${1#--}
    shift
    ;;
esac
folder=$build/$preset
results=${1:-$folder/found}
# The race detector needs certain addresses, which the system may give away at random.
fixed_addresses=
[ "$preset" != core-threads ] || ! setarch -R true 2> /dev/null || fixed_addresses='setarch -R'

configure_core "$preset" || exit 1
# shellcheck disable=SC2086 # a command and its option, or nothing
${fixed_addresses:-} cmake --build "$folder" --parallel "$jobs" || exit 1
rm -f "$folder"/*_tests_*.xml
# Freed memory waits in 16 MB, not in 256, before it is used again: this halves the time that pages
# of memory cost. Each piece of memory keeps 4 frames of its owner, not 30, which saves a tenth. An
# error still shows its own frames in full.
export ASAN_OPTIONS="quarantine_size_mb=16:malloc_context_size=4${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
scratch=$(make_scratch) || exit 1
trap 'rm -rf "$scratch"' EXIT
# shellcheck disable=SC2086
TMPDIR=$scratch ${fixed_addresses:-} ctest --test-dir "$folder" --parallel "$jobs" --output-on-failure

# One line for each test: "seconds name", and "bad name" if it did not pass. ctest knows processes,
# which share the tests; GoogleTest reports the tests of each.
cat "$folder"/*_tests_*.xml 2> /dev/null | awk '
  function attribute(name) {
    if (!match($0, " " name "=\"[^\"]*\"")) return ""
    return substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4)
  }
  /<testcase / {
    test = attribute("classname") "." attribute("name")
    print attribute("time"), test
    if (attribute("result") != "completed") print "bad", test
  }
  /<failure/ { print "bad", test }
' > "$folder/tests"
listed=0
for program in core_tests system_entropy_tests; do
  # shellcheck disable=SC2086
  in_program=$(${fixed_addresses:-} "$folder/$program" --gtest_list_tests | grep -c '^  ')
  listed=$((listed + in_program))
done
ended=$(grep -vc '^bad ' "$folder/tests")
sed -n 's/^bad //p' "$folder/tests" | sort -u > "$results.bad"
passed=$((ended - $(wc -l < "$results.bad")))
if [ "$listed" -gt "$ended" ]; then
  echo "$((listed - ended)) tests of the core that did not end" >> "$results.bad"
fi
grep -v '^bad ' "$folder/tests" > "$results.times"
echo "$passed $((listed - passed))" > "$results.counts"
say "$passed of $listed tests of the core passed"
[ "$listed" -gt 0 ] && [ "$passed" = "$listed" ]
