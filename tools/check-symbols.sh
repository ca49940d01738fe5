#!/bin/sh
# Fails if the installed library exports more than R needs, or calls what a package must not call:
# what writes to the console past R, ends its process or draws from the system's weak generators.
set -eu
cd "$(dirname "$0")/.."
. tools/env.sh
library=$build/library/PSIlence/libs/PSIlence.so

# R_init_PSIlence is what R calls. Rcpp marks the functions behind .Call as visible, and libstdc++
# and Boost their own templates, whatever they are instantiated with.
exported=$(nm -D --defined-only "$library" | awk '{ print $3 }')
echo "$exported" | grep -q '^R_init_PSIlence$' || {
  echo "R_init_PSIlence is missing." >&2
  exit 1
}
strong=$(nm -D --defined-only "$library" | awk '$2 !~ /[WVu]/ { print $3 }' |
  grep -Ev '^(R_init_PSIlence|_PSIlence_core_[A-Za-z0-9_]+)$' || :)
# By mangled names: demangled ones of templates begin with what they return.
weak=$(echo "$exported" | grep -E '^_Z(G[A-Z]|T[A-Za-z0-9_]*)?Z*N[KVrRO]*(2dp|4Rcpp|5Eigen)' | c++filt || :)
surplus=$strong$weak
forbidden='printf|fprintf|vprintf|puts|putchar|stdout|stderr|exit|_exit|abort|rand|srand|random'
forbidden="$forbidden|_ZSt4cout|_ZSt4cerr"
called=$(nm -D --undefined-only "$library" | awk '{ sub(/@.*/, "", $2); print $2 }' |
  grep -Ex "($forbidden)" || :)
[ -z "$surplus" ] || echo "exported: $(echo "$surplus" | head -n 20)" >&2
[ -z "$called" ] || echo "called: $called" >&2
[ -z "$surplus$called" ]
