#!/bin/sh
# The quick tier of the tests, in suites; the last line is `N passed, N failed` over all of them.
#
#   core       the C++ core alone, under the address and undefined-behaviour sanitizers
#   setup      what the other suites take is there, or is installed
#   tree       what is checked in agrees with itself: units, generated files, format, lint
#   install    the package installs, its worker threads leave R alone, and its audits have power
#   check      R CMD check --as-cran: no error, no warning, no note without an explanation
#   r          the R tests, against the installed package
#   spark      private tables in a real Spark, if SPARK is "yes", as in continuous integration
#
# The core is built and tested beside the other suites, whose set-up waits for the network. The R
# tests follow the core, in as many processes as there are, so that nothing idles while the other
# suites run one by one; those of Spark, in one process, run beside them. What a part of a suite
# prints comes when it has ended, and stays in build/log; the time that each took, and the slowest
# tests, come at the end.
#
# A test that cannot run has failed: a skipped test, a suite that does not build, a missing tool.
#
#   PARTS='setup install r' tools/test.sh    runs the parts with these names only
set -u
cd "$(dirname "$0")/.."
. tools/env.sh
. tools/parts.sh
start_parts log
needed=test
[ "${SPARK:-}" != yes ] || needed=spark

core_suites() {
  part core "core: building and testing the C++ core under the sanitizers (D-R-7)" \
    tools/test-core.sh --core-units "$log/core"
  # If the core was built before, its tests can end before the package is installed.
  until [ -e "$log/install.said" ]; do sleep 1; done
  if [ "${SPARK:-}" = yes ]; then spark_suite & fi
  part r "r: testing the installed package" tools/test-r.sh --results="$log/r"
  wait
}

spark_suite() {
  part spark "spark: testing private tables in a real Spark" \
    tools/test-r.sh --newer --minutes=20 --results="$log/spark"
}

other_suites() {
  part setup "setup: what all other suites take is there" tools/setup.sh "$needed"
  part install "install: the package installs, with its vignettes" tools/install.sh --vignettes
  part tree-units "tree: what R compiles is the tree" tools/check-objects.sh
  part tree-layers "tree: no layer of the core or of R/ uses a higher one" \
    Rscript --vanilla tools/check-layers.R
  part tree-generated "tree: generated files are fresh" tools/document.sh --check
  part tree-texts "tree: texts are spelt right, and every page has its place" \
    Rscript --vanilla tools/check-texts.R pages spelling
  part tree-defences "tree: each defence is named in a test" tools/check-defences.sh
  part tree-configure "tree: configure chooses as it says" tools/check-configure.sh
  part tree-code "tree: code is formatted and free of lint" Rscript --vanilla tools/check-code.R
  part install-symbols "install: the library exports nothing but its entry" tools/check-symbols.sh
  part install-workers "install: no worker calls R" tests/workers/run.sh
  part tree-articles "tree: the articles and the code of README.md run" tools/check-articles.sh
  part install-audits "install: each audit of the R tests states its power" \
    Rscript --vanilla benchmarks/audit-power.R --check
  # The tarball was built with its vignettes, and the R tests have a part of their own: `make check`
  # does both once more.
  part check "check: R CMD check --as-cran (D-R-7)" tools/check.sh --no-tests --no-vignettes
}

core_suites &
other_suites
wait

[ "${SPARK:-}" = yes ] || say "Left out: the tests in a real Spark, which need SPARK=yes."
end_parts
