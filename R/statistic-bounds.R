#' Differentially private bounds of a column
#'
#' Plans releases of bounds for a column whose range you do not know. The plan measures noisy counts
#' of rows by order of magnitude, and finds how far the rows reach, up to a power of `base`.
#' Building the plan checks the arguments and reads no data. Each call of `release()` spends
#' `epsilon`.
#'
#' If you can declare bounds, that is usually better, even if they are three times too wide. Finding
#' bounds spends budget and cuts off up to `threshold` rows at either end. Noise grows with the
#' width of declared bounds, which a larger `epsilon` offsets. No `epsilon` recovers values that are
#' cut off, see [clippingBias()]. Use this function if you know nothing about the range, with about
#' a quarter of the budget.
#'
#' The number of rows `n` is public, and two datasets are neighbours if one row of one is replaced
#' in the other. Rows without a value are not counted.
#'
#' @inheritParams dpMean
#' @param mechanism (`character(1)`) `"mechanismLaplace"`, in any letter case.
#' @param varType (`character(1)`) `"numeric"` or `"integer"`, see `conversion`.
#' @param base (`numeric(1)`) Ratio between the far ends of neighbouring cells, above 1.
#' @param smallest (`numeric(1)`) Smallest magnitude to resolve, in the unit of the column, above 0.
#'   Values nearer to 0 share one cell.
#' @param largest (`numeric(1)`) Largest magnitude to resolve, up to 2^52. Values farther from 0
#'   count in the last cell.
#' @param sides (`character(1)`) `"both"`, or `"positive"` or `"negative"` if the column has only
#'   such values. One side halves the number of cells and lowers the threshold. Values of the other
#'   sign count in the cell at 0.
#' @param beta (`numeric(1)`) Probability that noise lifts any empty cell above the threshold, which
#'   makes a bound far too wide.
#' @param ... Not used: an argument with another name raises an error.
#' @returns An R6 object of class `dpBounds`, with the methods and fields of [dpMean()] and the
#'   fields `base`, `smallest`, `largest`, `sides`, `beta`, `cells` (a data frame with the ends of
#'   all cells) and `threshold` (in rows). `sens` is the sensitivity of the counts, 2. `result` is a
#'   [dp_result] with `release` (the numbers `lower` and `upper`), `counts`, `threshold`, `status`,
#'   `variable`, `accuracy` and `epsilon`. `counts` is a data frame with the ends and noisy counts
#'   of the cells above the threshold. `status` is `"ok"`, or `"not found"` if no cell is above it:
#'   then the bounds are `NA`, and the budget is spent. With probability `1 - alpha` every cell
#'   below the threshold has at most `accuracy` rows.
#' @section How it works: The cells are `[smallest base^j, smallest base^(j+1))` for j = 0, 1, ...
#'   up to `largest`, their mirror images below 0, and one cell between. Each row counts in one
#'   cell, so one replaced row moves two counts by one. The counts have discrete Laplace noise of
#'   scale 2 / epsilon. A cell is found if its noisy count is above
#'   threshold = 2 / epsilon times log(K / (2 beta)), with K cells in all. The bounds are the ends
#'   of the outermost cells found. accuracy = threshold + 2 / epsilon times log(K / alpha).
#' @section Errors: See [statistic_errors].
#' @section Warnings: `dp_warning_large_epsilon`, `dp_warning_noise` (no cell is large enough to be
#'   found reliably).
#' @references Wilson, Zhang, Lam, Desfontaines, Simmons-Marengo and Gipson (2020), *Differentially
#'   Private SQL with Bounded User Contribution*, for the cells.
#' @seealso [bounds()] for a statistic that finds its bounds within one loss, [clippingBias()] for
#'   the values that bounds cut off, on public data.
#' @examples
#' reach <- dpBounds(
#'   varType = "numeric", variable = "income", n = 10000, epsilon = 0.25, smallest = 1,
#'   sides = "positive"
#' )
#' reach$threshold
#' found <- reach$release(PUMS5extract10000)
#' found$release
#' @export
dpBounds <- new_statistic("dpBounds", "Bounds of a column", "bounds of a column",
  arguments = function(mechanism = "mechanismLaplace", varType = "numeric", variable, n, epsilon,
                       alpha = 0.05, base = 2, smallest = 2^-10, largest = 2^40, sides = "both",
                       beta = 1e-4, n_check = "error") {
  },
  required = c("variable", "n", "epsilon"),
  takes = c(
    list(varType = variable_type(c("numeric", "integer")), epsilon = loss_of_release()),
    kinds_of_magnitudes
  ),
  plan = function(...) plan_bounds(...),
  fields = c(
    common_fields, "base", "smallest", "largest", "sides", "beta", "cells", "threshold"
  ),
  numbers = "n"
)
