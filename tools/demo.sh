#!/bin/sh
# Runs the package's demo and says where its plots are.
set -eu
cd "$(dirname "$0")/.."
. tools/env.sh
mkdir -p "$build/demo"
cd "$build/demo"
Rscript --vanilla -e 'demo("psilence", package = "PSIlence", ask = FALSE, echo = FALSE)'
