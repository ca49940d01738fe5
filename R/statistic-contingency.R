#' Differentially private contingency table
#'
#' Plans releases of a contingency table: the number of rows with each combination of levels of
#' several columns, or some margins of this table. Building the plan checks the arguments,
#' calibrates the noise and reads no data. Each call of `release()` spends `epsilon` on all counts
#' together.
#'
#' The number of rows `n` is public, and two datasets are neighbours if one row of one is replaced
#' in the other. The levels are public. Every combination is released, including empty cells.
#'
#' By position, the arguments are `variables, levels, margins, n, epsilon`, as in earlier versions.
#'
#' @inheritParams dpMean
#' @param variables (`character`) Names of the columns, two or more. None can be `"count"`.
#' @param levels (`list`) Public levels of each column, 2 to 1000, named after the columns or in the
#'   order of `variables`. Use texts for a text column or a factor, and numbers for a numeric or
#'   logical column. All tables together can have at most a million cells.
#' @param margins (`list` of `character`) Margins to release, each with the names of its columns:
#'   `list(c("sex", "educ"), "age")`. `NULL` means the table of all columns.
#' @param mechanism (`character(1)`) `"mechanismLaplace"`, in any letter case.
#' @param alpha (`numeric(1)`) Probability that the noise of a count exceeds its `accuracy`.
#' @param missing (`character(1)`) Rule for values that are missing, or not among the `levels`.
#'   `"drop"`, the default, counts them in a further level `NA` of each column. `"impute"` replaces
#'   them by one of the levels, all equally likely. Use it only if very few values are missing,
#'   because such draws do not depend on other columns.
#' @param other (`logical(1)`) Whether to call the further level `(other)`, for any `missing`.
#' @param ... Not used: an argument with another name raises an error.
#' @returns An R6 object of class `dpContingency`, with the methods of [dpMean()] and these fields:
#'   `mechanism`, `name`, `variable` and `variables`, `varType` (`"factor"`), `levels`, `margins`,
#'   `design` (the tables that are counted: `"table"` or `"margins"`), `n`, `epsilon`, `delta` (0),
#'   `alpha`,
#'   `accuracy` (of a count, or a number for each of `margins`), `missing`, `other`, `input_metric`,
#'   `d_in`, `measurement`, `rng`, `rngFormat` and `imputeRng` (`NULL`: there is no range), and
#'   `result`, a [dp_result] with
#'
#' * `release`: a data frame with a row for each cell, a factor for each column and the noisy
#'   `count`, which can be negative. With `margins`, a list of such data frames, named after their
#'   columns.
#' * `counts`: in the form of `release`, the nearest counts that are not negative and add up to `n`.
#'   Margins also agree on their common margins. Over all cells of a single table these counts are
#'   at least as accurate as the noisy counts, in every release.
#' * `table`: the noisy table of all columns, if it was counted for `margins`.
#' * `variable`, `accuracy`, `epsilon`, `design`.
#'
#'   `as.table(result)` is a table of the `counts`, as [table()] makes it. With several margins,
#'   choose one with `margin`, a number or name. `as.data.frame(result)` has intervals. They reach
#'   `accuracy` around the noisy count, within 0 to `n`, and always include the count in `counts`.
#' @section How it works: One replaced row moves two counts of a table by one. So discrete Laplace
#'   noise of scale 2 / epsilon on all counts loses epsilon. For margins, two designs are compared
#'   by the sum of the variances of all requested counts, which is public. The smaller one is used:
#'
#'   * `"table"`: all K cells of the table are counted once, and margins are sums of these. For m
#'     margins the sum is 8 K m / epsilon^2.
#'   * `"margins"`: each margin, with c cells, is counted with a share of epsilon in proportion to
#'     c^(1/3). This share minimizes the sum, which is 8 (sum of c^(1/3))^3 / epsilon^2.
#'
#'   For several margins, `counts` are fitted by least squares, weighted by the inverse of their
#'   variances, so that they agree on their common margins and on `n`. Alternating projections
#'   (Dykstra's algorithm) then remove negative counts, until the margins agree to a millionth of a
#'   row. If the columns of one margin are part of another's, the smaller margin comes first. The
#'   larger one must add up to it, so its empty cells do no harm.
#' @section Errors: See [statistic_errors].
#' @section Warnings: `dp_warning_large_epsilon`. `dp_warning_noise` (the accuracy is as large as
#'   the mean count over all tables).
#' @references Dwork, McSherry, Nissim and Smith (2006), *Calibrating Noise to Sensitivity in
#'   Private Data Analysis*. Barak, Chaudhuri, Dwork, Kale, McSherry and Talwar (2007), *Privacy,
#'   Accuracy, and Consistency Too: A Holistic Solution to Contingency Table Release*. Hay, Rastogi,
#'   Miklau and Suciu (2010), *Boosting the Accuracy of Differentially Private Histograms Through
#'   Consistency*. Boyle and Dykstra (1986), *A Method for Finding Projections onto the Intersection
#'   of Convex Sets in Hilbert Spaces*.
#' @seealso [dp_association()] for a test of independence and Cramer's V, [dpHistogram()] for one
#'   column
#' @examples
#' plan <- dpContingency(c("sex", "educ"), list(sex = c(0, 1), educ = 1:16),
#'   n = 10000, epsilon = 1
#' )
#' result <- plan$release(PUMS5extract10000)
#' head(result$release)
#' as.table(result)
#' dp_association(result)
#'
#' # Two margins of three columns.
#' pairs <- dpContingency(c("sex", "married", "educ"), list(c(0, 1), c(0, 1), 1:16),
#'   margins = list(c("sex", "married"), c("married", "educ")), n = 10000, epsilon = 1
#' )
#' pairs$design
#' as.table(pairs$release(PUMS5extract10000), "sex:married")
#' @export
dpContingency <- new_statistic("dpContingency", "Contingency table of several columns",
  "a contingency table",
  arguments = function(variables, levels, margins = NULL, n, epsilon,
                       mechanism = "mechanismLaplace", alpha = 0.05, n_check = "error",
                       missing = c("drop", "impute"), other = FALSE) {
  },
  required = c("variables", "levels", "n", "epsilon"),
  takes = list(
    variables = column_names(2), levels = levels_of("variables"),
    margins = margins_of("variables"), epsilon = loss_of_release(), other = flag()
  ),
  plan = function(...) plan_contingency(...),
  fields = contingency_fields,
  numbers = c("n", "variables", "levels"), others = c("n", "variables", "levels"),
  other_types = c("logical", "character", "factor")
)

plan_contingency <- function(args, call) {
  check_contingency(args, call)
  sizes <- stats::setNames(lengths(args$levels) + has_gap_level(args), args$variables)
  design <- table_design(sizes, args, call)
  measurement <- with_features("contrib", tables_measurement(args, sizes, design))
  shown <- args$margins %||% list(args$variables)
  own <- list(
    name = paste("table of", toString(args$variables)), variable = args$variables,
    varType = "factor", design = if (design$apart) "margins" else "table", delta = 0,
    accuracy = table_accuracy(shown, sizes, design, args$alpha),
    input_metric = measurement("input_metric"), d_in = protected_rows, measurement = measurement
  )
  fields <- c(own, args)[contingency_fields]
  names(fields) <- contingency_fields
  new_plan(fields, contingency_describer(fields, sizes, design),
    read = reads_levels(args$levels), class = "dp_contingency_result",
    within = "the noise of a count is no larger", span = args$n,
    noise_dominates = all(fields$accuracy * cells_in(shown, sizes) >= args$n),
    model = list(
      noise = list(sets = design$sets, sizes = sizes, epsilon = design$epsilon),
      gap_level = has_gap_level(args)
    ),
    covers = c(accuracy = target_of$rows), call = call
  )
}

has_gap_level <- function(args) args$other || drops_missing(args)

check_contingency <- function(args, call) {
  if ("count" %in% args$variables) {
    stop_argument("other names than \"count\"", "that", "variables", call)
  }
}
