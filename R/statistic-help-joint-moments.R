#' How covariance matrices and linear models are released
#'
#' [dpCovariance()] and [dpLM()] release all sums and sums of products of their columns in one
#' measurement, and compute the rest from these moments.
#'
#' @section Moments: Values are rounded to public grids of 40 bits, so sums and sums of
#'   products are exact integers. If you give only `globalEps`, one measurement releases them
#'   jointly and costs `globalEps` for one replaced row. Let P be the number of columns, h half the
#'   width of a range, x the value minus the middle of its range, and
#'   `s = (P + 1)^2 / (2 globalEps)`. The discrete Laplace noise has scale s h for a sum, s h h' for
#'   a sum of products and 2 s h^2 for a sum of squares. This is enough because replacing a row
#'   changes at most half of all moments. The header of the measurement has the proof. `accuracy` of
#'   the object is computed for data whose means are in the middle of the ranges. `accuracy` of the
#'   result is the half-width of each entry's interval. That interval contains the covariance of the
#'   data as used with probability at least `1 - alpha`. `epsilon` is `globalEps`.
#'
#'   With separate losses, each entry has independent discrete Laplace noise. One replaced row moves
#'   an entry by at most `R_i R_j / n`, the product of both range widths over `n`. Some data attain
#'   this bound. One row moves a mean by at most `R_i / n`.
#' @section Separate losses: Usually, give only `globalEps`: one joint release then measures all
#'   sums and products that the matrix needs. You can also spend a separate loss on each entry, but
#'   the losses add up and the noise is larger. Give `epsilon` (the loss of each entry), `globalEps`
#'   with `epsilonDist` (shares), `accuracy` (one for all entries) or `accuracyVals` (one for each).
#'   If you give several, the first in this list counts. The entries are the lower triangle with the
#'   diagonal, column by column: for three columns 11, 21, 31, 22, 32, 33.
#' @section Linear models: One joint release measures the sums and sums of products of all columns,
#'   as in [dpCovariance()]. Let P be the number of columns, h half the width of a range,
#'   u = (x - middle) / h and `s = (P + 1)^2 / (2 epsilon)`. The discrete Laplace noise has scale s
#'   for sums and sums of products, and 2 s for sums of squares. Coefficients solve the normal
#'   equations of these moments, without a ridge. Noise alone can explain an eigenvalue of the
#'   predictors' moments below 3 s. Such an eigenvalue is raised to 3 s, and `status` is
#'   `"repaired"`. If predictors are nearly multiples of each other, such as `a` and `I(2 * a)`,
#'   noise decides how they share their effect. Their standard errors are large, and `lm()` would
#'   give `NA` for one of them. Raised eigenvalues also shrink other coefficients towards 0, which
#'   intervals do not cover.
#'
#'   Errors follow from sampling and from the noise, whose law is public. To first order,
#'   coefficients are off by `A^-1 (E a + sqrt(v A) N)`. Here A has the moments of the predictors, E
#'   the noise of all moments, a is the residual as a combination of columns, and N is normal. v is
#'   the residual variance plus 0.7 standard deviations of its noise. This assumes one residual
#'   variance for all predictors.
#'
#'   With `vcov = "sandwich"` the moments spend `0.8 epsilon`, and a second stage of the release
#'   reads the rows again. Let z be the d scaled predictors, r a row's residual at the coefficients
#'   of the first stage and C = 64 v. The stage releases the sums of min(r^2 / C, 1) z_i z_j with
#'   noise of scale `d^2 / (0.4 epsilon)`, and twice that for squares. The weights are between 0 and
#'   1, so they cost nothing more, even though they depend on the first release. The second stage
#'   loses `0.2 epsilon` for any first release, and both together lose `epsilon`. C times these
#'   sums, plus one standard deviation of their noise in each direction, replaces v A.
#' @references Dwork, McSherry, Nissim and Smith (2006), *Calibrating Noise to Sensitivity in
#'   Private Data Analysis*. Wang (2018), *Revisiting Differentially Private Linear Regression*.
#'   Dwork, Talwar, Thakurta and Zhang (2014), *Analyze Gauss: Optimal Bounds for Privacy-Preserving
#'   Principal Component Analysis*. Bun and Steinke (2016), *Concentrated Differential Privacy:
#'   Simplifications, Extensions, and Lower Bounds*. Canonne, Kamath and Steinke (2020), *The
#'   Discrete Gaussian for Differential Privacy*.
#' @seealso [gaussian_noise]
#' @examples
#' plan <- dpCovariance(
#'   c("income", "age"), n = 10000, rng = list(c(0, 200000), c(18, 93)), epsilon = 1
#' )
#' plan$accuracyVals
#' @name joint_moments
NULL
