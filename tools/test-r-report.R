# Adds up what the processes of tools/test-r.sh found, and names the tests that did not pass, with
# the first lines of why.
#
#   Rscript tools/test-r-report.R queue results
#
# The unit is one test_that(). It has failed if an expectation of it has, if it met an error or a
# warning, if it was skipped, or if its file has no results. Fails unless all passed.
paths <- commandArgs(TRUE)
queue <- paths[[1]]

# The tests of a file that did not end, as far as they are written out: a loop may make more.
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

results <- do.call(rbind, lapply(readLines(file.path(queue, "files")), function(file) {
  found <- file.path(queue, "results", paste0(file, ".rds"))
  if (file.exists(found)) readRDS(found) else unended(file)
}))
bad <- results$failed > 0 | results$error | results$skipped | results$warning > 0
name <- paste0(results$file, ": ", results$test)
cat(sprintf("%d tests of R, of which %d did not pass\n", nrow(results), sum(bad)))
if (any(bad)) {
  cat("Failed, skipped or with warnings:\n")
  cat(paste0("  ", name[bad]), sep = "\n")
}
why <- lapply(strsplit(results$why[bad], "\n", fixed = TRUE), function(lines) {
  paste0("  ", utils::head(lines, 20), recycle0 = TRUE)
})
report <- function(lines, kind) writeLines(as.character(lines), paste0(paths[[2]], ".", kind))
report(paste(sum(!bad), sum(bad)), "counts")
report(sprintf("%.3f %s", results$real, name), "times")
report(unlist(Map(c, name[bad], why)), "bad")
quit(status = if (any(bad)) 1 else 0)
