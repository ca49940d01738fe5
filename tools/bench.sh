#!/bin/sh
# Runs every benchmark: the programs of benchmarks/core, optimised as R's own flags do it, then the
# scripts of benchmarks, against the installed package.
set -eu
cd "$(dirname "$0")/.."
. tools/env.sh
folder=$build/core-bench
cmake -S tests/cpp -B "$folder" -G Ninja -DPSILENCE_BENCHMARKS=ON -DPSILENCE_SANITIZE= \
  -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS=-O2 > "$build/cmake.log" 2>&1 || {
  cat "$build/cmake.log"
  exit 1
}
for source in benchmarks/core/*_bench.cpp; do
  name=$(basename "$source" .cpp)
  cmake --build "$folder" --parallel "$jobs" --target "$name"
  say "$source"
  "$folder/$name"
done
for script in benchmarks/*.R; do
  [ "$script" != benchmarks/compare.R ] || continue # what the others share
  say "$script"
  Rscript --vanilla "$script"
done
