#!/bin/sh
# Runs Gappa on the inequalities of src/core/random/PROOFS.md. What has doubles is proved for each
# rounding mode. A bound that is known to be false must be refused.
set -u
cd "$(dirname "$0")/.."
bad=0

# Whether Gappa proves what it reads. In 60 bits, as by default, 2^64 ln 2 has no digits left.
proves() {
  gappa -Eprecision=128 > /dev/null 2>&1
}

count=0
for file in proofs/*.gappa; do
  grep -q "\`$(basename "$file")\`" PROOFS.md || { echo "not in PROOFS.md: $file" && bad=1; }
  modes=$(grep -q 'ieee_64, MODE' "$file" && echo ne up dn zr || echo -)
  for mode in $modes; do
    sed "s/ieee_64, MODE/ieee_64, $mode/" "$file" | proves || { echo "no proof: $file, $mode" && bad=1; }
    count=$((count + 1))
  done
done
for file in $(grep -o '[a-z_]*\.gappa' PROOFS.md); do
  [ -f "proofs/$file" ] || { echo "no such file: proofs/$file" && bad=1; }
done
# Rounded towards 0, the sum may err by more than 2^-49.
if sed 's/ieee_64, MODE/ieee_64, zr/; s/1b-48, 1b-48/1b-49, 1b-49/' proofs/lanes_sum.gappa | proves; then
  echo "Gappa proves what is false."
  bad=1
fi
echo "$count proofs of inequalities"
[ "$count" -gt 0 ] && exit $bad
