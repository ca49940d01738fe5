#' Bounds that a statistic finds by itself
#'
#' What a statistic takes as `rng` where nobody knows the range of its column: it spends a share of
#' its loss on bounds, as [dpBounds()] finds them, and the rest on what it releases within these.
#' Both are one release, whose loss is the `epsilon` or `rho` of the statistic.
#'
#' **Bounds that are declared are usually better**, even if they are three times too wide, and at
#' some losses ten times: noise grows with the width of declared bounds, and a larger loss makes up
#' for it; what found bounds cut off is lost. Of the mean of 10,000 incomes in a census, all of them
#' counted in full, the root of the mean squared error at `epsilon` .1, .5, 1 and 5 was 1061, 212,
#' 106 and 21 with 0 and 750000 declared, ten times as much with 0 and 7500000, and 6451, 2159, 737
#' and 66 with bounds found (1000 releases, `smallest = 1`, `sides = "positive"`). And once in 1 /
#' `beta` releases an empty cell makes bounds that are far too wide, which these leave out.
#' Use this where no codebook, law or year before says anything.
#'
#' It is the `rng` of [dpMean()], [dpVariance()], [dpQuantile()], [dpMedian()], [dpQuantiles()],
#' [dpHistogram()] with `nBins`, [dpTree()], and [dpMeanDifference()] without `groupSizes`; and of
#' [dpCovariance()], [dpCorrelation()], [dpPCA()], [dpLM()], [dpGLM()], [dpNaiveBayes()] and
#' [dpKMeans()] any of the list of ranges, but for those of terms and of weights. Each has a share
#' of its own, so that all shares together are below 1. The `varType` is `"numeric"` or `"integer"`.
#' A [dpSampleAndAggregate()] refuses it: release a [dpBounds()] before, and declare what it finds.
#'
#' @param share (`numeric(1)`) Part of the loss that finds the bounds, above 0 and below 1. A tenth
#'   is too little at an `epsilon` of 1 or less: what the threshold cuts off then is more than the
#'   noise that is saved.
#' @inheritParams dpBounds
#' @returns An object of class `dp_bounds`, a list of its arguments, which prints. It holds no data.
#' @section How it works: The loss is split into `share` of it, that of each column of which bounds
#'   are to be found, and the rest. The first parts pay for counts of rows by order of magnitude, of
#'   which those above a threshold give the bounds: see [dpBounds()]. The threshold is 2 / (`share`
#'   epsilon) log(K / (2 `beta`)) rows, K the number of cells; of Gaussian noise its quantile 1 -
#'   `beta` / K. The rest pays for the statistic, which is planned at the bounds found, and these
#'   alone: of whole numbers they are the next whole ones outside. The measurement of the statistic
#'   is [make_adaptive_composition()] of these losses. Its map is what is reported, and spent,
#'   whatever is found. It says what one replaced row loses; of more rows it is refused.
#'
#'   A statistic is planned at the widest range that may be found first, when it is built: what it
#'   refuses there it refuses at once. `accuracy`, `sens`, `sigma`, and cells or candidates of the
#'   object are `NA` or `NULL`, as they follow from the bounds; a result has its own. Missing values
#'   are drawn from the bounds found, so there is no `imputeRng`. `noiseDominates` says, from
#'   public numbers alone, that the noise is as wide as the widest range, which hardly ever differs
#'   from one range to the next, or that the threshold is above `n`, so that no bound can be found.
#' @section Results: A result has the elements `bounds`, a data frame of `lower`, `upper` and
#'   `threshold`: about so many rows may lie outside at either end; of statistics of several columns
#'   with a row for each range that was to be found, and its `column`. And `status`: `"ok"`, or that
#'   of the statistic; `"not found"` if no order of magnitude of a column had enough rows;
#'   `"refused"` if the statistic cannot be planned at the bounds found. In these two cases
#'   `release` is `NA`, and the loss is spent.
#' @section Intervals: Bounds that are found follow from the same rows, so a guarantee for declared
#'   bounds does not hold for them. About `threshold` rows at either end are moved into the bounds,
#'   and no public number says how far. For a mean, a variance, a correlation or a coefficient of
#'   the population no interval with a proof can count that, so there is none: no
#'   `populationInterval`, no standard error, no `confint()` and no `vcov()`. `interval =
#'   "population"`, `vcov = "sandwich"` and the `inference` of [dpGLM()] raise an error beside
#'   `bounds()`. For these, declare the bounds.
#'
#'   Two kinds of intervals remain. Those of the noise are for the rows, moved into the bounds
#'   found, because the noise is independent of the bounds: `interval` of [dpMean()] and
#'   [dpVariance()], the `accuracy` of [dpCovariance()], and the counts of [dpHistogram()] and
#'   [dpTree()]. And `interval = "population"` of [dpQuantile()], [dpMedian()] and [dpQuantiles()]
#'   is for the population: ranks do not depend on how far rows were moved. If no edge within the
#'   bounds is an end of it, the end is that of the widest range that may be found, `largest` or 0.
#' @section Warnings: `dp_warning_noise` (`noiseDominates`), and those of the statistic.
#' @section Errors: `dp_error_invalid_argument` for arguments that are not as above.
#' @references Wilson, Zhang, Lam, Desfontaines, Simmons-Marengo and Gipson (2020), *Differentially
#'   Private SQL with Bounded User Contribution*, for the counts; Dwork and Roth (2014), *The
#'   Algorithmic Foundations of Differential Privacy*, Theorem 3.16, for the sum of the two losses.
#' @seealso [dpBounds()] for bounds alone, [clippingBias()] for what bounds cost.
#' @examples
#' mean_income <- dpMean(
#'   variable = "income", n = 10000, rng = bounds(sides = "positive"), epsilon = 1
#' )
#' mean_income
#' mean_income$release(PUMS5extract10000)
#' @export
bounds <- function(share = 0.25, base = 2, smallest = 2^-10, largest = 2^40, sides = "both",
                   beta = 1e-4) {
  call <- rlang::current_env()
  given <- list(
    share = share, base = base, smallest = smallest, largest = largest, sides = sides, beta = beta
  )
  checked <- checked_arguments(given, kinds_of_bounds, call)
  magnitude_cells(checked, call)
  structure(checked, class = "dp_bounds")
}

kinds_of_bounds <- c(list(share = share()), kinds_of_magnitudes)

# Whether a range is what bounds() makes. A plan that was written to a file has no classes.
asks_for_bounds <- function(rng) {
  is.list(rng) && (inherits(rng, "dp_bounds") || setequal(names(rng), names(kinds_of_bounds)))
}

# Which of several ranges are what bounds() makes.
places_to_find <- function(rng) {
  if (is.list(rng)) which(vapply(unname(unclass(rng)), asks_for_bounds, NA)) else integer()
}

# Whether any is.
is_to_find <- function(rng) asks_for_bounds(rng) || length(places_to_find(rng)) > 0

# As bounds() makes it: an object can be edited after it was made.
checked_bounds <- function(rng, call) {
  or_else(do.call(bounds, unclass(rng), quote = TRUE), function(error) {
    stop_argument("two finite numbers, or what bounds() makes", describe(rng), "rng", call)
  })
}

# Of a statistic, or of arguments, with which there are none.
refuse_bounds <- function(rng, call) {
  if (asks_for_bounds(rng)) {
    stop_argument("declared here",
      "bounds(): release a dpBounds() before, and declare what it finds", "rng", call
    )
  }
}

declared_is_better <-
  "Declared bounds, even 3 times too wide, are usually better: what found ones cut off is lost"

# What is as usual needs no mention, but for the share.
#' @export
format.dp_bounds <- function(x, ...) {
  usual <- lapply(formals(bounds), eval)
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
