# How much a test does: less with every change than before a release, when tools/test-r.sh runs the
# files that ask for it with `--long`.
in_tier <- function(quick, long) if (nzchar(Sys.getenv("PSILENCE_LONG_TESTS"))) long else quick
