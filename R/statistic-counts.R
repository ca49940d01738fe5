# Counts that rows can have, from noisy ones: postprocessing.

# The nearest counts, in the sum of squares, of at least 0 that add up to n: all less the same
# number, or 0.
#
# The true counts are such counts, and a projection onto a convex set moves no point away from any
# point of the set. So in each release the squared errors of all cells add up to at most those of
# the noisy counts. A single cell may be further off: where most cells are empty, the noise of all
# of them leaves by the cells that are not.
count_projection <- function(counts, n) as.vector(count_projections(matrix(counts), n))

# count_projection() of each column, all to add up to `n`, or each to its element of it.
count_projections <- function(tables, n) {
  size <- nrow(tables)
  column <- rep(seq_len(ncol(tables)), each = size)
  decreasing <- tables[order(column, -tables, method = "radix")]
  sums <- matrix(cumsum(decreasing), size)
  before <- c(0, sums[size, -ncol(sums)])
  excess <- (sums - rep(before + n, each = size)) / seq_len(size)
  # Where `n` is 0 nothing is above, and the largest count becomes 0.
  last <- pmax(colSums(decreasing > excess), 1)
  pmax(tables - rep(excess[cbind(last, seq_len(ncol(tables)))], each = size), 0)
}

# Ends that hold a count as often as noise stays within `accuracy`: those around the noisy count,
# as far as rows can be so many, and so far out that they hold the estimate, too. They never hold
# less than the former, so they cover at least as often.
count_ends <- function(noisy, accuracy, n, estimates = NULL) {
  lower <- within_bounds(noisy - accuracy, 0, n)
  upper <- within_bounds(noisy + accuracy, 0, n)
  if (is.null(estimates)) {
    return(list(lower = lower, upper = upper))
  }
  list(lower = pmin(lower, estimates), upper = pmax(upper, estimates))
}
