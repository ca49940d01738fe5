#!/bin/sh
# The long tier of the tests; the last line is `N passed, N failed`.
#
#   setup      all tools of the other parts are installed
#   install    the package installs
#   core       the C++ core with its long statistical tests, at full speed
#   threads    the C++ core under the race detector
#   engines    each engine counts 20,000 random tables to the integer
#   spark      so does Spark
#   slurm      blocks of rows run as jobs of a cluster of this machine
#   targets    a pipeline of package targets is charged once, and its store holds nothing private
#   replay     known random bytes give the same releases, however the package is compiled
#   units      the sources of each folder of the core compile as one unit, however they are divided
#   proofs     Gappa proves the inequalities that samplers rely on
#   fuzz       libFuzzer on readers of ledgers, receipts and Arrow data, five minutes each
#   platforms  the core on Windows (Wine), with libc++ and on ARM (QEMU)
#   r          the R tests that repeat more here than with every change: 1e5 random statistics
#              report their map, and others
#   power      the excess of loss that the audits of the R tests notice; writes the page that says so
#
# Two processes share the work. The output of the parts stays in build/log-long.
#
#   PARTS='fuzz replay' tools/test-long.sh    runs the parts with these names only
set -u
cd "$(dirname "$0")/.."
. tools/env.sh
. tools/parts.sh
start_parts log-long

# The package is there long before the core has been tested.
core_and_builds() {
  part core "core: building and testing the C++ core with its long tier" \
    tools/test-core.sh --core-long "$log/core"
  part threads "threads: testing the C++ core under the race detector" \
    tools/test-core.sh --core-threads "$log/threads"
  part engines "engines: random tables are counted to the integer" \
    env PSILENCE_ENGINE_TABLES=20000 tools/test-r.sh --results="$log/engines" \
    engine-duckdb engine-postgresql engine-sqlite query-arrow
  part spark "spark: random tables are counted to the integer" \
    env PSILENCE_ENGINE_TABLES=20000 tools/test-r.sh --newer --results="$log/spark" source-spark
  part slurm "slurm: blocks run as jobs" Rscript --vanilla tests/long/slurm.R
  part targets "targets: a pipeline is paid once" env R_LIBS="$PSILENCE_NEWER_LIBRARY:$R_LIBS" \
    Rscript --vanilla tests/long/targets.R
  part replay "replay: every build gives the same releases" tests/replay/run.sh
  part units "units: the sources of each folder compile together" \
    tools/check-objects.sh --together
  part proofs "proofs: Gappa proves the inequalities of PROOFS.md" src/core/random/proofs/run.sh
  part fuzz "fuzz: no input breaks what reads ledgers, receipts and Arrow data" tests/cpp/fuzz/run.sh
  part platforms "platforms: the core passes its tests on other platforms" tools/check-platforms.sh
}

statistics() {
  part r "r: R tests with their long tier" tools/test-r.sh --long --results="$log/r"
  part power "power: audits notice small excesses" Rscript --vanilla benchmarks/audit-power.R
}

part setup "setup: all tools are installed" \
  sh -c 'tools/setup.sh long && tools/setup.sh platforms'
part install "install: the package installs" tools/install.sh
core_and_builds &
statistics
wait

end_parts
