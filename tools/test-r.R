# Tests the package installed in the build folder's library.
#
#   Rscript tools/test-r.R [counts [times]]
#
# "passed failed" goes to the file `counts`, "seconds test" of each test to the file `times`, if
# they are named. The unit is one test_that(); it has failed if an expectation of it has, if it met
# an error or a warning, or if it was skipped.
outputs <- commandArgs(TRUE)
Sys.setenv(CI = "true", NOT_CRAN = "true")

results <- testthat::test_dir(
  "tests/testthat",
  package = "PSIlence",
  load_package = "installed",
  reporter = testthat::ProgressReporter$new(max_failures = Inf, update_interval = Inf),
  stop_on_failure = FALSE
)
results <- as.data.frame(results)
bad <- results$failed > 0 | results$error | results$skipped | results$warning > 0
if (any(bad)) {
  cat("Failed, skipped or with warnings:\n")
  cat(paste0("  ", results$file, ": ", results$test)[bad], sep = "\n")
}
if (length(outputs) > 0) {
  writeLines(paste(sum(!bad), max(sum(bad), nrow(results) == 0)), outputs[[1]])
}
if (length(outputs) > 1) {
  seconds <- sprintf("%.3f %s: %s", results$real, results$file, results$test)
  writeLines(seconds, outputs[[2]])
}
quit(status = if (any(bad) || nrow(results) == 0) 1 else 0)
