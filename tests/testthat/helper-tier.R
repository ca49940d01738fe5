# Work per test: `quick` for every change, and `long` before a release, when tools/test-r.sh
# runs the files with `--long`.
in_tier <- function(quick, long) if (nzchar(Sys.getenv("PSILENCE_LONG_TESTS"))) long else quick
