# The two steps of tools/test-r.sh, on a folder with a list of files of R tests.
#
#   Rscript tools/test-r.R run QUEUE              takes files until none is left, and runs them
#   Rscript tools/test-r.R report QUEUE RESULTS   adds up the results. Fails unless all tests passed
#
# Any number of processes can run files. The process that makes the folder taken/<i> owns the i-th
# file. Results go to results/<i>.rds after the last test of the file.
#
# testthat's own parallel mode does not keep what we need: it stops at the first process that dies,
# and does not measure the time of each test.
arguments <- commandArgs(TRUE)
queue <- arguments[[2]]
files <- readLines(file.path(queue, "files"))
results_of <- function(i) file.path(queue, "results", paste0(i, ".rds"))

# Running -----------------------------------------------------------------------------------------

run_files <- function() {
  # A test that plots without opening a device leaves no file.
  options(device = function(...) grDevices::pdf(NULL))
  library(testthat)
  library(PSIlence)
  # The files of a process share the helpers.
  helpers <- test_env("PSIlence")
  source_test_helpers("tests/testthat", helpers)
  for (i in seq_along(files)) {
    if (!dir.create(file.path(queue, "taken", i), showWarnings = FALSE)) next
    cat(files[[i]], "\n")
    # A file that cannot be parsed has no results, like a file whose process died.
    found <- tryCatch(run(files[[i]], helpers), error = function(e) message(conditionMessage(e)))
    if (is.null(found)) next
    part <- file.path(queue, paste0(i, ".part"))
    saveRDS(found, part)
    file.rename(part, results_of(i))
  }
}

run <- function(file, helpers) {
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

# The first lines of each expectation that did not hold.
complaints <- function(expectations) {
  bad <- Filter(function(expectation) !inherits(expectation, "expectation_success"), expectations)
  said <- lapply(bad, function(expectation) {
    place <- if (!is.null(expectation$srcref)) paste0("line ", expectation$srcref[[1]], ": ")
    lines <- strsplit(paste0(place, conditionMessage(expectation)), "\n", fixed = TRUE)[[1]]
    utils::head(lines[nzchar(lines)], 8)
  })
  paste(unlist(said), collapse = "\n")
}

# Reporting ---------------------------------------------------------------------------------------

# The tests in the text of a file that did not end. A loop would have made more.
unended <- function(file) {
  code <- tryCatch(
    parse(file.path("tests/testthat", file), keep.source = TRUE),
    error = function(e) expression()
  )
  tokens <- utils::getParseData(code)
  calls <- which(tokens$token == "SYMBOL_FUNCTION_CALL" & tokens$text == "test_that")
  texts <- which(tokens$token == "STR_CONST")
  names <- vapply(calls, function(i) gsub("\"", "", tokens$text[texts[texts > i][1]]), "")
  if (length(names) == 0) names <- "no test is found in it"
  data.frame(
    file = file, test = paste0(names, " (the file did not end)"), failed = 1, skipped = FALSE,
    error = TRUE, warning = 0, real = 0, why = ""
  )
}

# A test fails if an expectation does not hold, on an error, on a warning, if it was skipped, and if
# its file has no results.
report <- function(results) {
  found <- do.call(rbind, lapply(seq_along(files), function(i) {
    if (file.exists(results_of(i))) readRDS(results_of(i)) else unended(files[[i]])
  }))
  bad <- found$failed > 0 | found$error | found$skipped | found$warning > 0
  name <- paste0(found$file, ": ", found$test)
  why <- lapply(strsplit(found$why[bad], "\n", fixed = TRUE), function(lines) {
    paste0("  ", utils::head(lines, 20), recycle0 = TRUE)
  })
  write <- function(lines, kind) writeLines(as.character(lines), paste0(results, ".", kind))
  write(paste(sum(!bad), sum(bad)), "counts")
  write(sprintf("%.3f %s", found$real, name), "times")
  write(unlist(Map(c, name[bad], why)), "bad")
  cat(sprintf("%d tests of R, of which %d did not pass\n", nrow(found), sum(bad)))
  if (any(bad)) {
    cat("Failed, skipped or with warnings:\n")
    writeLines(paste0("  ", readLines(paste0(results, ".bad"))))
  }
  quit(status = if (any(bad) || nrow(found) == 0) 1 else 0)
}

if (arguments[[1]] == "run") run_files() else report(arguments[[3]])
