#' Differentially private correlation matrix
#'
#' Plans releases of Pearson's correlations between several columns, with intervals that cover noise
#' and sampling. Building the plan checks the arguments, calibrates the noise and reads no data.
#' Each call of `release()` spends `epsilon` on all correlations together.
#'
#' The number of rows `n` is public, and two datasets are neighbours if one row of one is replaced
#' in the other. Rows are used as in [dpCovariance()]: clamped, imputed, `n` of them.
#'
#' @inheritParams dpLM
#' @param mechanism (`character(1)`) `"mechanismLaplace"`, in any letter case.
#' @param columns (`character`) Names of the columns, two or more.
#' @param n (whole number) Public number of rows, 2 or more.
#' @param rng (`list`) Public bounds of each column: pairs, or a matrix with a row for each. Name
#'   them after the columns, or use the order of `columns`. Logical columns need none. If you do not
#'   know a pair, give [bounds()] instead.
#' @param imputeRng (`list`) With `missing = "impute"`: for each column, the range that missing
#'   values are drawn from. `NULL`, for all columns or for one, means `rng`.
#' @param missing (`character(1)`) Rule for missing values. `"drop"` uses the rows that have a value
#'   in all of `columns`. `"impute"` draws values, see `imputeRng`. Use it only if very few values
#'   are missing, because draws for one column do not depend on the others. The default is `"drop"`,
#'   or `"impute"` if you give `imputeRng`.
#' @param law (`character(1)`) Assumption of intervals about the population. `"any"` (also `NULL`)
#'   allows any columns within `rng`. `"normal"` needs normal columns. Intervals for `"normal"` are
#'   narrower, and cover too seldom if columns are skewed or have heavy tails.
#' @param ... Not used: an argument with another name raises an error.
#' @returns An R6 object of class `dpCorrelation`, with the methods of [dpMean()] and these fields:
#'   `mechanism`, `name`, `variable` and `columns`, `varType`, `n`, `epsilon`, `delta` (0), `rng`,
#'   `rngFormat`, `alpha`, `accuracy` (`NA`: it depends on the data), `imputeRng`, `missing`,
#'   `law`, `input_metric`, `d_in`, `measurement` and `result`, a [dp_result] with
#'
#' * `release`: a data frame with a row and a column for each of `columns`, from -1 to 1.
#' * `variable`, `accuracy`, `epsilon`.
#' * `intervals`: a matrix with a row for each pair of columns, also from
#'   [confint()][statistic_models]. An interval is for the correlation in the population that the
#'   rows were drawn from. It goes from -1 to 1 if the release says nothing.
#' * `status`: `"ok"`, `"repaired"` or `"noise"`. With `"repaired"`, noise hid part of the
#'   covariance matrix, which was raised, and correlations may be nearer to 0. With `"noise"`, the
#'   variance of a column is below three standard deviations of its noise. Then its correlations are
#'   `NA`, but their intervals are valid.
#' @section How it works: One joint release measures the sums and sums of products of all columns,
#'   as in [dpCovariance()]. Eigenvalues of their covariance matrix below 0 are raised to 0, and the
#'   matrix is scaled to correlations.
#'
#'   An interval contains all correlations that a test does not reject. Let rho be the population
#'   correlation, and take the variances of the rows as given. Then the released covariance minus
#'   rho times the root of the product of these variances has two errors. One is a known sum of the
#'   moments' Laplace noise. The other is a normal sampling error of variance 1 / (n - 3) on
#'   Fisher's scale, z = atanh(r). The test keeps rho if this error is not surprising for some
#'   variances that are possible given the noise, from almost nothing to the largest. So intervals
#'   have their coverage even if noise is as large as a variance, and every release has one. Leaving
#'   intervals out would depend on the noise, and the remaining ones would cover too seldom. If
#'   noise is small, they are Fisher's intervals, widened by the first-order effect of noise on a
#'   correlation.
#'
#'   This describes sampling of normal columns, `law = "normal"`. By default sampling has the
#'   largest variance that columns within `rng` allow. With z and w two columns in standard
#'   deviations, a correlation is off by the mean of `z w - rho (z^2 + w^2) / 2`. If a row is at
#'   most b and c standard deviations from the means, its mean square has two upper bounds:
#'   `(1 - rho^2) (b + c)^2 / 4`, and the square of
#'   `min(b, c) sqrt(1 - rho^2) + |rho| / 2 sqrt(min(b^2 + c^2, 2 (1 - |rho|) (b + c)^2))`.
#'   Such intervals are conservative. In the census extract they are three times as wide as for
#'   `"normal"`. Choose tight bounds.
#'
#'   If [bounds()] finds a range, there are no intervals: see there.
#' @section Missing values: With `missing = "drop"` only complete rows enter the moments. Their
#'   count is released too. `result` also has `nPresent` (the noisy count) and `share_missing`.
#'   `status` is `"few"` if so few rows are left that the noise hides their number. Then all
#'   correlations are `NA`, and all intervals go from -1 to 1.
#' @section Errors: See [statistic_errors].
#' @section Warnings: `dp_warning_large_epsilon`, `dp_warning_noise`, `dp_warning_range`,
#'   `dp_warning_impute_range`.
#' @references Dwork, McSherry, Nissim and Smith (2006), *Calibrating Noise to Sensitivity in
#'   Private Data Analysis*. Fisher (1921), *On the "Probable Error" of a Coefficient of Correlation
#'   Deduced from a Small Sample*.
#' @seealso [dpCovariance()], [dpPCA()]
#' @examples
#' plan <- dpCorrelation(c("income", "age", "educ"),
#'   n = 10000, rng = list(c(0, 200000), c(18, 93), c(1, 16)), epsilon = 1
#' )
#' result <- plan$release(PUMS5extract10000)
#' result$release
#' result
#' @export
dpCorrelation <- new_statistic("dpCorrelation", "Correlation matrix of columns", "correlations",
  arguments = function(columns, n, rng = NULL, epsilon = NULL, mechanism = "mechanismLaplace",
                       varType = "numeric", imputeRng = NULL, alpha = 0.05, n_check = "error",
                       missing = c("drop", "impute"), law = NULL) {
  },
  required = c("columns", "n", "rng", "epsilon"),
  takes = c(joint_kinds(), list(law = law_of_columns())),
  plan = function(...) plan_correlation(...),
  fields = c(correlation_fields, "law"),
  numbers = c("n", "columns", "range"), others = c("n", "columns")
)

covers_of_columns <- function(args) {
  c(intervals = if (args$law == "normal") target_of$normal else target_of$moved)
}

plan_correlation <- function(args, call) {
  args$law <- args$law %||% column_laws[[1]]
  plan_joint(args, args$columns, paste("correlation of", toString(args$columns)),
    c(correlation_fields, "law"), correlation_result, call,
    class = "dp_correlation_result", span = 2, covers = covers_of_columns(args)
  )
}

# S3 method names contain dots.
