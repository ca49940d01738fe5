#!/bin/sh
# Tests the package installed in the build folder's library, in one process more than JOBS says:
# tests of limits of time, of servers and of workers wait.
#
#   tools/test-r.sh [results]          quick tier
#   tools/test-r.sh --long [results]   long tier, of the files that have one: those with `in_tier()`
#   tools/test-r.sh --spark [results]  tests of Spark and of parsnip, which no other tier has: in one
#                                      process, with newer packages than Debian's
#
# "passed failed" goes to the file `results`.counts, "seconds test" of each test to `results`.times,
# the names of those that did not pass, with the first lines of why, to `results`.bad. The
# processes take files from one queue, those of tests/testthat/slow-tests.txt first. If a process
# ends within a file, that file's tests have failed, and another process goes on with the queue.
# What the tests started ends with them.
set -u
cd "$(dirname "$0")/.."
. tools/env.sh
export CI=true NOT_CRAN=true

queue=$build/r-tests
tested='^test-'
left_out='^test-(source-spark|newer)'
processes=$((jobs + 1))
minutes=0 # no limit
case ${1:-} in
  --long)
    export PSILENCE_LONG_TESTS=1
    queue=$build/r-tests-long
    tested=$(grep -l 'in_tier(' tests/testthat/test-*.R | sed 's|.*/||' | paste -sd '|')
    shift
    ;;
  --spark)
    export R_LIBS="$PSILENCE_NEWER_LIBRARY:$R_LIBS"
    queue=$build/r-tests-spark
    tested=$left_out
    left_out='^$'
    processes=1
    minutes=20 # R waits without end for a Spark that has died
    shift
    ;;
esac
results=${1:-$queue/found}
rm -rf "$queue"
mkdir -p "$queue/taken" "$queue/results"
(
  cd tests/testthat || exit 1
  sed 's/.*/test-&.R/' slow-tests.txt
  ls test-*.R
) | grep -vE "$left_out" | grep -E "$tested" | awk '!seen[$0]++' > "$queue/files"

taken() {
  find "$queue/taken" -mindepth 1 | wc -l
}

scratch=$(make_scratch) || exit 1

# Processes that the tests started, and theirs, are known by the folder for what they write. Those
# of Spark do not end with the R that started them.
end_processes() {
  for process in /proc/[0-9]*; do
    ! grep -qsz "^TMPDIR=$scratch\$" "$process/environ" || kill -9 "${process#/proc/}"
  done
}
trap 'end_processes; rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM

# A round goes on until its processes have ended. If all of them ended early, the next one takes
# what is left, unless they never came to take a file.
while
  before=$(taken)
  pids=
  for worker in $(seq "$processes"); do
    TMPDIR=$scratch timeout --foreground -k 10 "${minutes}m" \
      Rscript --vanilla tools/test-r-files.R "$queue" > "$queue/$before-$worker.log" 2>&1 &
    pids="$pids $!"
  done
  # shellcheck disable=SC2086 # a list of words
  wait $pids
  after=$(taken)
  [ "$after" -gt "$before" ] && [ "$after" -lt "$(wc -l < "$queue/files")" ]
do :; done

cat "$queue"/*.log
Rscript --vanilla tools/test-r-report.R "$queue" "$results"
