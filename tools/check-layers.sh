#!/bin/sh
# Fails if a part of the core includes one below it in this list, a header of R, or, but for
# core/platform*.cpp, a header of an operating system, or the one that includes those of Windows.
set -eu
cd "$(dirname "$0")/../src"
layers='error limits one_of platform_windows platform platform_file_faults platform_file_refusals platform_file
  platform_file_posix platform_file_windows platform_folder durable_file
  numeric random domains metrics measures runtime data engine shuffle transformations expressions table
  measurements postprocessing sample_aggregate accounting combinators plan catalogue ledger query sql'

find core -name '*.h' -o -name '*.cpp' -o -name '*.inc' | xargs grep -n '^ *# *include' |
  awk -v layers="$layers" '
  BEGIN {
    windows = "core/platform_windows.h"
    count = split(layers, names, /[ \n]+/)
    for (i = 1; i <= count; i++) rank[names[i]] = i
  }
  # core/<layer>/file.cpp or core/<layer>.cpp
  function layer(path) {
    split(path, parts, "/")
    sub(/\..*/, "", parts[2])
    if (!(parts[2] in rank)) { print "no layer: " path; bad = 1 }
    return rank[parts[2]]
  }
  {
    from = $0; sub(/:.*/, "", from)
    what = $0; sub(/.*include *["<]/, "", what); sub(/[">].*/, "", what)
    if (what == windows && from !~ /^core\/platform[^\/]*\.cpp$/) {
      print "only core/platform*.cpp knows Windows: " $0; bad = 1
    } else if (what ~ /^core\//) {
      if (layer(what) > layer(from)) { print "includes a layer above its own: " $0; bad = 1 }
    } else if (what ~ /^(R|Rcpp|RcppEigen|Rinternals|Rmath)(\.h|\/|$)/ || what !~ /^[a-z]/ && from != "core/numeric/eigen.h") {
      print "the core knows nothing of R: " $0; bad = 1
    } else if (what ~ /[.\/]/ && what !~ /^(boost|openssl)\// && from !~ /^core\/platform[^\/]*\.cpp$/ && from != windows && from != "core/numeric/eigen.h") {
      # Headers of the C++ library have neither a dot nor a folder.
      print "only core/platform*.cpp knows the operating system: " $0; bad = 1
    }
  }
  END { exit bad }
'
