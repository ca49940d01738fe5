#!/bin/sh
# Fails if code of the core or its boundary names std::variant instead of OneOf (core/one_of.h),
# which can be copied when memory ends.
set -eu
cd "$(dirname "$0")/.."
! grep -rnE 'std::variant *<' src --include='*.h' --include='*.cpp' | grep -v '^src/core/one_of.h:'
