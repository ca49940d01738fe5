#!/bin/sh
# Fails unless each article, which no package check builds, and the code of README.md run against
# the installed package, each in a process of its own.
set -eu
cd "$(dirname "$0")/.."
. tools/env.sh
folder=$build/articles
rm -rf "$folder"
mkdir -p "$folder"

# Text and results as they stand; to make pages of them takes as long again, and `make site` does it.
knit='page <- commandArgs(TRUE)
knitr::opts_chunk$set(error = FALSE)
knitr::knit(page[[1]], page[[2]], quiet = TRUE)'
here=$PWD
export knit folder here
find vignettes/articles -name '[!_]*.Rmd' | sort | xargs -P "$jobs" -I '{}' sh -c '
  name=$(basename "$1" .Rmd)
  mkdir "$folder/$name"
  cd "$folder/$name"
  Rscript --vanilla -e "$knit" "$here/$1" "$name.md" > log 2>&1 || {
    cat log
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
