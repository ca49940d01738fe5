# Question: what does a query to an adaptive compositor cost, next to the release that it leads to?
#
#   Rscript benchmarks/compositor.R [queries]
library(PSIlence)
source("benchmarks/compare.R")
enable_features("contrib")

queries <- as.numeric(c(commandArgs(TRUE), 20000)[[1]])
space <- c(atom_domain(.T = "i32"), absolute_distance("i32"))
noisy <- space |> then_laplace(scale = 1)
compositor <- make_adaptive_composition(
  space[[1]], space[[2]], max_divergence(),
  d_in = 1L, d_mids = rep(1, queries)
)

times <- compare(
  sprintf("%g answers", queries),
  list(
    `queries to an adaptive compositor` = function() {
      answers <- compositor(arg = 5L)
      for (i in seq_len(queries)) answers(query = noisy)
    },
    `releases alone` = function() for (i in seq_len(queries)) noisy(arg = 5L)
  )
)
target(
  "query to an adaptive compositor", "10 microseconds",
  times$seconds[[1]] / queries / 1e-5,
  at_most = 1
)
