# Cases of audits (helper-audit.R) of sample and aggregate, beside those of its class in
# helper-audited-statistics.R.

# Cases that find only larger mutants. Releases of several steps, for each of which another pair is
# the worst, lose less on any one pair; the trimmed mean has a noise whose losses are largest where
# it hardly ever is; and functions of R take long.
block_audits <- function() {
  blocks <- function(excess, draws, ...) {
    labels <- identical(list(...)$scheme, "labels")
    pair <- list(c(0, 0, 0, if (!labels) 0), c(0, 0, 0, 1))
    if (identical(list(...)$aggregationFun, "Mode") && !labels) {
      pair <- list(c(0, 0, 1, 1), c(0, 1, 1, 1))
    }
    list(
      make = function(excess) tiny_aggregate(..., epsilon = excess),
      data = lapply(pair, function(x) data.frame(x = x)),
      evidence = function(release, fields) release[[1]][[1]], excess = excess, draws = draws
    )
  }
  resampled <- function(...) blocks(scheme = "resampled", overlap = 2, numSubsets = 8, ...)
  subsets <- function(...) blocks(scheme = "subsets", ...)
  labels <- function(...) blocks(scheme = "labels", ...)
  winsorized <- list(aggregationFun = "WinsorizedMean", gridPoints = 11)
  helper <- list(rangeMode = "helper", rangeHelper = function(x) x, gridPoints = 11)
  # Of the failures alone, which have this share of the loss: the results are the same for both.
  failures <- function(...) {
    share <- 0.9
    case <- blocks(
      ..., failureShare = share, innerFun = function(x) if (any(x == 1)) NA else 0.5
    )
    case$claim <- c(share, 0)
    case$evidence <- function(release, fields) release[[2]]
    case
  }
  vote <- list(innerFun = max, aggregationFun = "Mode", outcomes = c(0, 1))
  list(
    mode = do.call(blocks, c(3, 2500, vote)),
    loose = blocks(6, 20000, rangeMode = "loose"),
    interval = blocks(3, 12000, intervalShare = 0.5),
    failures = failures(3, 5000),
    winsorized = do.call(blocks, c(3, 14000, winsorized)),
    trimmed = blocks(5, 40000, aggregationFun = "TrimmedMean", trim = 0.3),
    helper = do.call(blocks, c(3, 15000, helper)),
    `resampled helper` = do.call(resampled, c(3, 15000, helper)),
    subsets = subsets(5, 15000, subsetSize = 1),
    `subsets, variance` = subsets(5, 25000, subsetSize = 2, innerFun = "var"),
    `subsets, trimmed` = subsets(
      16, 30000, subsetSize = 2, aggregationFun = "TrimmedMean", trim = 0.3
    ),
    labels = labels(1.6, 30000),
    `labels, mode` = do.call(labels, c(4, 3000, vote)),
    `labels, winsorized` = do.call(labels, c(8, 15000, winsorized)),
    `labels, helper` = do.call(labels, c(6, 15000, helper))
  )
}
