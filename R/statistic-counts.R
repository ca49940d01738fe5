# Possible counts from noisy ones: postprocessing.

# Nearest counts, in the sum of squares, that are at least 0 and add up to n. Each is the noisy
# count minus a common number, or 0.
#
# The true counts satisfy these constraints, and projecting onto a convex set moves no point away
# from any point of the set. So in each release, the squared errors of all cells add up to at most
# the squared errors of the noisy counts. A single cell can be further off: if most cells are empty,
# the cells with rows absorb the noise of all others.
count_projection <- function(counts, n) as.vector(count_projections(matrix(counts), n))

# Applies count_projection() to each column, with one total `n` or one for each column.
count_projections <- function(tables, n) {
  size <- nrow(tables)
  column <- rep(seq_len(ncol(tables)), each = size)
  decreasing <- tables[order(column, -tables, method = "radix")]
  sums <- matrix(cumsum(decreasing), size)
  before <- c(0, sums[size, -ncol(sums)])
  excess <- (sums - rep(before + n, each = size)) / seq_len(size)
  # If `n` is 0, no count is above the excess, and the largest count becomes 0.
  last <- pmax(colSums(decreasing > excess), 1)
  pmax(tables - rep(excess[cbind(last, seq_len(ncol(tables)))], each = size), 0)
}

# Interval that holds a count as often as noise is within `accuracy`. It is the interval around the
# noisy count, cut to possible counts and extended to include the estimate. It contains every
# possible count of the uncut interval, so it covers at least as often.
count_ends <- function(noisy, accuracy, n, estimates = NULL) {
  lower <- within_bounds(noisy - accuracy, 0, n)
  upper <- within_bounds(noisy + accuracy, 0, n)
  if (is.null(estimates)) {
    return(list(lower = lower, upper = upper))
  }
  list(lower = pmin(lower, estimates), upper = pmax(upper, estimates))
}
