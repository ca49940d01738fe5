#' How generalized linear models are released
#'
#' [dpGLM()] perturbs the objective of a regression and releases the minimizer. With
#' `inference = "onestep"`, a second stage measures the curvature, which gives standard errors and
#' intervals.
#'
#' @section First stage: Public bounds scale the predictors to lie between -1 and 1. `dpGLM`
#'   minimizes the sum over rows of the loss, plus `lambda / 2` times the squared coefficients for
#'   each row, plus a random linear function. It releases the minimizer on the original scale. Let d
#'   be the number of coefficients, m the number of rows, s the largest slope and c the largest
#'   curvature of the loss. The random vector b has density proportional to
#'   `exp(-rate max|b_j|)`, and a release costs `2 s rate + ln(1 + c d / (lambda m))` for it. Unless
#'   you ask for a larger `lambda`, the second part is a quarter of the available loss.
#'
#'   The losses are:
#'
#'   * Logistic: s = 1, c = 1/4.
#'   * Probit: s = 3.2832, c = 1. The slope is constant beyond a linear predictor of 3 on the wrong
#'     side.
#'   * Poisson, divided by the largest count: s = 1, c = 1. The slope is constant once the mean
#'     exceeds the largest count.
#'   * Least squares, in half-widths of the response's range: s = 2, c = 1. The slope is constant
#'     beyond a residual of 2. This is Huber's loss, which equals least squares while fitted values
#'     are within the range. The variance has discrete Laplace noise and an eighth of `epsilon`.
#'
#'   No computer finds the exact minimum. The gradient is summed in integers, which bounds its norm
#'   for certain by a public number. Discrete Laplace noise, with a 1024th of `epsilon`, covers the
#'   region that this bound leaves for the coefficients. Newton's method usually finishes within 16
#'   passes over the rows and gets at most 64. After that, gradient steps finish in a public, though
#'   large, number of passes. Nothing else hides the time that a release takes. If the random vector
#'   is beyond its range, the release raises an error, with probability below 1e-50 for any data. So
#'   the guarantee is (`epsilon`, 1e-50)-differential privacy, not pure differential privacy.
#'   Reports, ledgers and JSON leave out this 1e-50.
#' @section One step: With `"onestep"` the release has two stages. The first one is described above
#'   and spends `epsilon (1 - inferenceShare)`. The second stage reads the rows again, at the
#'   released coefficients `theta`. Let z be the scaled predictors, with 1 for an intercept, and k
#'   the curvature of a row's loss at `theta`, at most K. The stage releases the `d (d + 1) / 2`
#'   sums of k / K times z_i z_j together. The weights k / K are between 0 and 1. So with
#'   `v = d^2 / (2 e)` and discrete Laplace noise of scale v, or 2 v for squares, the stage costs e
#'   for any `theta`. K is c, with two exceptions. For Poisson, K is at most the largest possible
#'   mean at `theta`, divided by the largest count. For probit, k is the mean over responses and K
#'   is 2 / pi. The losses of the stages add up to `epsilon`. A sandwich has a third stage of the
#'   same form, whose weights are squared slopes divided by `s^2`. Then the second and third stages
#'   each have e = `epsilon inferenceShare / 2`, and k is the row's own curvature, with K = c for
#'   probit.
#'
#'   All further steps are postprocessing. With H, K times the sums, the estimate is
#'   `theta + H^-1 m lambda theta`, which removes the bias of the ridge. Its error is
#'   `H^-1 (b + g)`, with g the gradient at the population's coefficients. The law of b is public,
#'   and g is normal. The covariance of g is H (logit and probit), H over the largest count
#'   (Poisson), or H times the residual variance (least squares). Otherwise it comes from the
#'   sandwich, plus one standard deviation of its noise in each direction. `Std. Error` follows from
#'   this law, with the released H.
#'
#'   Intervals also account for the noise in H. They use 2000 fixed draws of b and of the noise of
#'   the sums. Subtracting a noise draw from the sums gives another H. If it is positive definite,
#'   the coefficients `theta + H^-1 (m lambda theta + b + g)` have a normal law. An interval is
#'   centred at the estimate and contains 1 - `alpha` of the mean of these laws. If H is far above
#'   its noise, the interval agrees with `Std. Error`. Near the noise it is two to three times as
#'   long. The extra length is necessary: errors are given if H stands out from its noise, which
#'   often happens because noise made H large. For a logistic model with two predictors, 1000 rows
#'   and `epsilon = 0.5`, one release in six has intervals. Intervals of 95% cover in 96 to 98% of
#'   these releases. With H as released they would cover in 85 to 92%.
#'
#'   Noise can leave an invalid curvature matrix, so eigenvalues of the sums below 2 v are raised to
#'   2 v. `status` is `"noise"` if the smallest one, before that, is below a threshold: the median
#'   of the largest eigenvalue of noise alone (about 4 v, 7 v and 11 v for 3, 6 and 12
#'   coefficients). Then use more rows, a larger `epsilon`, fewer predictors or narrower bounds.
#'   Intervals would be many times as long as without noise, and the estimate would usually be no
#'   better than `theta`.
#'
#'   Choose bounds no wider than they need to be. If a predictor hardly moves within its bounds, few
#'   releases have intervals, but most of those few mislead. One predictor of a logistic model with
#'   2500 rows and `epsilon = 2` spanned a twentieth of its bounds. Of 300 releases, 21 had
#'   intervals of 95%, and in 14 the interval of this predictor did not cover. Intervals are valid
#'   to first order, as in [stats::glm()], and need a true model unless `vcov` says
#'   otherwise. With five predictors spread evenly over their bounds and 10,000 rows, nine in ten
#'   releases of a logistic or probit model have intervals at `epsilon = 0.5`, and all have them at
#'   2.
#' @references Chaudhuri, Monteleoni and Sarwate (2011), *Differentially Private Empirical Risk
#'   Minimization*. Kifer, Smith and Thakurta (2012), *Private Convex Empirical Risk Minimization
#'   and High-dimensional Regression*. Iyengar, Near, Song, Thakkar, Thakurta and Wang (2019),
#'   *Towards Practical Differentially Private Convex Optimization*. Awan and Slavkovic (2021),
#'   *Structure and Sensitivity in Differential Privacy: Comparing K-Norm Mechanisms*. Le Cam
#'   (1956), *On the Asymptotic Theory of Estimation and Testing Hypotheses*. White (1982), *Maximum
#'   Likelihood Estimation of Misspecified Models*.
#' @seealso [dpGLM()], [statistic_models]
#' @examples
#' marriage <- dpGLM(
#'   married ~ age, n = 10000, rng = list(c(0, 1), c(18, 93)), epsilon = 1, objective = "logit"
#' )
#' marriage$release(PUMS5extract10000)$status
#' @name glm_method
NULL
