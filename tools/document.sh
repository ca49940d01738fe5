#!/bin/sh
# Rewrites all that is generated: RcppExports, NAMESPACE, man, units.
set -eu
cd "$(dirname "$0")/.."
. tools/env.sh
Rscript --vanilla tools/generate.R .
tools/check-objects.sh --write
