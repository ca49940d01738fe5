#!/bin/sh
# Installs the package as different compilers make it, and replays known random bytes into what is
# installed: releases must be those of exact formulas, and equal bit for bit. Of the first one they
# must also be equal for any number of threads, whatever was in memory before, and for rows in
# another order where that meets no random byte (tests/replay/histories.R).
#
#   tests/replay/run.sh [compiler level]...    as "g++ -O2"; all of g++ and clang++, -O0, -O2, -O3
#
# The bytes come from a library that stands before OpenSSL's (LD_PRELOAD): nothing in the package
# takes a seed.
set -u
cd "$(dirname "$0")/../.."
. tools/env.sh
folder=$build/replay
draws='400 400 4096'
seed=20
mkdir -p "$folder"
[ $# -gt 0 ] || set -- g++ -O0 g++ -O2 g++ -O3 clang++ -O0 clang++ -O2 clang++ -O3

cc -std=c11 -O1 -Wall -Wextra -Werror -shared -fPIC tests/replay/replay_bits.c \
  -o "$folder/replay_bits.so" &&
  cc -std=c11 -O1 -Wall -Wextra -Werror tests/replay/formulas.c -o "$folder/formulas" -lmpfr -lgmp ||
  exit 1
# shellcheck disable=SC2086 # a list of numbers
"$folder/formulas" $seed $draws > "$folder/formulas.txt" || exit 1
build_tarball "$folder/tarball" --no-build-vignettes > "$folder/tarball.log" 2>&1 || exit 1

# Releases of the package in library $1 with seed $2 go to $3.formulas and $3.cases.
replay() {
  # shellcheck disable=SC2086
  R_LIBS="$1:$R_LIBS" LD_PRELOAD="$folder/replay_bits.so" PSILENCE_REPLAY=$2 \
    Rscript --vanilla tests/replay/releases.R "$3.formulas" "$3.cases" $draws > "$3.log" 2>&1 ||
    { tail -n 5 "$3.log"; return 1; }
}

bad=0
first=
while [ $# -gt 1 ]; do
  name=$1$2
  library=$folder/library-$name
  rm -rf "$library"
  mkdir -p "$library"
  {
    echo "CXX17 = $(command -v ccache) $1"
    echo "CXX17FLAGS = $2"
  } > "$folder/Makevars"
  say "$name ..."
  shift 2
  if ! R_MAKEVARS_USER="$folder/Makevars" MAKEFLAGS=$install_flags R CMD INSTALL --no-docs \
    --no-byte-compile --library="$library" "$folder"/tarball/PSIlence_*.tar.gz \
    > "$folder/$name.install.log" 2>&1 || ! replay "$library" $seed "$folder/$name"; then
    say "$name: not installed, or no releases; see $folder/$name.install.log and $name.log"
    bad=1
    continue
  fi
  cmp "$folder/formulas.txt" "$folder/$name.formulas" || bad=1
  if [ -z "$first" ]; then
    first=$name
    # What is equal must be able to differ: by other bytes.
    replay "$library" 21 "$folder/other" || bad=1
    ! cmp -s "$folder/other.formulas" "$folder/$name.formulas" || bad=1
    ! cmp -s "$folder/other.cases" "$folder/$name.cases" || bad=1
    say "the same bytes, whatever the threads, the order of rows and what was before:"
    R_LIBS="$library:$R_LIBS" LD_PRELOAD="$folder/replay_bits.so" PSILENCE_REPLAY=$seed \
      Rscript --vanilla tests/replay/histories.R || bad=1
  else
    cmp "$folder/$first.cases" "$folder/$name.cases" || bad=1
  fi
done
[ $bad = 0 ] && say "$(wc -l < "$folder/$first.cases") cases are equal bit for bit, in every build."
exit $bad
