#!/bin/sh
# Installs what is missing, and nothing else: from Debian where it has a package, else from CRAN.
#
#   tools/setup.sh run    what installing and using the package takes, with its vignettes (for
#                         `make demo`)
#   tools/setup.sh core   what building and testing the core alone takes (for `make core-test`)
#   tools/setup.sh test   what both take, and testing and checking the package (for `make test`)
#   tools/setup.sh spark  also a Spark and what its tests reach it with (for `SPARK=yes make test`)
#   tools/setup.sh bench  also what the benchmarks measure with and against (for `make bench`)
#   tools/setup.sh long   also what the long tier of the tests takes (for `make test-long`)
#   tools/setup.sh site   also what builds the site (for `make site`)
#   tools/setup.sh platforms
#                         what builds the core for other platforms and runs it there, without R
#                         (for tools/check-platforms.sh)
set -eu
cd "$(dirname "$0")/.."
. tools/env.sh

# What must be there, and the Debian package that brings it.
#   program NAME PACKAGE    library NAME PACKAGE (of pkg-config)    header NAME PACKAGE
#   file PATH PACKAGE       libcxx NAME PACKAGE (a header of clang's own library)
#   npm NAME PACKAGE        a package of npm; PACKAGE brings npm itself
#   fuzzer NAME PACKAGE     (clang's, which -fsanitize=fuzzer links)
#   spark NAME              where SPARK_HOME says: unpacked from shared/spark beside the repository, or
#                           beside the one that this is a clone of
#   newer NAME              an R package from CRAN that needs newer packages than Debian's: with them in a
#                           library of its own
#   r NAME VERSION          an R package, and the least version of it, if there is one; Debian's is
#                           r-cran-<name in lower case>
run_needs='
program R r-base-dev
program g++ r-base-dev
program make r-base-dev
program pkg-config pkg-config
program ccache ccache
program pandoc pandoc
library libcrypto libssl-dev
header boost/multiprecision/cpp_int.hpp libboost-dev
r knitr
r rmarkdown
'
core_needs='
program R r-base-dev
program g++ r-base-dev
program pkg-config pkg-config
program ccache ccache
program cmake cmake
program ninja ninja-build
library libcrypto libssl-dev
library gtest libgtest-dev
library mpfr libmpfr-dev
header gmpxx.h libgmp-dev
header boost/multiprecision/cpp_int.hpp libboost-dev
r RcppEigen
'
test_needs=$core_needs'
program clang-format clang-format
program qpdf qpdf
program tidy tidy
program checkbashisms devscripts
program gappa gappa
program strace strace
program psql postgresql-client
file /usr/lib/postgresql postgresql
file /usr/bin/setpriv util-linux
library libpq libpq-dev
npm @duckdb/node-bindings-linux-x64 npm
r bit64
r blob
r hms
r lintr
r lubridate
r pkgdown
r roxygen2
r spelling
r yaml
'
bench_needs='
r data.table
r gsl
r DPpack
r diffpriv
'
site_needs='
r pkgdown
'
# Of what sparklyr stands on, Debian's is new enough for the first four.
spark_needs='
program java default-jre-headless
spark Spark
r globals
r httr
r rstudioapi
r uuid
newer sparklyr
newer parsnip
'
# What targets needs takes minutes to compile. Each change would cost them.
long_needs=$spark_needs'
program slurmctld slurm-wlm
program munged munge
newer targets
r future.batchtools
'

platforms_needs='
program g++ g++
program cmake cmake
program ninja ninja-build
program ccache ccache
program pkg-config pkg-config
library libcrypto libssl-dev
library mpfr libmpfr-dev
header boost/multiprecision/cpp_int.hpp libboost-dev
program clang++ clang
libcxx vector libc++-dev
fuzzer fuzzer libclang-rt-14-dev
libcxx cxxabi.h libc++abi-dev
program x86_64-w64-mingw32-g++-posix g++-mingw-w64-x86-64-posix
program wine wine
file /usr/lib/wine/wine64 wine64
program aarch64-linux-gnu-g++ g++-aarch64-linux-gnu
program qemu-aarch64-static qemu-user-static
file /usr/src/googletest googletest
'

# The packages that the given fields of DESCRIPTION name, without those that come with R.
described() {
  awk -v fields="$1" '
    /^[^ \t]/ { field = $1; sub(/:.*/, "", field); sub(/^[^:]*:/, "") }
    index(" " fields " ", " " field " ") {
      gsub(/[()]|>=/, " ")
      for (i = split($0, needed, ","); i > 0; i--) {
        if (split(needed[i], of, " ")) print "r", of[1], of[2]
      }
    }
  ' DESCRIPTION | grep -Evx 'r (graphics|grDevices|methods|parallel|stats|tools|utils) '
}

case ${1:-} in
  run) needs=$run_needs$(described 'Imports LinkingTo') ;;
  core) needs=$core_needs ;;
  test) needs=$run_needs$(described 'Imports LinkingTo Suggests')$test_needs ;;
  spark) needs=$run_needs$(described 'Imports LinkingTo Suggests')$test_needs$spark_needs ;;
  bench) needs=$run_needs$(described 'Imports LinkingTo Suggests')$test_needs$bench_needs ;;
  long) needs=$run_needs$(described 'Imports LinkingTo Suggests')$test_needs$long_needs ;;
  site) needs=$run_needs$(described 'Imports LinkingTo Suggests')$site_needs ;;
  platforms) needs=$platforms_needs ;;
  *)
    echo "usage: tools/setup.sh run|core|test|spark|bench|long|site|platforms" >&2
    exit 2
    ;;
esac

# One line for each unmet need. R is asked once, for all its packages.
missing() {
  echo "$needs" | while read -r kind name package; do
    case $kind in
      program) command -v "$name" > /dev/null 2>&1 || echo "$kind $name $package" ;;
      library) pkg-config --exists "$name" 2> /dev/null || echo "$kind $name $package" ;;
      file) [ -e "$name" ] || echo "$kind $name $package" ;;
      spark) [ -x "$SPARK_HOME/bin/spark-submit" ] || echo "$kind $name" ;;
      newer) [ -d "$PSILENCE_NEWER_LIBRARY/$name" ] || echo "$kind $name" ;;
      npm)
        command -v npm > /dev/null 2>&1 && package=
        [ -e "$dependencies/node_modules/$name" ] || echo "$kind $name $package"
        ;;
      libcxx)
        echo "#include <$name>" | clang++ -stdlib=libc++ -E -x c++ - > /dev/null 2>&1 ||
          echo "$kind $name $package"
        ;;
      fuzzer)
        echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }' |
          clang++ -fsanitize=fuzzer -x c++ - -o /dev/null > /dev/null 2>&1 ||
          echo "$kind $name $package"
        ;;
      header)
        echo "#include <$name>" | g++ -E -x c++ - > /dev/null 2>&1 || echo "$kind $name $package"
        ;;
    esac
  done
  r_packages=$(echo "$needs" | awk '$1 == "r" { print $2 }' | sort -u)
  if command -v Rscript > /dev/null 2>&1; then
    echo "$needs" | Rscript --vanilla -e 'needs <- strsplit(readLines("stdin"), " ")
      lacks <- function(name, least = "0") {
        !nzchar(system.file(package = name)) || utils::packageVersion(name) < least
      }
      for (need in needs[vapply(needs, `[`, "", 1) %in% "r"]) {
        name <- need[[2]]
        if (do.call(lacks, as.list(need[-1]))) cat("r", name, paste0("r-cran-", tolower(name)), "\n")
      }' | sort -u
  else
    for name in $r_packages; do
      echo "r $name r-cran-$(echo "$name" | tr '[:upper:]' '[:lower:]')"
    done
  fi
}

from_debian() {
  if [ "$(id -u)" = 0 ]; then
    as_root=
  elif command -v sudo > /dev/null 2>&1; then
    as_root=sudo
  else
    say "Not root and no sudo: ask an administrator for the packages named above."
    return 1
  fi
  $as_root apt-get update -q
  # One name that Debian does not have would keep it from installing the others.
  known=$(for package in "$@"; do
    ! apt-cache show "$package" > /dev/null 2>&1 || echo "$package"
  done)
  # shellcheck disable=SC2086 # a list of words
  [ -z "$known" ] ||
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $known
}

lacking=$(missing)
if [ -n "$lacking" ] && command -v apt-get > /dev/null 2>&1; then
  # An R that did not come from Debian does not look into Debian's library of R packages.
  if command -v R > /dev/null 2>&1 &&
    ! dpkg -S "$(readlink -f "$(command -v R)")" > /dev/null 2>&1; then
    packages=$(echo "$lacking" | awk '$1 != "r" && NF > 2 { print $3 }' | sort -u)
  else
    packages=$(echo "$lacking" | awk 'NF > 2 { print $3 }' | sort -u)
  fi
  if [ -n "$packages" ]; then
    say "Installing from Debian:" $packages
    # shellcheck disable=SC2086 # a list of words
    from_debian $packages
    . tools/env.sh  # there is an R now
    lacking=$(missing)
  fi
fi

# The rest is for all clones of the caller: one installs at a time, and the next has less to do.
if [ -n "$lacking" ]; then
  mkdir -p "$dependencies"
  if command -v flock > /dev/null 2>&1; then
    exec 9> "$dependencies/lock"
    flock 9
    lacking=$(missing)
  fi
fi

from_npm=$(echo "$lacking" | awk '$1 == "npm" { print $2 }')
if [ -n "$from_npm" ] && command -v npm > /dev/null 2>&1; then
  say "Installing from npm into $dependencies/node_modules:" $from_npm
  # shellcheck disable=SC2086 # a list of words
  npm install --prefix "$dependencies" --no-save --no-audit --no-fund --ignore-scripts $from_npm
  lacking=$(missing)
fi

# Installs packages from CRAN into the library $1: compiled with the option $2, and with the options
# $3 of R CMD INSTALL.
install_from_cran() {
  library=$1
  level=$2
  options=$3
  shift 3
  say "Installing from CRAN into $library:" "$@"
  mkdir -p "$library"
  # An installation that was killed leaves a lock, which would refuse each later one.
  rm -rf "$library"/00LOCK*
  for flags in CFLAGS CXXFLAGS CXX11FLAGS CXX14FLAGS CXX17FLAGS CXX20FLAGS FFLAGS FCFLAGS; do
    echo "$flags = $level"
  done > "$build/Makevars-cran"
  R_LIBS=$library MAKEFLAGS="-j$jobs" R_MAKEVARS_USER="$build/Makevars-cran" OPTIONS=$options \
    Rscript --no-init-file -e 'if ("@CRAN@" %in% getOption("repos")) chooseCRANmirror(ind = 1)
      install.packages(commandArgs(TRUE), lib = .libPaths()[[1]], Ncpus = 2,
        INSTALL_opts = strsplit(Sys.getenv("OPTIONS"), " ")[[1]])' "$@"
}

# Without help, which nobody reads there, and not optimised: what benchmarks measure of them is
# how long they wait for others.
from_cran=$(echo "$lacking" | awk '$1 == "r" { print $2 }')
if [ -n "$from_cran" ] && command -v Rscript > /dev/null 2>&1; then
  # shellcheck disable=SC2086 # a list of words
  install_from_cran "$r_library" -O0 '--no-docs --no-test-load' $from_cran
  lacking=$(missing)
fi

# Beside the repository, the one whose worktree this is, and the one that it was cloned from.
if echo "$lacking" | grep -q '^spark '; then
  for beside in "$PWD" "$(dirname "$(git rev-parse --git-common-dir 2> /dev/null)")" \
    "$(git config --get remote.origin.url 2> /dev/null)"; do
    unpack=$beside/../shared/spark/unpack
    if [ "$SPARK_HOME" = "$dependencies/spark/spark" ] && [ -x "$unpack" ]; then
      say "Unpacking Spark: SPARK_HOME is $("$unpack" "$dependencies/spark")"
      break
    fi
  done
  lacking=$(missing)
  ! echo "$lacking" | grep -q '^spark ' ||
    say "No Spark in $SPARK_HOME: set SPARK_HOME to one, or have shared/spark/unpack beside $PWD," \
      "or beside the repository that it is a clone of."
fi

# Not optimised, nor byte code: they serve a few tests, and are there in minutes.
newer=$(echo "$lacking" | awk '$1 == "newer" { print $2 }')
if [ -n "$newer" ] && command -v Rscript > /dev/null 2>&1; then
  # shellcheck disable=SC2086 # a list of words
  install_from_cran "$PSILENCE_NEWER_LIBRARY" -O0 '--no-docs --no-byte-compile --no-test-load' \
    $newer
  lacking=$(missing)
fi

if [ -n "$lacking" ]; then
  say "Still missing (kind, name, Debian package that has it):"
  echo "$lacking"
  exit 1
fi
say "Everything needed to $1 is installed."
