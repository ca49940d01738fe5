#' Differentially private mean
#'
#' A plan for releases of the mean of one column. Building it checks the arguments, chooses the
#' noise and reads no data; `release()` spends `epsilon`, or `rho`, each time that it is called.
#'
#' The number of rows `n` is public, and two datasets are neighbours if one row of one is replaced
#' in the other. With probability `1 - alpha` a release is within `accuracy` of the mean of the data
#' as used: clamped to `rng`, without the rows that lack a value (or with missing values imputed,
#' if you ask for that). The interval does not include sampling error, nor what clamping cuts off.
#'
#' If the number of rows must stay secret, do not use this: `n` is treated as public.
#'
#' `dpMean(...)` and `dpMean$new(...)` are the same.
#'
#' @param mechanism (`character(1)`) `"mechanismLaplace"`; or `"mechanismSnapping"`, which rounds
#'   and clamps a release more coarsely, see [snappingParams()]; or `"mechanismGaussian"`, which
#'   `rho` or `delta` choose by themselves. In any letter case.
#' @param varType (`character(1)`) `"numeric"`, `"integer"` (values outside the 64-bit range are
#'   treated as missing) or `"logical"` (0 and 1, `FALSE` and `TRUE`); see `conversion`.
#' @param variable (`character(1)`) Name of the column.
#' @param n (whole number) Number of rows, public.
#' @param rng (`numeric(2)`) Public lower and upper bound of the values, in the unit of the column
#'   and in either order; values outside are moved to the nearer one. Not from the data: where
#'   nobody knows any, [bounds()] spends a share of the loss on finding them. Not needed for a
#'   logical column.
#' @param sens Not an argument: the sensitivity follows from `rng` and `n`. It keeps its place for
#'   positional calls and must be `NULL`.
#' @param epsilon (`numeric(1)`) Privacy loss of one release, above 0; 3 and more gives a warning.
#' @param accuracy (`numeric(1)`) Wanted accuracy, in the unit of the column, instead of `epsilon`.
#' @param imputeRng (`numeric(2)`) With `missing = "impute"`, missing values are replaced by uniform
#'   draws from here; `rng` by default. If a share m is missing, imputation biases the mean by m x
#'   (midpoint of `imputeRng` - true mean).
#' @param alpha (`numeric(1)`) Probability that the noise exceeds `accuracy`.
#' @param nBoot (whole number) Kept for old scripts, and ignored: there is no bootstrap.
#' @param gamma (`numeric(1)`) For `"mechanismSnapping"`: the probability with which a release is
#'   clamped.
#' @param ... Nothing: unknown arguments are refused.
#' @param n_check (`character(1)`) What `release()` does with data of a different number of rows
#'   than `n`: `"refuse"` raises an error; `"resize"` drops rows at random, or adds rows without a
#'   value. Imputed, these move the release to the middle of `imputeRng`.
#' @param missing (`character(1)`) Rule for missing values. `"drop"`: the mean of the rows with a
#'   value, from a noisy sum and a noisy count of them. `"impute"`: see `imputeRng`; only right if
#'   next to nothing is missing, and then with less noise for some intervals. Left out, it is
#'   `"drop"`, or `"impute"` if you give `imputeRng`. `"mechanismSnapping"` needs `"impute"`.
#' @param interval (`character(1)`) `"population"`: a result has besides an interval for the mean of
#'   the population that the rows were drawn from, which counts sampling and noise; for
#'   Laplace and Gaussian noise, at no loss in accuracy unless rows are dropped. `"noise"`, or
#'   `NULL`: it has not.
#' @param rho (`numeric(1)`) Privacy loss of one release in zero-concentrated differential privacy,
#'   above 0, in place of `epsilon`: then the noise is Gaussian.
#' @param delta (`numeric(1)`) With it the noise is Gaussian, too, and `epsilon` and `delta` are the
#'   loss of one release. Above 0 and below 1 / `n`.
#' @param conversion (`character(1)`) How numbers become values of `varType` `"integer"` or
#'   `"logical"`. `"round"`: whole numbers are the nearest ones, and ties go to the even number, as
#'   in queries. In a logical column, numbers other than 0 and 1 are missing. `"truncate"`:
#'   fractions are cut off, and numbers in a logical column are clamped to 0 and 1. This is the rule
#'   of saved plans from before there was a choice, and of the field `measurement`.
#' @returns An R6 object of class `dpMean`. All its fields can be read, none can be changed.
#'
#' Methods:
#' * `$release(data)`: releases: `data` is a data frame with one plain column `variable` of type
#'   logical, integer or double. Names, types and classes of columns are public, all else of them is
#'   private. Returns and keeps the result.
#' * `$getFields()`: all fields, a list.
#' * `$copy()`: another object with the same plan and result. Copies, also those that are saved and
#'   loaded, release independently, and what they release adds up.
#'
#' Fields:
#' * `result`: the last result, `NULL` before the first: a [dp_result] with `release`, `variable`,
#'   `accuracy`, `epsilon`, `interval`, which is `release` with `accuracy` on either side; for a
#'   logical column also `stdDev`, `median` and `histogram` (counts of 0 and 1), from the release
#'   clamped to 0 and 1. With `interval = "population"` also `populationInterval`, its
#'   `populationAlpha`, which is `alpha`, and, but for a logical column, `variance`, an estimate of
#'   that of the population, which noise may take below 0, and `standardError`, of sampling and
#'   noise.
#' * `measurement`: the chain that releases, a [measurement][framework_objects].
#' * `input_metric`, `d_in`: the unit of protection: one row in change-one distance.
#' * `sens`: how far one row can move the mean: width of `rng` / `n`.
#' * `epsilon`, `delta`, `accuracy`, `alpha`: loss of one release (`delta` is 0 but for Gaussian
#'   noise), accuracy, and the probability of missing it.
#' * `rho`, `sigma`: of Gaussian noise, its loss in rho, if that was given, where `epsilon` is `NA`;
#'   and its standard deviation, in the unit of the release. Where moments are released it is that
#'   on each, in half-widths.
#' * `noiseDominates`: whether `accuracy` is larger than the range of what is released, so that a
#'   release says next to nothing.
#' * others: the arguments, in their canonical form.
#' @section Missing values: Plans drop rows without a value, unless you say what to impute. Plans
#'   that were saved before this was the default keep their rule. With `missing = "impute"` all `n`
#'   rows count, and a row without a value counts as a uniform draw, wherever the true value is.
#'   With `"drop"` count and sum of the other rows are released together, in one measurement: one
#'   replaced row moves both, and costs `epsilon`. With h half of the width of `rng` and c its
#'   middle, the count has discrete Laplace noise of scale 2 / epsilon, the sum of x - c of scale 2
#'   h / epsilon, if squares are not released. A noisy count above n - 2 log(10) / epsilon is taken
#'   for `n`. `accuracy` of the object is that of a column without gaps; that of the result is how
#'   far from the release its `interval` reaches, which contains the mean of the rows with a value
#'   with probability `1 - alpha` at least. `result` has besides `nPresent`, the noisy count,
#'   `share_missing`, and `status`: `"ok"`, or `"few"` if so few values are left that the noise
#'   hides how many; then `release` is `NA`.
#' @section Interval for the population: The sum of u = (x - c) / h, with h half of the width of
#'   `rng` and c its middle, has the noise that it has alone, of scale 2 / epsilon, and the sum of
#'   squares of u is released with it, with noise of scale 4 / epsilon, at no further loss: a row
#'   that moves the sum from u to u' moves the squares by (u + u') (u - u'), and
#'   `|u - u'| / 2 + |u^2 - u'^2| / 4` is 1 at most. That gives the variance v. What noise may hide
#'   of it, 0.4 log(1.2 /
#'   alpha) times the scale of its noise, is added, and the interval is the release with the
#'   quantile of |N + L| on either side, N normal with variance v / n (with Student's excess) and L
#'   the noise; cut to `rng`. It covers with probability `1 - alpha` if the mean of n rows is
#'   normal, with no more assumptions. With `missing = "drop"` the noise in count and sum has scale
#'   2.25 / epsilon then, and that of the squares 9 / epsilon. Imputed values count as rows of the
#'   population. For a logical column the interval inverts the exact law of a binomial number with
#'   noise, and covers whatever n, epsilon and the share are. Beside [bounds()] this interval raises
#'   an error: none with a proof counts the values beyond found bounds.
#' @section Gaussian noise: A release is Gaussian if `rho` is given, or `delta` beside `epsilon`:
#'   the noise is discrete Gaussian, of standard deviation `sigma` = D / sqrt(2 rho), where D is how
#'   far one row can move in the L2 norm what is released, R / n for a mean within a range of width
#'   R. One replaced row loses `rho` then. Where `epsilon` and `delta` are given, rho is the largest
#'   that is (epsilon, delta)-differentially private by Proposition 7 of Canonne, Kamath and Steinke
#'   (2020), and the loss that is reported is what it converts to. A result has `rho` in the place
#'   of `epsilon`, or `delta` beside it. `accuracy` is `sigma` times a quantile of the normal law.
#'
#'   One Gaussian release of one number has more noise than Laplace's, unless delta is large. It
#'   pays where much is released: rho adds up over releases, and many numbers move less in L2 than
#'   their absolute changes add up to.
#'
#'   With `missing = "drop"`, or an interval for the population, the sum and the sum of squares of
#'   u, and the count of rows that are dropped, have the same noise each, of standard deviation 2 /
#'   sqrt(2 rho): sum and squares together move by no more than the sum alone. The interval is wide
#'   enough for a variance that noise seldom lets fall short, once in 50 / alpha times, and a normal
#'   error of sampling and noise with the rest of alpha.
#' @section How it works: The measurement resizes to `n` rows (too many: a random choice; too few:
#'   missing ones are added), imputes, clamps, rounds each value to a public grid, adds the integers
#'   exactly, and adds discrete Laplace noise. So a wrong `n` costs accuracy and never privacy, and
#'   what is released is a multiple of a public power of two, divided by `n`. `release()` hands it
#'   `n` rows unless `n_check` is `"resize"`; the field `measurement` by itself takes any number.
#' @section Errors: `dp_error_invalid_argument` for bad arguments, before any data are read, and for
#'   `data` that are not as above, before any value is read: the message names what kind of column
#'   came, such as a factor or a Date, and follows from that alone.
#'   `dp_error_rows` for data of another number of rows than `n`, which names neither number.
#'   `dp_error_make_domain`, `dp_error_make_transformation` or `dp_error_search` for ranges or
#'   losses beyond what the arithmetic holds. `dp_error_stale_object` when an object was saved to a
#'   file by another version of the package, in which its release lost less.
#' @section Warnings: `dp_warning_large_epsilon`, `dp_warning_noise` (`noiseDominates`),
#'   `dp_warning_range` (more than two values), `dp_warning_impute_range` (beyond `rng`, or for a
#'   logical column).
#' @references Dwork, McSherry, Nissim and Smith (2006), *Calibrating Noise to Sensitivity in
#'   Private Data Analysis*; Mironov (2012), *On Significance of the Least Significant Bits for
#'   Differential Privacy*; Bun and Steinke (2016), *Concentrated Differential Privacy:
#'   Simplifications, Extensions, and Lower Bounds*; Canonne, Kamath and Steinke (2020), *The
#'   Discrete Gaussian for Differential Privacy*.
#' @seealso [statistics] for which statistic answers which question, [dpSampleAndAggregate()]
#' @examples
#' mean_income <- dpMean(variable = "income", n = 10000, rng = c(0, 750000), epsilon = 0.1)
#' mean_income$accuracy
#' mean_income$release(PUMS5extract10000)
#' mean_income$measurement
#'
#' # Sampling and noise together, at the same loss.
#' sampled <- dpMean(
#'   variable = "income", n = 10000, rng = c(0, 750000), epsilon = 0.1, interval = "population"
#' )
#' sampled$release(PUMS5extract10000)$populationInterval
#'
#' # Gaussian noise.
#' dpMean(variable = "income", n = 10000, rng = c(0, 750000), rho = 0.01)$sigma
#' @export
dpMean <- new_statistic("dpMean", "Mean of a column", "a mean, a share of rows",
  arguments = function(mechanism = "mechanismLaplace", varType = "numeric", variable, n,
                       rng = NULL, sens = NULL, epsilon = NULL, accuracy = NULL, imputeRng = NULL,
                       alpha = 0.05, nBoot = 20, gamma = 0.05, ..., n_check = "refuse",
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

# The second moment comes at no price, if all rows count.
mean_way <- function(args, limit) {
  if (drops_missing(args)) {
    moments_of_present(args, limit, knows_spread(args), mean_weight, present_mean)
  } else if (knows_spread(args)) {
    moments_of_rows(args, limit, mean_of_moments)
  } else {
    chain_of_rows(args, limit, mean_chain, mean_result)
  }
}

# Of the count, where squares are released with a mean.
mean_weight <- 2

# Whether squares are released: of a share, its spread follows from it.
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

# A mean that is released by itself is a multiple of this step, too.
on_lattice <- function(x, rng) {
  step <- 2^lattice_exponent(rng)
  round(x / step) * step
}

# A released share lies where the noise takes it; a share of rows lies in [0, 1].
share_result <- function(release, n) {
  share <- min(max(release, 0), 1)
  ones <- round(n * share)
  list(
    stdDev = sqrt(share * (1 - share)),
    median = if (share < 0.5) 0 else 1,
    histogram = data.frame(`0` = n - ones, `1` = ones, check.names = FALSE)
  )
}
