#' Differentially private heavy hitters
#'
#' A plan for releases of the most frequent values of a column of texts. Building it checks the
#' arguments and reads no data; `release()` spends `epsilon` (and `delta`), each time that it is
#' called.
#'
#' The number of rows `n` is public, and two datasets are neighbours if one row of one is replaced
#' in the other. What sets the mechanisms apart is whether the values that there may be are public,
#' as `bins`, and what is released:
#'
#' | `mechanism` | releases | default for |
#' |---|---|---|
#' | `"mechanismLaplace"` | `k` of `bins`, with their counts | `bins`, `k` of 2 or more |
#' | `"mechanismGaussian"` | the same | `rho` |
#' | `"mechanismExponential"` | `k` of `bins` | `bins`, `k` of 1 |
#' | `"mechanismStability"`, no `bins` | values that many rows share, with counts | no `bins` |
#' | `"mechanismStability"`, `bins` | the exact set of `k`, or nothing | |
#'
#' `"mechanismLaplace"` counts once, so that its noise is the same for any `k`.
#' `"mechanismExponential"` selects one value after the other, each with a loss of `epsilon / k`,
#' which is the better only for a `k` of 1. Without `bins` it is [dpHistogram()] with a threshold,
#' of which at most the `k` largest counts are released. The exact set appears only if many rows
#' would have to change before it does: the wider the gap between the last of its counts and the
#' next one, the likelier is an answer.
#'
#' `dpHeavyHitters(...)` and `dpHeavyHitters$new(...)` are the same.
#'
#' @inheritParams dpMean
#' @param mechanism (`character(1)`) One of the table below, or `NULL`, for the default.
#' @param varType (`character(1)`) `"character"` or `"factor"`.
#' @param k (whole number) How many values.
#' @param bins (`character`) All values that there may be. Others are not counted. Public.
#' @param delta (`numeric(1)`) For `"mechanismStability"`, below 1 / `n`; `2^-30` by default. For
#'   `"mechanismGaussian"`, beside `epsilon`.
#' @param ... Nothing: an argument with another name raises an error.
#' @returns An R6 object of class `dpHeavyHitters`, with the methods and fields of [dpMean()], and
#'   the fields `k`, `bins` and `threshold`. `result` is a [dp_result] with `release`, the values,
#'   most frequent first as far as is known, `variable`, `accuracy`, `epsilon`, `delta`; with
#'   counts `counts`, a data frame of one row; with `"mechanismLaplace"` `intervals`, a data
#'   frame, a row for each value, columns `lower bound` and `upper bound`, which hold all counts of
#'   the data at once with probability `1 - alpha`; with `"mechanismStability"` `threshold`. An
#'   exact set is in the order of `bins`, or `character(0)`, and its `accuracy` is a gap between
#'   counts: with at least this gap the set is released with probability `1 - alpha` or more.
#' @section How it works: One replaced row moves two of the counts of `bins` by one.
#'   `"mechanismLaplace"` adds discrete Laplace noise of scale 2 / epsilon to all of them; the `k`
#'   largest are what is released, ties in the order of `bins`. With probability `1 - alpha` all
#'   noise is within t = ceiling(2 / epsilon * log(K / alpha)), K the number of `bins`, and then no
#'   value that is left out has a count above a listed one's by more than accuracy = 2 t. Intervals
#'   reach t to both sides. It takes K and not k: what is large enough to be listed is so by its
#'   noise, too.
#'
#'   Permute-and-flip selects with noise of scale 2 k / epsilon, exactly, at every count, also 0.
#'   accuracy = 2 k / epsilon * (log(K) + log(k / alpha)): with probability `1 - alpha` every value
#'   has a count within it of the best that remained.
#'
#'   The set: with gap the k-th largest count less the next one, max(0, ceiling(gap / 2) - 1) rows
#'   can be replaced without making it another one. That number moves by one at most. With discrete
#'   Laplace noise of scale 1 / epsilon it has to reach `threshold`, about log(1 / delta) / epsilon:
#'   where a replaced row does change the set the number is 0, and noise alone gets there with a
#'   probability of at most delta. accuracy = 2 (threshold + ceiling(log(1 / alpha) / epsilon)) + 1.
#' @section Gaussian noise: As of [dpMean()]: all counts move by D = sqrt(2) in L2, and each has
#'   discrete Gaussian noise of standard deviation 1 / sqrt(rho). `accuracy` is as of
#'   `"mechanismLaplace"`, with t what noise of that law stays within but with probability alpha /
#'   K.
#' @inheritSection dpMean Errors
#' @section Warnings: `dp_warning_large_epsilon`; `dp_warning_noise` (the accuracy is more than `n`
#'   rows); `dp_warning_delta` (not used, or not below 1 / `n`^2).
#' @references McKenna and Sheldon (2020), *Permute-and-Flip: A New Mechanism for Differentially
#'   Private Selection*; Durfee and Rogers (2019), *Practical Differentially Private Top-k Selection
#'   with Pay-what-you-get Composition*; Bun, Nissim and Stemmer (2016), *Simultaneous Private
#'   Learning of Multiple Concepts*; Smith and Thakurta (2013), *Differentially Private Feature
#'   Selection via Stability Arguments, and the Robustness of the Lasso*; Dwork and Roth (2014),
#'   *The Algorithmic Foundations of Differential Privacy*, section 7.3; Bun and Steinke (2016),
#'   *Concentrated Differential Privacy: Simplifications, Extensions, and Lower Bounds*; Canonne,
#'   Kamath and Steinke (2020), *The Discrete Gaussian for Differential Privacy*.
#' @examples
#' smokers <- dpHeavyHitters(
#'   varType = "factor", variable = "tobgp", n = 88, epsilon = 1, k = 2,
#'   bins = c("0-9g/day", "10-19", "20-29", "30+")
#' )
#' smokers$release(datasets::esoph)
#' @export
dpHeavyHitters <- new_statistic("dpHeavyHitters", "Most frequent values of a column",
  "the most frequent values",
  arguments = function(mechanism = NULL, varType = "character", variable, n, epsilon = NULL, k,
                       bins = NULL, alpha = 0.05, delta = NULL, n_check = "refuse", rho = NULL) {
  },
  required = c("variable", "n", "epsilon", "k"),
  or = list(epsilon = "rho"),
  takes = list(
    mechanism = one_of(
      c(additive_mechanisms, "mechanismExponential", "mechanismStability"), null = TRUE
    ),
    varType = variable_type(c("character", "factor")), epsilon = loss_or_rho(),
    k = count_from(1), bins = with_others("different texts"), delta = stability_delta
  ),
  plan = function(...) plan_heavy_hitters(...),
  fields = c(common_fields, "k", "bins", "threshold", gaussian_fields),
  others = c("n", "k", "bins"), other_types = c("character", "factor")
)

plan_heavy_hitters <- function(args, call) {
  args <- with_mechanism(args, call, also = NULL)
  args$mechanism <- args$mechanism %||% hitters_mechanism(args)
  if (is_gaussian(args)) {
    args$bins <- check_hitter_bins(args, call)
    return(with_chosen_mechanism(plan_gaussian_hitters(args, call), args))
  }
  if (is_missing(args$epsilon)) stop_argument("given", "missing", "epsilon", call)
  args$epsilon <- check_epsilon(args$epsilon, call)
  if (args$mechanism == "mechanismStability") {
    return(if (is.null(args$bins)) plan_stable_hitters(args, call) else plan_stable_set(args, call))
  }
  args$bins <- check_hitter_bins(args, call)
  if (!is_missing(args$delta)) {
    warn_dp("`delta` is not used by this mechanism, and 0.", "delta", call = call)
  }
  plan <- if (args$mechanism == "mechanismLaplace") plan_counted_hitters else plan_selected_hitters
  plan(args, call)
}

# A single one is selected with less noise than counts have; noise of counts is the same for any k.
hitters_mechanism <- function(args) {
  if (is.null(args$bins)) {
    "mechanismStability"
  } else if (args$k == 1) {
    "mechanismExponential"
  } else {
    "mechanismLaplace"
  }
}

plan_counted_hitters <- function(args, call) {
  measurement <- with_features("contrib",
    hitter_counts(args, "L1Distance<i64>", "i64") |> then_protect(args$epsilon)
  )
  noise <- whole_accuracy(args$epsilon, args$alpha / length(args$bins))
  loss <- list(epsilon = args$epsilon, accuracy = 2 * noise, delta = 0)
  new_plan(hitters_fields(args, loss, list(measurement = measurement)), counted_result,
    read = text_column_of, class = "dp_hitters_result", within = within_omitted, range = args$n,
    call = call
  )
}

# Noise of whole numbers, of which that on all `bins` is within a bound at once.
plan_gaussian_hitters <- function(args, call) {
  limit <- gaussian_limit(args, call)
  measurement <- with_features("contrib",
    hitter_counts(args, metric_of_noise(limit), "i64") |> then_protect(limit)
  )
  sigma <- value_of(measurement, "scale")
  noise <- whole_gaussian_reach(sigma, args$alpha / length(args$bins))
  loss <- list(epsilon = NA_real_, accuracy = 2 * noise, delta = 0)
  fields <- hitters_fields(args, loss, list(measurement = reported(measurement, limit)))
  fields$sigma <- sigma
  new_plan(fields, counted_result,
    read = text_column_of, class = "dp_hitters_result", within = within_omitted, range = args$n,
    call = call
  )
}

within_omitted <- "no omitted value has a count further above a listed one"

# Counts of equal size stay in the order of `bins`.
counted_result <- function(release, fields) {
  counts <- as.double(in_doubles(release))
  largest <- utils::head(order(-counts, seq_along(counts)), fields$k)
  counts <- counts[largest]
  names <- fields$bins[largest]
  list(
    release = names, variable = fields$variable, accuracy = fields$accuracy,
    epsilon = fields$epsilon, delta = fields$delta, counts = counts_frame(counts, names),
    intervals = count_intervals(counts, fields$accuracy / 2, names, fields$n)
  )
}

plan_selected_hitters <- function(args, call) {
  accuracy <- selection_factor * args$k / args$epsilon *
    (log(length(args$bins)) + log(args$k / args$alpha))
  measurement <- with_features("contrib", selected_hitters_chain(args))
  loss <- list(epsilon = args$epsilon, accuracy = accuracy, delta = 0)
  fields <- hitters_fields(args, loss, list(measurement = measurement))
  new_plan(fields, selected_result,
    read = text_column_of, class = "dp_hitters_result", within = within_omitted, range = args$n,
    call = call
  )
}

check_hitter_bins <- function(args, call) {
  bins <- text_cells(args, call)$bins
  if (args$k >= length(bins)) stop_argument("below the number of `bins`", "more", "k", call)
  bins
}

# How often each of `bins` occurs, as numbers of `type`.
hitter_counts <- function(args, metric, type) {
  count <- length(args$bins)
  prepared_texts(args$n) |>
    then_find(args$bins) |>
    then_impute_constant(as.double(count)) |>
    then_count_by_categories(
      categories = as.double(seq_len(count) - 1), null_category = FALSE,
      .MO = metric, .TOA = type
    )
}

selected_hitters_chain <- function(args) {
  counts <- hitter_counts(args, "LInfDistance<f64>", "f64")
  calibrated("make_noisy_top_k", counts, max_divergence(), args$k, least, FALSE,
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
  counts <- hitter_counts(args, "LInfDistance<i64>", "i64")
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

estimates_of.dp_hitters_result <- function(x) {
  counts <- x$counts %||% rep(NA_real_, length(x$release))
  table <- data.frame(term = x$release, estimate = as.double(unlist(counts, use.names = FALSE)))
  if (is.null(x$intervals)) return(table)
  cbind(table, conf.low = x$intervals[[1]], conf.high = x$intervals[[2]])
}

pictures.dp_hitters_result <- function(x) {
  if (is.null(x$counts)) NextMethod() else list(counts = function() count_bars(x))
}

# nolint end
