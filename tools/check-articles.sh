#!/bin/sh
# Fails unless each article, which no package check builds, and the code of README.md run against
# the installed package, each in a process of its own.
set -eu
cd "$(dirname "$0")/.."
. tools/env.sh
folder=$build/articles
rm -rf "$folder"
mkdir -p "$folder"

knit='page <- commandArgs(TRUE)
rmarkdown::render(page[[1]], output_dir = page[[2]], intermediates_dir = page[[2]], quiet = TRUE)'
export knit folder
find vignettes/articles -name '[!_]*.Rmd' | sort | xargs -P "$jobs" -I '{}' sh -c '
  name=$(basename "$1" .Rmd)
  Rscript --vanilla -e "$knit" "$1" "$folder/$name" > "$folder/$name.log" 2>&1 || {
    cat "$folder/$name.log"
    echo "$1 does not run."
    exit 1
  }' sh '{}'

sed -n '/^```r$/,/^```$/p' README.md | sed '/^```/d' > "$folder/README.R"
[ -s "$folder/README.R" ]
cd "$folder"
Rscript --vanilla README.R > README.log 2>&1 || {
  cat README.log
  exit 1
}
