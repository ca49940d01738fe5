#!/bin/sh
# Fails if Rcpp or roxygen2 would write NAMESPACE, man or RcppExports otherwise than they are.
set -eu
cd "$(dirname "$0")/.."
. tools/env.sh

# Another version writes in another way.
wrote=$(sed -n 's/^RoxygenNote: //p' DESCRIPTION)
here=$(Rscript --vanilla -e 'cat(format(packageVersion("roxygen2")))')
if [ "$wrote" != "$here" ]; then
  echo "Generated with roxygen2 $wrote, here is $here: not compared."
  [ -z "${CI:-}" ]
  exit
fi

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
for part in DESCRIPTION NAMESPACE R man man-roxygen src data; do
  if [ -e "$part" ]; then cp -R "$part" "$copy"; fi
done
Rscript --vanilla tools/generate.R "$copy" > "$copy/log" 2>&1 || {
  cat "$copy/log"
  exit 1
}
fresh=0
for part in NAMESPACE man R/RcppExports.R src/RcppExports.cpp; do
  diff -ru "$part" "$copy/$part" || fresh=1
done
[ $fresh = 0 ] || echo "Generated files are stale; run make document." >&2
exit $fresh
