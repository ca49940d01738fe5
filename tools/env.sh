# What every script of this folder stands on; source it from the root of the repository.
#
#   PSILENCE_BUILD          where everything that is built goes; "build" by default
#   PSILENCE_DEPENDENCIES   where the software of others goes that Debian does not have; in the
#                           caller's cache by default, so that all clones share it
#   JOBS                    how many compilers run at once; 2 by default
#
# Nothing goes to a library of R's own: the package to one below the build folder, what it stands on
# to one of this version of R.
export LC_ALL=C.UTF-8
build=${PSILENCE_BUILD:-$PWD/build}
jobs=${JOBS:-2}
dependencies=${PSILENCE_DEPENDENCIES:-${XDG_CACHE_HOME:-${HOME:-$build}/.cache}/psilence}
r_library=$dependencies/R-$(R --version 2> /dev/null | awk 'NR == 1 { print $3 }')
mkdir -p "$build/library"
export R_LIBS="$build/library:$r_library${R_LIBS:+:$R_LIBS}"

# DuckDB for tests: its library, which tools/setup.sh takes from npm.
export PSILENCE_DUCKDB="$dependencies/node_modules/@duckdb/node-bindings-linux-x64/libduckdb.so"

# Spark for tests: the one that SPARK_HOME names, or else the one that tools/setup.sh unpacks. And the
# library of sparklyr, parsnip and targets: they need newer packages than Debian's, and all other
# tests run with Debian's.
export SPARK_HOME="${SPARK_HOME:-$dependencies/spark/spark}"
export PSILENCE_NEWER_LIBRARY="$r_library-newer"

# Installing runs R's make; these say how. Debian's own flags would add debugging symbols that make
# the library thirty times larger, and flags that `R CMD check` calls not portable.
export R_MAKEVARS_USER="$build/Makevars"
install_flags="-j$jobs"
# Where memory is plenty, a compiler collects garbage from 2 GB on, not from 128 MB, and takes a
# sixteenth less time; tests/cpp/CMakeLists.txt says so as well.
roomy=
memory=$(awk '$1 == "MemTotal:" { print $2 }' /proc/meminfo 2> /dev/null || :)
[ "${memory:-0}" -lt 15000000 ] || roomy='--param=ggc-min-heapsize=2000000'
{
  if command -v ccache > /dev/null 2>&1; then echo 'CXX17 = ccache g++'; fi
  echo "CXX17FLAGS = -O2 -Wall -pedantic -MD $roomy"
} > "$R_MAKEVARS_USER"
# R compiles in a folder with a new name each time, and each clone has its own; the cache must not
# care.
export CCACHE_NOHASHDIR=1
export CCACHE_BASEDIR="$PWD"
# Without this it would not cache what uses a precompiled header. No file says when it was compiled.
export CCACHE_SLOPPINESS=pch_defines,time_macros
# What is not in the cache is read once, by the compiler alone: with -MD, which CMake has as well, it
# says which headers it read.
export CCACHE_DEPEND=1

# R collects garbage a third as often if its heap may be larger from the start: a process takes up to
# 0.8 GB, not 0.3, and a tenth less time.
export R_NSIZE=8000000 R_VSIZE=256M R_GC_MEM_GROW=3

say() {
  echo "==> $*"
}

# Builds the source tarball in the empty folder $1, from a copy without built and hidden files. The
# others are options of R CMD build.
build_tarball() {
  rm -rf "$1" &&
    mkdir -p "$1/PSIlence" &&
    tar -c --exclude=./build --exclude='./.[!.]*' -f - . | tar -x -C "$1/PSIlence" -f - &&
    cp .Rbuildignore "$1/PSIlence" &&
    (cd "$1" && shift && MAKEFLAGS=$install_flags R CMD build "$@" PSIlence)
}

# Configures the core's build in the build folder, by a preset of tests/cpp/CMakePresets.json.
configure_core() {
  (cd tests/cpp && cmake --preset "$1" -B "$build/$1") > "$build/cmake.log" 2>&1 || {
    cat "$build/cmake.log"
    return 1
  }
}

# Makes a folder for what tests write, and prints its name: in memory, if there is room and programs
# run there. On a disk a test of ledgers waits for stable storage nine tenths of its time; what it
# shows, that a process which is killed loses nothing, it shows here as well.
make_scratch() {
  room=$(df -Pk /dev/shm 2> /dev/null | awk 'NR == 2 { print $4 }')
  if [ "${room:-0}" -gt 2000000 ] && scratch=$(mktemp -d /dev/shm/psilence.XXXXXX 2> /dev/null); then
    chmod 711 "$scratch"  # a database server runs as another user, in a folder of its own
    cp /bin/true "$scratch/true"
    if "$scratch/true" 2> /dev/null; then
      rm "$scratch/true"
      echo "$scratch"
      return
    fi
    rm -rf "$scratch"
  fi
  mktemp -d
}
