#!/bin/sh
# Builds the source tarball in an empty folder, from a copy without what is built or hidden.
#
#   tools/tarball.sh folder [options of R CMD build]
set -eu
cd "$(dirname "$0")/.."
. tools/env.sh
folder=$1
shift
rm -rf "$folder"
mkdir -p "$folder/PSIlence"
tar -c --exclude=./build --exclude='./.[!.]*' -f - . | tar -x -C "$folder/PSIlence" -f -
cp .Rbuildignore "$folder/PSIlence"
cd "$folder"
MAKEFLAGS=$install_flags R CMD build "$@" PSIlence
