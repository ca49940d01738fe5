#' Differentially private mean
#'
#' `dpMean()` plans a release of the mean of one column. Building the plan checks the arguments and
#' chooses the noise without reading data. Each call of `release()` spends `epsilon`, or `rho`.
#'
#' The number of rows `n` is public. If it must stay secret, use a query, see [dp_tbl()].
#' Neighbouring datasets differ in one replaced row. With probability `1 - alpha`, the release is
#' within `accuracy` of the mean of the data as used: values are clamped to `rng`, and rows without
#' a value are dropped (or imputed, on request). `interval` does not cover sampling error or the
#' bias from clamping.
#'
#' @param mechanism (`character(1)`) Noise mechanism, public, in any letter case:
#'   `"mechanismLaplace"`, `"mechanismSnapping"` or `"mechanismGaussian"`. Snapping rounds and
#'   clamps a release more coarsely, see [snappingParams()]. If you give `rho` or `delta`, the noise
#'   is Gaussian.
#' @param varType (`character(1)`) Type of the column, public: `"numeric"`, `"integer"` (values
#'   outside the 64-bit range are treated as missing) or `"logical"` (0 and 1, `FALSE` and `TRUE`).
#'   See `conversion`.
#' @param variable (`character(1)`) Name of the column, public.
#' @param n (whole number) Number of rows, public.
#' @param rng (`numeric(2)`) Lower and upper bound of the values, public, in the unit of the column
#'   and in either order. Values outside are clamped. Do not take the bounds from the data: if you
#'   know none, [bounds()] spends a share of the loss to find them. A logical column needs no
#'   bounds.
#' @param sens (`NULL`) Placeholder for positional calls. The sensitivity follows from `rng` and
#'   `n`.
#' @param epsilon (`numeric(1)`) Privacy loss of one release, above 0. Values of 3 and more give a
#'   warning.
#' @param accuracy (`numeric(1)`) Target accuracy, in the unit of the column. Give it instead of
#'   `epsilon`.
#' @param imputeRng (`numeric(2)`) Range of the uniform draws that replace missing values, if
#'   `missing = "impute"`. The default is `rng`. If a share m is missing, imputation biases the mean
#'   by m x (midpoint of `imputeRng` - true mean).
#' @param alpha (`numeric(1)`) Probability that the noise exceeds `accuracy`.
#' @param nBoot (whole number) Ignored, for old scripts. There is no bootstrap.
#' @param gamma (`numeric(1)`) Probability that `"mechanismSnapping"` clamps a release.
#' @param ... Not used. Unknown arguments raise an error.
#' @param n_check (`character(1)`) Rule for data whose number of rows differs from `n`. With
#'   `"error"`, `release()` raises an error. With `"resize"`, it drops rows at random or adds rows
#'   without a value. If these are imputed, they move the release to the middle of `imputeRng`.
#' @param missing (`character(1)`) Rule for missing values. `"drop"` releases the mean of the rows
#'   with a value, from their noisy sum and noisy count. `"impute"` draws values from `imputeRng`.
#'   Imputation is only right if almost nothing is missing. Some intervals then have less noise. The
#'   default is `"impute"` if you give `imputeRng`, and `"drop"` otherwise. `"mechanismSnapping"`
#'   needs `"impute"`.
#' @param interval (`character(1)`) Kind of confidence interval. `"population"` adds an interval for
#'   the mean of the population, which covers sampling error and noise. For Laplace and Gaussian
#'   noise it costs no accuracy unless rows are dropped. `"noise"` or `NULL` does not add it.
#' @param rho (`numeric(1)`) Privacy loss of one release in zero-concentrated differential privacy,
#'   above 0. Give it instead of `epsilon`: the noise is then Gaussian.
#' @param delta (`numeric(1)`) Probability bound that makes the noise Gaussian: one release then
#'   loses `epsilon` and `delta`. Above 0 and below 1 / `n`.
#' @param conversion (`character(1)`) Rule that converts numbers to values of `varType` `"integer"`
#'   or `"logical"`. `"round"` rounds to the nearest whole number, and ties to the even one, as
#'   queries do. In a logical column, numbers other than 0 and 1 are then missing. `"truncate"` cuts
#'   off fractions, and clamps the numbers of a logical column to 0 and 1. Plans that were saved
#'   before this argument existed use `"truncate"`, and so does the field `measurement`.
#' @returns An R6 object of class `dpMean`. You can read all its fields, but not change them.
#'
#' Methods:
#' * `$release(data)`: releases the statistic, keeps the result and returns it. `data` is a data
#'   frame with one plain column `variable` of type logical, integer or double. Names, types and
#'   classes of columns are public. Their values are private.
#' * `$getFields()`: returns all fields as a list.
#' * `$copy()`: returns a separate object with the same plan and result. Copies release
#'   independently, even if they are saved and loaded, and their losses add up.
#'
#' Fields:
#' * `result`: the last result, a [dp_result], or `NULL` before the first release. It has the
#'   elements `release`, `variable`, `accuracy`, `epsilon` and `interval`. `accuracy` is the
#'   distance from `release` to the more distant end of `interval`, because the interval of rows
#'   with a value is not symmetric. A logical column adds `stdDev`, `median` and `histogram` (counts
#'   of 0 and 1), computed from the release clamped to 0 and 1. `interval = "population"` adds
#'   `populationInterval`, `populationAlpha` (equal to `alpha`) and `standardError`, which covers
#'   sampling and noise. Unless the column is logical, it also adds `variance`, an estimate of the
#'   population variance. Noise can make it negative.
#' * `measurement`: the chain that releases, a [measurement][framework_objects].
#' * `input_metric`, `d_in`: the unit of privacy, one row in change-one distance.
#' * `sens`: sensitivity of the mean to one row, the width of `rng` / `n`.
#' * `epsilon`, `delta`, `accuracy`, `alpha`: loss of one release, its accuracy, and the probability
#'   of missing it. `delta` is 0 unless the noise is Gaussian.
#' * `rho`, `sigma`: for Gaussian noise, the loss in rho and the standard deviation of the noise. If
#'   you give `rho`, `epsilon` is `NA`. `sigma` is in the unit of the release. If moments are
#'   released, it is the standard deviation on each moment, in half-widths.
#' * `noiseDominates`: `TRUE` if `accuracy` is larger than the range of the release, so that a
#'   release is almost uninformative.
#' * Other fields hold the arguments in canonical form.
#' @section Missing values: Plans drop rows without a value, unless you choose what to impute. Then
#'   `accuracy` of the object applies to a column without gaps. `accuracy` of the result is the
#'   distance from the release to the end of its `interval`. `result` also has `nPresent`, the noisy
#'   count, `share_missing`, and `status`. The status is `"ok"`, or `"few"` if the noise hides how
#'   many values are left. `release` is then `NA`. See [missing_values].
#' @section Interval for the population: See [population_intervals].
#' @section Gaussian noise: See [gaussian_noise]. D is R / n for a range of width R. With
#'   `missing = "drop"` or an interval for the population, three numbers are released: the sum of
#'   u, the sum of its squares, and the count of dropped rows. Each has noise of standard deviation
#'   2 / sqrt(2 rho), because sum and squares together move by no more than the sum.
#' @section How it works: The measurement resizes the data to `n` rows: it drops rows at random, or
#'   adds missing ones. It then imputes, clamps, and rounds each value to a public grid, adds the
#'   integers exactly, and adds discrete Laplace noise. So a wrong `n` costs accuracy but never
#'   privacy. The release is a multiple of a public power of two, divided by `n`. `release()` passes
#'   exactly `n` rows unless `n_check` is `"resize"`. The field `measurement` accepts any number.
#' @section Errors: See [statistic_errors].
#' @section Warnings: `dp_warning_large_epsilon`, `dp_warning_noise` (`noiseDominates`),
#'   `dp_warning_range` (more than two values), `dp_warning_impute_range` (beyond `rng`, or for a
#'   logical column).
#' @references Dwork, McSherry, Nissim and Smith (2006), *Calibrating Noise to Sensitivity in
#'   Private Data Analysis*. Mironov (2012), *On Significance of the Least Significant Bits for
#'   Differential Privacy*.
#' @seealso [statistics] for a list of questions and statistics, [gaussian_noise],
#'   [population_intervals], [missing_values]
#' @examples
#' mean_income <- dpMean("income", n = 10000, rng = c(0, 750000), epsilon = 0.1)
#' mean_income$accuracy
#' mean_income$release(PUMS5extract10000)
#' @export
dpMean <- new_statistic("dpMean", "Mean of a column", "a mean, a share of rows",
  arguments = function(mechanism = "mechanismLaplace", varType = "numeric", variable, n,
                       rng = NULL, sens = NULL, epsilon = NULL, accuracy = NULL, imputeRng = NULL,
                       alpha = 0.05, nBoot = 20, gamma = 0.05, ..., n_check = "error",
                       missing = c("drop", "impute"), interval = NULL, rho = NULL, delta = NULL) {
  },
  required = c("variable", "n", "rng", "epsilon"),
  or = list(epsilon = c("accuracy", "rho")),
  takes = list(
    mechanism = one_of(c(snapping_mechanisms, gaussian_mechanism)),
    sens = derived_from("`rng` and `n`"), nBoot = whole_number(min = 1), interval = interval_kind()
  ),
  plan = function(...) plan_mean(...),
  fields = c(common_fields, "missing", "nBoot", "snapping", "interval", gaussian_fields),
  numbers = c("n", "range"), others = c("n", "range")
)

plan_mean <- function(args, call) {
  args <- with_mechanism(args, call)
  snapping <- snapping_of(args$mechanism, args$rng[[1]], args$rng[[2]], args$gamma)
  sens <- diff(args$rng) / args$n
  alpha <- noise_alpha(args$mechanism, args$alpha)
  loss <- noise_loss(args, sens, alpha, call)
  args$interval <- args$interval %||% "noise"
  own <- list(nBoot = args$nBoot, snapping = snapping, interval = args$interval)
  plan_moment("mean", args, loss, sens, own, mean_way(args, loss$limit), diff(args$rng), call,
    covers = c(populationInterval = target_of_moment(args))
  )
}

# A share has no values that bounds could move.
target_of_moment <- function(args) {
  if (args$varType == "logical") target_of$population else target_of$moved
}

# Results of a mean --------------------------------------------------------------------------------

# The second moment is free if all rows count.
mean_way <- function(args, limit) {
  if (drops_missing(args)) {
    moments_of_present(args, limit, knows_spread(args), mean_weight, present_mean)
  } else if (knows_spread(args)) {
    moments_of_rows(args, limit, mean_of_moments)
  } else {
    chain_of_rows(args, limit, mean_chain, mean_result)
  }
}

# Weight of the count, if squares are released with a mean.
mean_weight <- 2

# TRUE if squares are released. The spread of a share follows from the share, so it needs none.
knows_spread <- function(fields) fields$interval == "population" && fields$varType != "logical"

mean_result <- function(release, fields) {
  c(
    interval_result(release, fields),
    if (fields$varType == "logical") share_result(release, fields$n),
    if (fields$interval == "population") population_of_share(release, fields)
  )
}

mean_of_moments <- function(release, fields) {
  means <- release / fields$n
  c(
    interval_result(on_lattice(mean(fields$rng) + means[[1]], fields$rng), fields),
    if (is_gaussian(fields)) {
      population_of_present(complete_moments(release, fields), fields)
    } else {
      population_of_mean(means[[1]], means[[2]], fields)
    }
  )
}

# A mean that is released alone is also a multiple of this step.
on_lattice <- function(x, rng) {
  step <- 2^lattice_exponent(rng)
  round(x / step) * step
}

# Noise can move a released share outside [0, 1]. A share of rows lies inside.
share_result <- function(release, n) {
  share <- min(max(release, 0), 1)
  ones <- round(n * share)
  list(
    stdDev = sqrt(share * (1 - share)),
    median = if (share < 0.5) 0 else 1,
    histogram = data.frame(`0` = n - ones, `1` = ones, check.names = FALSE)
  )
}
