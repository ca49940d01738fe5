# Question: what does it cost to read numbers from text, next to as.numeric()?
#
#   Rscript benchmarks/cast.R [rows]
#
# Ours is the sum of the numbers, missing ones filled and all clamped: nothing else in R takes text.
library(PSIlence)
source("benchmarks/compare.R")
enable_features("contrib")

rows <- as.numeric(c(commandArgs(TRUE), 1e7)[[1]])
words <- sprintf("%.2f", stats::rlnorm(rows, 10, 1))
total <- c(vector_domain(atom_domain(.T = "String")), symmetric_distance()) |>
  then_cast_default("f64") |>
  then_impute_constant(0) |>
  then_clamp(c(0, 750000)) |>
  then_lattice_sum()

for (threads in thread_counts()) {
  set_threads(threads)
  result <- compare(
    sprintf("%g texts, %s", rows, threads_label(threads)),
    list(
      `cast, fill, clamp, exact sum` = function() total(arg = words),
      `as.numeric()` = function() as.numeric(words)
    ),
    rounds = 3
  )
  target(
    paste("text to double,", threads_label(threads)), "as.numeric()",
    times_ours(result, "as.numeric()"),
    at_least = if (threads == 1) 4 else 10
  )
}
