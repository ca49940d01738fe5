#' Bounds that a statistic finds automatically
#'
#' `bounds()` lets a statistic find the range of its column, if you do not know one. Pass it as
#' `rng`. The statistic spends a share of its loss on bounds, found as by [dpBounds()], and the rest
#' on a release within them. Both are one release, whose loss is the `epsilon` or `rho` of the
#' statistic.
#'
#' **Declared bounds are usually better**, even if they are three times too wide, and at some losses
#' ten times. Noise grows with the width of declared bounds, and a larger loss compensates for it.
#' Values beyond found bounds are lost. A simulation released the mean of 10,000 census incomes,
#' 1000 times for each row of this table (`smallest = 1`, `sides = "positive"`, all incomes counted
#' in full). The root mean squared errors were:
#'
#' | `rng` | `epsilon` 0.1 | 0.5 | 1 | 5 |
#' |---|---|---|---|---|
#' | `c(0, 750000)` | 1061 | 212 | 106 | 21 |
#' | `c(0, 7500000)` | 10610 | 2120 | 1060 | 210 |
#' | `bounds()` | 6451 | 2159 | 737 | 66 |
#'
#' About once in 1 / `beta` releases, an empty cell makes the found bounds far too wide. These
#' numbers leave such releases out. Use `bounds()` only if no codebook, law or earlier year gives a
#' range.
#'
#' You can pass it as the `rng` of [dpMean()], [dpVariance()], [dpQuantile()], [dpMedian()],
#' [dpQuantiles()], [dpHistogram()] with `nBins`, [dpTree()], and [dpMeanDifference()] without
#' `groupSizes`. In [dpCovariance()], [dpCorrelation()], [dpPCA()], [dpLM()], [dpGLM()],
#' [dpNaiveBayes()] and [dpKMeans()], you can use it for any ranges in the list, except ranges of
#' terms and of weights. Each such range has a separate `share`. All shares must add up to less than
#' 1. The `varType` must be `"numeric"` or `"integer"`. [dpSampleAndAggregate()] does not accept it:
#' release a [dpBounds()] first, and declare the bounds that it finds.
#'
#' @param share (`numeric(1)`) Share of the loss spent on the bounds, above 0 and below 1. A tenth
#'   is too little if `epsilon` is 1 or less: the threshold then cuts off more than the noise that
#'   is saved.
#' @inheritParams dpBounds
#' @param ... Not used: other names raise an error.
#' @returns An object of class `dp_bounds`, a list of its arguments, with a print method. It holds
#'   no data.
#' @section How it works: The loss is split into a `share` for each column with unknown bounds, and
#'   the rest. The shares are spent on counts of rows by order of magnitude. The counts above a
#'   threshold give the bounds, see [dpBounds()]. The threshold is 2 / (`share` epsilon) log(K / (2
#'   `beta`)) rows, where K is the number of cells. For Gaussian noise, it is the 1 - `beta` / K
#'   quantile of the noise. The rest is spent on the statistic, which is planned at the found bounds
#'   only. Bounds of whole numbers are moved outward to the next whole numbers. The measurement of
#'   the statistic is [make_adaptive_composition()] of these losses. Its map is the reported and
#'   spent loss, whatever bounds are found. It gives the loss for one replaced row, and raises an
#'   error for more rows.
#'
#'   When you build a statistic, it is first planned at the widest range that can be found, so
#'   errors there appear at once. In the object, `accuracy`, `sens`, `sigma`, and cells or
#'   candidates are `NA` or `NULL`, because they follow from the bounds. A result has them. Missing
#'   values are drawn from the found bounds, so there is no `imputeRng`. `noiseDominates` uses only
#'   public numbers. It is `TRUE` if the noise is as wide as the widest range, which rarely differs
#'   between ranges. It is also `TRUE` if the threshold is above `n`, so that no bound can be found.
#' @section Results: A result also has `bounds`, a data frame of `lower`, `upper` and `threshold`:
#'   about `threshold` rows can lie outside at either end. If the statistic has several columns,
#'   `bounds` has a row for each unknown range, and its `column`. `status` is `"ok"`, or the status
#'   of the statistic. It is `"not found"` if no order of magnitude of a column had enough rows, and
#'   `"refused"` if the statistic cannot be planned at the found bounds. In these two cases
#'   `release` is `NA`, and the loss is spent.
#' @section Intervals: Found bounds follow from the same rows, so guarantees for declared bounds do
#'   not hold for them. About `threshold` rows at either end are clamped, and no public number says
#'   how far. No interval with a proof can account for that, for a population mean, variance,
#'   correlation or coefficient. So there is no `populationInterval`, standard error, `confint()` or
#'   `vcov()`. `interval = "population"`, `vcov = "sandwich"` and the `inference` of [dpGLM()] raise
#'   an error together with `bounds()`. For these, declare the bounds.
#'
#'   Two kinds of intervals remain. Noise intervals are for the rows, clamped to the found bounds,
#'   because the noise is independent of the bounds. These are `interval` of [dpMean()] and
#'   [dpVariance()], the `accuracy` of [dpCovariance()], and the counts of [dpHistogram()] and
#'   [dpTree()]. `interval = "population"` of [dpQuantile()], [dpMedian()] and [dpQuantiles()] is
#'   for the population, because ranks do not depend on how far rows were moved. If no edge within
#'   the bounds is an end of this interval, the end of the widest range that can be found is used:
#'   `largest` or 0.
#' @section Warnings: `dp_warning_noise` (`noiseDominates`), and the warnings of the statistic.
#' @section Errors: `dp_error_invalid_argument` for invalid arguments.
#' @references Wilson, Zhang, Lam, Desfontaines, Simmons-Marengo and Gipson (2020), *Differentially
#'   Private SQL with Bounded User Contribution*, for the counts. Dwork and Roth (2014), *The
#'   Algorithmic Foundations of Differential Privacy*, Theorem 3.16, for the sum of the two losses.
#' @seealso [dpBounds()] releases only bounds, [clippingBias()] estimates the bias from them.
#' @examples
#' mean_income <- dpMean(
#'   variable = "income", n = 10000, rng = bounds(sides = "positive"), epsilon = 1
#' )
#' mean_income
#' mean_income$release(PUMS5extract10000)
#' @export
bounds <- function(share = 0.25, base = 2, smallest = 2^-10, largest = 2^40, sides = "both",
                   beta = 1e-4, ...) {
  check_names(...)
  call <- rlang::current_env()
  given <- list(
    share = share, base = base, smallest = smallest, largest = largest, sides = sides, beta = beta
  )
  checked <- checked_arguments(given, kinds_of_bounds, call)
  magnitude_cells(checked, call)
  structure(checked, class = "dp_bounds")
}

kinds_of_bounds <- c(list(share = share()), kinds_of_magnitudes)

# TRUE if bounds() made this range. A plan that was written to a file has no classes.
asks_for_bounds <- function(rng) {
  is.list(rng) && (inherits(rng, "dp_bounds") || setequal(names(rng), names(kinds_of_bounds)))
}

# Positions of the ranges that bounds() made.
places_to_find <- function(rng) {
  if (is.list(rng)) which(vapply(unname(unclass(rng)), asks_for_bounds, NA)) else integer()
}

# TRUE if any range is.
is_to_find <- function(rng) asks_for_bounds(rng) || length(places_to_find(rng)) > 0

# Rebuilds the object by bounds(), because it can be edited after it was made.
checked_bounds <- function(rng, call) {
  or_else(do.call(bounds, unclass(rng), quote = TRUE), function(error) {
    stop_argument("two finite numbers, or what bounds() makes", describe(rng), "rng", call)
  })
}

# For statistics or arguments that do not accept bounds().
refuse_bounds <- function(rng, call) {
  if (asks_for_bounds(rng)) {
    stop_argument("declared here",
      "bounds(): release a dpBounds() first, and declare its bounds", "rng", call
    )
  }
}

declared_is_better <-
  "Declared bounds, even 3 times too wide, are usually better: what found ones cut off is lost"

# Prints only values that differ from the defaults, and the share.
#' @export
format.dp_bounds <- function(x, ...) {
  choices <- formals(bounds)
  usual <- lapply(choices[names(choices) != "..."], eval)
  is_told <- function(name) name == "share" || !identical(x[[name]], usual[[name]])
  shown <- vapply(unclass(x)[vapply(names(x), is_told, NA)], function(value) {
    if (is.numeric(value)) show_number(value, 7) else name_public(value)
  }, "")
  paste0("bounds(", paste(names(shown), shown, sep = " = ", collapse = ", "), ")")
}

#' @export
print.dp_bounds <- function(x, ...) {
  cat(
    paste0("<dp_bounds> ", format(x), ", to find with this share of the loss"),
    paste0("  ", declared_is_better),
    sep = "\n"
  )
  invisible(x)
}

# Checks bounds of a column ------------------------------------------------------------------------

# Sorted lower and upper bound of a column. They are whole for whole types, because no value lies
# between a bound and the next whole number inside.
check_range <- function(rng, varType, call = rlang::caller_env()) {
  if (varType == "logical") {
    return(c(0, 1))
  }
  refuse_bounds(rng, call)
  what <- "two finite numbers, lower and upper bound"
  if (!is_numbers(rng) || length(rng) < 2 || is.matrix(rng)) {
    stop_argument(what, name_public(rng), "rng", call)
  }
  if (!all(is.finite(rng))) stop_argument(what, name_public(rng), "rng", call)
  if (length(rng) > 2) {
    warn_dp("`rng` has {length(rng)} values. Its lowest and highest are used.", "range",
      call = call
    )
  }
  rng <- inward(c(min(rng), max(rng)), varType)
  if (rng[[1]] >= rng[[2]]) {
    stop_argument("two bounds with room for different values", name_public(rng), "rng", call)
  }
  if (!is.finite(diff(rng))) stop_argument(what, "numbers infinitely far apart", "rng", call)
  rng
}

#' Check losses and ranges
#'
#' Check losses and ranges as the statistics do, for code that builds on them. They read no data.
#'
#' @param epsilon (`numeric`) Losses, each above 0. Losses of 3 or more give a warning.
#' @param expectedLength (whole number) Required number of values or pairs.
#' @param rng A pair of bounds. For several a list of pairs, or a matrix with one in each row.
#' @param varType (`character(1)`) `"numeric"`, `"integer"` or `"logical"`, whose range is 0 to 1.
#' @param rngFormat (`character(1)`) `"vector"` for one pair, `"list"` or `"matrix"` for several,
#'   which mean the same.
#' @param emptyOkay (`logical(1)`) Whether a range may be missing.
#' @returns `checkEpsilon()` returns `epsilon`. `checkRange()` returns `rng` in order, a pair or a
#'   list of pairs. From more than two values it takes the lowest and the highest, with a warning. A
#'   missing range gives `NULL`. A range with a missing end also gives `NULL`, with a warning.
#' @section Errors: `dp_error_invalid_argument` for anything else.
#' @examples
#' checkEpsilon(c(1, 0.1), expectedLength = 2)
#' checkRange(c(1, 0), "numeric")
#' checkRange(rbind(c(0, 1), c(2, 5)), "numeric", "list", expectedLength = 2)
#' @export
checkEpsilon <- function(epsilon, expectedLength = 1) {
  check_numbers(epsilon)
  if (length(epsilon) != check_positive_whole(expectedLength)) {
    stop_argument(paste("of length", expectedLength), "of another", "epsilon", rlang::current_env())
  }
  check_epsilon(max(epsilon))
  epsilon
}

#' @rdname checkEpsilon
#' @export
checkRange <- function(rng, varType, rngFormat = "vector", expectedLength = 1, emptyOkay = FALSE) {
  call <- rlang::current_env()
  varType <- check_name(varType, statistic_types)
  check_flag(emptyOkay)
  check_one <- function(rng) check_range_unless_empty(rng, varType, emptyOkay, call)
  if (check_name(rngFormat, c("vector", "list", "matrix")) == "vector") {
    return(check_one(rng))
  }
  count <- check_positive_whole(expectedLength)
  pairs <- if (varType == "logical") rep(list(NULL), count) else
    pairs_of_columns(rng, count, "rng", call)
  lapply(pairs, check_one)
}

check_range_unless_empty <- function(rng, varType, emptyOkay, call) {
  if (varType == "logical" || !emptyOkay || !(is.null(rng) || anyNA(rng))) {
    return(check_range(rng, varType, call))
  }
  if (!all(is.na(rng))) {
    warn_dp("`rng` has a missing end, and counts as missing.", "range", call = call)
  }
  NULL
}

#' What bounds of a mean cost, on public data
#'
#' Shows how far clamping moves the mean of public data, and how large the noise is, for each choice
#' of bounds. Nothing is private here: use public data only, such as data of an earlier year or
#' made-up values.
#'
#' @param public_data (`numeric`) Public values. Missing ones are left out.
#' @param rng (`numeric(2)` or `list`) Bounds, or several pairs of them.
#' @param epsilon (`numeric`) One or more losses of a release of [dpMean()].
#' @param n (whole number) Number of rows in the data that you will release from. The default is the
#'   length of `public_data`.
#' @returns A data frame with a row for each pair of bounds and loss. Its columns are `lower`,
#'   `upper`, `epsilon`, `clamped` (share of values outside), `bias` (of the mean of clamped
#'   values), `noise` (standard deviation of the noise in [dpMean()]) and `rmse` (root of the sum of
#'   squared bias and squared noise).
#' @section Errors: `dp_error_invalid_argument` for invalid arguments.
#' @seealso [dpBounds()]
#' @examples
#' clippingBias(PUMS5extract10000$income, list(c(0, 1e5), c(0, 75e4), c(0, 1e7)), c(0.1, 1))
#' @export
clippingBias <- function(public_data, rng, epsilon, n = length(public_data)) {
  call <- rlang::current_env()
  if (!is_numbers(public_data)) {
    stop_argument("numbers", describe(public_data), "public_data", call)
  }
  values <- public_data[is.finite(public_data)]
  if (length(values) == 0) stop_argument("one number or more", "none", "public_data", call)
  pairs <- lapply(if (is.list(rng)) rng else list(rng), check_range, "numeric", call)
  check_numbers(epsilon, arg = "epsilon", call = call)
  n <- check_whole(n, min = 1, arg = "n", call = call)
  rows <- lapply(pairs, function(pair) {
    bias <- mean(within_bounds(values, pair[[1]], pair[[2]])) - mean(values)
    noise <- sqrt(2) * diff(pair) / (n * epsilon)
    data.frame(
      lower = pair[[1]], upper = pair[[2]], epsilon = epsilon,
      clamped = mean(values < pair[[1]] | values > pair[[2]]), bias = bias, noise = noise,
      rmse = sqrt(bias^2 + noise^2)
    )
  })
  do.call(rbind, rows)
}
