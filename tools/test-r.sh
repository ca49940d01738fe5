#!/bin/sh
# Tests the package installed in the build folder's library, in one process more than JOBS says:
# tests of limits of time, of servers and of workers wait.
#
#   tools/test-r.sh [results]          quick tier
#   tools/test-r.sh --long [results]   long tier, of the files that have one: those with `in_tier()`
#
# "passed failed" goes to the file `results`.counts, "seconds test" of each test to `results`.times,
# the names of those that did not pass to `results`.bad. The processes take files from one queue,
# those of tests/testthat/slow-tests.txt first. If a process ends within a file, that file's tests
# have failed, and another process goes on with the queue. Tests of Spark are for the long tier
# (tools/test-engines.sh).
set -u
cd "$(dirname "$0")/.."
. tools/env.sh
export CI=true NOT_CRAN=true

queue=$build/r-tests
tested='^test-'
if [ "${1:-}" = --long ]; then
  export PSILENCE_LONG_TESTS=1
  queue=$build/r-tests-long
  tested=$(grep -l 'in_tier(' tests/testthat/test-*.R | sed 's|.*/||' | paste -sd '|')
  shift
fi
results=${1:-$queue/found}
rm -rf "$queue"
mkdir -p "$queue/taken" "$queue/results"
(
  cd tests/testthat || exit 1
  sed 's/.*/test-&.R/' slow-tests.txt
  ls test-*.R
) | grep -v '^test-source-spark' | grep -E "$tested" | awk '!seen[$0]++' > "$queue/files"

taken() {
  find "$queue/taken" -mindepth 1 | wc -l
}

scratch=$(make_scratch) || exit 1
trap 'rm -rf "$scratch"' EXIT

# A round goes on until its processes have ended. If all of them ended early, the next one takes
# what is left, unless they never came to take a file.
while
  before=$(taken)
  pids=
  for worker in $(seq $((jobs + 1))); do
    TMPDIR=$scratch Rscript --vanilla tools/test-r-files.R "$queue" > "$queue/$before-$worker.log" 2>&1 &
    pids="$pids $!"
  done
  # shellcheck disable=SC2086 # a list of words
  wait $pids
  after=$(taken)
  [ "$after" -gt "$before" ] && [ "$after" -lt "$(wc -l < "$queue/files")" ]
do :; done

cat "$queue"/*.log
Rscript --vanilla tools/test-r-report.R "$queue" "$results"
