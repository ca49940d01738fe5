# Repeats files of R tests, to find tests that fail by chance. The package must be installed.
#
#   . tools/env.sh; Rscript tools/repeat-tests.R times file...     200 test-statistic-mean.R
#   . tools/env.sh; Rscript tools/repeat-tests.R times             all files that draw noise
#   . tools/env.sh; Rscript tools/repeat-tests.R --seconds=40 times ...
#                                 no further repetition of a file after so many seconds
#
# Prints a line for each file: repetitions, failures, seconds. Then the names of the tests that
# failed, with the first lines of why. A file is repeated in one process; random numbers of R go on
# from one repetition to the next. Fails if a test has.
arguments <- commandArgs(TRUE)
seconds_given <- startsWith(arguments, "--seconds=")
at_most <- as.numeric(c(sub("--seconds=", "", arguments[seconds_given]), Inf)[[1]])
arguments <- arguments[!seconds_given]
times <- as.integer(arguments[[1]])
files <- arguments[-1]

Sys.setenv(NOT_CRAN = "true", CI = "true")
library(testthat)
library(PSIlence)

if (length(files) == 0) {
  draws <- function(file) any(grepl("release|arg = |draw_many", readLines(file)))
  files <- basename(Filter(draws, Sys.glob("tests/testthat/test-*.R")))
  files <- setdiff(files, "test-source-spark.R")
}

helpers <- test_env("PSIlence")
invisible(source_test_helpers("tests/testthat", helpers))

failures_of <- function(file) {
  found <- test_dir(
    "tests/testthat",
    filter = paste0("^", sub("^test-(.*)[.]R$", "\\1", file), "$"),
    package = "PSIlence",
    env = helpers,
    load_helpers = FALSE,
    reporter = SilentReporter$new(),
    stop_on_failure = FALSE
  )
  unlist(lapply(found, function(test) {
    bad <- Filter(function(result) !inherits(result, "expectation_success"), test$results)
    why <- vapply(bad, function(result) substr(conditionMessage(result), 1, 200), "")
    if (length(why) > 0) paste0(test$test, ": ", paste(unique(why), collapse = "; "))
  }))
}

failed <- FALSE
for (file in files) {
  started <- proc.time()[["elapsed"]]
  failures <- list()
  seconds <- 0
  while (length(failures) < times && seconds < at_most) {
    failures <- c(failures, list(failures_of(file)))
    seconds <- proc.time()[["elapsed"]] - started
  }
  bad <- sum(lengths(failures) > 0)
  cat(sprintf("%-55s %4d times %4d failed %7.0f s\n", file, length(failures), bad, seconds))
  for (failure in unique(unlist(failures))) cat("  ", failure, "\n", sep = "")
  failed <- failed || bad > 0
}
quit(status = if (failed) 1 else 0)
