#!/bin/sh
# Builds the site of all help pages and articles in build/site. Fails on any warning.
#
#   tools/site.sh
set -eu
cd "$(dirname "$0")/.."
. tools/env.sh
log=$build/site.log
say "Building the site in $build/site"
Rscript --vanilla tools/site.R "$build/site" > "$log" 2>&1 || {
  tail -n 30 "$log"
  say "Not built, or with warnings; the whole log is $log."
  exit 1
}
say "Built; open $build/site/index.html."
