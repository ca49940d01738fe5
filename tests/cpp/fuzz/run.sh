#!/bin/sh
# Runs the fuzzers of tests/cpp/fuzz/ with clang's libFuzzer, under the address and
# undefined-behaviour sanitizers.
#
#   tests/cpp/fuzz/run.sh [seconds]   of each fuzzer; 300 by default
#
# What they found interesting stays in build/core-fuzz/corpus, and is where the next run starts. An
# input that breaks a rule is written to build/core-fuzz, and fails.
set -eu
cd "$(dirname "$0")/../../.."
. tools/env.sh

seconds=${1:-300}
folder=$build/core-fuzz
cmake -S tests/cpp/fuzz -B "$folder" -G Ninja -DCMAKE_CXX_COMPILER=clang++ > "$build/cmake.log" || {
  cat "$build/cmake.log"
  exit 1
}
cmake --build "$folder" --parallel "$jobs"
"$folder/make_seeds" "$folder/corpus"
for fuzzer in ledger receipt arrow query; do
  say "Fuzzing $fuzzer for $seconds seconds"
  "$folder/${fuzzer}_fuzz" -max_total_time="$seconds" -max_len=8192 -timeout=10 -verbosity=1 \
    -print_final_stats=1 -artifact_prefix="$folder/$fuzzer-" "$folder/corpus/$fuzzer" \
    2> "$folder/$fuzzer.log" || {
    tail -n 30 "$folder/$fuzzer.log"
    exit 1
  }
  grep -E 'Done|cov:' "$folder/$fuzzer.log" | tail -n 2
done
