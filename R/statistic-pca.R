#' Differentially private principal components
#'
#' `dpPCA()` plans a release of the first principal components of several columns: their loadings
#' and variances. Building the plan checks the arguments and chooses the noise without reading data.
#' Each call of `release()` spends `epsilon`, or `rho`, on all components together.
#'
#' The number of rows `n` is public. Neighbouring datasets differ in one replaced row. Rows are used
#' as in [dpCovariance()]: clamped, imputed, `n` of them. The component scores of the rows are not
#' released. For other rows, compute them as `(x - center) \%*\% loadings`.
#'
#' By position, the arguments are `columns, k, n, rng, epsilon`, as in earlier versions.
#'
#' @inheritParams dpCorrelation
#' @inheritParams dpMean
#' @param epsilon (`numeric(1)`) Privacy loss of one release, above 0. Values of 3 and more give a
#'   warning.
#' @param mechanism (`character(1)`) Noise mechanism, public, in any letter case:
#'   `"mechanismLaplace"` or `"mechanismGaussian"`. If you give `rho` or `delta`, the noise is
#'   Gaussian.
#' @param k (whole number) Number of components, public, from 1 to the number of columns.
#' @param scale (`character(1)`) Unit of the columns, public. `"none"` keeps their units, so columns
#'   with wide ranges have most of the variance and of the noise. `"public"` divides columns by half
#'   the width of their public range. Columns are never divided by their standard deviations, which
#'   are private.
#' @param missing (`character(1)`) Rule for missing values. `"drop"` uses the rows without a missing
#'   value in `columns`. `"impute"` draws values from `imputeRng`. The default is `"impute"` if you
#'   give `imputeRng`, and `"drop"` otherwise.
#' @param law (`character(1)`) Assumption of the intervals about the population: `"any"` or `NULL`
#'   for any law within `rng`, or `"normal"`. Intervals for `"normal"` are narrower, but cover too
#'   rarely if columns are skewed or have heavy tails.
#' @param ... Not used. Unknown arguments raise an error.
#' @returns An R6 object of class `dpPCA`, with the methods of [dpMean()] and these fields:
#'   `mechanism`, `name`, `variable` and `columns`, `varType`, `n`, `epsilon`, `delta`, `rho`,
#'   `sigma`, `k`, `scale`, `rng`, `rngFormat`, `alpha`, `accuracy` (`NA`, because it depends on the
#'   data), `imputeRng`, `missing`, `law`, `input_metric`, `d_in`, `measurement` and `result`, a
#'   [dp_result] with
#'
#' * `release`: the loadings, a data frame with a row for each column and a column for each
#'   component, `PC1` and so on. They are orthogonal vectors of length 1 whose largest element is
#'   positive.
#' * `variable`, `accuracy`, `epsilon`.
#' * `variance`: variance of each component, at least 0, in the units given by `scale`.
#' * `intervals`: a matrix with a row for each variance: intervals for the variances in the
#'   population, clamped to `rng`. If [bounds()] found a range, there are none.
#' * `means`: the mean of the rows, in the units of the columns.
#' * `status`: `"ok"`, or `"noise"` if noise could explain the variance of a component.
#' @section How it works: The sums, and the sums of products, of all columns are released together,
#'   as in [dpCovariance()], with one loss. Loadings are eigenvectors of their covariance matrix. To
#'   first order, noise E moves the variance of a component v by `v'E v`. The largest of P
#'   eigenvalues of noise is about `sqrt(2 P)` standard deviations of that. If a variance is below
#'   this multiple, or below three standard deviations, `status` is `"noise"`.
#'
#'   Intervals hold for any noise. All eigenvalues move by at most the norm of E (Weyl). A bound for
#'   sums of random matrices limits this norm (Tropp). Let g be the distance to the next eigenvalue.
#'   If g is more than twice the norm, an eigenvalue moves by `v'E v` and at most
#'   `|E|^2 / (g - 2 |E|)` (Kato and Temple). Each end of an interval uses the smaller bound.
#'
#'   The sampling variance of a component's variance v is bounded as in [dpVariance()]. With
#'   loadings a and half-widths h, a component is within sum |a| h of the middle, and so within B of
#'   its mean. So the fourth moment is at most B^2 v, and the sampling variance is about B^2 v / n.
#'   Intervals use the largest plausible v and B under the noise, so they are conservative. With
#'   `law = "normal"`, the sampling variance is 2 v^2 / (n - 1).
#' @section Missing values: With `missing = "drop"`, the moments use only rows without a missing
#'   value, and their count is released with them. `result` also has `nPresent`, the noisy count,
#'   and `share_missing`. `status` is `"few"` if the noise hides how many rows are left. All numbers
#'   are then `NA`.
#' @section Gaussian noise: Like [dpCovariance()]. With a delta of 1e-6, Gaussian noise is smaller
#'   than Laplace noise from about six columns on.
#' @section Errors: See [statistic_errors].
#' @section Warnings: `dp_warning_large_epsilon`, `dp_warning_noise`, `dp_warning_range`,
#'   `dp_warning_impute_range`.
#' @references Dwork, Talwar, Thakurta and Zhang (2014), *Analyze Gauss: Optimal Bounds for
#'   Privacy-Preserving Principal Component Analysis*. Stewart and Sun (1990), *Matrix Perturbation
#'   Theory*. Tropp (2012), *User-Friendly Tail Bounds for Sums of Random Matrices*. Blum, Dwork,
#'   McSherry and Nissim (2005), *Practical Privacy: The SuLQ Framework*.
#' @seealso [dpCovariance()], [dpCorrelation()]
#' @examples
#' plan <- dpPCA(c("age", "educ", "income"), k = 2,
#'   n = 10000, rng = list(c(18, 93), c(1, 16), c(0, 200000)), epsilon = 1, scale = "public"
#' )
#' result <- plan$release(PUMS5extract10000)
#' result$release
#' result
#' @export
dpPCA <- new_statistic("dpPCA", "Principal components of columns", "principal components",
  arguments = function(columns, k, n, rng = NULL, epsilon = NULL, scale = "none",
                       mechanism = "mechanismLaplace", varType = "numeric", imputeRng = NULL,
                       alpha = 0.05, n_check = "error", missing = c("drop", "impute"), rho = NULL,
                       delta = NULL, law = NULL) {
  },
  required = c("columns", "k", "n", "rng", "epsilon"),
  or = list(epsilon = "rho"),
  takes = c(joint_kinds(loss_or_rho()), list(
    mechanism = one_of(additive_mechanisms), k = whole_number(min = 1),
    scale = one_of(c("none", "public")), law = law_of_columns()
  )),
  plan = function(...) plan_pca(...),
  fields = c(pca_fields, "law", gaussian_fields),
  numbers = c("n", "columns", "k", "range"), others = c("n", "columns", "k")
)

plan_pca <- function(args, call) {
  args <- with_mechanism(args, call)
  if (args$k > length(args$columns)) {
    stop_argument("at most the number of columns", name_public(args$k), "k", call)
  }
  args$law <- args$law %||% column_laws[[1]]
  plan_joint(args, args$columns, paste("principal components of", toString(args$columns)),
    c(pca_fields, "law", gaussian_fields), pca_result, call,
    class = "dp_pca_result", covers = covers_of_columns(args)
  )
}

# Methods' names have dots.

# Results of principal components ------------------------------------------------------------------

pca_result <- function(release, fields) {
  found <- joint_found(release, fields, fields$epsilon)
  names <- paste0("PC", seq_len(fields$k))
  parts <- if (found$enough) components(found, fields) else no_components(fields)
  dimnames(parts$loadings) <- list(fields$columns, names)
  rownames(parts$intervals) <- names
  c(
    list(
      release = as.data.frame(parts$loadings), variable = fields$variable,
      accuracy = fields$accuracy, epsilon = fields$epsilon,
      variance = stats::setNames(parts$variance, names), intervals = parts$intervals,
      means = stats::setNames(parts$means, fields$columns)
    ),
    counted_rows(found$count, fields), list(status = parts$status)
  )
}

no_components <- function(fields) {
  nothing <- rep(NA_real_, fields$k)
  list(
    loadings = matrix(NA_real_, length(fields$columns), fields$k), variance = nothing,
    intervals = cbind(nothing, nothing, deparse.level = 0), means = found_nothing(fields),
    status = "few"
  )
}

found_nothing <- function(fields) rep(NA_real_, length(fields$columns))

# Computes from rows what no_components() lacks.
components <- function(found, fields) {
  about <- joint_scatter(found)
  unit <- if (fields$scale == "public") rep(1, length(found$half)) else found$half
  parts <- eigen(about$scatter / (found$count - 1) * outer(unit, unit), symmetric = TRUE)
  k <- seq_len(fields$k)
  parts$vectors <- apply(parts$vectors, 2, with_positive_largest)
  loadings <- parts$vectors[, k, drop = FALSE]
  variance <- pmax(parts$values[k], 0)
  deviations <- moment_deviations(found) / (found$count - 1)
  noise <- vapply(k, function(j) {
    a <- unit * loadings[, j]
    sqrt(sum(moved_by_moments(deviations, c(-sum(a * about$mean), a))^2))
  }, 0)
  list(
    loadings = loadings, variance = variance,
    intervals = component_intervals(parts, fields$k, unit, found, fields),
    means = found$middle + found$half * about$mean,
    status = if (all(variance > max(3, sqrt(2 * length(unit))) * noise)) "ok" else "noise"
  )
}

# Variance of a component's variance, for the loadings `a` of u: the value for normal rows, or an
# upper bound. A component is within sum(|a|) of the middle, which is public except for the
# loadings. So variance_of_variance() bounds it, as for dpVariance(). Noise moves the variance by at
# most `norm`, and the loadings by this `angle`.
sampling_of_component <- function(variance, a, norm, angle, unit, found, fields) {
  count <- found$count
  if (fields$law == "normal") {
    return(2 * variance^2 / (count - 1))
  }
  longest <- sqrt(sum(unit^2))
  within <- min(sum(abs(a)) + sqrt(2) * angle * longest, longest)
  likely <- min(variance + norm, within^2)
  mean <- farthest_mean(a, likely, found, fields$alpha)
  variance_of_variance(likely, min(within + mean, 2 * within), count)
}

# Largest distance between the population mean of sum(a u) and the middle, for a `variance`.
farthest_mean <- function(a, variance, found, alpha) {
  count <- found$count
  mean <- sum(a * within_bounds(found$sums / count, -1, 1))
  noise <- sqrt(2) * c(a * found$scales$sums, mean * found$scales$count) / count
  abs(mean) + error_reach(variance / count, matrix(noise, 1), alpha)
}

with_positive_largest <- function(x) x * sign(x[[which.max(abs(x))]])

# nolint start: object_name_linter.
estimates_of.dp_pca_result <- function(x) {
  data.frame(
    term = names(x$variance), estimate = unname(x$variance)
  ) |> with_ends(x$intervals, c("conf.low", "conf.high"))
}

pictures.dp_pca_result <- function(x) {
  list(
    variances = function() {
      list(
        kind = "bars", table = as.data.frame(x), xlab = "component", ylab = "variance"
      )
    },
    loadings = function() {
      places <- expand.grid(column = x$variable, component = names(x$variance))
      list(
        kind = "points", apart = FALSE, xlab = "loading",
        table = data.frame(
          term = paste(places$component, places$column), estimate = unlist(x$release),
          row.names = NULL
        )
      )
    }
  )
}
# nolint end

# Intervals of components --------------------------------------------------------------------------

# Intervals for the variances of components, by postprocessing. They hold even if noise dominates.
#
# The released scatter is the scatter of the rows plus noise E, both over count - 1. A component's
# vector follows the noise, so the noise along it differs from the noise along a fixed vector. Two
# facts hold for any E that lengthens no unit vector beyond |E|:
#
#   (1) each eigenvalue of the released matrix is within |E| of the same eigenvalue of the rows
#       (Weyl).
#   (2) let v be the vector of the rows, and g the distance from an eigenvalue to the next one in
#       the released matrix. The eigenvalue is off by v'E v and at most |E|^2 / (g - 2 |E|) more
#       (Kato and Temple). Without a next eigenvalue there is no remainder: the largest eigenvalue
#       is at least v'(.) v, and the smallest at most.
#
# v is independent of the noise, and v'E v is a sum of known laws. Each end of an interval uses the
# fact with the smaller bound. Both hold at once, except for a share `rare_share` of alpha.
# Sources: Stewart and Sun (1990), Matrix Perturbation Theory, IV.4.2, V.3.6. Tropp (2012),
# User-Friendly Tail Bounds for Sums of Random Matrices, theorem 3.6.

# Share of alpha for each of three rare events: |E| exceeds its bound, a mean or the count is
# farther off, or sampling is, if an end uses (1).
rare_share <- 1 / 15

# Intervals for the variances of components, in rows. `parts` holds all eigenvalues and vectors.
# `moved` gives the change of each of the first k (columns) by one standard deviation of each
# moment.
component_intervals <- function(parts, k, unit, found, fields) {
  rare <- rare_share * fields$alpha
  noise <- scatter_noise(unit, found, rare)
  values <- parts$values
  next_above <- c(Inf, -diff(values))
  next_below <- c(-diff(values), Inf)
  ends <- vapply(seq_len(k), function(j) {
    angle <- sine_between(noise$norm, min(next_above[[j]], next_below[[j]]))
    a <- unit * parts$vectors[, j]
    moved <- moved_along(a, noise, angle, found)
    variance <- max(values[[j]], 0)
    sampling <- sampling_of_component(variance, a, noise$norm, angle, unit, found, fields)
    along <- noise$square +
      reach_of_noise(sampling, matrix(moved, 1), fields$alpha - 3 * rare, found$scales$normal)
    whole <- noise$norm + two_sided_quantile(rare) * sqrt(sampling)
    reach <- function(gap) min(along + beyond_first_order(noise$norm, gap), whole)
    values[[j]] + c(-reach(next_below[[j]]), reach(next_above[[j]]))
  }, numeric(2))
  # Without noise, the divisor is count - 1.
  divisors <- within_bounds(found$count + c(1, -1) * noise$count, 2, fields$n) - 1
  t(pmax(ends, 0) * (found$count - 1) / divisors)
}

beyond_first_order <- function(norm, gap) {
  if (is.infinite(gap)) 0 else if (gap > 2 * norm) norm^2 / (gap - 2 * norm) else Inf
}

# Largest sine of the angle between a component's vector and the vector of the rows (Davis and
# Kahan), if the next eigenvalue is `gap` away.
sine_between <- function(norm, gap) {
  if (is.infinite(gap)) 0 else if (gap > 2 * norm) norm / (gap - norm) else 1
}

# Noise of a scatter over count - 1, as a quadratic form of `unit` times u, except for rare events.
# Returns list(norm, square, most, count, rows, deviations).
#
# Let N be the noise of the moments of (1, u) and m the means of the rows. Then E = L'N L - R. L has
# -m above the identity. R is count times the squared error of the mean. It is positive semidefinite
# and at most `square`. `most` bounds the standard deviation of v'E v: the mean of E^2 is V, and v'V
# v is the mean of |E v|^2.
scatter_noise <- function(unit, found, rare) {
  scales <- found$scales
  each <- rare / (length(unit) + 1)
  reach <- function(scale) {
    if (scales$normal) sqrt(2) * scale * two_sided_quantile(each) else -log(each) * scale
  }
  far <- pmin((reach(scales$sums) + reach(scales$count)) / found$count, 2)
  mean <- pmin(abs(within_bounds(found$sums / found$count, -1, 1)) + far, 1)
  deviations <- moment_deviations(found) / (found$count - 1)
  # All that follows rises with each |m|: signs of u and N can be chosen so that L has none below 0.
  rows <- rbind(mean, diag(length(unit))) * rep(unit, each = length(unit) + 1)
  spread <- noise_spread(rows, deviations)
  square <- found$count * sum((unit * far)^2) / (found$count - 1)
  list(
    norm = norm_reach(spread, scales$normal, rare) + square, square = square,
    most = sqrt(max(spread$values)), count = reach(scales$count), far = far,
    deviations = deviations
  )
}

# Spread of the symmetric matrix L'N L, with independent N_ij of these `deviations` on and above the
# diagonal. l_i are the rows of L. `values` holds the eigenvalues of the mean of its square.
# `largest` is the norm of the largest term for N_ij one deviation from 0.
noise_spread <- function(rows, deviations) {
  gram <- tcrossprod(rows)
  size <- diag(gram)
  variances <- deviations^2
  apart <- variances
  diag(apart) <- 0
  # The term of N_ij is l_i l_j' + l_j l_i', or l_i l_i' on the diagonal.
  inner <- variances * gram
  diag(inner) <- diag(inner) + apart %*% size
  terms <- deviations * (abs(gram) + sqrt(outer(size, size)))
  diag(terms) <- diag(terms) / 2
  list(
    values = eigen(crossprod(rows, inner %*% rows), symmetric = TRUE, only.values = TRUE)$values,
    largest = max(terms)
  )
}

# Bound that the norm of the matrix exceeds with probability at most `alpha`. For each t > 0
#
#   P(norm > x) <= 2 exp(-t x) trace exp(g(t) V), with g(t) = t^2 / 2 for normal noise,
#
# and -log(1 - t^2 a^2 / 2) / a^2 for Laplace noise, where a is the largest term: the logarithm of
# the moments of a Laplace variable times A is -log(1 - t^2 A^2 / 2), and at most that times A^2.
norm_reach <- function(spread, normal, alpha) {
  values <- pmax(spread$values, 0)
  # Best t, up to a constant.
  best <- sqrt(2 * log(2 * length(values) / alpha) / max(values))
  reach <- function(t) {
    a <- spread$largest
    growth <- if (normal) t^2 / 2 else -log1p(-(t * a)^2 / 2) / a^2
    most <- growth * max(values)
    (log(2 / alpha) + most + log(sum(exp(growth * values - most)))) / t
  }
  limit <- if (normal) 2 * best else min(2 * best, 0.999 * sqrt(2) / spread$largest)
  stats::optimize(reach, c(limit / 100, limit))$objective
}

# Change of v'E v by one standard deviation of each moment. `angle` bounds the sine of the angle
# between v and the component with loadings `a` of u. Along a fixed v, the standard deviation is a
# seminorm of v v'. Two such matrices differ by `angle` times the difference of two others.
moved_along <- function(a, noise, angle, found) {
  mean <- within_bounds(found$sums / found$count, -1, 1)
  moved <- moved_by_moments(noise$deviations, c(abs(sum(a * mean)) + sum(abs(a) * noise$far), a))
  own <- sqrt(sum(moved^2))
  moved * max(min(own + 2 * angle * noise$most, noise$most), own) / own
}
