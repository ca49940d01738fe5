#!/bin/sh
# Runs the benchmarks: the programs of benchmarks/core, optimised as R's own flags do it, then the
# scripts of benchmarks, against the installed package. Writes benchmarks/README.md from what they
# printed and from benchmarks/targets.dcf.
#
#   benchmarks/run.sh [name...]    all of them, or those named, as "clamped-sum" or "noise_bench"
#
# What a script printed stays in build/bench, so that the README holds the last run of each.
set -eu
cd "$(dirname "$0")/.."
. tools/env.sh
folder=$build/core-bench
results=$build/bench
mkdir -p "$results"
[ $# -gt 0 ] || rm -f "$results"/*
wanted=" $* "
failed=

# Is the benchmark $1 to run?
is_wanted() {
  [ "$wanted" = "  " ] || [ "${wanted#* "$1" }" != "$wanted" ]
}

# Runs the benchmark $1, which is the file $2, by the command that follows.
run() {
  name=$1
  file=$2
  shift 2
  say "$file"
  rm -f "$results/$name".*
  echo "$file" > "$results/$name.file"
  echo "$(date -u +%Y-%m-%d), at a load of $(cut -d ' ' -f 1 /proc/loadavg)" > "$results/$name.date"
  { PSILENCE_BENCH_RESULTS=$results/$name.targets "$@" 2>&1 || : > "$results/$name.failed"; } |
    tee "$results/$name.txt"
  [ ! -f "$results/$name.failed" ] || failed="$failed $name"
}

configure_core core-bench
for source in benchmarks/core/*_bench.cpp; do
  name=$(basename "$source" .cpp)
  is_wanted "$name" || continue
  cmake --build "$folder" --parallel "$jobs" --target "$name"
  run "$name" "$source" "$folder/$name"
done
for script in $(grep -l '^# Question:' benchmarks/*.R); do
  name=$(basename "$script" .R)
  is_wanted "$name" || continue
  run "$name" "$script" Rscript --vanilla "$script"
done
Rscript --vanilla benchmarks/report.R "$results"
[ -z "$failed" ] || {
  say "Failed:$failed"
  exit 1
}
