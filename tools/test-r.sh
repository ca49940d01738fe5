#!/bin/sh
# Tests the installed package, in one process more than JOBS: tests wait for servers and limits.
#
#   tools/test-r.sh [OPTION]... [FILE]...    FILE is "ledger" for tests/testthat/test-ledger.R
#
#   --long           the long tier, of the files that have one: those with `in_tier()`
#   --newer          the tests of Spark and of packages that need newer ones than Debian's, which no
#                    other tier has; in one process
#   --minutes=N      ends a process after N minutes: R waits without end for a Spark that has died
#   --times=N        runs each file N times, to find tests that fail by chance
#   --results=PATH   where results go: "passed failed" to PATH.counts, "seconds test" of each test to
#                    PATH.times, failed tests and the first lines of why to PATH.bad
#
# Processes take files from a queue, which begins with those of tests/testthat/slow-tests.txt. If a
# process dies within a file, all tests of that file have failed, and another process goes on.
set -u
cd "$(dirname "$0")/.."
. tools/env.sh
export CI=true NOT_CRAN=true

results=$build/r-tests
of_newer='^test-(source-spark|newer)'
tested=$(cd tests/testthat && printf '%s\n' test-*.R | grep -vE "$of_newer")
processes=$((jobs + 1))
minutes=0 # no limit
times=1
chosen=
for argument in "$@"; do
  case $argument in
    --long)
      export PSILENCE_LONG_TESTS=1
      tested=$(cd tests/testthat && grep -l 'in_tier(' $tested)
      ;;
    --newer)
      export R_LIBS="$PSILENCE_NEWER_LIBRARY:$R_LIBS"
      tested=$(cd tests/testthat && printf '%s\n' test-*.R | grep -E "$of_newer")
      processes=1
      ;;
    --minutes=*) minutes=${argument#*=} ;;
    --times=*) times=${argument#*=} ;;
    --results=*) results=${argument#*=} ;;
    -*) sed -n '2,/^set/ s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    *) chosen="$chosen test-$argument.R" ;;
  esac
done
queue=$results.queue
rm -rf "$queue"
mkdir -p "$queue/taken" "$queue/results"
for _ in $(seq "$times"); do
  { sed 's/.*/test-&.R/' tests/testthat/slow-tests.txt; printf '%s\n' $tested; } |
    awk -v all="$(echo ${chosen:-$tested})" 'index(" " all " ", " " $0 " ") && !seen[$0]++'
done > "$queue/files"
[ "$(sort -u "$queue/files" | wc -l)" = "$(echo ${chosen:-$tested} | wc -w)" ] || {
  say "Not all of these are files of this tier:$chosen"
  exit 1
}

scratch=$(make_scratch) || exit 1

# The tests' processes and their children write to this folder, which tells them from others. Those
# of Spark outlive the R that started them.
end_processes() {
  for process in /proc/[0-9]*; do
    ! grep -qsz "^TMPDIR=$scratch\$" "$process/environ" || kill -9 "${process#/proc/}"
  done
}
trap 'end_processes; rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM

taken() {
  find "$queue/taken" -mindepth 1 | wc -l
}

# If all processes of a round die early, the next round takes the other files, unless no process
# came to take one.
while
  before=$(taken)
  pids=
  for process in $(seq "$processes"); do
    TMPDIR=$scratch timeout --foreground -k 10 "${minutes}m" \
      Rscript --vanilla tools/test-r.R run "$queue" > "$queue/$before-$process.log" 2>&1 &
    pids="$pids $!"
  done
  # shellcheck disable=SC2086 # a list of words
  wait $pids
  after=$(taken)
  [ "$after" -gt "$before" ] && [ "$after" -lt "$(wc -l < "$queue/files")" ]
do :; done

cat "$queue"/*.log
Rscript --vanilla tools/test-r.R report "$queue" "$results"
