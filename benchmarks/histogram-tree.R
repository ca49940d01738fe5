# Question: what do histograms cost, by public bins, by labels and as trees of counts, next to base
# R without any privacy?
#
#   Rscript benchmarks/histogram-tree.R [rows]
library(PSIlence)
source("benchmarks/compare.R")
enable_features("contrib")

rows <- as.numeric(c(commandArgs(TRUE), 1e7)[[1]])
income <- stats::rlnorm(rows, 10, 1)
ages <- sample(0:119, rows, TRUE)
regions <- factor(sample(letters, rows, TRUE), letters)
edges <- seq(0, 750000, length.out = 257)

space <- function(type) c(vector_domain(atom_domain(.T = type)), symmetric_distance())
bins <- as.list(seq_along(edges) - 1)
histogram <- space("f64") |>
  then_find_bin(edges) |>
  then_count_by_categories(bins, null_category = FALSE) |>
  then_laplace(scale = 2)
tree <- space("f64") |>
  then_find_bin(edges) |>
  then_count_by_categories(bins, null_category = FALSE) |>
  then_b_ary_tree(leaf_count = length(bins), branching_factor = 16L) |>
  then_laplace(scale = 6)
by_age <- space("i32") |>
  then_count_by_categories(0:119, null_category = FALSE) |>
  then_laplace(scale = 2)
by_region <- space("String") |>
  then_count_by_categories(letters, null_category = FALSE) |>
  then_laplace(scale = 2)

for (threads in thread_counts()) {
  set_threads(threads)
  having <- function(what) sprintf("%s of %g rows, %s", what, rows, threads_label(threads))
  compare(having("256 bins"), list(
    `noisy histogram` = function() histogram(arg = income),
    `noisy tree of counts` = function() tree(arg = income),
    `tabulate(findInterval())` = function() tabulate(findInterval(income, edges), 257),
    `hist()` = function() graphics::hist(pmin(income, 750000), edges, plot = FALSE)
  ), rounds = 3)
  compare(having("120 integers"), list(
    `noisy counts` = function() by_age(arg = ages),
    `tabulate()` = function() tabulate(ages + 1L, 120)
  ), rounds = 3)
  compare(having("26 labels"), list(
    `noisy counts` = function() by_region(arg = regions),
    `table()` = function() table(regions)
  ), rounds = 3)
}
