#!/bin/sh
# Fails if a defence of tests/DEFENCES.md is named in no test, a test names one that is not there, or
# a test that the page names is not there.
# A name in a comment does not count. What a whole suite shows (D-R-7) is named where it is run.
set -eu
cd "$(dirname "$0")/.."
pattern='\bD[-_][A-Z]+[-_][0-9]+'

legend=$(grep -oE "^\\| $pattern" tests/DEFENCES.md | sed 's/^| //')
named=$(find tests tools -type f \( -name '*.R' -o -name '*.cpp' -o -name '*.h' -o -name '*.sh' \) \
  ! -name check-defences.sh -exec grep -hvE '^ *(#|//)' {} + | grep -oE "$pattern" | tr _ - | sort -u)

bad=0
if [ "$(echo "$legend" | sort | uniq -d)" ]; then
  echo "twice in tests/DEFENCES.md: $(echo "$legend" | sort | uniq -d | tr '\n' ' ')"
  bad=1
fi
for code in $legend; do
  echo "$named" | grep -qx "$code" || { echo "named in no test: $code" && bad=1; }
done
for code in $named; do
  echo "$legend" | grep -qx "$code" || { echo "not in tests/DEFENCES.md: $code" && bad=1; }
done

# Tests that its table of cases names.
grep -E '^\| ' tests/DEFENCES.md | awk -F'|' '{ print $3 }' | grep -oE '`[^`]*`' | tr -d '`' |
  sort -u | {
    while read -r name; do
      grep -rqF --include='*.R' --include='*_test.cpp' -e "$name" tests ||
        { echo "tests/DEFENCES.md names no test: $name" && exit 1; }
    done
  } || bad=1
exit $bad
