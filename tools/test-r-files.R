# Takes files of R tests from a queue until none is left, and runs them; tools/test-r.sh starts it.
#
#   Rscript tools/test-r-files.R queue
#
# A file belongs to the process that makes the folder taken/<file>. What its tests found goes to
# results/<file>.rds once all of them have ended.
queue <- commandArgs(TRUE)[[1]]

# A plot that a test draws without a device of its own leaves no file behind.
options(device = function(...) grDevices::pdf(NULL))

# What files share is read once for all files of a process.
library(testthat)
library(PSIlence)
helpers <- test_env("PSIlence")
invisible(source_test_helpers("tests/testthat", helpers))

run <- function(file) {
  found <- test_dir(
    "tests/testthat",
    filter = paste0("^", sub("^test-(.*)[.]R$", "\\1", file), "$"),
    package = "PSIlence",
    env = helpers,
    load_helpers = FALSE,
    reporter = CheckReporter$new(),
    stop_on_failure = FALSE
  )
  why <- vapply(found, function(test) complaints(test$results), "")
  found <- as.data.frame(found)[c("file", "test", "failed", "skipped", "error", "warning", "real")]
  cbind(found, why = why)
}

# What the expectations of a test that did not hold say, and where they stand: of each the first
# lines.
complaints <- function(expectations) {
  bad <- Filter(function(expectation) !inherits(expectation, "expectation_success"), expectations)
  said <- lapply(bad, function(expectation) {
    place <- if (!is.null(expectation$srcref)) paste0("line ", expectation$srcref[[1]], ": ")
    lines <- strsplit(paste0(place, conditionMessage(expectation)), "\n", fixed = TRUE)[[1]]
    utils::head(lines[nzchar(lines)], 8)
  })
  paste(unlist(said), collapse = "\n")
}

for (file in readLines(file.path(queue, "files"))) {
  if (!dir.create(file.path(queue, "taken", file), showWarnings = FALSE)) next
  cat(file, "\n")
  # A file that cannot be read has no results, and fails as one whose process has ended.
  found <- tryCatch(run(file), error = function(e) message(conditionMessage(e)))
  if (is.null(found)) next
  part <- file.path(queue, paste0(file, ".part"))
  saveRDS(found, part)
  file.rename(part, file.path(queue, "results", paste0(file, ".rds")))
}
