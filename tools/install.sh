#!/bin/sh
# Installs the package into the build folder's library, unless the one there is made of these files.
#
#   tools/install.sh               without vignettes, which is quicker
#   tools/install.sh --vignettes   with them
set -eu
cd "$(dirname "$0")/.."
. tools/env.sh

# The contents of the given files and folders, in one number.
contents() {
  find "$@" -type f ! -name '*.o' ! -name '*.so' ! -path src/Makevars ! -name Rplots.pdf \
    ! -name '*.new.md' ! -path 'vignettes/articles/*' -exec cksum {} + 2> /dev/null | LC_ALL=C sort | cksum
}

# What becomes part of the installed package. A tarball with vignettes is what tools/check.sh checks,
# so all that is in it must be as it is here.
sources='DESCRIPTION NAMESPACE LICENSE configure cleanup R src man data inst demo vignettes'
# shellcheck disable=SC2086 # a list of words
installed=$(contents $sources)${PSILENCE_ENTROPY:+ $PSILENCE_ENTROPY}
stamp=$build/library/PSIlence.sources
packed=
vignettes=--no-build-vignettes
if [ "${1:-}" = --vignettes ]; then
  # shellcheck disable=SC2086
  packed=$(contents $sources tests/testthat tests/testthat.R NEWS.md .Rbuildignore)
  vignettes=
fi
packed_stamp=$build/tarball/sources
if [ -d "$build/library/PSIlence" ] && [ "$(cat "$stamp" 2> /dev/null)" = "$installed" ] &&
  { [ -z "$packed" ] || [ "$(cat "$packed_stamp" 2> /dev/null)" = "$packed" ]; }; then
  say "PSIlence is installed and up to date in $build/library."
  exit 0
fi

# From a tarball: what is not in it would be missing for everybody else. Which symbols its objects
# have, a check of the installed package asks.
say "Installing PSIlence into $build/library; compiling takes minutes the first time"
rm -rf "$stamp" "$build/library/PSIlence" "$build/library/00LOCK-PSIlence"
tools/check-objects.sh
log=$build/install.log
{
  # shellcheck disable=SC2086 # an option, or nothing
  build_tarball "$build/tarball" $vignettes &&
    _R_SHLIB_BUILD_OBJECTS_SYMBOL_TABLES_=TRUE MAKEFLAGS=$install_flags \
      R CMD INSTALL --library="$build/library" "$build"/tarball/PSIlence_*.tar.gz
} > "$log" 2>&1 || {
  grep -A5 'error:' "$log" | head -n 40
  tail -n 15 "$log"
  say "Not installed; the whole log is $log."
  exit 1
}
grep '^configure:' "$log"
echo "$installed" > "$stamp"
[ -z "$packed" ] || echo "$packed" > "$packed_stamp"
say "Installed; the log is $log."
