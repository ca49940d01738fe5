# Question: what does sample and aggregate cost for 1e7 records in 1000 blocks, noise included, next
# to splitting and applying in base R without any privacy?
#
#   Rscript benchmarks/sample-and-aggregate.R [records]
library(PSIlence)
source("benchmarks/compare.R")

records <- as.numeric(c(commandArgs(TRUE), 1e7)[[1]])
blocks <- 1000
people <- data.frame(income = stats::rlnorm(records, 10, 1))

for (inner in c("mean", "median", "var")) {
  statistic <- dpSampleAndAggregate(
    innerFun = inner, aggregationFun = "Mean", numSubsets = blocks,
    mechanism = "mechanismLaplace", varType = "numeric", variable = "income",
    n = records, epsilon = 1, rng = c(0, 750000)
  )
  contenders <- lapply(thread_counts(), function(threads) {
    function() {
      set_threads(threads)
      statistic$release(people)
    }
  })
  names(contenders) <- sprintf("dpSampleAndAggregate, %d thread(s)", thread_counts())
  contenders$`base R: split() and sapply()` <- function() {
    labels <- sample(rep_len(seq_len(blocks), records))
    mean(sapply(split(people$income, labels), get(inner)))
  }
  compare(sprintf("%s of %g records in %d blocks", inner, records, blocks), contenders, rounds = 3)
}
