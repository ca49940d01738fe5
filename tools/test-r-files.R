# Takes files of R tests from a queue until none is left, and runs them; tools/test-r.sh starts it.
#
#   Rscript tools/test-r-files.R queue
#
# A file belongs to the process that makes the folder taken/<file>. What its tests found goes to
# results/<file>.rds once all of them have ended.
queue <- commandArgs(TRUE)[[1]]

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
  found <- as.data.frame(found)
  found[c("file", "test", "failed", "skipped", "error", "warning", "real")]
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
