quantile_kinds <- list(
  mechanism = one_of("mechanismExponential"), varType = variable_type(c("numeric", "integer")),
  gridPoints = whole_number(min = 2, max = 1e6, null = TRUE),
  interval = holds_at_found_bounds(interval_kind("none", NULL, function(args) NULL)),
  spacing = quantile_rule("spacing")
)

# A single share. Another statistic can have several.
single_share <- function() {
  kind <- share(zero = TRUE, one = TRUE)
  check <- kind$check
  kind$check <- function(value, arg, call, args) {
    if (is_numbers(value) && length(value) > 1) {
      stop_argument("one number, or use dpQuantiles() for several at the price of one",
        name_public(value), arg, call
      )
    }
    check(value, arg, call, args)
  }
  kind
}

#' Differentially private median and quantiles
#'
#' `dpQuantile()` plans a release of a quantile of one column, and `dpMedian()` of the quantile at
#' `prob = 0.5`. A release is one of several public candidates. It is drawn at random, and better
#' candidates are more likely. Building the plan checks the arguments without reading data. Each
#' call of `release()` spends `epsilon`.
#'
#' The number of rows `n` is public. Neighbouring datasets differ in one replaced row. The released
#' candidate has the ranks of the rows nearest to it. With probability `1 - alpha`, the target rank
#' is within `accuracy` rows of these ranks. The error in the unit of the column depends on the data
#' and is not released.
#'
#' `dpQuantile(...)` and `dpQuantile$new(...)` do the same, and so do `dpMedian(...)` and
#' `dpMedian$new(...)`.
#'
#' @inheritParams dpMean
#' @param mechanism (`character(1)`) Selection mechanism, public: `"mechanismExponential"`, in any
#'   letter case.
#' @param varType (`character(1)`) Type of the column, public: `"numeric"` or `"integer"`. See
#'   `conversion`.
#' @param prob (`numeric(1)`) Share of rows below the quantile, public, between 0 and 1.
#' @param accuracy (`numeric(1)`) Target accuracy, in rows. Give it instead of `epsilon`.
#' @param gridPoints (whole number) Number of candidates, at least 2: equally spaced points from one
#'   end of `rng` to the other, including both. By default, `spacing` chooses the candidates. For
#'   integers, the default is all whole numbers in `rng` if there are at most 10000.
#' @param missing (`character(1)`) Rule for missing values. `"drop"` releases the quantile of the
#'   rows with a value, with the same noise. `"impute"` draws values from `imputeRng`. The default
#'   is `"impute"` if you give `imputeRng`, and `"drop"` otherwise.
#' @param imputeRng (`numeric(2)`) Range of the uniform draws that replace missing values, if
#'   `missing = "impute"`. The default is `rng`. If values are missing, imputation moves quantiles
#'   towards the quantiles of these draws.
#' @param alpha (`numeric(1)`) Probability that the rank misses by more than `accuracy`.
#' @param n_check (`character(1)`) Rule for data whose number of rows differs from `n`. With
#'   `"error"`, `release()` raises an error. With `"resize"`, it drops rows at random or adds rows
#'   without a value.
#' @param interval (`character(1)`) Kind of confidence interval. `"population"` adds an interval for
#'   the quantile of the population, which covers sampling error and noise. It spends half of
#'   `epsilon`. The other half determines `accuracy`. `"none"` or `NULL` does not add it.
#' @param score (`character(1)`) Rule that compares candidates. With `"nearest"`, each row counts at
#'   its nearest candidate, and a candidate has all ranks of its rows. With `"balance"`, the rule of
#'   older plans, only the rows below and above a candidate count. Near a value that many rows
#'   share, `"balance"` can release a number that no row has.
#' @param spacing (`character(1)`) Rule for the candidates if you do not give `gridPoints`.
#'   `"even"`, the rule of older plans, takes round numbers, on which survey answers often heap.
#'   They are both ends of `rng` and the multiples of the largest step of ..., 0.1, 0.2, 0.5, 1, 2,
#'   5, 10, ... that has at least 5000 multiples in `rng`. `"digits"` adds the numbers with two
#'   digits, in the eight decades below the largest magnitude in `rng`. Bounds that are 1000 times
#'   too wide then cost little.
#' @param ... Not used. Unknown arguments raise an error.
#' @returns An R6 object of class `dpQuantile` or `dpMedian`, with the methods and fields of
#'   [dpMean()] and the fields `prob`, `gridPoints` and `candidates`. `sens` is the sensitivity of
#'   the rank: 1. `result` is a [dp_result] with `release` (one of the candidates), `variable`,
#'   `accuracy` in rows, `epsilon` and `status`. The status is `"coarse"` if the release says little
#'   more than which candidate is nearest. Half the distance between its neighbours is then more
#'   than a tenth of the distance to the nearer bound, or to 0. Otherwise the status is `"ok"`.
#'   `interval = "population"` adds `populationInterval`, its two ends, and `populationAlpha`, which
#'   equals `alpha`. It also adds the fields `treeBranching` and `treeDepth`, the shape of the tree
#'   of counts behind the interval.
#' @section How it works: The chain resizes to `n` rows, imputes, clamps, and moves each row to its
#'   nearest candidate. The target rank is `prob` times the number of rows. A candidate covers the
#'   ranks from the number of rows below it to the number of rows below or at it. Its score is the
#'   distance between the target rank and this interval. One replaced row moves the score by at most
#'   one row, and so does a row that becomes missing. Permute-and-flip selects exactly, with noise
#'   of scale 2 / epsilon, and is never worse than the exponential mechanism. `accuracy`
#'   is 2 / epsilon times log(gridPoints / alpha).
#'
#'   With `score = "balance"`, rows keep their values. The score then compares the numbers of rows
#'   below and above, weighted in proportion to `prob`. If rows without a value are dropped, the
#'   noise is 2 max(p, 1 - p) times as large.
#' @section Interval for the population: See [population_intervals].
#' @section Errors: See [statistic_errors].
#' @section Warnings: `dp_warning_large_epsilon`, `dp_warning_noise` (the accuracy covers every rank
#'   of `n` rows, or the population interval will span at least half the rows), `dp_warning_range`
#'   (more than two values), `dp_warning_impute_range` (beyond `rng`).
#' @references McSherry and Talwar (2007), *Mechanism Design via Differential Privacy*. McKenna and
#'   Sheldon (2020), *Permute-and-Flip: A New Mechanism for Differentially Private Selection*. Smith
#'   (2011), *Privacy-Preserving Statistical Estimation with Optimal Convergence Rates*. Drechsler,
#'   Globus-Harris, McMillan, Sarathy and Smith (2022), *Nonparametric Differentially Private
#'   Confidence Intervals for the Median*.
#' @seealso [dpQuantiles()] for several quantiles at once, [dpTree()] for all of them.
#' @examples
#' middle <- dpMedian("age", n = 10000, rng = c(18, 93), epsilon = 0.1, varType = "integer")
#' middle$release(PUMS5extract10000)
#'
#' # Sampling and noise together.
#' upper <- dpQuantile(
#'   "income", n = 10000, rng = c(0, 750000), epsilon = 0.5, prob = 0.9, gridPoints = 1501,
#'   interval = "population"
#' )
#' upper$release(PUMS5extract10000)$populationInterval
#' @export
dpQuantile <- new_statistic("dpQuantile", "Quantile of a column", "a quantile",
  arguments = function(mechanism = "mechanismExponential", varType = "numeric", variable, n, prob,
                       rng = NULL, epsilon = NULL, accuracy = NULL, imputeRng = NULL, alpha = 0.05,
                       gridPoints = NULL, n_check = "error", missing = c("drop", "impute"),
                       interval = NULL, score = c("nearest", "balance"),
                       spacing = c("digits", "even")) {
  },
  required = c("variable", "n", "prob", "rng", "epsilon"),
  or = list(epsilon = "accuracy"),
  takes = c(quantile_kinds, list(prob = single_share(), score = quantile_rule("score"))),
  plan = function(...) plan_quantile(...),
  fields = c(common_fields, "missing", "prob", "gridPoints", "candidates", sampled_fields),
  numbers = c("n", "range", "prob"), later = names(quantile_rules)
)

#' @rdname dpQuantile
#' @export
dpMedian <- new_statistic("dpMedian", "Median of a column", "a median",
  arguments = function(mechanism = "mechanismExponential", varType = "numeric", variable, n,
                       rng = NULL, epsilon = NULL, accuracy = NULL, imputeRng = NULL, alpha = 0.05,
                       gridPoints = NULL, n_check = "error", missing = c("drop", "impute"),
                       interval = NULL, score = c("nearest", "balance"),
                       spacing = c("digits", "even")) {
  },
  required = c("variable", "n", "rng", "epsilon"),
  or = list(epsilon = "accuracy"),
  takes = c(quantile_kinds, list(score = quantile_rule("score"))),
  plan = function(...) plan_median(...),
  fields = c(common_fields, "missing", "prob", "gridPoints", "candidates", sampled_fields),
  numbers = c("n", "range"), later = names(quantile_rules)
)
