#!/bin/sh
# R CMD check --as-cran, on the tarball with its vignettes from which the package is installed, as
# CRAN does. Fails on errors and warnings, and on every note but the ones explained here. Arguments go
# to R CMD check.
set -u
cd "$(dirname "$0")/.."
. tools/env.sh

# Lines of notes that say nothing about the package:
#   Debian's BH package has its headers in /usr/include, so it lacks the folder that R looks for;
#   a compiled library of C++ templates is large, and so are vignettes with plots and the help of
#   almost 500 exported names;
#   the time is asked of a server.
explained="'LinkingTo' for .*BH.* is unused as it has no 'include' directory"
explained="$explained|installed size is|sub-directories of 1Mb or more:|^ +(R|doc|help|libs) +[0-9.]+Mb"
explained="$explained|unable to verify current time"
# parsnip, which this package enhances, needs newer packages than Debian's.
export _R_CHECK_PACKAGE_DEPENDS_IGNORE_MISSING_ENHANCES_=true
# The incoming checks compare with CRAN's present state, over the network.
export _R_CHECK_CRAN_INCOMING_=false

tools/install.sh --vignettes || exit 1
tarball=$(echo "$build"/tarball/PSIlence_*.tar.gz)
# The one check that R leaves out where the package is installed already.
objects=$(tar -tzf "$tarball" | grep -E '\.(o|a|so|sl|dylib|dll|obj)$')
if [ -n "$objects" ]; then
  say "Objects are in the tarball:" "$objects"
  exit 1
fi
rm -rf "$build/check"
mkdir "$build/check"
cd "$build/check" || exit 1
R CMD check --as-cran --no-manual --install=check:"$build/install.log" --library="$build/library" \
  "$@" "$tarball"

log=PSIlence.Rcheck/00check.log
grep -q '^\* DONE' "$log" || exit 1
EXPLAINED=$explained awk '
  /^\* / {
    note = /NOTE$/
    if (/(ERROR|WARNING)$/) { print; bad = 1 }
    next
  }
  note && NF > 0 && $0 !~ ENVIRON["EXPLAINED"] { print "note without an explanation: " $0; bad = 1 }
  END { exit bad }
' "$log"
