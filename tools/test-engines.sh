#!/bin/sh
# Runs the tests of all engines with more random tables than the quick tier has.
#
#   tools/test-engines.sh tables
set -eu
cd "$(dirname "$0")/.."
. tools/env.sh
export NOT_CRAN=true CI=true PSILENCE_ENGINE_TABLES="$1"

test_file() {
  Rscript --vanilla -e 'testthat::test_file(commandArgs(TRUE), package = "PSIlence",
    load_package = "installed", stop_on_failure = TRUE)' "tests/testthat/test-$1.R"
}

test_file query-engine
test_file query-stream
test_file query-arrow
# Spark is reached through packages that are newer than those of the other tests.
export R_LIBS="$PSILENCE_NEWER_LIBRARY:$R_LIBS"
test_file source-spark
