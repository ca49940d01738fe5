#!/bin/sh
# Installs the package into the build folder's library, unless the one there is made of these files.
set -eu
cd "$(dirname "$0")/.."
. tools/env.sh

# The contents of all that becomes part of the package, in one number.
sources=$(find DESCRIPTION NAMESPACE LICENSE configure cleanup R src man data inst demo \
  -type f ! -name '*.o' ! -name '*.so' ! -path src/Makevars -exec cksum {} + 2> /dev/null |
  LC_ALL=C sort | cksum)${PSILENCE_ENTROPY:+ $PSILENCE_ENTROPY}
stamp=$build/library/PSIlence.sources
if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$sources" ] && [ -d "$build/library/PSIlence" ]; then
  say "PSIlence is installed and up to date in $build/library."
  exit 0
fi

# From a tarball: what is not in it would be missing for everybody else.
say "Installing PSIlence into $build/library; compiling takes minutes the first time"
rm -rf "$stamp" "$build/library/PSIlence"
tools/check-objects.sh
log=$build/install.log
{
  tools/tarball.sh "$build/tarball" --no-build-vignettes &&
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
