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

# Cost of counting `words`, which are some of `all_keys`, on `threads` threads.
costs <- function(words, all_keys, threads) {
  categories <- texts |> then_count_by_categories(all_keys)
  labels <- factor(words, all_keys)
  words_table <- data.table::data.table(word = words)
  set_threads(threads)
  data.table::setDTthreads(threads)
  compare(
    sprintf("%g texts, %g keys, %s", rows, length(all_keys), threads_label(threads)),
    list(
      `counts, noise and threshold` = function() counts(arg = words),
      `number of keys` = function() distinct(arg = words),
      `counts of public categories` = function() categories(arg = words),
      `the same of a factor` = function() categories(arg = labels),
      `table()` = function() table(words),
      `data.table` = function() words_table[, .N, by = word]
    ),
    rounds = 3
  )
}

area <- function(keys, ...) paste0("counts by text, 1e7 rows, ", keys, " keys", ...)
all_threads <- max(thread_counts())

few <- keys_of(1e3)
words <- sample(few, rows, TRUE)
one <- costs(words, few, 1)
all <- costs(words, few, all_threads)
target(area("1e3", ", 1 thread"), "table()", times_ours(one, "table()"), at_least = 8)
target(
  area("1e3"), "data.table, equal threads", times_ours(all, "data.table"),
  at_least = 2.5
)

many <- keys_of(1e6)
words <- sample(many, rows, TRUE)
one <- costs(words, many, 1)
all <- costs(words, many, all_threads)
target(area("1e6", ", 1 thread"), "table()", times_ours(one, "table()"), at_least = 40)
if (all_threads > 1) {
  by_threads <- area("1e6", ", ", threads_label(all_threads))
  target(by_threads, "table()", times_ours(all, "table()"), at_least = 80)
}
target(area("1e6"), "data.table, equal threads", times_ours(all, "data.table"), at_least = 6)
