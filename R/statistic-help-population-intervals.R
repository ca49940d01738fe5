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
