# Audit cases (helper-audit.R) of sample and aggregate whose releases have several steps or run R
# functions. helper-audited-statistics.R has the other cases of its class.
#
# The claim is the whole loss if some pair of neighbours shows the loss of all steps at once.
# Otherwise a pair that differs in one step audits this step, and the claim is its share of the
# loss.

# Blocks of one row, and candidates for quartiles at distances of 0.2. The first row is 0 or 1.
# If it is 0, n / 4 - 1 and n / 4 + 1 are below the candidates 0.2 and 0.4, and above 0.8 and 0.6.
# These candidates are equally good and far better than all others. If it is 1, the lower ones, 0.2
# and 0.6, are worse by as much as the upper ones are better. It also moves the sum from one end to
# the other, whichever quartiles were chosen. So all three steps reach their full loss. Each
# quartile costs eta: a lower candidate speaks for the 0 by eta, and an upper one for the 1 by log(2
# - exp(-eta)).
loose_case <- function(epsilon, draws) {
  n <- 60
  eta <- epsilon / 4
  places <- c(0.1, 0.3, 0.5, 0.7, 0.9)
  times <- c(n / 4 - 2, 2, n / 2 - 2, 2, n / 4 - 1)
  others <- rep(places, times)
  list(
    make = function(excess) {
      tiny_aggregate(
        n = n, numSubsets = n, rangeMode = "loose", gridPoints = 6, epsilon = epsilon * excess
      )
    },
    data = list(data.frame(x = c(0, others)), data.frame(x = c(1, others))),
    evidence = of_each(function(release) {
      ends <- release[[1]][2:3]
      clamped <- places
      clamped[places < ends[[1]]] <- ends[[1]]
      clamped[places > ends[[2]]] <- ends[[2]]
      off <- abs(n * release[[1]][[1]] - sum(times * clamped) - ends)
      noise <- epsilon / 2 * (off[[2]] - off[[1]]) / (ends[[2]] - ends[[1]])
      noise + sum(ends < c(0.3, 0.7)) * (eta + log(2 - exp(-eta)))
    }),
    draws = draws
  )
}

# Loss of a mean of `trim`med numbers that are all 0 or all 1, one per subset of the only row. With
# m numbers trimmed at each end, the smooth sensitivity is w_m exp(-m beta), so the sum of the rest
# moves by u units of the noise. The release is clamped at both ends of its range, and reaches an
# end half of the time. With u added, it does so 1 - u / sqrt(1 + u^2) times as often. This ratio is
# the largest up to u = 1.5.
all_trimmed_loss <- function(subsets, trim, epsilon) {
  m <- floor(trim * subsets)
  u <- (subsets - 2 * m) * epsilon / (3 * subsets) * exp(m * epsilon / (4 * subsets))
  stopifnot(u <= 1.5)
  -log(1 - u / sqrt(1 + u^2))
}

block_audits <- function() {
  # Audits two columns, in blocks of one row each. `claim` defaults to epsilon. `...` are further
  # arguments.
  audit <- function(pair, epsilon, draws, ..., evidence = entry(1), claim = NULL) {
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
  # Candidates 1 / 3 and 2 / 3 for a lower quartile. The second one is better. Both become equally
  # good if a 0 is added to these rows or replaces a 1, which costs a quarter of the loss. The mean
  # has half of the loss and its own audit.
  rows <- rep(c(0, 0.5, 1), c(8, 2, 29))
  quartile <- function(pair, ...) {
    audit(
      pair, 8, 16500, claim = 2, numSubsets = 1, gridPoints = 4, rangeMode = "helper",
      rangeHelper = function(x) x, evidence = entry(4), ...
    )
  }
  # Returns 0 for an empty block too.
  any_one <- function(x) as.double(any(x == 1))
  vote <- list(innerFun = any_one, aggregationFun = "Mode", outcomes = c(0, 1), numSubsets = 2)
  list(
    mode = do.call(audit, c(list(replaced, 2, 16000), vote)),
    loose = loose_case(2, 62000),
    # In steps of 2^-50, the row moves the mean and the variance by a quarter.
    interval = audit(
      list(c(0, 0, 0, 0), c(0, 0, 0, 1)), 2, 25000, intervalShare = 0.5,
      evidence = laplace_evidence(
        0, 1, numbers = function(releases) in_columns(releases) * 4 / 2^c(50, 100)
      )
    ),
    # The mutant counts failures with less noise. The results are equal for both neighbours.
    failures = list(
      make = function(excess) {
        counted <- 2 * excess
        tiny_aggregate(
          n = 1, numSubsets = 1, innerFun = function(x) if (x == 1) NA else 0.5,
          epsilon = counted + 0.5, failureShare = counted / (counted + 0.5)
        )
      },
      claim = c(2, 0), data = list(data.frame(x = 0), data.frame(x = 1)),
      evidence = entry(2), draws = 10000
    ),
    # One neighbour has two empty blocks, which fail. The other has a row at an end of the range.
    # The row moves all three released numbers by their full sensitivity, so together they reach the
    # full loss.
    `joint, failure` = audit(
      list(numeric(), 1), 3, 30000, n = 1, numSubsets = 2, scheme = "labels", failures = "drop",
      interval = "population",
      evidence = laplace_evidence(c(0, 0, 0), c(1, 0.5, 0.25), c(8 / 3, 1, 2))
    ),
    # A value at one end of the range replaces a value at the other end.
    `joint, replaced` = audit(replaced, 2, 16000, interval = "population"),
    # The row changes the rank of one of two candidates by half. This is a quarter of the change
    # that a candidate between two values can have.
    `median, failure` = audit(
      list(numeric(), 0), 8, 16000, claim = 2, n = 1, numSubsets = 2, scheme = "labels",
      failures = "drop", aggregationFun = "Median", gridPoints = 2
    ),
    # With two candidates the interval always covers the whole range, so the mean carries half of
    # the loss.
    winsorized = audit(
      replaced, 4, 16000, claim = 2, aggregationFun = "WinsorizedMean", gridPoints = 2
    ),
    # A shift carries half of the loss: the largest move of the sum by one number. This row
    # moves the sum that far, whatever other values are replaced.
    `trimmed, shift` = trimmed(
      list(c(0, 0, 0, 0, 1, 1, 1), c(1, 0, 0, 0, 1, 1, 1)), 3, 90000, trim = 0.15, claim = 1.5
    ),
    # A stretch in the tails carries the other half. The sums are equal. The smooth sensitivity is 1
    # / 2, or exp(-beta) / 2 if reaching it takes one more replacement.
    `trimmed, stretch` = trimmed(
      list(c(0.5, 0.5, 0.5, 0.5, 1), rep(0.5, 5)), 6, 200000, trim = 0.2, claim = 3,
      evidence = of_each(function(release) abs(release[[1]] - 0.5))
    ),
    `helper, quartile` = quartile(list(c(rows, 1), c(rows, 0))),
    `resampled helper` = audit(
      replaced, 4, 10000, claim = 2, scheme = "resampled", overlap = 2, numSubsets = 4,
      gridPoints = 2, rangeMode = "helper", rangeHelper = function(x) x
    ),
    # Every subset holds all rows.
    subsets = subsets(replaced, 2, 16000, subsetSize = 2, innerFun = "mean"),
    `subsets, variance` = subsets(replaced, 2, 16000, subsetSize = 2, innerFun = "var"),
    `subsets, trimmed` = subsets(
      only, 6, 9000, subsetSize = 1, aggregationFun = "TrimmedMean", trim = 0.3,
      claim = all_trimmed_loss(4, 0.3, 6)
    ),
    labels = labels(2, 16000, n = 4, numSubsets = 4),
    `labels, mode` = do.call(labels, c(list(2, 16000), vote)),
    `labels, winsorized` = labels(
      4, 10000, claim = 2, innerFun = any_one, numSubsets = 2, gridPoints = 2,
      aggregationFun = "WinsorizedMean"
    ),
    `labels, helper, quartile` = quartile(list(rows, c(rows, 0)), scheme = "labels"),
    # The median is 0 or 1 / 2.
    `labels, helper, mean` = labels(
      4, 10000, claim = 2, numSubsets = 1, gridPoints = 2, rangeMode = "helper",
      rangeHelper = function(x) x / 2
    )
  )
}
