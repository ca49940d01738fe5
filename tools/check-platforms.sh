#!/bin/sh
# Builds the core for other platforms, runs its tests there, and prints a table.
#
#   tools/check-platforms.sh [--quick] [windows|libcxx|arm64]...
#
#   windows   MinGW-w64 and Wine; the tests that fork, or compare with MPFR, do not exist there
#   libcxx    clang and libc++, all tests
#   arm64     GCC and QEMU's emulation of a process; files at the top, numeric, random, engine,
#             golden
#
# --quick tests on every platform what arm64 tests. The golden tests hold the hashes of releases:
# where they pass, the same bits give the same release as everywhere else. All is built from source
# with -O2 and without sanitizers, GoogleTest included. A test that cannot run has failed.
set -u
cd "$(dirname "$0")/.."
. tools/env.sh
folder=$build/platforms
quick_tests='[a-z_]*_test.cpp|golden/|numeric/|random/|runtime/|data/|engine/|shuffle/'
seconds=5400

quick=
[ "${1:-}" != --quick ] || { quick=yes; shift; }
[ $# -gt 0 ] || set -- windows libcxx arm64
for platform in "$@"; do
  case $platform in
    windows | libcxx | arm64) ;;
    *)
      echo "usage: tools/check-platforms.sh [--quick] [windows|libcxx|arm64]..." >&2
      exit 2
      ;;
  esac
done

# Boost's headers without the other headers of this machine, which are not those of a foreign one.
mkdir -p "$folder/include"
boost=$(echo '#include <boost/version.hpp>' | g++ -E -x c++ - |
  sed -n 's|^# 1 "\(.*\)/version.hpp".*|\1|p' | head -n 1)
ln -sfn "$boost" "$folder/include/boost"

# $1: the platform. The others: options of CMake.
configure() {
  platform=$1
  shift
  tests=
  if [ -n "$quick" ] || [ "$platform" = arm64 ]; then tests=$quick_tests; fi
  cmake -S tests/cpp -B "$folder/$platform" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_CXX_FLAGS_RELEASE=-O2 -DPSILENCE_SANITIZE= -DPSILENCE_TESTS="$tests" \
    -DPSILENCE_UNITY=TESTS \
    -DPSILENCE_GOOGLETEST=/usr/src/googletest \
    "$@" > "$folder/$platform.log" 2>&1 ||
    { cat "$folder/$platform.log"; return 1; }
}

configure_windows() {
  configure windows -DCMAKE_SYSTEM_NAME=Windows -DCMAKE_C_COMPILER=x86_64-w64-mingw32-gcc-posix \
    -DCMAKE_CXX_COMPILER=x86_64-w64-mingw32-g++-posix -DCMAKE_EXE_LINKER_FLAGS=-static \
    -DBOOST_MULTIPRECISION="$folder/include"
}

configure_libcxx() {
  configure libcxx -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ \
    -DCMAKE_CXX_FLAGS=-stdlib=libc++
}

configure_arm64() {
  configure arm64 -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
    -DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc -DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++ \
    -DCMAKE_EXE_LINKER_FLAGS=-static -DBOOST_MULTIPRECISION="$folder/include"
}

# $1: a test program, in its folder, from which the paths in it may go. $2: where its report goes.
run_windows() {
  # Without a screen, and apart from the user's own Wine, to which it would add entries of a menu
  # and packages to install. Drive Z: is this machine's root.
  env -u DISPLAY WINEPREFIX="$folder/wine" WINEDEBUG=-all \
    WINEDLLOVERRIDES='mscoree,mshtml,winemenubuilder.exe=' \
    timeout "$seconds" wine "$1.exe" "--gtest_output=xml:Z:$2"
}

run_libcxx() { timeout "$seconds" "./$1" "--gtest_output=xml:$2"; }

run_arm64() {
  # Two tests are of a promise of the kernel that QEMU does not pass on: MADV_WIPEONFORK.
  timeout "$seconds" qemu-aarch64-static "./$1" "--gtest_output=xml:$2" \
    --gtest_filter='-*AForkThatBypassesTheLibrary*:*PrivatePagesAreZeroInAForkedChild*'
}

# Windows aligns the stack to 16 bytes, and GCC believes it to be aligned as vectors are (GCC bug
# 54412): a vector of 32 or 64 bytes must not be moved there as an aligned one.
extra_windows() {
  for kernel in random/laplace_simd transformations/sums/lattice_kernels; do
    object=$(find "$folder/windows" -path "*core/$kernel.cpp.obj")
    x86_64-w64-mingw32-objdump -d "$object" > "$folder/disassembly" || return 1
    grep -q '[yz]mm' "$folder/disassembly" || return 1
    ! grep -E 'vmov(aps|apd|dqa|dqa32|dqa64) .*[yz]mm.*\(%r[sb]p|vmov(aps|apd|dqa|dqa32|dqa64) .*\(%r[sb]p.*[yz]mm' \
      "$folder/disassembly" || return 1
  done
}

# A product and a sum in one instruction round once, where x86 rounds twice. Only directed.cpp asks
# for that.
extra_arm64() {
  find "$folder/arm64/CMakeFiles/core.dir" -name '*.o' ! -name 'directed.cpp.o' |
    while read -r object; do
      aarch64-linux-gnu-objdump -d "$object" |
        grep -qE '[[:space:]](fn?m(add|sub)|fml[as])[[:space:]]' && echo "fused: $object"
    done > "$folder/fused"
  cat "$folder/fused"
  ! [ -s "$folder/fused" ]
}

extra_libcxx() { :; }

# The value of an attribute of the report's first element.
attribute() {
  sed -n "s/^<testsuites.*[[:space:]]$1=\"\([0-9]*\)\".*/\1/p" "$2"
}

passed=0
failed=0
golden=yes

# Counts a program's report; one that is missing or empty is a failure.
count() {
  report=$1
  tests=$(attribute tests "$report" 2> /dev/null)
  if [ "${tests:-0}" = 0 ]; then
    failed=$((failed + 1))
    return
  fi
  bad=$(($(attribute failures "$report") + $(attribute errors "$report") +
    $(attribute disabled "$report") + $(grep -c 'result="skipped"' "$report")))
  passed=$((passed + tests - bad))
  failed=$((failed + bad))
}

# Whether there are golden tests in the report, and none of them failed.
is_golden() {
  grep -q '<testsuite name="Golden' "$1" 2> /dev/null &&
    ! grep '<testsuite name="Golden' "$1" | grep -qv ' failures="0" disabled="0" .*errors="0"'
}

check() {
  platform=$1
  passed=0
  failed=0
  say "$platform: building"
  if ! "configure_$platform" ||
    ! cmake --build "$folder/$platform" --parallel "$jobs" --target core_tests \
      system_entropy_tests; then
    failed=1
    golden=no
    return
  fi
  say "$platform: testing"
  for program in core_tests system_entropy_tests; do
    report=$folder/$platform-$program.xml
    rm -f "$report"
    (cd "$folder/$platform" && "run_$platform" "$program" "$report") \
      > "$folder/$platform-$program.log" 2>&1 ||
      grep -A12 -E '^\[ +FAILED|Failure$' "$folder/$platform-$program.log" | tail -n 200
    count "$report"
  done
  golden=no
  if is_golden "$folder/$platform-core_tests.xml"; then golden=yes; fi
  if "extra_$platform"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

printf '%-10s %8s %8s   %s\n' platform passed failed 'golden equal' > "$folder/table"
all_passed=0
all_failed=0
for platform in "$@"; do
  check "$platform"
  printf '%-10s %8d %8d   %s\n' "$platform" "$passed" "$failed" "$golden" >> "$folder/table"
  all_passed=$((all_passed + passed))
  all_failed=$((all_failed + failed))
done
cat "$folder/table"
echo "$all_passed passed, $all_failed failed"
[ "$all_failed" = 0 ] && ! grep -q ' no$' "$folder/table"
