# Question: what does it cost to build a plan of seven steps with the pipe, which crosses into the
# core once for each step, next to the same steps written out?
#
#   Rscript benchmarks/plan.R [plans]
library(PSIlence)
source("benchmarks/compare.R")
enable_features("contrib")

plans <- as.numeric(c(commandArgs(TRUE), 200)[[1]])
space <- c(vector_domain(option_domain(atom_domain(.T = "f64"))), symmetric_distance())

piped <- function() {
  space |>
    then_impute_constant(0) |>
    then_clamp(c(0, 10)) |>
    then_clamp(c(0, 9)) |>
    then_clamp(c(0, 8)) |>
    then_resize(100, 0) |>
    then_sum() |>
    then_laplace(scale = 1)
}

# Builds a step by its constructor from the output space of `before`, and chains both.
after <- function(before, make, ...) {
  step <- make(before("output_domain"), before("output_metric"), ...)
  if (inherits(step, "measurement")) make_chain_mt(step, before) else make_chain_tt(step, before)
}
written_out <- function() {
  make_impute_constant(space[[1]], space[[2]], 0) |>
    after(make_clamp, c(0, 10)) |>
    after(make_clamp, c(0, 9)) |>
    after(make_clamp, c(0, 8)) |>
    after(make_resize, 100, 0) |>
    after(make_sum) |>
    after(make_laplace, scale = 1)
}
stopifnot(plan_hash(piped()) == plan_hash(written_out()))

times <- compare(
  sprintf("%g plans of seven steps", plans),
  list(
    `with the pipe` = function() for (i in seq_len(plans)) piped(),
    `written out` = function() for (i in seq_len(plans)) written_out()
  )
)
target(
  "a plan of seven steps", "1 millisecond", times$seconds[[1]] / plans / 1e-3,
  at_most = 1
)
