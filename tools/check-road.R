# Fails if the road of a release grew: from release() to the answer that is stored and described, a
# release of any kind goes through at most six files of R/ and 1,000 lines. Files that every
# function of the package uses, such as errors.R, and stores of budgets do not count.

most_files <- 6
most_lines <- 1000

every_kind <- c(
  "release.R", "release-table.R", "ledger-charge.R", "ledger-claim.R", "ledger-store.R"
)
own_files <- list(
  measurement = "release-measurement.R", statistic = "statistic-release.R",
  query = "query-release.R", batch = "query-batch.R"
)

files <- list.files("R", pattern = "[.]R$", full.names = TRUE)
runs_a_kind <- vapply(files, function(file) {
  any(grepl("^release_run[.][a-zA-Z_]+ <-", readLines(file)))
}, NA)
if (!setequal(basename(files[runs_a_kind]), unlist(own_files))) {
  cat("release_run() has methods in", toString(files[runs_a_kind]), "\n")
  quit(status = 1)
}
is_long <- vapply(names(own_files), function(kind) {
  road <- file.path("R", c(every_kind, own_files[[kind]]))
  lines <- sum(lengths(lapply(road, readLines)))
  cat(sprintf("%-12s %d files, %d lines\n", kind, length(road), lines))
  length(road) > most_files || lines > most_lines
}, NA)
quit(status = any(is_long))
