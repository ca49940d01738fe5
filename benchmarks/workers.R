# Question: how much sooner does a release end that runs a slow R function on two daemons of package
# mirai, and what does a quick one lose there?
#
#   Rscript benchmarks/workers.R [blocks]
library(PSIlence)
source("benchmarks/compare.R")

blocks <- as.numeric(c(commandArgs(TRUE), 100)[[1]])
rows <- data.frame(x = stats::runif(10 * blocks))
release <- function(fun) {
  statistic <- dpSampleAndAggregate(
    innerFun = fun, outputRange = c(0, 1), aggregationFun = "Mean", numSubsets = blocks,
    mechanism = "mechanismLaplace", varType = "numeric", variable = "x", n = nrow(rows),
    rng = c(0, 1), epsilon = 1
  )
  function(workers) {
    function() {
      options(PSIlence.workers = workers)
      statistic$release(rows)
    }
  }
}
# Takes a tenth of a second without the processor. So the time is for passing blocks, and does not
# depend on the number of free cores.
slow <- release(function(x) {
  Sys.sleep(0.1)
  mean(x)
})
quick <- release(function(x) mean(x))

mirai::daemons(2)
slowly <- compare(sprintf("%g blocks of a tenth of a second", blocks), list(
  `two daemons` = slow("mirai"), `this session` = slow("none")
))
compare(sprintf("%g blocks of some microseconds", blocks), list(
  `two daemons` = quick("mirai"), `this session` = quick("none")
))
mirai::daemons(0)
target(
  "blocks of a slow R function, on two daemons of mirai", "this session",
  times_ours(slowly, "this session"),
  at_least = 1.8
)
