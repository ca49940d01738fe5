# Question: what do private counts by text cost, noise and threshold included, next to table() and
# data.table without any privacy?
#
#   Rscript benchmarks/group-by.R [rows]
library(PSIlence)
source("benchmarks/compare.R")
enable_features("contrib")

rows <- as.numeric(c(commandArgs(TRUE), 1e7)[[1]])
texts <- c(vector_domain(atom_domain(.T = "String")), symmetric_distance())
counts <- texts |>
  then_count_by(.TV = "i32") |>
  then_laplace_threshold(scale = 2, threshold = 60L)
distinct <- texts |> then_count_distinct()

# Keys as identifiers have them: all of one length, most of it equal.
keys_of <- function(keys) sprintf("key%07d", seq_len(keys))

for (keys in c(1e3, 1e6)) {
  all_keys <- keys_of(keys)
  categories <- texts |> then_count_by_categories(all_keys)
  words <- sample(all_keys, rows, TRUE)
  labels <- factor(words, all_keys)
  words_table <- data.table::data.table(word = words)
  rounds <- if (keys > 1e5) 3 else 5
  for (threads in thread_counts()) {
    set_threads(threads)
    data.table::setDTthreads(threads)
    result <- compare(
      sprintf("%g texts, %g keys, %s", rows, keys, threads_label(threads)),
      list(
        `counts, noise and threshold` = function() counts(arg = words),
        `number of keys` = function() distinct(arg = words),
        `counts of public categories` = function() categories(arg = words),
        `the same of a factor` = function() categories(arg = labels),
        `table()` = function() table(words),
        `data.table` = function() words_table[, .N, by = word]
      ),
      rounds = rounds
    )
    area <- sprintf("counts by text, 1e7 rows, %s keys", if (keys == 1e3) "1e3" else "1e6")
    least <- if (keys == 1e3) 8 else if (threads == 1) 40 else 80
    if (keys == 1e6 || threads == 1) {
      target(
        paste0(area, ", ", threads_label(threads)), "table()",
        times_ours(result, "table()"),
        at_least = least
      )
    }
  }
  # With as many threads as there are.
  target(
    area, "data.table, equal threads", times_ours(result, "data.table"),
    at_least = if (keys == 1e3) 2.5 else 6
  )
}
