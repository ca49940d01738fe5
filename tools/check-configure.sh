#!/bin/sh
# Runs configure on a copy, once for each choice, and looks at what it says and writes.
set -eu
cd "$(dirname "$0")/.."
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir "$copy/src"
cp configure cleanup "$copy"
cp src/Makevars.in "$copy/src"
cd "$copy"

fail() {
  echo "configure: $1" >&2
  exit 1
}
openssl() {
  echo "$said" | grep -q "OpenSSL's libcrypto" && grep -q 'DDP_HAVE_OPENSSL' src/Makevars &&
    grep -q 'PKG_LIBS = .*-lcrypto' src/Makevars
}
system() {
  echo "$said" | grep -q "operating system's call" && ! grep -q 'OPENSSL\|-lcrypto' src/Makevars
}

said=$(./configure)
openssl || fail "does not find libcrypto by itself."
grep -q '@' src/Makevars && fail "leaves a placeholder in src/Makevars."
said=$(PSILENCE_ENTROPY=openssl ./configure)
openssl || fail "does not use libcrypto when told to."
said=$(PSILENCE_ENTROPY=system ./configure)
system || fail "does not use the system's call when told to."
said=$(PKG_CONFIG=/nonexistent ./configure)
system || fail "does not fall back on the system's call without pkg-config."
if PKG_CONFIG=/nonexistent PSILENCE_ENTROPY=openssl ./configure > /dev/null 2>&1; then
  fail "goes on without the libcrypto it was told to use."
fi
if PSILENCE_ENTROPY=dice ./configure > /dev/null 2>&1; then
  fail "accepts an unknown PSILENCE_ENTROPY."
fi
./cleanup
[ ! -e src/Makevars ] || fail "cleanup leaves something behind."
