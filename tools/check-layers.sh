#!/bin/sh
# Fails if a folder of the core includes one below it in this list, or anything of R.
set -eu
cd "$(dirname "$0")/../src"
layers='numeric random domains metrics measures engine transformations measurements
  postprocessing sample_aggregate accounting combinators'

find core -name '*.h' -o -name '*.cpp' | xargs grep -n '^#include' | awk -v layers="$layers" '
  BEGIN {
    count = split(layers, names, /[ \n]+/)
    for (i = 1; i <= count; i++) rank[names[i]] = i
  }
  # core/<layer>/file.cpp:12:#include "core/<layer>/other.h"; error.h has no layer, below all
  function layer(path) {
    if (split(path, parts, "/") < 3) return 0
    if (!(parts[2] in rank)) { print "a folder without a layer: " path; bad = 1 }
    return rank[parts[2]]
  }
  {
    from = $0; sub(/:.*/, "", from)
    what = $0; sub(/.*#include ["<]/, "", what); sub(/[">].*/, "", what)
    if (what ~ /^core\//) {
      if (layer(what) > layer(from)) { print "includes a layer above its own: " $0; bad = 1 }
    } else if (what ~ /^(R|Rcpp|RcppEigen|Rinternals|Rmath)(\.h|\/|$)/ || what !~ /^[a-z]/) {
      print "the core knows nothing of R: " $0; bad = 1
    }
  }
  END { exit bad }
'
