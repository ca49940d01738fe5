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
