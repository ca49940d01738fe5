#!/bin/sh
# Writes what is generated: RcppExports, NAMESPACE, man, units. With --check, fails and shows the
# difference if that would change a file.
set -eu
cd "$(dirname "$0")/.."
. tools/env.sh
if [ "${1:-}" != --check ]; then
  Rscript --vanilla tools/generate.R .
  exec tools/check-objects.sh --write
fi

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
cp -R DESCRIPTION NAMESPACE R man man-roxygen src data "$copy"
Rscript --vanilla tools/generate.R "$copy" > "$copy/log" 2>&1 || {
  cat "$copy/log"
  exit 1
}
stale=0
for part in NAMESPACE man R/RcppExports.R src/RcppExports.cpp; do
  diff -ru "$part" "$copy/$part" || stale=1
done
[ $stale = 0 ] || echo "Generated files are stale; run make document." >&2
exit $stale
