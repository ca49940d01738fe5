# Results from the released counts of a histogram: postprocessing.

# Prepares labels of cells once, when they are first needed, because that takes longer than a
# release.
histogram_describer <- function(plan_fields) {
  delayedAssign("labels", cell_labels(plan_fields))
  function(release, fields) histogram_result(release, fields, labels)
}

histogram_result <- function(release, fields, labels = cell_labels(fields)) {
  noisy <- release[count_order(fields)]
  n <- fields$n
  counts <- count_projection(noisy, n)
  c(
    list(
      release = counts_frame(counts, labels), variable = fields$variable,
      accuracy = fields$accuracy, epsilon = fields$epsilon, delta = fields$delta,
      mechanism = fields$mechanism,
      intervals = count_intervals(noisy, fields$accuracy, labels, n, counts)
    ),
    if (fields$varType %in% c("character", "factor")) {
      list(herfindahl = sum_of_squared_shares(noisy, fields))
    },
    if (fields$varType %in% c("logical", "factor")) share_moments(counts),
    list(counts = counts_frame(noisy, labels))
  )
}

# Makes a row of counts. as.data.frame() would take longer than the release.
counts_frame <- function(counts, labels) {
  structure(as.list(as.double(counts)), names = labels, class = "data.frame", row.names = 1L)
}

# Subtracts the variance of the noise, which noise adds to the expected square of each count. This
# removes the bias and keeps the variance. Clamping to the range of all shares only reduces the
# error. Squares of the projected shares are less accurate if most cells are empty: the large shares
# are too small.
sum_of_squared_shares <- function(noisy, fields) {
  squares <- sum(noisy^2) - length(noisy) * count_noise_variance(fields)
  within_bounds(squares / fields$n^2, 1 / length(noisy), 1)
}

# Treats rounding to a grid as uniform noise.
count_noise_variance <- function(fields) {
  if (is_gaussian(fields)) {
    return(fields$sigma^2)
  }
  grid <- if (fields$mechanism == "mechanismSnapping") {
    snapping_width(histogram_sensitivity, fields$epsilon)
  } else {
    0
  }
  2 * (histogram_sensitivity / fields$epsilon)^2 + grid^2 / 12
}

count_intervals <- function(counts, accuracy, labels, n = Inf, estimates = NULL) {
  ends <- count_ends(counts, accuracy, n, estimates)
  data.frame(
    `lower bound` = ends$lower, `upper bound` = ends$upper, row.names = labels, check.names = FALSE
  )
}

# Moments of a share of ones, from counts of 0 and of 1. Other counts are ignored.
share_moments <- function(counts) {
  both <- sum(counts[1:2])
  share <- if (both > 0) counts[[2]] / both else 0.5
  list(
    mean = share, median = if (share < 0.5) 0 else 1, variance = share * (1 - share),
    std.dev = sqrt(share * (1 - share))
  )
}

# S3 method names contain dots.
# nolint start: object_name_linter.

estimates_of.dp_histogram_result <- function(x) {
  data.frame(
    term = names(x$release) %||% character(),
    estimate = as.double(unlist(x$release, use.names = FALSE)),
    conf.low = x$intervals[[1]], conf.high = x$intervals[[2]]
  )
}

pictures.dp_histogram_result <- function(x) list(counts = function() count_bars(x))

# Declared cells of numbers have an order, except for the cell of missing values. All of them are
# released.
pictures.dp_ordered_histogram <- function(x) {
  c(NextMethod(), list(cdf = function() cumulative_bars(x)))
}

# nolint end

cumulative_bars <- function(x) {
  counts <- as.data.frame(x)
  counts <- counts[counts$term != "NA", ]
  table <- data.frame(term = counts$term, estimate = cumsum(counts$estimate) / sum(counts$estimate))
  list(kind = "bars", table = table, xlab = x$variable, ylab = "share of values up to here")
}
