# Question: what does sample and aggregate cost for 1e7 records in 1000 blocks, noise included, next
# to splitting and applying in base R without any privacy?
#
#   Rscript benchmarks/sample-and-aggregate.R [records]
library(PSIlence)
source("benchmarks/compare.R")

records <- as.numeric(c(commandArgs(TRUE), 1e7)[[1]])
blocks <- 1000
people <- data.frame(income = stats::rlnorm(records, 10, 1))
rival <- "base R: split() and sapply()"

# One statistic on one number of threads. The target is about medians.
compare_blocks <- function(inner, threads) {
  statistic <- dpSampleAndAggregate(
    innerFun = inner, aggregationFun = "Mean", numSubsets = blocks,
    mechanism = "mechanismLaplace", varType = "numeric", variable = "income",
    n = records, epsilon = 1, rng = c(0, 750000)
  )
  set_threads(threads)
  label <- threads_label(threads)
  contenders <- list(
    dpSampleAndAggregate = function() statistic$release(people),
    rival = function() {
      labels <- sample(rep_len(seq_len(blocks), records))
      mean(sapply(split(people$income, labels), get(inner)))
    }
  )
  names(contenders)[[2]] <- rival
  question <- sprintf("%s of %g records in %d blocks, %s", inner, records, blocks, label)
  result <- compare(question, contenders, rounds = 5)
  if (inner == "median") {
    target(
      paste0("random partition and 1000 subset medians, 1e7 rows, ", label),
      "sapply(split(x, sample(rep_len(1:k, n))), median)",
      times_ours(result, rival),
      at_least = if (threads == 1) 15 else 40
    )
  }
}

for (inner in c("mean", "median", "var")) {
  for (threads in thread_counts()) compare_blocks(inner, threads)
}
