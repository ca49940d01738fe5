# Intervals for the population, by postprocessing: they cover sampling and noise together. Intervals
# for a mean assume only that a mean of n rows is normal. Intervals for a share assume nothing.

# Cases without an interval. Snapping releases one number, so no number is left to estimate the
# spread. One row has no spread.
no_population_interval <- function(args) {
  if (args$mechanism == "mechanismSnapping") {
    '"mechanismSnapping" has none'
  } else if (args$n < 2 || args$n >= 2^40) {
    "there must be 2 rows or more for it, and fewer than 2^40"
  } else if (!has_square(diff(args$rng))) {
    "the square of the range must be a double for it"
  }
}

# Limit of the core's lattices, squared (lattice_columns.cpp).
has_square <- function(width) width >= 2^-450 && width <= 2^450

population_fields <- function(interval, fields) {
  list(populationInterval = interval, populationAlpha = fields$alpha)
}

# Uses a noisy mean and a noisy mean square, both about the middle of the range.
population_of_mean <- function(mean, square, fields) {
  n <- fields$n
  width <- diff(fields$rng)
  scale <- width / (n * fields$epsilon)
  variance <- n / (n - 1) * (square - mean^2)
  spread <- cautious_variance(variance, width * scale, n, width, fields$alpha)
  sd <- sqrt(spread / n) * student_excess(n, fields$alpha)
  reach <- noisy_normal_reach(sd, scale, fields$alpha)
  ends <- mean(fields$rng) + mean + c(-reach, reach)
  ends <- within_bounds(ends, fields$rng[[1]], fields$rng[[2]])
  c(
    list(variance = variance, standardError = sqrt(max(variance, 0) / n + 2 * scale^2)),
    population_fields(ends, fields)
  )
}

# Returns a variance that is rarely too small under noise of this `scale`. The added margin makes an
# interval miss with probability at most alpha, for every variance and epsilon and for alpha up to
# 1/2. test-statistic-population.R computes how often an interval misses.
cautious_variance <- function(variance, scale, n, width, alpha) {
  excess <- 0.4 * log(1.2 / alpha) * scale
  min(max(variance, 0) + excess, n * width^2 / (4 * (n - 1)))
}

student_excess <- function(n, alpha) {
  stats::qt(alpha / 2, n - 1, lower.tail = FALSE) / stats::qnorm(alpha / 2, lower.tail = FALSE)
}

# Inverts the exact law of Binomial(n, p) plus noise for the noisy number s. The interval holds all
# p that give counts up to s and counts from s on both probability at least alpha / 2.
population_of_share <- function(share, fields) {
  n <- fields$n
  count <- share * n
  below <- noise_below(fields)
  more <- function(p) noisy_binomial_tail(count, n, p, below)
  fewer <- function(p) noisy_binomial_tail(n - count, n, 1 - p, below)
  half <- fields$alpha / 2
  # Both tails are monotone in p.
  lower <- if (more(0) >= half) 0 else solve_share(function(p) more(p) - half, FALSE)
  upper <- if (fewer(1) >= half) 1 else solve_share(function(p) half - fewer(p), TRUE)
  population_fields(c(lower, upper), fields)
}

# Finds the zero of a rising function of p, moved outward by the numerical error. Returns the
# end if the function does not pass 0.
solve_share <- function(rising, up) {
  if (rising(1) < 0) {
    return(1)
  }
  if (rising(0) > 0) {
    return(0)
  }
  found <- stats::uniroot(rising, c(0, 1), tol = 1e-10)
  within_bounds(found$root + (if (up) 1 else -1) * found$estim.prec, 0, 1)
}

# Distribution function of the noise in a count.
noise_below <- function(fields) {
  if (is_gaussian(fields)) {
    function(x) stats::pnorm(x, 0, fields$n * fields$sigma)
  } else {
    function(x) pLap(x, 0, 1 / fields$epsilon)
  }
}

# P(X + Z >= s) for binomial X and symmetric noise Z, rounded up: the part of X beyond 12 standard
# deviations counts in full.
noisy_binomial_tail <- function(s, n, p, below) {
  reach <- 12 * sqrt(n * p * (1 - p)) + 12
  least <- max(0, ceiling(n * p - reach))
  most <- min(n, floor(n * p + reach))
  x <- seq(least, most)
  within <- sum(stats::dbinom(x, n, p) * below(x - s))
  within + stats::pbinom(least - 1, n, p) + stats::pbinom(most, n, p, lower.tail = FALSE)
}

# Uses the noisy count of the rows with a value, and the noisy sums of u and of its squares
# (present_moments() in statistic-missing.R).
population_of_present <- function(found, fields) {
  mean <- noisy_mean(found, fields$alpha)
  ends <- within_bounds(mean$estimate + c(-mean$reach, mean$reach), -1, 1)
  sampling <- max(mean$variance$estimate, 0) / found$count
  c(
    list(
      variance = found$half^2 * mean$variance$estimate,
      standardError = found$half * sqrt(sampling + unit_variance(found) * sum(mean$noise^2))
    ),
    population_fields(found$middle + found$half * ends, fields)
  )
}

# Variance of noise of scale 1.
unit_variance <- function(found) if (found$normal) 1 else 2

# Mean of u, as list(estimate, noise, variance, reach). `noise` holds the noise scales in the
# estimate. `variance` is the variance of u by present_spread(), and `reach` bounds the distance to
# the population mean. Noise in the count moves a mean in proportion to its distance from the
# middle.
noisy_mean <- function(found, alpha) {
  count <- found$count
  mean <- within_bounds(found$values[["sum"]] / count, -1, 1)
  noise <- c(found$scales[["sum"]], abs(mean) * found$scales[["count"]]) / count
  if (found$normal) {
    return(c(list(estimate = mean, noise = noise), normal_mean(found, mean, noise, alpha)))
  }
  variance <- present_spread(found, mean, noise, alpha)
  sd <- sqrt(variance$most / count) * student_excess(count, alpha)
  reach <- two_noises_reach(sd, noise[[1]], noise[[2]], alpha)
  list(estimate = mean, noise = noise, variance = variance, reach = reach)
}

# Returns list(variance, reach) under normal noise. To first order, the error of the variance is
# also normal: (Q - 2 m S + (m^2 - v) C) / count. Q, S and C are the noise of squares, sum and
# count, and m^2 - v is between -1 and 1. One fiftieth of alpha covers this error. Another covers
# the distance between m and `mean`, whose square enters at second order. The rest covers sampling
# and noise in the mean.
normal_mean <- function(found, mean, noise, alpha) {
  count <- found$count
  rare <- alpha / 50
  each <- found$scales / count
  off <- two_sided_quantile(rare) * sqrt(each[["sum"]]^2 + each[["count"]]^2)
  far <- min(abs(mean) + off, 1)
  deviation <- sqrt(each[["squares"]]^2 + 4 * far^2 * each[["sum"]]^2 + each[["count"]]^2)
  estimate <- to_sample(count) * (found$values[["squares"]] / count - mean^2)
  excess <- to_sample(count) * (stats::qnorm(rare, lower.tail = FALSE) * deviation + off^2)
  most <- min(max(estimate, 0) + excess, to_sample(count))
  rest <- alpha - 2 * rare
  sampling <- most / count * student_excess(count, rest)^2
  list(
    variance = list(estimate = estimate, most = most),
    reach = two_sided_quantile(rest) * sqrt(sampling + sum(noise^2))
  )
}

# Only the range is known.
population_of_few <- function(fields) {
  c(list(variance = NA_real_, standardError = NA_real_), population_fields(fields$rng, fields))
}

# Returns list(estimate, most): the variance of u, and a bound that it rarely exceeds. For a share,
# both follow from its mean, taken as far from an end as noise allows.
present_spread <- function(found, mean, noise, alpha) {
  count <- found$count
  if (!"squares" %in% names(found$values)) {
    least <- max(abs(mean) - two_noises_reach(0, noise[[1]], noise[[2]], alpha), 0)
    variances <- to_sample(count) * (1 - c(mean, least)^2)
    return(list(estimate = variances[[1]], most = variances[[2]]))
  }
  estimate <- to_sample(count) * (found$values[["squares"]] / count - mean^2)
  scale <- found$scales[["squares"]] / count
  list(estimate = estimate, most = cautious_variance(estimate, scale, count, 2, alpha))
}

# Changes the divisor from n to n - 1.
to_sample <- function(count) count / (count - 1)

# Returns the value that |normal + Laplace + Laplace| exceeds with probability `alpha`. The two
# Laplaces with scales a > b have density (a^2 f_a - b^2 f_b) / (a^2 - b^2).
two_noises_reach <- function(sd, a, b, alpha) {
  # If the scales are nearly equal, this makes the larger one larger still.
  a <- max(a, 1.001 * b)
  tail <- function(h) {
    (a^2 * noisy_normal_tail(h, sd, a) - b^2 * noisy_normal_tail(h, sd, max(b, a * 1e-6))) /
      (a^2 - b^2)
  }
  most <- sd * stats::qnorm(alpha / 8, lower.tail = FALSE) + (a + b) * log(4 / alpha)
  reach_of(tail, most, alpha)
}

# Targets of intervals -----------------------------------------------------------------------------

# A plan names the target of each element of its results that holds intervals
# (`covers` of new_plan()). Prints, tables, pictures and JSON read it from here.
#
# A guarantee for declared bounds does not hold for found ones, which follow from the same rows. Few
# rows lie beyond them, but no public number says how far away. So no interval can cover their
# effect on a mean, a variance or a slope of the population. The law of the noise does not depend on
# the bounds, so intervals for the clamped rows remain.

target_of <- list(
  rows = "the data as used",
  capped = "the rows that caps keep",
  found_rows = "the rows, moved into the bounds found",
  population = "the population",
  moved = "the population, moved into `rng`",
  normal = "the population, if its columns are normal",
  classical = "the population, moved into `rng`, if residuals have one variance",
  table_classical = "the population, moved into the bounds, if residuals have one variance",
  table_normal = "the population, if its columns are normal",
  table_moved = "the population, moved into the bounds",
  table_model = "the population, moved into the bounds, if the model is true",
  model = "the population, moved into `rng`, if the model is true",
  blocks = "what the blocks are a sample of",
  winsorized = "the block results, moved into the range found"
)

# Default target of intervals if a plan names none.
usual_covers <- c(
  interval = target_of$rows, intervals = target_of$rows, samplingInterval = target_of$blocks
)

with_usual_covers <- function(covers) {
  c(covers, usual_covers[setdiff(names(usual_covers), names(covers))])
}

# Target of each element of a result that has intervals.
covers_of <- function(x) {
  covers <- with_usual_covers(attr(x, "about")$covers)
  covers[names(covers) %in% names(x)]
}

# Target of the main intervals of a result, in its table. NULL if it has none.
main_target <- function(x) {
  covers <- covers_of(x)
  main <- intersect(main_elements, names(covers))
  if (length(main) > 0) covers[[main[[1]]]]
}

main_elements <- c("summary", "populationInterval", "intervals", "interval", "accuracy")

# Target of one element, or NULL.
target_in <- function(x, element) as.list(covers_of(x))[[element]]

is_for_rows <- function(target) {
  target %in% unlist(target_of[c("rows", "found_rows", "winsorized")])
}

# Results at found bounds --------------------------------------------------------------------------

# Target at found bounds of an interval with this target at declared bounds. A quantile needs no
# bounds: see population_of_quantiles().
at_found_bounds <- function(covers) {
  kept <- covers == target_of$population
  # Shares of a tree also have intervals for the rows.
  of_rows <- is_for_rows(covers) | names(covers) == "cdf"
  covers[of_rows] <- target_of$found_rows
  covers[kept | of_rows]
}

# Removes intervals that found bounds do not have, and errors of the same kind, from the `values` of
# a result.
without_lost <- function(values, covers) {
  lost <- setdiff(names(covers), names(at_found_bounds(covers)))
  if ("populationInterval" %in% lost) lost <- c(lost, "populationAlpha", "standardError")
  if (!is.null(values$cdf)) values$cdf[c("lower", "upper")] <- NULL
  if ("linearRegression" %in% lost) {
    values$linearRegression <- without_errors(values$linearRegression)
  }
  values[setdiff(names(values), setdiff(lost, "linearRegression"))]
}

# Keeps only the estimates in tables of coefficients.
without_errors <- function(tables) {
  if (is.data.frame(tables)) {
    structure(tables["Estimate"], errors = NULL)
  } else if (!is.null(tables)) {
    lapply(tables, without_errors)
  }
}

# Refuses `x`, a result or a model, if found `bounds` leave it without intervals.
refuse_without_interval <- function(x, call) {
  if (is.null(x$bounds)) return()
  stop_dp(
    paste(
      "A result at bounds that were found has no interval for the population and no standard",
      "error: neither counts the values beyond them. Declare the bounds."
    ),
    "invalid_argument", argument = "object", call = call
  )
}

#' Intervals for the population
#'
#' `interval = "population"` adds a confidence interval for a number of the population that the rows
#' were drawn from. The interval covers sampling error and noise. Without it, intervals cover only
#' the noise.
#'
#' All intervals cover with probability `1 - alpha`, separately for each number. They assume
#' independent draws. None of them covers the bias of clamping, so the target is the population
#' clamped to `rng`. `attr(result, "covers")` names the target of each interval.
#'
#' @section Means: Let h be half the width of `rng`, c its middle, and
#'   u = (x - c) / h. The sum of u keeps its usual noise of scale 2 / epsilon. The sum of squares of
#'   u is released with it, with noise of scale 4 / epsilon, at no further loss: a row that moves
#'   the sum from u to u' moves the squares by (u + u') (u - u'), and
#'   `|u - u'| / 2 + |u^2 - u'^2| / 4` is at most 1.
#'
#'   Both sums give the variance v. To allow for the noise in it, 0.4 log(1.2 / alpha) times its
#'   noise scale is added. The interval reaches from the release, on either side, by a quantile of
#'   |N + L|. Here N is normal with variance v / n (with Student's excess) and L is the noise. The
#'   interval is cut to `rng`. It covers with probability `1 - alpha` if the mean of n rows is
#'   normal, without further assumptions. Imputed values count as rows of the population.
#'
#'   With `missing = "drop"`, the noise in count and sum has scale 2.25 / epsilon instead, and the
#'   noise in the squares has scale 9 / epsilon. For a logical column, the interval inverts the
#'   exact law of a binomial number with noise. It covers for every n, epsilon and share. A range
#'   from [bounds()] raises an error here: no interval with a proof accounts for the values beyond
#'   found bounds.
#' @section Variances: Let h be half the width of `rng`, c its middle, and u =
#'   (x - c) / h. The sums of u and of its squares are released together, with noise of scales 2 /
#'   epsilon and 4 / epsilon. This costs `epsilon`, see Means. The variance is computed from
#'   both sums, and `accuracy` is the same as with `missing = "drop"`.
#'
#'   The error of the variance v of n rows depends on the fourth moment m4 of the population: its
#'   variance is (m4 - v^2 (n - 3) / (n - 1)) / n. m4 is bounded, not released. No row is farther
#'   from the mean than B = h + |mean - c|, so m4 is at most B^2 v.
#'
#'   The interval reaches from the release, on either side, by a quantile of |N + L|, and is cut to
#'   the possible variances within `rng`. N is normal with the above variance, for the largest
#'   plausible v under the noise. It takes the mean at the farther end of the interval that
#'   [dpMean()] gives. L is the noise, to first order a sum of independent Laplace variables. The
#'   quantile is computed from this law.
#'
#'   So the interval is *conservative*: it covers with probability at least `1 - alpha`, if a
#'   variance of n rows is normal. With little noise, it is 1.6 to 5 times as wide as an interval
#'   that knows the fourth moment, and almost always covers. For few rows with a heavy tail, an
#'   interval from the fourth moment covers far too rarely, but this one does not. A range from
#'   [bounds()] raises an error here, as in [dpMean()].
#' @section Quantiles: A tree of counts of the same rows is released with the
#'   quantile, as by [dpTree()]. Its shape follows from half of `epsilon`. Both releases are one
#'   composition, whose map is the loss. The tree gives F, the non-decreasing share of rows below
#'   each edge of the leaves.
#'
#'   The share of rows below the population quantile differs from p by at most H = z sqrt(p (1 - p)
#'   / n + V / n^2). Here z is the quantile of the normal distribution, and V is the variance of the
#'   noise at that edge. If rows are dropped, n is the estimated number of remaining rows. The lower
#'   end is the last edge with F < p - H. The upper end is the first edge with F > p + H. If there
#'   is no such edge, the end is the bound of `rng`. For integers, the interval holds the whole
#'   numbers between the ends.
#'
#'   The interval covers the population quantile with probability `1 - alpha`, with or without
#'   heaps, if counts of rows are normal. The ends are edges of leaves, and leaves are wide if
#'   epsilon n is small. The quantile itself is released with the other half of `epsilon`, so it can
#'   lie outside. If there are several quantiles, each interval covers separately.
#'
#'   The interval is also valid for bounds that [bounds()] found: an edge above the quantile has at
#'   least the rows up to the quantile, wherever the edges are. The first and the last edge do not
#'   count then. If no other edge is an end, the end is the bound of the widest range that could be
#'   found.
#' @section Models: Intervals are for the population. `confint()` and `vcov()` name this target
#'   in the attribute `"covers"`, and tables in a column. If [bounds()] found a range, `confint()`,
#'   `vcov()` and intervals of `predict()` raise an error.
#'
#'   Intervals cover sampling and noise. To first order, the error of a linear model is a sum of
#'   Laplace variables, the noise of the moments, and a normal variable for sampling. Its quantiles
#'   are computed from its characteristic function, for any `level`, without random draws. Intervals
#'   of a `dpGLM()` use the law of its noise, including the noise of its curvature, through 2000
#'   fixed points, plus a normal vector for sampling. With `nBoot`, they use Student's law of its
#'   parts. `vcov()` uses the curvature as released. If its noise matters, `vcov()` gives smaller
#'   errors than the intervals.
#' @section Other statistics: [dpSampleAndAggregate()] has an interval for the target of its blocks,
#'   see [block_releases]. Intervals of [dpLM()], [dpGLM()], [dpCorrelation()] and
#'   [dpMeanDifference()] are always for the population. [bootSE()] says why there is no bootstrap
#'   of private rows.
#' @seealso [dpMean()], [dpVariance()], [dpQuantile()], [confint()][statistic_models] for a matrix
#'   of intervals
#' @examples
#' sampled <- dpMean(
#'   "income", n = 10000, rng = c(0, 750000), epsilon = 0.1, interval = "population"
#' )
#' result <- sampled$release(PUMS5extract10000)
#' result$populationInterval
#' attr(result, "covers")
#' @name population_intervals
NULL
