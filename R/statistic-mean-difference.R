#' Differentially private difference of two means
#'
#' A plan for releases of how much the mean of a column in one group exceeds that in another, with
#' an interval that counts noise and sampling. Building it checks the arguments, chooses the noise
#' and reads no data; `release()` spends `epsilon`, each time that it is called, on both groups
#' together.
#'
#' Two datasets are neighbours if one row of one is replaced in the other. Which group a row is in
#' is private, and a replaced row may change it, unless `groupSizes` are given: those are for a
#' design that is public, as of an experiment, where a row is replaced by another of its group. Then
#' the noise is smaller. The number of rows `n` is public either way.
#'
#' `dpMeanDifference(...)` and `dpMeanDifference$new(...)` are the same.
#'
#' @inheritParams dpMean
#' @param group (`character(1)`) Name of the column of groups.
#' @param groups (`character(2)` or `numeric(2)`) The two groups; public. Texts are for a column of
#'   text or a factor, numbers for one of numbers or logical values. The mean of the second is taken
#'   from that of the first.
#' @param n (whole number) Number of rows, of these groups and of any others, 2 or more; public. Not
#'   needed with `groupSizes`, of which it is the sum.
#' @param groupSizes (`numeric(2)`) Number of rows in each group, 2 or more, if that is public;
#'   `NULL`: it is private. `release()` refuses data with other sizes, or with rows of other groups,
#'   by a `dp_error_rows`.
#' @param mechanism (`character(1)`) `"mechanismLaplace"`, in any letter case.
#' @param imputeRng (`numeric(2)`) With `missing = "impute"`, missing values are replaced by uniform
#'   draws from here; `rng` by default.
#' @param alpha (`numeric(1)`) How often intervals miss.
#' @param missing (`character(1)`) Rule for missing values. `"drop"`: the means of the rows with a
#'   value. `"impute"`: see `imputeRng`; only right if next to nothing is missing. Left out, it is
#'   `"drop"`, or `"impute"` if you give `imputeRng`.
#' @param ... Nothing: an argument with another name raises an error.
#' @returns An R6 object of class `dpMeanDifference`, with the methods of [dpMean()] and these
#'   fields: `mechanism`, `name`, `variable` (of values and of groups), `varType`, `groups`,
#'   `groupSizes`, `n`, `epsilon`, `delta` (0), `rng`, `rngFormat`, `alpha`, `accuracy` (`NA`: it
#'   depends on the data), `imputeRng`, `missing`, `input_metric`, `d_in`, `measurement` and
#'   `result`, a [dp_result] with
#'
#' * `release`: the difference, in the unit of the column.
#' * `variable`, `accuracy`, `epsilon`.
#' * `means` of both groups, and `rows`, how many rows they are means of, with noise unless that is
#'   public.
#' * `unverified`: `"groupSizes"`, if these are given: that they are public nobody checks.
#' * `standardError`, of sampling and noise together.
#' * `populationInterval`, for the difference in the population, moved into `rng`, with its
#'   `populationAlpha`. If [bounds()] found `rng`, there is neither this nor `standardError`.
#' * `status`: `"ok"`, or `"few"` if so few rows are in a group that noise hides how many: then the
#'   numbers are `NA`.
#' @section How it works: With c the middle of `rng`, h half of its width and u = (x - c) / h,
#'   between -1 and 1, the sums of `(1 - u)^2 / 4`, `(1 - u^2) / 2` and `(1 + u)^2 / 4` are released
#'   of each group. They are not negative and add up to 1, so that a row falls into these cells by
#'   parts, as it does into one cell of a histogram; a cell of rows in neither group, and with
#'   `missing = "drop"` one in each group of rows without a value, complete them. One replaced row,
#'   whatever its group, moves all cells by 2 at most, and each has discrete Laplace noise of scale
#'   `2 / epsilon`. Count, sum and sum of squares of a group follow, after all cells were brought to
#'   the sum `n` by least squares.
#'
#'   With `groupSizes` a replaced row stays in its group. Then each group spends all of `epsilon`,
#'   as [dpMean()] does with `interval = "population"`.
#'
#'   The interval is the release with the quantile of |N + L| on either side: L the noise, to the
#'   first order a sum of independent Laplace variables, and N normal, of the variance of the
#'   difference of two means of samples, with Student's excess and with what noise may hide of
#'   variances ([dpMean()]). It rests on means of samples being normal.
#' @inheritSection dpMean Errors
#' @section Warnings: `dp_warning_large_epsilon`, `dp_warning_noise` (three standard deviations of
#'   the noise in a sum are half of all rows, or of the smaller group), `dp_warning_range`,
#'   `dp_warning_impute_range`.
#' @references Dwork, McSherry, Nissim and Smith (2006), *Calibrating Noise to Sensitivity in
#'   Private Data Analysis*; McSherry (2009), *Privacy Integrated Queries*, for groups of public
#'   sizes; D'Orazio, Honaker and King (2015), *Differential Privacy for Social Science Inference*,
#'   for the question.
#' @seealso [dpMean()]; [dp_tbl()] for means of many groups.
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
                       imputeRng = NULL, alpha = 0.05, n_check = "refuse",
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
    stop_argument('"refuse", with `groupSizes`', name_public(args$n_check), "n_check", call)
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
    drowned = 3 * sqrt(2) * sum_scale >= rows,
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
  # Cells add up to n: noise that moves all of them alike is known, and taken away.
  weights <- c(found[[1]]$weights, -found[[2]]$weights, 0)
  difference_result(found, weights - mean(weights), fields)
}

difference_by_design <- function(release, fields) {
  parts <- split(release, rep(1:2, each = length(release) / 2))
  found <- unname(Map(group_moment, parts, fields$groupSizes, list(fields)))
  difference_result(found, c(found[[1]]$noise$laplace, found[[2]]$noise$laplace), fields)
}

# `found`: both as noisy_moment() has them. `noise`: standard deviations of what moves the
# difference.
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
