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

# Results of correlations --------------------------------------------------------------------------

correlation_result <- function(release, fields) {
  found <- joint_found(release, fields, fields$epsilon)
  pairs <- triangle(length(fields$columns))
  apart <- pairs[pairs$first < pairs$second, ]
  parts <- if (found$enough) correlations(found, apart, fields) else no_correlations(apart)
  matrix <- diag(1, length(fields$columns))
  dimnames(matrix) <- list(fields$columns, fields$columns)
  matrix[as.matrix(apart)] <- matrix[as.matrix(apart[2:1])] <- parts$value
  rownames(parts$intervals) <- names_of_pairs(fields$columns, apart)
  c(
    list(
      release = as.data.frame(matrix), variable = fields$variable, accuracy = fields$accuracy,
      epsilon = fields$epsilon, intervals = parts$intervals
    ),
    counted_rows(found$count, fields), list(status = parts$status)
  )
}

# Names `pairs` of columns, given by their indices in rows.
names_of_pairs <- function(columns, pairs) {
  paste(columns[pairs[, 1]], columns[pairs[, 2]], sep = ":")
}

no_correlations <- function(pairs) {
  nothing <- rep(NA_real_, nrow(pairs))
  list(value = nothing, intervals = cbind(rep(-1, nrow(pairs)), 1), status = "few")
}

# Returns list(value, intervals, status) for each of `pairs`.
correlations <- function(found, pairs, fields) {
  alpha <- fields$alpha
  about <- joint_scatter(found)
  deviations <- moment_deviations(found)
  columns <- lapply(seq_along(about$mean), function(i) {
    replace(numeric(length(about$mean) + 1), c(1, i + 1), c(-about$mean[[i]], 1))
  })
  noise <- vapply(columns, function(a) sqrt(sum(moved_by_moments(deviations, a)^2)), 0)
  known <- which(diag(about$scatter) > 3 * noise)
  repaired <- positive_scatter(about$scatter[known, known, drop = FALSE])
  scatter <- 0 * about$scatter
  scatter[known, known] <- repaired$matrix
  # Largest distance of a row from the mean of each column.
  farthest <- vapply(seq_along(columns), function(i) {
    most <- min(max(about$scatter[i, i] / found$count, 0) + 3 * noise[[i]] / found$count, 1)
    min(1 + farthest_mean(columns[[i]][-1], most, found, alpha), 2)
  }, 0)
  of_pair <- function(i, j) {
    hidden <- !all(c(i, j) %in% known)
    root <- sqrt(scatter[i, i]) * sqrt(scatter[j, j])
    r <- if (hidden) NA_real_ else within_bounds(scatter[i, j] / root, -1, 1)
    released <- list(
      first = about$scatter[i, i], across = about$scatter[i, j], second = about$scatter[j, j]
    )
    moved <- list(
      first = moved_by_moments(deviations, columns[[i]]),
      across = moved_by_moments(deviations, columns[[i]], columns[[j]]),
      second = moved_by_moments(deviations, columns[[j]])
    )
    spread <- if (fields$law == "any") {
      certified_spread(farthest[[i]], farthest[[j]], found$count)
    }
    c(r, correlation_interval(r, released, moved, found$count, alpha, spread))
  }
  found <- vapply(seq_len(nrow(pairs)), function(k) {
    of_pair(pairs$first[[k]], pairs$second[[k]])
  }, numeric(3))
  status <- if (length(known) < length(columns)) "noise" else repaired$status
  list(value = found[1, ], intervals = t(found[-1, , drop = FALSE]), status = status)
}

# Raises negative eigenvalues to 0. There may be no column at all.
positive_scatter <- function(scatter) {
  parts <- if (length(scatter) > 0) eigen(scatter, symmetric = TRUE)
  if (all(parts$values >= 0)) {
    return(list(matrix = scatter, status = "ok"))
  }
  raised <- parts$vectors %*% (pmax(parts$values, 0) * t(parts$vectors))
  list(matrix = raised, status = "repaired")
}

# nolint start: object_name_linter.
estimates_of.dp_correlation_result <- function(x) {
  matrix <- as.matrix(x$release)
  pairs <- triangle(nrow(matrix))
  apart <- as.matrix(pairs[pairs$first < pairs$second, ])
  data.frame(
    term = names_of_pairs(x$variable, apart), estimate = matrix[apart]
  ) |> with_ends(x$intervals, c("conf.low", "conf.high"))
}

pictures.dp_correlation_result <- function(x) {
  list(correlations = function() {
    table <- as.data.frame(x)
    list(
      kind = "points", table = table[!is.na(table$estimate), ], apart = FALSE,
      xlab = "correlation"
    )
  })
}
# nolint end

# Intervals of correlations ------------------------------------------------------------------------

# Intervals for correlations from noisy scatters: postprocessing.
#
# If noise is large compared with a variance, the first-order effect of noise on a correlation is
# not enough: the variance that scales it contains the same noise. So the interval inverts a test.
# Let rho be the population correlation, S_11 and S_22 the sums of squares of the rows,
# R^2 = S_11 S_22 and k^2 = S_22 / S_11. Then
#
#   l = s_12 - rho R - rho / 2 (k (s_11 - S_11) + (s_22 - S_22) / k)
#
# of the released s is a known sum of the moments' Laplace noise, plus R times the sampling error of
# the rows' correlation. For normal columns that error is normal with variance
# (1 - rho^2)^2 / (n - 3). For other columns, certified_spread() bounds how many times larger its
# variance is. The interval contains each rho that l does not reject for some S_11 and S_22
# that are possible given the noise. So it has its coverage for any such sums, with a first-order
# approximation for sampling only. If noise is small, l hardly depends on them, and nothing is lost.
#
# Sampling is a translation on Fisher's scale, and noise is one on the scale of l. The error of the
# correlation is the mean of both, weighted by their shares of the variance. If columns can be
# non-normal, sampling is also on the scale of l: near |rho| = 1 its variance on Fisher's scale is
# unbounded.

# Interval for one pair. `scatter` is list(first, across, second) of the released s_11, s_12 and
# s_22. `moved`: effect of one standard deviation of each moment on them. `r`: the estimate, or NA.
# `spread`: from certified_spread(), or NULL for normal columns.
correlation_interval <- function(r, scatter, moved, count, alpha, spread = NULL) {
  sums <- expand.grid(
    first = possible_sums(scatter$first, moved$first, count, alpha),
    second = possible_sums(scatter$second, moved$second, count, alpha)
  )
  speaks_against <- function(z) surprises(tanh(z), sums, scatter, moved, count, alpha, spread)
  grid <- seq(-farthest_z, farthest_z, length.out = 41)
  if (!is.na(r)) grid <- sort(unique(c(grid, within_bounds(atanh(r), -farthest_z, farthest_z))))
  possible <- !speaks_against(grid)
  if (!is.na(r)) possible[[which.min(abs(tanh(grid) - r))]] <- TRUE
  if (!any(possible)) {
    return(c(-1, 1))
  }
  ends <- range(which(possible))
  c(
    outermost(grid[ends[[1]]], if (ends[[1]] > 1) grid[ends[[1]] - 1], speaks_against),
    outermost(grid[ends[[2]]], if (ends[[2]] < length(grid)) grid[ends[[2]] + 1], speaks_against)
  )
}

# Correlations near 1, on Fisher's scale.
farthest_z <- 6

# Last possible correlation on the path from `inside` to `outside`, or 1 in magnitude if all are
# possible. Starts with many steps, because the path can leave the set and return. Then takes few,
# because each step is costly.
outermost <- function(inside, outside, speaks_against) {
  if (is.null(outside)) {
    return(sign(inside))
  }
  for (parts in c(20, rep(5, 6))) {
    steps <- seq(inside, outside, length.out = parts + 1)
    last <- match(TRUE, speaks_against(steps[-c(1, parts + 1)]), nomatch = parts)
    inside <- steps[[last]]
    outside <- steps[[last + 1]]
  }
  tanh(outside)
}

# Range of the rows' sums of squares that the released sum does not rule out. It misses the true sum
# with at most a twentieth of the interval's miss probability.
possible_sums <- function(released, moved, count, alpha) {
  reach <- error_reach(0, matrix(moved, 1), alpha / 20)
  most <- min(max(released + reach, reach / 100), count)
  least <- max(released - reach, most / 400)
  exp(seq(log(min(least, most)), log(most), length.out = 5))
}

# Tells for each correlation whether the release rejects it at all `sums`.
surprises <- function(rho, sums, scatter, moved, count, alpha, spread) {
  # Combines all sums with the first correlation, then with the second, and so on.
  first <- rep(sums$first, length(rho))
  second <- rep(sums$second, length(rho))
  at <- rep(rho, each = nrow(sums))
  unit <- sqrt(first * second) * (1 - at^2)
  by_first <- -at / 2 * sqrt(second / first)
  by_second <- -at / 2 * sqrt(first / second)
  linear <- (scatter$across - at * sqrt(first * second) + by_first * (scatter$first - first) +
    by_second * (scatter$second - second)) / unit
  deviations <- (outer(by_first, moved$first) + outer(by_second, moved$second) +
    rep(moved$across, each = length(at))) / unit
  largest <- if (is.null(spread)) rep(1, length(at)) else spread(at, first, second)
  sampling <- largest / max(count - 3, 1)
  noise <- rowSums(deviations^2)
  # For non-normal columns, sampling is no translation on Fisher's scale.
  share <- if (is.null(spread)) noise / (noise + sampling) else 1
  error <- between_scales(linear, at, share)
  total <- sqrt(noise + sampling)
  # Takes the least surprising sums.
  surprise <- matrix(error / total, ncol = nrow(sums), byrow = TRUE)
  nearest <- (seq_along(rho) - 1) * nrow(sums) + max.col(-surprise, "first")
  is_beyond(error[nearest], total[nearest], sampling[nearest],
    deviations[nearest, , drop = FALSE], alpha)
}

# Tells whether an error exceeds its quantile. The quantile is near the quantile of a normal or a
# Laplace variable, or between them. It is computed only if these bounds do not decide.
is_beyond <- function(error, total, sampling, deviations, alpha) {
  known <- c(stats::qnorm(alpha / 2, lower.tail = FALSE), -log(alpha) / sqrt(2))
  beyond <- error > 1.2 * max(known) * total
  unsure <- !beyond & error > 0.8 * min(known) * total
  if (any(unsure)) {
    beyond[unsure] <- exceeds_reach(error[unsure], sampling[unsure],
      deviations[unsure, , drop = FALSE], alpha)
  }
  beyond
}

# Bounds the variance of a sample correlation relative to normal rows, if no row is farther than
# `first` and `second` from the means. Returns a function of rho, S_11 and S_22. Let z_1 and z_2 be
# the columns in standard deviations, with magnitudes of at most b_1 and b_2. To first order, the
# correlation is off by the mean of
#
#   q = z_1 z_2 - rho (z_1^2 + z_2^2) / 2 = (1 - rho^2) / 2 (s^2 - d^2),
#
# with s and d the sum and the difference of z_1 and z_2, in standard deviations. Their squares have
# mean 1, so E q^2 <= (1 - rho^2)^2 / 4 (max s^2 + max d^2), which is at most
# (1 - rho^2) (b_1 + b_2)^2 / 4. Also q = z_1 (z_2 - rho z_1) + rho / 2 (z_1^2 - z_2^2). So the root
# of E q^2 is at most b_1 sqrt(1 - rho^2) + |rho| / 2 sqrt(E (z_1^2 - z_2^2)^2). The last mean is at
# most b_1^2 + b_2^2, and at most 2 (1 - |rho|) (b_1 + b_2)^2. By symmetry b_2 can replace the
# leading b_1.
certified_spread <- function(first, second, count) {
  function(rho, sums_first, sums_second) {
    b_1 <- pmax(first / sqrt(sums_first / count), 1)
    b_2 <- pmax(second / sqrt(sums_second / count), 1)
    apart <- pmin(b_1^2 + b_2^2, 2 * (1 - abs(rho)) * (b_1 + b_2)^2)
    by_squares <- (1 - rho^2) * (b_1 + b_2)^2 / 4
    by_residual <- (pmin(b_1, b_2) * sqrt(1 - rho^2) + abs(rho) / 2 * sqrt(apart))^2
    pmin(by_squares, by_residual) / (1 - rho^2)^2
  }
}

# Error of a correlation whose error on the scale of l is `linear` times 1 - rho^2, if noise has
# this `share` of the variance.
between_scales <- function(linear, rho, share) {
  seen <- rho + linear * (1 - rho^2)
  fisher <- abs(atanh(within_bounds(seen, -1, 1)) - atanh(rho))
  linear <- abs(linear)
  ifelse(abs(seen) < 1, (1 - share) * fisher + share * linear, linear)
}
