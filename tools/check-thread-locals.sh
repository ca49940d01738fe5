#!/bin/sh
# Fails if a thread_local object of the core is anything but a number or a pointer: what has a
# destructor is a PerThread object (core/platform.h says why).
set -eu
cd "$(dirname "$0")/.."
! grep -rnE '^[^/"]*\bthread_local\b' src --include='*.cpp' --include='*.h' --include='*.inc' |
  grep -vE 'thread_local (const )?(bool|std::uint64_t|[A-Za-z_:]+(<[a-z]+>)?\*) '
