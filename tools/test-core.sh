#!/bin/sh
# Builds and tests the core alone.
#
#   tools/test-core.sh [results]            quick tier, under the sanitizers
#   tools/test-core.sh --units [results]    the same on the units that R compiles: quicker
#   tools/test-core.sh --threads [results]  quick tier, under the race detector instead
#   tools/test-core.sh --long [results]     with the long statistical tier, at full speed
#
# "passed failed" goes to the file `results`.counts, "seconds test" of each test to `results`.times,
# the names of those that did not pass to `results`.bad. A test that was skipped, or that a crash or
# a limit of time kept from ending, counts as failed.
set -u
cd "$(dirname "$0")/.."
. tools/env.sh

folder=core
options=
case ${1:-} in
  --units)
    folder=core-units
    options=-DPSILENCE_UNITY=ON
    shift
    ;;
  --threads)
    folder=core-threads
    options=-DPSILENCE_SANITIZE=thread
    # The race detector wants its places in memory free, which random addresses may take.
    if setarch -R true 2> /dev/null; then fixed_addresses='setarch -R'; fi
    shift
    ;;
  --long)
    folder=core-long
    options='-DPSILENCE_LONG_TESTS=ON -DPSILENCE_UNITY=ON'
    options="$options -DPSILENCE_SANITIZE= -DCMAKE_BUILD_TYPE=Release"
    shift
    ;;
esac
folder=$build/$folder
results=${1:-$folder/found}

# shellcheck disable=SC2086 # a list of words
cmake -S tests/cpp -B "$folder" -G Ninja $options > "$build/cmake.log" 2>&1 || {
  cat "$build/cmake.log"
  exit 1
}
# shellcheck disable=SC2086 # a command and its option, or nothing
${fixed_addresses:-} cmake --build "$folder" --parallel "$jobs" || exit 1
rm -f "$folder"/*_tests_*.xml
# What is freed waits in 16 MB, not in 256, before it is used again, which saves half of the time
# that pages of memory cost. Of each piece of memory 4 frames of its owner are kept, not 30, which
# saves a tenth; an error shows its own frames in full.
export ASAN_OPTIONS="quarantine_size_mb=16:malloc_context_size=4${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
scratch=$(make_scratch) || exit 1
trap 'rm -rf "$scratch"' EXIT
# shellcheck disable=SC2086
TMPDIR=$scratch ${fixed_addresses:-} ctest --test-dir "$folder" --parallel "$jobs" --output-on-failure

# What the processes found, one line for each test: "seconds name", and "bad name" for one that did
# not pass.
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
