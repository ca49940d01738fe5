# Cases of audits (helper-audit.R) of sample and aggregate whose releases have several steps, or run
# functions of R, beside those of its class in helper-audited-statistics.R.
#
# The claim is the whole loss where some pair of neighbours shows that of all steps at once. Where
# none does, a step is audited by a pair which differs in this step alone, and the claim is its
# share of the loss.

# Two columns that differ in their first row, 0 or 1. The others lie within two gaps of one half,
# where a gap is the distance of the candidates for both quartiles: n / 4 - 1, n / 4 + 1,
# 3 n / 4 - 1 and 3 n / 4 + 1 rows are below the four candidates in the middle, if the first is 0.
# So two of them are equally good as a quartile, far better than all others; and if it is 1, the
# lower one is as much worse as the upper one is better.
around_quartiles <- function(n, gridPoints) {
  gap <- 1 / (gridPoints - 1)
  lapply(0:1, c, 0.5 + gap * rep(-2:2, c(n / 4 - 2, 2, n / 2 - 2, 2, n / 4 - 1)))
}

# The evidence of a mean of such rows, moved to between two ends: `reach` times the distance of the
# quartiles from their middle. The first row is at one of the ends. Of each quartile, whose loss is
# eta, the lower candidate comes half of the time and exp(-eta) times as often if that row is 1; so
# the logarithms of the likelihood ratios of both are eta + log(2 - exp(-eta)) apart.
quartiles_evidence <- function(pair, gridPoints, reach, epsilon) {
  n <- length(pair[[1]])
  others <- pair[[1]][-1]
  eta <- epsilon / 4
  function(release, fields) {
    numbers <- unlist(release)
    ends <- numbers[2:3]
    quartiles <- mean(ends) + diff(ends) / reach * c(-0.25, 0.25)
    lower <- sum(quartiles < 0.5 + c(-1, 1) / (gridPoints - 1))
    noise <- n * numbers[[1]] - sum(pmin(pmax(others, ends[[1]]), ends[[2]])) - ends
    lower * (eta + log(2 - exp(-eta))) + epsilon / 2 * diff(abs(noise)) / diff(ends)
  }
}

# A mean of `trim`med numbers that are all 0, or all 1: as many as there are subsets, each of the
# only row. With m left out at each end their smooth sensitivity is w_m, exp(-m beta), and so the
# sum of the others moves by u units of the noise. It is cut off at both ends of its range, where it
# is half of the time, and with u between 1 - u / sqrt(1 + u^2) times as often; that is the largest
# ratio, up to u = 1.5.
all_trimmed_loss <- function(subsets, trim, epsilon) {
  m <- floor(trim * subsets)
  u <- (subsets - 2 * m) * epsilon / (3 * subsets) * exp(m * epsilon / (4 * subsets))
  stopifnot(u <= 1.5)
  -log(1 - u / sqrt(1 + u^2))
}

# All rows in one block of labels. Of the candidates 0.2 and 0.4 for a lower quartile the first comes
# half of the time, with one 0 more, and exp(-eta) times as often without: this has a quarter of the
# loss, eta. The upper one, of another quarter, hardly differs. And the median is 1, or 3 / 4, which
# are beyond both ends of each range that the rule can give: half of the loss.
helped_labels <- function() {
  epsilon <- 2
  rows <- rep(c(0, 0.3, 0.5, 1), c(14, 2, 15, 32))
  eta <- epsilon / 4
  list(
    make = function(excess) {
      tiny_aggregate(
        scheme = "labels", n = 63, numSubsets = 1, gridPoints = 6, epsilon = epsilon * excess,
        rangeMode = "helper", rangeHelper = function(x) (3 + x) / 4
      )
    },
    claim = c(epsilon * 3 / 4, 0), data = list(data.frame(x = rows), data.frame(x = c(0, rows))),
    evidence = function(release, fields) {
      ends <- release[2:3]
      noise <- abs(release[[1]] - ends)
      (release[[4]] > 0.3) * (eta + log(2 - exp(-eta))) - epsilon / 2 * diff(noise) / diff(ends)
    },
    draws = 40000
  )
}

block_audits <- function() {
  number <- function(release, fields) release[[1]][[1]]
  # Of two columns, in blocks of a row each; `claim`, if it is not epsilon; and other arguments.
  audit <- function(pair, epsilon, draws, ..., evidence = number, claim = NULL) {
    n <- length(pair[[1]])
    arguments <- utils::modifyList(list(n = n, numSubsets = n), list(...))
    list(
      make = function(excess) do.call(tiny_aggregate, c(arguments, epsilon = epsilon * excess)),
      claim = if (!is.null(claim)) c(claim, 0),
      data = lapply(pair, function(x) data.frame(x = x)), evidence = evidence, draws = draws
    )
  }
  replaced <- list(c(0, 0), c(0, 1))
  added <- list(0, c(0, 1))
  only <- list(0, 1)
  labels <- function(...) audit(added, ..., scheme = "labels")
  subsets <- function(...) audit(..., scheme = "subsets", numSubsets = 4)
  trimmed <- function(...) audit(..., aggregationFun = "TrimmedMean")
  # Of an empty block, too, this is 0.
  any_one <- function(x) as.double(any(x == 1))
  vote <- list(innerFun = any_one, aggregationFun = "Mode", outcomes = c(0, 1), numSubsets = 2)
  quartiles <- function(n, gridPoints, draws, ..., reach = 0.5) {
    pair <- around_quartiles(n, gridPoints)
    evidence <- quartiles_evidence(pair, gridPoints, reach, 2)
    audit(pair, 2, draws, gridPoints = gridPoints, ..., evidence = evidence)
  }
  helper <- function(...) quartiles(..., rangeMode = "helper", rangeHelper = function(x) x)
  list(
    mode = do.call(audit, c(list(replaced, 2, 18000), vote)),
    loose = quartiles(60, 6, 50000, rangeMode = "loose"),
    # In steps of 2^-50; the row moves the mean and the variance by a quarter.
    interval = audit(
      list(c(0, 0, 0, 0), c(0, 0, 0, 1)), 2, 25000, intervalShare = 0.5,
      evidence = function(release, fields) {
        laplace_evidence(0, 1)(unlist(release) * 4 / 2^c(50, 100))
      }
    ),
    # A mutant counts failures with less noise, and results are the same for both neighbours.
    failures = list(
      make = function(excess) {
        counted <- 2 * excess
        tiny_aggregate(
          n = 1, numSubsets = 1, innerFun = function(x) if (x == 1) NA else 0.5,
          epsilon = counted + 0.5, failureShare = counted / (counted + 0.5)
        )
      },
      claim = c(2, 0), data = list(data.frame(x = 0), data.frame(x = 1)),
      evidence = function(release, fields) release[[2]], draws = 12000
    ),
    winsorized = quartiles(
      160, 220, 50000, aggregationFun = "WinsorizedMean", reach = winsorized_reach(160)
    ),
    # Half of the loss is that of a shift, at most as much as one number can move the sum: here it
    # does, whatever else would be replaced.
    `trimmed, shift` = trimmed(
      list(c(0, 0, 0, 0, 1, 1, 1), c(1, 0, 0, 0, 1, 1, 1)), 3, 40000, trim = 0.15, claim = 1.5
    ),
    # Half is that of a stretch, in the tails. Here the sum is the same, and the smooth sensitivity
    # 1 / 2, or exp(-beta) / 2 where another number would have to be replaced for that.
    `trimmed, stretch` = trimmed(
      list(c(0.5, 0.5, 0.5, 0.5, 1), rep(0.5, 5)), 6, 130000, trim = 0.2, claim = 3,
      evidence = function(release, fields) abs(release[[1]] - 0.5)
    ),
    helper = helper(60, 6, 50000),
    `resampled helper` = helper(60, 6, 50000, scheme = "resampled", overlap = 2, numSubsets = 120),
    # Each of all rows.
    subsets = subsets(replaced, 2, 12000, subsetSize = 2, innerFun = "mean"),
    `subsets, variance` = subsets(replaced, 2, 12000, subsetSize = 2, innerFun = "var"),
    `subsets, trimmed` = subsets(
      only, 6, 9000, subsetSize = 1, aggregationFun = "TrimmedMean", trim = 0.3,
      claim = all_trimmed_loss(4, 0.3, 6)
    ),
    labels = labels(2, 12000, n = 4, numSubsets = 4),
    `labels, mode` = do.call(labels, c(list(2, 18000), vote)),
    # With two candidates the interval is all of the range, whichever they are.
    `labels, winsorized` = labels(
      4, 12000, innerFun = any_one, aggregationFun = "WinsorizedMean", gridPoints = 2,
      numSubsets = 2, claim = 2
    ),
    `labels, helper` = helped_labels()
  )
}
