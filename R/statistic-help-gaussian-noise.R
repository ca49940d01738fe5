#' Gaussian noise in statistics
#'
#' Most statistics add discrete Gaussian noise if you give `rho`, or `delta` beside `epsilon`. Its
#' standard deviation is `sigma` = D / sqrt(2 rho). D is the L2 sensitivity: the largest Euclidean
#' distance that one replaced row moves the released numbers. One release loses rho.
#'
#' A statistic with Gaussian noise has the fields `rho` and `sigma`, and results have `rho` instead
#' of `epsilon`, or `delta` beside it. `accuracy` is `sigma` times a quantile of the normal law.
#'
#' @section Loss in epsilon and delta: If you give `epsilon` and `delta`, rho is the largest value
#'   that is (epsilon, delta)-differentially private by Proposition 7 of Canonne, Kamath and Steinke
#'   (2020). The reported loss is converted from this rho.
#' @section When to use it: For one release of one number, Gaussian noise is larger than Laplace
#'   noise unless delta is large. It is better for many releases: rho adds up over releases, and the
#'   L2 sensitivity of many numbers is smaller than the sum of their absolute changes.
#' @section Sensitivities: R is the width of `rng`, and n the number of rows.
#'
#'   | statistic | D |
#'   |---|---|
#'   | [dpMean()] | R / n |
#'   | [dpVariance()] | R^2 / n |
#'   | [dpHistogram()], [dpHeavyHitters()] | sqrt(2), on the counts |
#'   | [dpTree()] with h levels | sqrt(2 h), on all counts |
#'   | [dpCovariance()], [dpLM()], [dpPCA()] with P columns | P + 1, on moments in half-widths |
#'   | [dpSampleAndAggregate()] | J D / k for each result, see [block_releases] |
#'
#'   If a mean or a variance drops rows without a value, or has an interval for the population, it
#'   comes from moments. Its page gives their noise. The interval assumes a variance that noise
#'   makes too small only once in 50 / alpha times. It spends the rest of alpha on the normal error
#'   of sampling and noise.
#' @references Bun and Steinke (2016), *Concentrated Differential Privacy: Simplifications,
#'   Extensions, and Lower Bounds*. Canonne, Kamath and Steinke (2020), *The Discrete Gaussian for
#'   Differential Privacy*.
#' @seealso [make_gaussian()] in the framework, [dp_zcdp()] for budgets in rho
#' @examples
#' dpMean("income", n = 10000, rng = c(0, 750000), rho = 0.01)$sigma
#' dpMean("income", n = 10000, rng = c(0, 750000), epsilon = 0.1, delta = 1e-6)$rho
#' @name gaussian_noise
NULL
