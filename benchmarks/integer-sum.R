# Question: what does a clamped, exact sum of 1e6 integers cost that are in memory already, next to
# base R's sum() of the same integers, which clamps nothing?
#
#   Rscript benchmarks/integer-sum.R [rows]
library(PSIlence)
source("benchmarks/compare.R")
enable_features("contrib")

rows <- as.numeric(c(commandArgs(TRUE), 1e6)[[1]])
ages <- sample.int(150L, rows, replace = TRUE) - 20L

total <- function(bounds) {
  c(vector_domain(atom_domain(.T = "i32")), symmetric_distance()) |>
    then_clamp(bounds) |>
    then_sum()
}
one_sign <- total(c(0L, 100L))
two_signs <- total(c(-10L, 100L))
stopifnot(
  one_sign(arg = ages) == sum(pmin(pmax(ages, 0L), 100L)),
  two_signs(arg = ages) == sum(pmin(pmax(ages, -10L), 100L))
)

# Many calls in a row: one takes less than the clock tells apart.
repeated <- function(f, times = 50) function() for (i in seq_len(times)) f()

set_threads(1)
times <- compare(
  sprintf("%g integers in memory, 1 thread, 50 times", rows),
  list(
    `clamp, exact sum` = repeated(function() one_sign(arg = ages)),
    `clamp to both signs, exact sum` = repeated(function() two_signs(arg = ages)),
    `base R: sum(), no clamp` = repeated(function() sum(ages)),
    `base R: pmax(), pmin(), sum()` = repeated(function() sum(pmin(pmax(ages, 0L), 100L)))
  ),
  rounds = 15
)
area <- "clamped sum of 1e6 integers, 1 thread"
target(area, "sum()", 1 / times_ours(times, "base R: sum(), no clamp"), at_most = 1.3)
