# Question: what does a private query of a data frame cost, caps and noise included, next to dplyr
# and data.table without any privacy?
#
#   Rscript benchmarks/queries.R [rows]
#
# Counts, means and medians by 100 keys. There are 10 rows per person. Each person can have 5 rows
# in each of 3 groups.
library(PSIlence)
source("benchmarks/compare.R")

rows <- as.numeric(c(commandArgs(TRUE), 1e7)[[1]])
table_of <- function(rows) {
  data.frame(
    id = sample.int(rows / 10, rows, TRUE),
    key = sample.int(100L, rows, TRUE),
    value = runif(rows, 0, 200)
  )
}
people <- table_of(rows)
table <- data.table::as.data.table(people)
key <- value <- id <- NULL # columns

column <- function(name) list(op = "column", name = name)
aggregate <- function(name, fun, of = NULL, ...) {
  list(name = name, fun = fun, of = of, weight = 1, method = "automatic", hidden = FALSE, ...)
}
aggregates <- list(
  aggregate("n", "count"),
  aggregate("mean", "mean", column("value")),
  aggregate("median", "quantiles", column("value"), probabilities = 0.5, grid = 0:200)
)

query <- function(aggregates, unit, steps = list(), data = people) {
  measurement <- PSIlence:::core_query_compile(
    list(
      source = list(
        columns = list(
          list(name = "key", type = "integer", lower = 1, upper = 100),
          list(name = "value", type = "real", lower = 0, upper = 200)
        ),
        unit = unit
      ),
      steps = steps, by = "key", keys = list(kind = "declared", table = NULL, weight = 1),
      aggregates = aggregates,
      outputs = lapply(aggregates, function(a) list(name = a$name, value = column(a$name)))
    ),
    list(epsilon = 1), 0.05
  )$measurement
  function() PSIlence:::core_invoke(measurement, data)
}

by_rows <- list(kind = "rows", id = NULL, count = 1L)
by_people <- list(kind = "id", id = "id", count = 1L)
caps <- list(
  step = "truncate", by = "key", rows = NULL, groups = 3L, rows_per_group = 5L, keep = "random",
  order = NULL
)

of_rows <- query(aggregates[1:2], by_rows)
of_people <- query(aggregates[1:2], by_people, list(caps))
with_data_table <- function() table[, .(.N, mean(value)), by = key]

set_threads(1)
data.table::setDTthreads(1)
one <- compare(
  sprintf("%g rows, 100 keys, 1 thread, seconds of the processor", rows),
  list(
    `count and mean of rows` = of_rows,
    `data.table, count and mean` = with_data_table,
    `dplyr, count and mean` = function() {
      dplyr::summarise(dplyr::group_by(people, key), n = dplyr::n(), mean = mean(value))
    }
  ),
  rounds = 9, clock = "processor"
)
capped <- compare(
  sprintf("%g rows of %g people, 100 keys, 1 thread, seconds of the processor", rows, rows / 10),
  list(
    `dplyr, count of people` = function() {
      dplyr::summarise(dplyr::group_by(people, key), n = dplyr::n_distinct(id))
    },
    `count and mean of people` = of_people
  ),
  rounds = 9, clock = "processor"
)

threads <- max(thread_counts())
set_threads(threads)
data.table::setDTthreads(threads)
all <- compare(
  sprintf("%g rows, 100 keys, %s", rows, threads_label(threads)),
  list(
    `count and mean of rows` = of_rows,
    `data.table, count and mean` = with_data_table,
    `count and mean of people` = of_people
  ),
  rounds = 9
)
few <- table_of(1e6)
common <- compare(
  sprintf("1e6 rows of 1e5 people, 100 keys, %s", threads_label(threads)),
  list(`count, mean and median` = query(aggregates, by_people, list(caps), few)),
  rounds = 9
)

area <- "count and mean by 100 keys of a data frame"
target(
  paste0(area, ", 1 thread"), "dplyr", times_ours(one, "dplyr, count and mean"),
  at_least = 5
)
target(
  "count and mean of capped people, 1 thread", "dplyr, count of people",
  times_ours(capped, "count and mean of people"),
  at_most = 1.5
)
target(
  area, "data.table, equal threads", times_ours(all, "data.table, count and mean"),
  at_least = 1
)
target(
  "count, mean and median of capped people", "seconds for each million rows",
  common$seconds,
  at_most = 0.27
)
