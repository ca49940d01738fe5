#' Differentially private difference of two means
#'
#' `dpMeanDifference()` plans a release of the difference between the means of a column in two
#' groups, with an interval that covers noise and sampling. Building the plan checks the arguments
#' and chooses the noise without reading data. Each call of `release()` spends `epsilon` on both
#' groups together.
#'
#' Neighbouring datasets differ in one replaced row. The group of a row is private, and a replaced
#' row can change its group. If you give `groupSizes`, the groups belong to a public design, such as
#' an experiment, and a row is replaced by a row of the same group. The noise is then smaller. The
#' number of rows `n` is always public.
#'
#' By position, the arguments are `variable, group, groups, n, rng, epsilon`.
#'
#' @inheritParams dpMean
#' @param group (`character(1)`) Name of the group column, public.
#' @param groups (`character(2)` or `numeric(2)`) Names of the two groups, public. Use `character`
#'   for a text column or factor, and `numeric` for a column of numbers or logical values. The
#'   release is the mean of the first group minus the mean of the second.
#' @param n (whole number) Number of rows in these and any other groups, public, at least 2. Not
#'   needed with `groupSizes`, which add up to it.
#' @param groupSizes (`numeric(2)`) Number of rows in each group, at least 2, if these are public,
#'   or `NULL` if they are private. If data have other sizes, or rows of other groups, `release()`
#'   raises a `dp_error_rows`.
#' @param mechanism (`character(1)`) Noise mechanism, public: `"mechanismLaplace"`, in any letter
#'   case.
#' @param imputeRng (`numeric(2)`) Range of the uniform draws that replace missing values, if
#'   `missing = "impute"`. The default is `rng`.
#' @param alpha (`numeric(1)`) Probability that an interval misses.
#' @param missing (`character(1)`) Rule for missing values. `"drop"` releases the means of the rows
#'   with a value. `"impute"` draws values from `imputeRng`. This is only right if almost nothing is
#'   missing. The default is `"impute"` if you give `imputeRng`, and `"drop"` otherwise.
#' @param ... Not used. Unknown arguments raise an error.
#' @returns An R6 object of class `dpMeanDifference`, with the methods of [dpMean()] and these
#'   fields: `mechanism`, `name`, `variable` (of values and of groups), `varType`, `groups`,
#'   `groupSizes`, `n`, `epsilon`, `delta` (0), `rng`, `rngFormat`, `alpha`, `accuracy` (`NA`,
#'   because it depends on the data), `imputeRng`, `missing`, `input_metric`, `d_in`, `measurement`
#'   and `result`, a [dp_result] with
#'
#' * `release`: the difference, in the unit of the column.
#' * `variable`, `accuracy`, `epsilon`.
#' * `means`: the means of both groups. `rows`: their numbers of rows, with noise unless these are
#'   public.
#' * `unverified`: `"groupSizes"`, if you gave these, because nothing verifies that they are public.
#' * `standardError`: the standard error from sampling and noise together.
#' * `populationInterval`: the interval for the difference in the population, clamped to `rng`, with
#'   its `populationAlpha`. If [bounds()] found `rng`, a result has neither this nor
#'   `standardError`.
#' * `status`: `"ok"`, or `"few"` if noise hides the number of rows in a group. The numbers are then
#'   `NA`.
#' @section How it works: Let c be the middle of `rng`, h half its width, and u = (x - c) / h,
#'   between -1 and 1. For each group, the sums of `(1 - u)^2 / 4`, `(1 - u^2) / 2` and
#'   `(1 + u)^2 / 4` are released. These terms are not negative and add up to 1, so a row is divided
#'   between the three cells. One more cell holds the rows in neither group. With
#'   `missing = "drop"`, each group also has a cell for rows without a value.
#'
#'   One replaced row, whatever its group, moves all cells together by at most 2. Each cell has
#'   discrete Laplace noise of scale `2 / epsilon`. Least squares adjusts all cells to the sum `n`.
#'   Count, sum and sum of squares of each group follow.
#'
#'   With `groupSizes`, a replaced row stays in its group. Each group then spends all of `epsilon`,
#'   as [dpMean()] does with `interval = "population"`.
#'
#'   The interval reaches from the release, on either side, by a quantile of |N + L|. L is the
#'   noise, to first order a sum of independent Laplace variables. N is normal, with the variance of
#'   the difference of two sample means. It includes Student's excess and an allowance for the noise
#'   in the variances ([dpMean()]). The interval assumes that sample means are normal.
#' @section Errors: See [statistic_errors].
#' @section Warnings: `dp_warning_large_epsilon`, `dp_warning_noise` (three standard deviations of
#'   the noise in a sum are half of all rows, or of the smaller group), `dp_warning_range`,
#'   `dp_warning_impute_range`.
#' @references Dwork, McSherry, Nissim and Smith (2006), *Calibrating Noise to Sensitivity in
#'   Private Data Analysis*. McSherry (2009), *Privacy Integrated Queries*, for groups of public
#'   sizes. D'Orazio, Honaker and King (2015), *Differential Privacy for Social Science Inference*,
#'   for the question.
#' @seealso [dpMean()]. [dp_tbl()] for means of many groups.
#' @examples
#' gap <- dpMeanDifference("income", "sex", c(0, 1), n = 10000, rng = c(0, 200000), epsilon = 1)
#' result <- gap$release(PUMS5extract10000)
#' result
#' confint(result)
#' @export
dpMeanDifference <- new_statistic("dpMeanDifference", "Difference of the means of two groups",
  "a difference of means",
  arguments = function(variable, group, groups, n = NULL, rng = NULL, epsilon = NULL,
                       groupSizes = NULL, mechanism = "mechanismLaplace", varType = "numeric",
                       imputeRng = NULL, alpha = 0.05, n_check = "error",
                       missing = c("drop", "impute")) {
  },
  required = c("variable", "group", "groups", "n", "rng", "epsilon"),
  or = list(n = "groupSizes"),
  takes = list(
    group = column_name(), groups = two_groups(), groupSizes = sizes_of_groups(),
    n = rows_of_groups(), epsilon = loss_of_release()
  ),
  plan = function(...) plan_mean_difference(...),
  fields = difference_fields,
  numbers = c("n", "range", "groups"), others = c("n", "groups")
)

plan_mean_difference <- function(args, call) {
  if (args$group == args$variable) {
    stop_argument("another column than `variable`", "the same", "group", call)
  }
  public <- !is.null(args$groupSizes)
  if (public && args$n_check == "resize") {
    stop_argument('"error", with `groupSizes`', name_public(args$n_check), "n_check", call)
  }
  measurement <- if (public) sized_groups(args) else private_groups(args)
  own <- list(
    name = paste("difference of means of", args$variable),
    variable = c(args$variable, args$group), delta = 0, rngFormat = "vector", accuracy = NA_real_,
    input_metric = measurement("input_metric"), d_in = protected_rows, measurement = measurement
  )
  fields <- c(own, args)[difference_fields]
  names(fields) <- difference_fields
  rows <- if (public) min(args$groupSizes) else args$n / 2
  sum_scale <- if (public) 2 / args$epsilon else sqrt(2) * 2 / args$epsilon
  new_plan(fields, if (public) difference_by_design else difference_of_classes,
    read = if (public) {
      reads_groups(args$group, args$groups, args$groupSizes)
    } else {
      reads_classes(args$group, args$groups)
    },
    span = 2 * diff(args$rng), unverified = if (public) "groupSizes",
    noise_dominates = 3 * sqrt(2) * sum_scale >= rows,
    covers = c(populationInterval = target_of$moved), call = call
  )
}

private_groups <- function(args) {
  args[c("rng", "imputeRng")] <- list(list(args$rng), list(args$imputeRng %||% args$rng))
  class_measurement(args$variable, args$group, args$groups, args)
}

sized_groups <- function(args) {
  specs <- column_specs(
    args$variable, list(args$rng), list(args$imputeRng %||% args$rng), args$varType
  )
  weight <- if (drops_missing(args)) mean_weight else 1
  build("moments_by_position", specs, drops_missing(args), weight, args$epsilon, args$groupSizes)
}

difference_of_classes <- function(release, fields) {
  found <- found_classes(release, fields, 1, fields$groups)$moments
  # Cells add up to n, so noise that moves all cells equally is known and removed.
  weights <- c(found[[1]]$weights, -found[[2]]$weights, 0)
  difference_result(found, weights - mean(weights), fields)
}

difference_by_design <- function(release, fields) {
  parts <- split(release, rep(1:2, each = length(release) / 2))
  found <- unname(Map(group_moment, parts, fields$groupSizes, list(fields)))
  difference_result(found, c(found[[1]]$noise$laplace, found[[2]]$noise$laplace), fields)
}

# `found` holds the moments of both groups, as from noisy_moment(). `noise` holds the standard
# deviations of the noise terms in the difference.
difference_result <- function(found, noise, fields) {
  half <- diff(fields$rng) / 2
  of_both <- function(what) stats::setNames(vapply(found, `[[`, 0, what), fields$groups)
  means <- of_both("mean")
  enough <- all(vapply(found, `[[`, NA, "enough"))
  release <- unname(half * (means[[1]] - means[[2]]))
  ends <- if (enough) {
    sampling <- sum(vapply(found, sampling_variance, 0, fields$alpha))
    reach <- half * error_reach(sampling, matrix(noise, 1), fields$alpha)
    within_bounds(release + c(-reach, reach), -2 * half, 2 * half)
  } else {
    c(-2, 2) * half
  }
  sampled <- sum(pmax(of_both("variance"), 0) / of_both("count"))
  c(
    list(
      release = release, variable = fields$variable[[1]], accuracy = fields$accuracy,
      epsilon = fields$epsilon, means = mean(fields$rng) + half * means, rows = of_both("count"),
      standardError = if (enough) half * sqrt(sampled + sum(noise^2)) else NA_real_
    ),
    population_fields(ends, fields), list(status = if (enough) "ok" else "few")
  )
}
