#!/bin/sh
# Installs the package into the build folder's library, unless the one there is made of these files.
#
#   tools/install.sh               without vignettes, which is quicker
#   tools/install.sh --vignettes   with them
set -eu
cd "$(dirname "$0")/.."
. tools/env.sh

# The contents of all that becomes part of the package, in one number.
sources=$(find DESCRIPTION NAMESPACE LICENSE configure cleanup R src man data inst demo vignettes \
  -type f ! -name '*.o' ! -name '*.so' ! -path src/Makevars ! -path 'vignettes/articles/*' \
  -exec cksum {} + 2> /dev/null | LC_ALL=C sort | cksum)${PSILENCE_ENTROPY:+ $PSILENCE_ENTROPY}
stamp=$build/library/PSIlence.sources
vignettes=--no-build-vignettes
pages=$build/library/PSIlence
if [ "${1:-}" = --vignettes ]; then
  vignettes=
  pages=$pages/doc
fi
if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$sources" ] && [ -d "$pages" ]; then
  say "PSIlence is installed and up to date in $build/library."
  exit 0
fi

# From a tarball: what is not in it would be missing for everybody else.
say "Installing PSIlence into $build/library; compiling takes minutes the first time"
rm -rf "$stamp" "$build/library/PSIlence" "$build/library/00LOCK-PSIlence"
tools/check-objects.sh
log=$build/install.log
{
  # shellcheck disable=SC2086 # an option, or nothing
  tools/tarball.sh "$build/tarball" $vignettes &&
    MAKEFLAGS=$install_flags R CMD INSTALL --library="$build/library" \
      "$build"/tarball/PSIlence_*.tar.gz
} > "$log" 2>&1 || {
  grep -A5 'error:' "$log" | head -n 40
  tail -n 15 "$log"
  say "Not installed; the whole log is $log."
  exit 1
}
grep '^configure:' "$log"
echo "$sources" > "$stamp"
say "Installed; the log is $log."
