# Histograms over cells that are not declared: noisy counts above a threshold.

default_delta <- 2^-30

#' @rdname statistic_accuracy
#' @export
stabilityGetAccuracy <- function(sensitivity, epsilon, delta = 2^-30, alpha = 0.05) {
  check_numbers(sensitivity, zero = TRUE)
  check_numbers(epsilon)
  check_numbers(delta, below = 1)
  check_numbers(alpha, below = 1)
  (sensitivity / epsilon) * log(2 / (alpha * delta)) + 1
}

#' @rdname statistic_accuracy
#' @export
stabilityGetEpsilon <- function(sensitivity, accuracy, delta = 2^-30, alpha = 0.05) {
  check_numbers(sensitivity, zero = TRUE)
  check_numbers(accuracy)
  if (any(accuracy <= 1)) stop_argument("above 1", "less", "accuracy", rlang::current_env())
  check_numbers(delta, below = 1)
  check_numbers(alpha, below = 1)
  sensitivity * log(2 / (alpha * delta)) / (accuracy - 1)
}

#' @rdname statistic_accuracy
#' @export
histogramGetAccuracy <- function(mechanism, epsilon, delta = 2^-30, alpha = 0.05, sensitivity = 2) {
  mechanism <- check_name(mechanism, c("mechanismLaplace", "mechanismStability"))
  if (mechanism == "mechanismLaplace") {
    laplaceGetAccuracy(sensitivity, epsilon, alpha)
  } else {
    stabilityGetAccuracy(sensitivity, epsilon, delta, alpha)
  }
}

#' @rdname statistic_accuracy
#' @export
histogramGetEpsilon <- function(mechanism, accuracy, delta = 2^-30, alpha = 0.05, sensitivity = 2) {
  mechanism <- check_name(mechanism, c("mechanismLaplace", "mechanismStability"))
  if (mechanism == "mechanismLaplace") {
    laplaceGetEpsilon(sensitivity, accuracy, alpha)
  } else {
    stabilityGetEpsilon(sensitivity, accuracy, delta, alpha)
  }
}

# list(epsilon, accuracy, delta), as check_loss().
stability_loss <- function(args, call) {
  if (!is_missing(args$rng)) {
    warn_dp("`rng` is not used by the stability mechanism.", "range", call = call)
  }
  delta <- check_stability_delta(args$delta, args$n, call)
  if (is_missing(args$epsilon) && !is_missing(args$accuracy)) {
    accuracy <- as.double(check_number(args$accuracy, above = 1, arg = "accuracy", call = call))
    epsilon <- stabilityGetEpsilon(histogram_sensitivity, accuracy, delta, args$alpha)
    return(list(epsilon = check_epsilon(epsilon, call), accuracy = accuracy, delta = delta))
  }
  epsilon <- check_loss(args$epsilon, NULL, histogram_sensitivity, args$alpha, call)$epsilon
  accuracy <- stabilityGetAccuracy(histogram_sensitivity, epsilon, delta, args$alpha)
  list(epsilon = epsilon, accuracy = accuracy, delta = delta)
}

# With a delta of 1 / n a release that names a random row would pass.
check_stability_delta <- function(delta, n, call) {
  if (is_missing(delta)) delta <- min(default_delta, 1 / (2 * n))
  check_probability(delta, arg = "delta", call = call)
  if (delta >= 1 / n) stop_argument("below 1 / `n`", "larger", "delta", call)
  if (delta >= 1 / n^2) {
    warn_dp("`delta` is not below 1 / `n`^2, as is recommended.", "delta", call = call)
  }
  as.double(delta)
}

# list(measurement, threshold): a noisy count has to reach the threshold.
stability_chain <- function(args, loss) {
  cells <- if (args$varType == "character") {
    prepared_texts(args$n)
  } else {
    resized_rows(args$n) |> then_grid_cell(args$origin, args$binWidth %||% 1)
  }
  counts <- cells |> then_count_by(.TV = "i64")
  measurement <- with_threshold(loss$epsilon, loss$delta, function(scale, threshold, loss) {
    calibrated("make_laplace_threshold", counts, scale, threshold, NULL,
      "Approximate<MaxDivergence>",
      d_in = protected_rows, loss = loss
    )
  })
  list(measurement = measurement, threshold = value_of(measurement, "threshold"))
}

then_grid_cell <- function(lhs, origin, width) {
  build_after("grid_cell", lhs, as.double(origin), as.double(width))
}

stability_result <- function(release, fields) {
  counts <- surviving_counts(release, fields)
  noise <- whole_accuracy(fields$epsilon, fields$alpha)
  frame <- if (length(counts) > 0) counts_frame(counts, names(counts)) else data.frame()
  list(
    release = frame, variable = fields$variable, accuracy = fields$accuracy,
    epsilon = fields$epsilon, delta = fields$delta, mechanism = fields$mechanism,
    intervals = count_intervals(unname(counts), noise, names(counts), fields$n),
    herfindahl = sum((counts / fields$n)^2), counts = frame, threshold = fields$threshold
  )
}

# Noise of whole numbers exceeds what continuous noise stays within more often, unless that is
# rounded up: with p = exp(-epsilon / sensitivity), P(|noise| > t) = 2 p^(t + 1) / (1 + p) is at
# most p^t, and so at most alpha.
whole_accuracy <- function(epsilon, alpha) {
  ceiling(laplaceGetAccuracy(histogram_sensitivity, epsilon, alpha))
}

# Named counts in the order of their cells, or of their size if only `most` of them are wanted.
surviving_counts <- function(release, fields, most = fields$nBins) {
  entries <- as.data.frame(release)
  keys <- entries$key
  labels <- if (fields$varType == "character") keys else grid_labels(as.double(keys), fields)
  counts <- stats::setNames(as.double(entries$value), labels)
  if (is.null(most) || length(counts) <= most) {
    return(counts)
  }
  utils::head(sort(counts, decreasing = TRUE), most)
}

grid_labels <- function(cells, fields) {
  edges <- fields$origin + c(cells, cells + 1) * (fields$binWidth %||% 1)
  ends <- matrix(edge_labels(edges, 15), ncol = 2)
  labels <- paste0("[", ends[, 1], ",", ends[, 2], ")", recycle0 = TRUE)
  labels[is.na(cells) | cells < -2^53] <- "NA"
  make.unique(labels)
}
