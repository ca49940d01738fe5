#' Differentially private heavy hitters
#'
#' A plan for releases of the most frequent values of a column of texts. Building it checks the
#' arguments and reads no data; `release()` spends `epsilon` (and `delta`), each time that it is
#' called.
#'
#' The number of rows `n` is public, and two datasets are neighbours if one row of one is replaced
#' in the other. With declared `bins` and `"mechanismExponential"`, `k` of them are selected, one
#' after the other, each with a loss of `epsilon / k`: with probability `1 - alpha` every one has a
#' count within `accuracy` of the best that remained. Counts themselves are not released. With
#' `"mechanismStability"` values need not be declared: it is [dpHistogram()] with a threshold, of
#' which at most the `k` largest counts are released. With `"mechanismStability"` and declared
#' `bins` the release is the exact top-k set or nothing; it appears only if many rows would have to
#' change before the set does. The wider the gap between the last of their counts and the next one,
#' the likelier is an answer.
#'
#' `dpHeavyHitters(...)` and `dpHeavyHitters$new(...)` are the same.
#'
#' @inheritParams dpMean
#' @param mechanism (`character(1)`) `"mechanismExponential"`, which needs `bins`, or
#'   `"mechanismStability"`, with them or without.
#' @param varType (`character(1)`) `"character"` or `"factor"`.
#' @param k (whole number) How many values.
#' @param bins (`character`) All values that there may be. Others are not counted.
#' @param delta (`numeric(1)`) For `"mechanismStability"`, below 1 / `n`; `2^-30` by default.
#' @returns An R6 object of class `dpHeavyHitters`, with the methods and fields of [dpMean()], and
#'   the fields `k`, `bins` and `threshold`. `result` is a [dp_result] with `release`, the values,
#'   most frequent first as far as is known, `variable`, `accuracy`, `epsilon`, `delta`, and with
#'   `"mechanismStability"` `threshold` and, if there are no `bins`, `counts`, a data frame of one
#'   row. If there are, `release` is a set, in the order of `bins`, or `character(0)`, and
#'   `accuracy` is a gap between counts: with at least this gap the set is released with probability
#'   `1 - alpha` or more.
#' @section How it works: One replaced row moves each count by one at most. Permute-and-flip selects
#'   with noise of scale 2 k / epsilon, exactly, at every count, also 0. accuracy = 2 k / epsilon *
#'   (log(K) + log(k / alpha)), K the number of `bins`.
#'
#'   The set: with gap the k-th largest count less the next one, max(0, ceiling(gap / 2) - 1) rows
#'   can be replaced without making it another one. That number moves by one at most. With discrete
#'   Laplace noise of scale 1 / epsilon it has to reach `threshold`, about log(1 / delta) / epsilon:
#'   where a replaced row does change the set the number is 0, and noise alone gets there with a
#'   probability of at most delta. accuracy = 2 (threshold + ceiling(log(1 / alpha) / epsilon)) + 1.
#' @inheritSection dpMean Errors
#' @section Warnings: `dp_warning_large_epsilon`; `dp_warning_noise` (the accuracy is more than `n`
#'   rows); `dp_warning_delta` (not used, or not below 1 / `n`^2).
#' @references McKenna and Sheldon (2020), *Permute-and-Flip: A New Mechanism for Differentially
#'   Private Selection*; Durfee and Rogers (2019), *Practical Differentially Private Top-k Selection
#'   with Pay-what-you-get Composition*; Bun, Nissim and Stemmer (2016), *Simultaneous Private
#'   Learning of Multiple Concepts*; Smith and Thakurta (2013), *Differentially Private Feature
#'   Selection via Stability Arguments, and the Robustness of the Lasso*; Dwork and Roth (2014),
#'   *The Algorithmic Foundations of Differential Privacy*, section 7.3.
#' @examples
#' smokers <- dpHeavyHitters(
#'   mechanism = "mechanismExponential", varType = "factor", variable = "tobgp", n = 88,
#'   epsilon = 1, k = 1, bins = c("0-9g/day", "10-19", "20-29", "30+")
#' )
#' smokers$release(datasets::esoph)
#' @export
dpHeavyHitters <- new_statistic("dpHeavyHitters", "Most frequent values of a column",
  "the most frequent values",
  arguments = function(mechanism, varType, variable, n, epsilon, k, bins = NULL, alpha = 0.05,
                       delta = NULL, n_check = "refuse") {
  },
  required = c("mechanism", "varType", "variable", "n", "epsilon", "k"),
  takes = list(
    mechanism = one_of(c("mechanismExponential", "mechanismStability")),
    varType = variable_type(c("character", "factor")), epsilon = loss_of_release(),
    k = count_from(1), bins = with_others("different texts"), delta = stability_delta
  ),
  plan = function(...) plan_heavy_hitters(...),
  fields = c(common_fields, "k", "bins", "threshold"),
  others = c("n", "k", "bins"), other_types = c("character", "factor")
)

plan_heavy_hitters <- function(args, call) {
  if (args$mechanism == "mechanismExponential") {
    plan_selected_hitters(args, call)
  } else if (is.null(args$bins)) {
    plan_stable_hitters(args, call)
  } else {
    plan_stable_set(args, call)
  }
}

plan_selected_hitters <- function(args, call) {
  args$bins <- check_hitter_bins(args, call)
  if (!is_missing(args$delta)) {
    warn_dp("`delta` is not used by this mechanism, and 0.", "delta", call = call)
  }
  accuracy <- selection_factor * args$k / args$epsilon *
    (log(length(args$bins)) + log(args$k / args$alpha))
  measurement <- with_features("contrib", selected_hitters_chain(args))
  loss <- list(epsilon = args$epsilon, accuracy = accuracy, delta = 0)
  fields <- hitters_fields(args, loss, list(measurement = measurement))
  new_plan(fields, selected_result,
    read = text_column_of, class = "dp_hitters_result",
    within = "no omitted value has a count further above a listed one", range = args$n,
    call = call
  )
}

check_hitter_bins <- function(args, call) {
  bins <- text_cells(args, call)$bins
  if (args$k >= length(bins)) stop_argument("below the number of `bins`", "more", "k", call)
  bins
}

# How often each of `bins` occurs, as numbers of `type`.
hitter_counts <- function(args, type) {
  count <- length(args$bins)
  prepared_texts(args$n) |>
    then_find(args$bins) |>
    then_impute_constant(as.double(count)) |>
    then_count_by_categories(
      categories = as.double(seq_len(count) - 1), null_category = FALSE,
      .MO = sprintf("LInfDistance<%s>", type), .TOA = type
    )
}

selected_hitters_chain <- function(args) {
  calibrated("make_noisy_top_k", hitter_counts(args, "f64"), max_divergence(), args$k, least, FALSE,
    d_in = protected_rows, loss = args$epsilon
  )
}

plan_stable_set <- function(args, call) {
  args$bins <- check_hitter_bins(args, call)
  delta <- check_stability_delta(args$delta, args$n, call)
  measurement <- with_features("contrib", stable_set_chain(args, delta))
  built <- list(measurement = measurement, threshold = value_of(measurement, "threshold"))
  noise <- ceiling(laplaceGetAccuracy(1, args$epsilon, args$alpha))
  accuracy <- 2 * (built$threshold + noise) + 1
  loss <- list(epsilon = args$epsilon, accuracy = accuracy, delta = delta)
  new_plan(hitters_fields(args, loss, built), stable_set_result,
    read = text_column_of, class = "dp_hitters_result",
    within = "the gap to the next count is smaller, if nothing is released",
    range = args$n, call = call
  )
}

stable_set_chain <- function(args, delta) {
  counts <- hitter_counts(args, "i64")
  with_threshold(args$epsilon, delta, function(scale, threshold, loss) {
    calibrated("stable_top_k", counts, args$k, scale, threshold, d_in = protected_rows, loss = loss)
  })
}

stable_set_result <- function(release, fields) {
  list(
    release = fields$bins[as.double(release) + 1], variable = fields$variable,
    accuracy = fields$accuracy, epsilon = fields$epsilon, delta = fields$delta,
    threshold = fields$threshold
  )
}

plan_stable_hitters <- function(args, call) {
  args$varType <- "character"
  loss <- stability_loss(args, call)
  built <- with_features("contrib", stability_chain(args, loss))
  fields <- hitters_fields(args, loss, built)
  new_plan(fields, stable_hitters_result,
    read = text_column_of, class = "dp_hitters_result",
    within = "the count of an omitted value is no larger",
    range = args$n, call = call
  )
}

hitters_fields <- function(args, loss, built) {
  name <- paste(args$k, "heavy hitters of", args$variable)
  fields <- statistic_fields(name, args, loss, 1, built$measurement)
  fields$delta <- loss$delta
  c(fields, list(k = args$k, bins = args$bins, threshold = built$threshold))
}

selected_result <- function(release, fields) {
  list(
    release = fields$bins[as.double(release) + 1], variable = fields$variable,
    accuracy = fields$accuracy, epsilon = fields$epsilon, delta = fields$delta
  )
}

stable_hitters_result <- function(release, fields) {
  counts <- sort(surviving_counts(release, fields, fields$k), decreasing = TRUE)
  list(
    release = names(counts) %||% character(), variable = fields$variable,
    accuracy = fields$accuracy, epsilon = fields$epsilon, delta = fields$delta,
    counts = if (length(counts) > 0) counts_frame(counts, names(counts)) else data.frame(),
    threshold = fields$threshold
  )
}

# Methods' names have dots.
# nolint start: object_name_linter.

#' @rdname statistic_tables
#' @export
as.data.frame.dp_hitters_result <- function(x, row.names = NULL, optional = FALSE, ...) {
  counts <- x$counts %||% rep(NA_real_, length(x$release))
  data.frame(term = x$release, estimate = as.double(unlist(counts, use.names = FALSE)))
}

pictures.dp_hitters_result <- function(x) {
  if (is.null(x$counts)) NextMethod() else list(counts = function() count_bars(x))
}

# nolint end
