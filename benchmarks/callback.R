# Question: how much time per block does it take to isolate an R function and to undo its changes,
# beyond the time of the function?
#
#   Rscript benchmarks/callback.R [blocks]
library(PSIlence)
source("benchmarks/compare.R")
enable_features("contrib", "honest-but-curious")

blocks <- as.numeric(c(commandArgs(TRUE), 1e5)[[1]])
rows <- data.frame(x = stats::runif(blocks))
# The session has variables, which are searched before each block.
for (i in seq_len(100)) assign(paste0("variable", i), i)
shift <- 0.5
shifted <- function(x) x[[1]] + shift

release <- function(isolation) {
  statistic <- dpSampleAndAggregate(
    innerFun = shifted, outputRange = c(0, 2), aggregationFun = "Mean", numSubsets = blocks,
    mechanism = "mechanismLaplace", varType = "numeric", variable = "x", n = blocks,
    rng = c(0, 1), epsilon = 1, isolation = isolation
  )
  function() statistic$release(rows)
}
result <- compare(sprintf("%g blocks of one row", blocks), list(
  hermetic = release("hermetic"),
  none = release("none"),
  `tryCatch() around each call` = function() {
    for (x in rows$x) tryCatch(shifted(x), error = function(error) NaN)
  },
  `the function itself` = function() for (x in rows$x) shifted(x)
))
seconds <- stats::setNames(result$seconds, result$contender)
target(
  "an R function of blocks, alone and without trace", "the function itself",
  (seconds[["hermetic"]] - seconds[["the function itself"]]) / blocks * 1e6,
  at_most = 20
)
