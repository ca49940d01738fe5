#' Differentially private heavy hitters
#'
#' Plans releases of the most frequent values of a text column. Building the plan checks the
#' arguments and reads no data. Each call of `release()` spends `epsilon` (and `delta`).
#'
#' The number of rows `n` is public, and two datasets are neighbours if one row of one is replaced
#' in the other. The mechanisms differ in their output, and in whether the possible values are
#' public, as `bins`:
#'
#' | `mechanism` | releases | default for |
#' |---|---|---|
#' | `"mechanismLaplace"` | `k` of `bins`, with their counts | `bins`, `k` of 2 or more |
#' | `"mechanismGaussian"` | the same | `rho` |
#' | `"mechanismExponential"` | `k` of `bins` | `bins`, `k` of 1 |
#' | `"mechanismStability"`, no `bins` | values that many rows share, with counts | no `bins` |
#' | `"mechanismStability"`, `bins` | the exact set of `k`, or nothing | |
#'
#' `"mechanismLaplace"` counts once, so its noise is the same for any `k`. `"mechanismExponential"`
#' selects one value after the other, each with a loss of `epsilon / k`, so it is better only if `k`
#' is 1. Without `bins`, the mechanism is [dpHistogram()] with a threshold, which releases at most
#' the `k` largest counts. The exact set appears only if it would stay the same after many rows
#' change. An answer is more likely if the gap between its smallest count and the next one is wide.
#'
#' @inheritParams dpMean
#' @param mechanism (`character(1)` or `NULL`) Mechanism from the table above. `NULL` chooses the
#'   default.
#' @param varType (`character(1)`) `"character"` or `"factor"`.
#' @param k (whole number) Number of values to find.
#' @param bins (`character`) All possible values, public. Others are not counted.
#' @param delta (`numeric(1)`) Delta of `"mechanismStability"`, below 1 / `n`. `2^-30` by default.
#'   For `"mechanismGaussian"`, give it with `epsilon`.
#' @param ... Not used: an argument with another name raises an error.
#' @returns An R6 object of class `dpHeavyHitters`, with the methods and fields of [dpMean()], and
#'   the fields `k`, `bins` and `threshold`. `result` is a [dp_result] with `variable`, `accuracy`,
#'   `epsilon`, `delta` and
#'
#' * `release`: the values, in decreasing order of their counts as far as these are known. An exact
#'   set is in the order of `bins`, or `character(0)`. Its `accuracy` is a gap between counts: with
#'   at least this gap the set is released with probability at least `1 - alpha`.
#' * `counts`: a data frame with one row, for mechanisms that release counts.
#' * `intervals`: with `"mechanismLaplace"`, a data frame with a row for each value and the columns
#'   `lower bound` and `upper bound`. They contain all counts of the data at once with probability
#'   `1 - alpha`.
#' * `threshold`: with `"mechanismStability"`.
#' @section How it works: One replaced row moves two of the counts of `bins` by one.
#'   `"mechanismLaplace"` adds discrete Laplace noise of scale 2 / epsilon to all counts. It
#'   releases the `k` largest, with ties in the order of `bins`. With K the number of `bins`, all
#'   noise is within t = ceiling(2 / epsilon * log(K / alpha)) with probability `1 - alpha`. Then no
#'   value that is left out has a count above a listed one's by more than accuracy = 2 t. Intervals
#'   reach t to both sides. They need K instead of k, because noise also decides which values are
#'   listed.
#'
#'   Permute-and-flip selects exactly with noise of scale 2 k / epsilon, at every count including 0.
#'   accuracy = 2 k / epsilon * (log(K) + log(k / alpha)). With probability `1 - alpha` the count of
#'   every value is within this distance of the best that remained.
#'
#'   The exact set uses the gap, the k-th largest count minus the next one. The set stays the same
#'   after any max(0, ceiling(gap / 2) - 1) replaced rows. One row moves that number by at most one.
#'   With discrete Laplace noise of scale 1 / epsilon it must reach `threshold`, about
#'   log(1 / delta) / epsilon. If a replaced row does change the set, the number is 0, and noise
#'   alone reaches the threshold with probability at most delta.
#'   accuracy = 2 (threshold + ceiling(log(1 / alpha) / epsilon)) + 1.
#' @section Gaussian noise: See [gaussian_noise]. All counts move by D = sqrt(2) in L2, and each has
#'   discrete Gaussian noise of standard deviation 1 / sqrt(rho). `accuracy` is defined as for
#'   `"mechanismLaplace"`, with t the bound that this noise exceeds with probability alpha / K.
#' @section Errors: See [statistic_errors].
#' @section Warnings: `dp_warning_large_epsilon`. `dp_warning_noise` (the accuracy is more than `n`
#'   rows). `dp_warning_delta` (not used, or not below 1 / `n`^2).
#' @references McKenna and Sheldon (2020), *Permute-and-Flip: A New Mechanism for Differentially
#'   Private Selection*. Durfee and Rogers (2019), *Practical Differentially Private Top-k Selection
#'   with Pay-what-you-get Composition*. Bun, Nissim and Stemmer (2016), *Simultaneous Private
#'   Learning of Multiple Concepts*. Smith and Thakurta (2013), *Differentially Private Feature
#'   Selection via Stability Arguments, and the Robustness of the Lasso*. Dwork and Roth (2014),
#'   *The Algorithmic Foundations of Differential Privacy*, section 7.3.
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
                       bins = NULL, alpha = 0.05, delta = NULL, n_check = "error", rho = NULL) {
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

# S3 method names contain dots.

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

# Chains of heavy hitters, and their results -------------------------------------------------------

# A single value is selected with less noise than counts have. Noise of counts is the same for any
# k.
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

# Plans whole-number noise that is within a bound on all `bins` at once.
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

# Keeps counts of equal size in the order of `bins`.
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

# Counts each of `bins`, as numbers of `type`.
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
