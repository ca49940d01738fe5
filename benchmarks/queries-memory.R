# Question: how much memory does a query that caps people take beyond the data?
#
#   Rscript benchmarks/queries-memory.R [rows]
#
# The table has four columns, 100 rows per person and 100 groups. Each person keeps 3 groups.
# Measures how far the peak of resident memory during the query exceeds the memory before it, from
# /proc of Linux. Rows are kept while they can be in the result, so the peak follows the number of
# people, not of rows.
source("benchmarks/compare.R")

rows <- as.numeric(c(commandArgs(TRUE), 1e8)[[1]])

# Resident memory before the query and growth up to its peak, in MiB, and its seconds.
growth <- function(rows) {
  library(PSIlence)
  suppressMessages(library(dplyr, warn.conflicts = FALSE))
  resident <- function(field) {
    line <- grep(field, readLines("/proc/self/status"), value = TRUE)
    as.numeric(gsub("[^0-9]", "", line)) / 1024
  }
  domain <- dp_domain(
    key = dp_int(1, 100), value = dp_num(0, 200), other = dp_num(0, 1)
  )
  query <- function(people) {
    dp_tbl(dp_session(dp_epsilon(10)), people, dp_unit(id = id), domain) |>
      dp_truncate(by = key, max_groups = 3, max_rows_per_group = 5) |>
      group_by(key) |>
      summarise(n = dp_count(), people = dp_n_ids(), mean = dp_mean(value), other = dp_mean(other))
  }
  table_of <- function(rows) {
    # In place: memory that was freed and stayed resident would hide what the query takes.
    people <- list(
      id = integer(rows), key = integer(rows), value = numeric(rows), other = numeric(rows)
    )
    step <- 1e5
    for (begin in seq(0, rows - step, by = step)) {
      at <- begin + seq_len(step)
      people$id[at] <- sample.int(rows / 100, step, TRUE)
      people$key[at] <- sample.int(100L, step, TRUE)
      people$value[at] <- stats::runif(step, 0, 200)
      people$other[at] <- stats::runif(step)
    }
    attributes(people) <- list(
      names = names(people), class = "data.frame", row.names = .set_row_names(rows)
    )
    people
  }
  invisible(release(query(table_of(1e5)), epsilon = 1)) # loads the code
  asked <- query(table_of(rows))
  gc(FALSE)
  writeLines("5", "/proc/self/clear_refs") # from here on the peak counts anew
  before <- resident("^VmRSS")
  time <- system.time(release(asked, epsilon = 1), gcFirst = FALSE)[["elapsed"]]
  c(before = before, growth = resident("^VmHWM") - before, seconds = time)
}

environment(growth) <- globalenv()
peak <- callr::r(growth, list(rows), libpath = .libPaths())
cat(sprintf("\nResident memory before a query of %g rows and its growth, in MiB\n", rows))
print(signif(peak, 3))
if (rows == 1e8) {
  target(
    "memory of a query of 1e8 rows and 1e6 people", "MiB beyond the data", peak[["growth"]],
    at_most = 1024
  )
}
