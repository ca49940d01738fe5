#!/bin/sh
# Fails if clang-format would change a C++ file; --write changes it.
set -eu
cd "$(dirname "$0")/.."

# Another version formats in another way.
if ! clang-format --version | grep -q 'version 14\.'; then
  echo "Formatted with clang-format 14, which is not here: not compared."
  [ -z "${CI:-}" ]
  exit
fi
how='--dry-run -Werror'
[ "${1:-}" != --write ] || how=-i
# shellcheck disable=SC2086 # a list of words
find src tests/cpp benchmarks \( -name '*.cpp' -o -name '*.h' \) ! -name RcppExports.cpp \
  -exec clang-format $how {} +
