#' Differentially private quantiles
#'
#' A plan for releases of several quantiles of one column, all together: their loss is that of one
#' choice, however many there are, and they come in order. Building it checks the arguments and
#' reads no data; `release()` spends `epsilon`, each time that it is called.
#'
#' The number of rows `n` is public, and two datasets are neighbours if one row of one is replaced
#' in the other. With probability `1 - alpha` no released quantile misses its rank by more than
#' `accuracy` rows, beyond what the best choice of candidates misses. That is a bound for the worst
#' data; on most the error is a small part of it. How far it is in the unit of the column depends on
#' the data, and is not released.
#'
#' `dpQuantiles(...)` and `dpQuantiles$new(...)` are the same.
#'
#' @inheritParams dpQuantile
#' @param varType (`character(1)`) `"numeric"` or `"integer"`, see `conversion`.
#' @param probs (`numeric`) Shares of rows below, increasing, from 0 to 1; up to 20 of them. They
#'   count to the nearest 1/10000.
#' @param accuracy (`numeric(1)`) Wanted accuracy in rows, instead of `epsilon`.
#' @param missing (`character(1)`) Rule for missing values. `"drop"`: the quantiles of the rows with
#'   a value, with the same noise. `"impute"`: see `imputeRng`. Left out, it is `"drop"`, or
#'   `"impute"` if you give `imputeRng`.
#' @param ... Nothing: an argument with another name raises an error.
#' @returns An R6 object of class `dpQuantiles`, with the methods and fields of [dpMean()] and the
#'   fields `probs`, `gridPoints` and `candidates`. `sens` is that of a rank: 1. `result` is a
#'   [dp_result] with `release`, candidates by the names `"25%"` and so on, `variable`, `accuracy`
#'   in rows, `epsilon` and `status`: `"coarse"` if one of them is, see [dpQuantile()]. With
#'   `interval = "population"` there are besides `populationInterval`, a matrix with a row for each
#'   quantile and the columns `lower` and `upper`, and its `populationAlpha`; and the fields
#'   `treeBranching` and `treeDepth`.
#' @section How it works: The chain resizes to `n` rows, imputes and clamps; each row counts at the
#'   candidate nearest to it. A choice of candidates, one for each of `probs`, in order, is drawn
#'   with a probability proportional to exp(-epsilon / 4 times its score), where the score is the
#'   sum over the intervals between them of how far the number of rows is from the share that
#'   `probs` ask for. One replaced row moves it by 2 at most, so a release costs `epsilon`; one that
#'   is missing by less. Rows that count at a chosen candidate may lie on either side of it: each
#'   candidate stands for up to 64 ranks, which divide them. accuracy = 2 / epsilon times log(number
#'   of choices / alpha), for `gridPoints` times 64 ranks. See [make_joint_quantiles()].
#' @inheritSection dpQuantile Interval for the population
#' @inheritSection dpMean Errors
#' @inheritSection dpQuantile Warnings
#' @references Gillenwater, Joseph and Kulesza (2021), *Differentially Private Quantiles*.
#' @seealso [dpQuantile()] for a single quantile; [dpTree()] for all of them, with intervals.
#' @examples
#' ages <- dpQuantiles(
#'   varType = "integer", variable = "age", n = 10000, probs = c(0.1, 0.5, 0.9), rng = c(18, 93),
#'   epsilon = 0.1
#' )
#' ages$release(PUMS5extract10000)
#'
#' # Sampling and noise together.
#' sampled <- dpQuantiles(
#'   varType = "integer", variable = "age", n = 10000, probs = c(0.1, 0.5, 0.9), rng = c(18, 93),
#'   epsilon = 0.5, interval = "population"
#' )
#' sampled$release(PUMS5extract10000)
#' @export
dpQuantiles <- new_statistic("dpQuantiles", "Quantiles of a column", "several quantiles",
  arguments = function(mechanism = "mechanismExponential", varType = "numeric", variable, n, probs,
                       rng = NULL, epsilon = NULL, accuracy = NULL, imputeRng = NULL, alpha = 0.05,
                       gridPoints = NULL, n_check = "refuse", missing = c("drop", "impute"),
                       interval = NULL, spacing = c("digits", "even")) {
  },
  required = c("variable", "n", "probs", "rng", "epsilon"),
  or = list(epsilon = "accuracy"),
  takes = c(quantile_kinds, list(probs = increasing_shares(most = 20))),
  plan = function(...) plan_quantiles(...),
  fields = c(common_fields, "missing", "probs", "gridPoints", "candidates", sampled_fields),
  numbers = c("n", "range", "probs"), later = "spacing"
)

plan_quantiles <- function(args, call) {
  candidates <- quantile_candidates(args$gridPoints, args$rng, args$varType, args$spacing)
  # A rank misses by half of the score of a choice at most, and there are so many choices.
  per_choice <- exp(log(args$alpha) - choices_of(length(candidates), length(args$probs)))
  factor <- selection_factor / share_of_release(args)
  loss <- check_loss(args$epsilon, args$accuracy, factor, per_choice, call)
  select <- function(lhs, epsilon) {
    lhs |>
      then_nearest(args, candidates) |>
      calibrated_quantiles(candidates, args$probs, epsilon)
  }
  own <- list(
    name = paste("quantiles of", args$variable), probs = args$probs,
    gridPoints = length(candidates), candidates = candidates
  )
  plan_ranks(args, loss, select, own, quantiles_result,
    "ranks are within this many rows of the best choice's", call
  )
}

# The ranks for which a candidate may stand (joint_quantiles.cpp), at most.
most_ranks_each <- 64

# The logarithm of how many choices in order there are.
choices_of <- function(candidates, count) lchoose(candidates * most_ranks_each + count - 1, count)

calibrated_quantiles <- function(lhs, candidates, probs, epsilon) {
  calibrated("joint_quantiles_of_cells", lhs, max_divergence(), candidates, probs, least,
    d_in = protected_rows, loss = epsilon
  )
}

quantiles_result <- function(release, fields) {
  names <- paste0(vapply(100 * fields$probs, show_number, "", 7), "%")
  sampled <- fields$interval == "population"
  values <- as.double(unlist(if (sampled) release[[1]] else release))
  c(
    list(
      release = stats::setNames(values, names), variable = fields$variable,
      accuracy = fields$accuracy, epsilon = fields$epsilon,
      status = status_of_cells(is_coarse_candidate(values, fields))
    ),
    if (sampled) population_of_quantiles(release[-1], fields$probs, fields, names)
  )
}
