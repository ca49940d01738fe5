#!/bin/sh
# Every test there is, in five suites; the last line is `N passed, N failed` over all of them.
#
#   tree       what is checked in agrees with itself: object lists, generated files, format, lint
#   core       the C++ core alone, under the address and undefined-behaviour sanitizers
#   install    the package installs, and its worker threads leave R alone
#   r          the R tests, against the installed package
#   check      R CMD check --as-cran: no error, no warning, no note without an explanation
#
# A test that cannot run has failed: a skipped test, a suite that does not build, a missing tool.
set -u
cd "$(dirname "$0")/.."
. tools/env.sh
results=$build/results
: > "$results"

failures=$build/failures
: > "$failures"

# Runs a command that is one test.
one() {
  name=$1
  shift
  say "$name"
  if "$@"; then
    echo "1 0" >> "$results"
  else
    echo "0 1" >> "$results"
    echo "$name" >> "$failures"
  fi
}

# Runs a command that writes "passed failed" to the file it is given last.
many() {
  name=$1
  shift
  say "$name"
  rm -f "$build/counts"
  "$@" "$build/counts" || echo "$name" >> "$failures"
  if [ -s "$build/counts" ]; then
    cat "$build/counts" >> "$results"
  else
    echo "0 1" >> "$results"
  fi
}

one "tree: src/Makevars.in lists every source" tools/check-objects.sh
one "tree: the core's layers stand on each other in one direction" tools/check-layers.sh
one "tree: generated files are fresh" tools/check-generated.sh
one "tree: every help topic has its place in _pkgdown.yml" Rscript --vanilla tools/check-topics.R
one "tree: configure chooses as it says" tools/check-configure.sh
one "tree: C++ is formatted" tools/check-format.sh
one "tree: R code is free of lint" Rscript --vanilla tools/check-lint.R
many "core: building and testing the C++ core" tools/test-core.sh
one "install: the package installs" tools/install.sh
one "install: no worker calls R" tools/check-workers.sh
many "r: testing the installed package" Rscript --vanilla tools/test-r.R
one "check: R CMD check --as-cran" tools/check.sh --no-tests

if [ -s "$failures" ]; then
  say "Failed:"
  cat "$failures"
fi
awk '{ passed += $1; failed += $2 }
     END { printf "%d passed, %d failed\n", passed, failed }' "$results" | tee "$build/summary"
grep -q '^[1-9][0-9]* passed, 0 failed$' "$build/summary"
