# What follows from the released counts of a histogram: postprocessing.

# Labels of cells take longer than the release: a plan makes them once, when they are first needed.
histogram_describer <- function(plan_fields) {
  delayedAssign("labels", cell_labels(plan_fields))
  function(release, fields) histogram_result(release, fields, labels)
}

histogram_result <- function(release, fields, labels = cell_labels(fields)) {
  noisy <- release[count_order(fields)]
  n <- fields$n
  counts <- fit_counts(noisy, n)
  c(
    list(
      release = counts_frame(counts, labels), variable = fields$variable,
      accuracy = fields$accuracy, epsilon = fields$epsilon, delta = fields$delta,
      mechanism = fields$mechanism,
      intervals = count_intervals(noisy, fields$accuracy, labels, n)
    ),
    if (fields$varType %in% c("character", "factor")) list(herfindahl = sum((counts / n)^2)),
    if (fields$varType %in% c("logical", "factor")) share_moments(counts),
    list(counts = counts_frame(noisy, labels))
  )
}

# A row of counts; as.data.frame() would take longer than the release.
counts_frame <- function(counts, labels) {
  structure(as.list(as.double(counts)), names = labels, class = "data.frame", row.names = 1L)
}

# Counts within [0, n] that add up to n, in proportion; all alike if there is nothing to go by.
fit_counts <- function(counts, n) {
  counts <- pmin(pmax(counts, 0), n)
  if (sum(counts) == 0) rep(n / length(counts), length(counts)) else counts / sum(counts) * n
}

# The nearest counts, in the sum of squares, of at least 0 that add up to n: all less the same
# number, or 0.
count_projection <- function(counts, n) {
  decreasing <- sort(counts, decreasing = TRUE)
  excess <- (cumsum(decreasing) - n) / seq_along(decreasing)
  pmax(counts - excess[[max(which(decreasing > excess))]], 0)
}

count_intervals <- function(counts, accuracy, labels, n = Inf) {
  bound <- function(x) pmin(pmax(x, 0), n)
  data.frame(
    `lower bound` = bound(counts - accuracy), `upper bound` = bound(counts + accuracy),
    row.names = labels, check.names = FALSE
  )
}

# Of a share of ones, from counts of 0 and of 1; others do not count.
share_moments <- function(counts) {
  both <- sum(counts[1:2])
  share <- if (both > 0) counts[[2]] / both else 0.5
  list(
    mean = share, median = if (share < 0.5) 0 else 1, variance = share * (1 - share),
    std.dev = sqrt(share * (1 - share))
  )
}

# Methods' names have dots.
# nolint start: object_name_linter.

#' @rdname statistic_tables
#' @export
as.data.frame.dp_histogram_result <- function(x, row.names = NULL, optional = FALSE, ...) {
  data.frame(
    term = names(x$release) %||% character(),
    estimate = as.double(unlist(x$release, use.names = FALSE)),
    conf.low = x$intervals[[1]], conf.high = x$intervals[[2]]
  )
}

pictures.dp_histogram_result <- function(x) list(counts = function() count_bars(x))

# Declared cells of numbers, all of which are released, are in an order that means something.
pictures.dp_ordered_histogram <- function(x) {
  c(NextMethod(), list(cdf = function() cumulative_bars(x)))
}

# nolint end

cumulative_bars <- function(x) {
  counts <- as.data.frame(x)
  table <- data.frame(term = counts$term, estimate = cumsum(counts$estimate) / sum(counts$estimate))
  list(kind = "bars", table = table, xlab = x$variable, ylab = "share of rows up to here")
}
