#!/bin/sh
# The long tier of the tests, but for other platforms; the last line is `N passed, N failed`.
#
#   core       the C++ core with its long statistical tests, at full speed
#   units      the sources of each folder of the core compile as one unit, however they are divided
#   proofs     the inequalities on which samplers rest
#   fuzz       libFuzzer on what reads ledgers, receipts and Arrow data, five minutes each
#   r          the R tests that repeat more here than with every change: 1e5 random statistics
#              report their map, and others
#   engines    each engine counts 20,000 random tables to the integer
#   spark      so does Spark
#   slurm      blocks of rows run as jobs of a cluster of this machine
#   targets    a pipeline of package targets is paid once, and its store holds nothing private
#   replay     known random bytes give the same releases, however the package is compiled
#   power      what excess of loss the audits of the R tests notice; writes the page that says so
#
# Two processes share the work. What the parts print stays in build/log-long.
set -u
cd "$(dirname "$0")/.."
. tools/env.sh
. tools/parts.sh
start_parts log-long

# The package is there long before the core has been tested.
core_and_builds() {
  part core "core: building and testing the C++ core with its long tier" \
    tools/test-core.sh --core-long "$log/core"
  part engines "engines: random tables are counted to the integer" \
    env PSILENCE_ENGINE_TABLES=20000 tools/test-r.sh --results="$log/engines" \
    query-engine query-stream query-arrow
  part spark "spark: random tables are counted to the integer" \
    env PSILENCE_ENGINE_TABLES=20000 tools/test-r.sh --newer --results="$log/spark" source-spark
  part slurm "slurm: blocks run as jobs" Rscript --vanilla tools/check-slurm.R
  part targets "targets: a pipeline is paid once" env R_LIBS="$PSILENCE_NEWER_LIBRARY:$R_LIBS" \
    Rscript --vanilla tools/check-targets.R
  part replay "replay: every build gives the same releases" tools/check-replay.sh
  part units "units: the sources of each folder compile together" \
    tools/check-objects.sh --together
  part proofs "proofs: Gappa proves the inequalities of PROOFS.md" tools/check-proofs.sh
  part fuzz "fuzz: no input breaks what reads ledgers, receipts and Arrow data" tools/fuzz.sh
}

statistics() {
  part r "r: R tests with their long tier" tools/test-r.sh --long --results="$log/r"
  part power "power: audits notice small excesses" Rscript --vanilla tools/audit-power.R
}

part install "install: the package installs" tools/install.sh
core_and_builds &
statistics
wait

end_parts
