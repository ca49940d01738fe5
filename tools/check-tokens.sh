#!/bin/sh
# Fails if a line has what tools/banned-tokens.tsv bans, and says why that is banned.
set -eu
cd "$(dirname "$0")/.."
files=$(find R src tests/cpp tools configure -type f ! -name '*.o' ! -name '*.so')
tab=$(printf '\t')
bad=0
rows=0
while IFS=$tab read -r where banned allowed why; do
  case $where in '#'*) continue ;; esac
  rows=$((rows + 1))
  # shellcheck disable=SC2086 # a list of words
  read_files=$(echo "$files" | grep -E "$where") || {
    echo "No file is like $where."
    bad=1
    continue
  }
  # shellcheck disable=SC2086
  found=$(grep -nE -e "$banned" $read_files /dev/null | grep -vE -e "$allowed") || continue
  echo "$found"
  echo "  $why"
  bad=1
done < tools/banned-tokens.tsv
[ $rows -gt 0 ] || echo "tools/banned-tokens.tsv has no rows."
[ $rows -gt 0 ] && [ $bad = 0 ]
