new_profile <- function(handle) {
  force(handle)
  self <- function(attr, epsilon, delta) {
    given <- c(attr = !missing(attr), epsilon = !missing(epsilon), delta = !missing(delta))
    check_exactly_one(given, environment())
    if (!missing(epsilon)) {
      core_profile_at(self, epsilon, NULL)
    } else if (!missing(delta)) {
      core_profile_at(self, NULL, delta)
    } else {
      attribute(self, attr, list(ptr = function() handle), environment())
    }
  }
  new_callable("privacy_profile", self)
}

#' Make a privacy profile
#'
#' Makes a privacy profile from a function. A privacy profile gives the smallest delta that a
#' release can claim for each epsilon. It is the distance of [smoothed_max_divergence()]. Evaluate
#' it with `profile(epsilon = )` or `profile(delta = )`.
#'
#' @param curve (`function(epsilon)`) Function from numbers of at least 0 to numbers in `[0, 1]`.
#'   You promise that it does not increase, hence the feature `"honest-but-curious"`.
#' @returns (`privacy_profile`) A function: `profile(epsilon = e)` is delta at `e`.
#'   `profile(delta = d)` is the smallest epsilon whose delta is at most `d`, or `Inf` if there is
#'   none.
#' @section Errors: Raises `dp_error_failed_map` if delta is not in `[0, 1]`, and
#'   `dp_error_failed_function` if the curve fails.
#' @references Balle, Barthe and Gaboardi (2018), *Privacy Amplification by Subsampling: Tight
#'   Analyses via Couplings and Divergences*, section 2.
#' @examples
#' enable_features("contrib", "honest-but-curious")
#' profile <- new_privacy_profile(\(epsilon) exp(-epsilon))
#' profile(epsilon = 1)
#' profile(delta = 1e-7)
#' @export
new_privacy_profile <- function(curve) build("new_privacy_profile", curve)

#' @export
toString.privacy_profile <- function(x, ...) "PrivacyProfile"

#' @export
format.privacy_profile <- function(x, ...) {
  deltas <- c(1e-3, 1e-6, 1e-9)
  epsilons <- or_else(
    vapply(deltas, function(delta) as.double(x(delta = delta)), 0),
    function(error) NULL
  )
  c("PrivacyProfile", paste0(
    "  delta ", format(deltas[seq_along(epsilons)]), ": epsilon ", show_number(epsilons, 4),
    recycle0 = TRUE
  ))
}

#' @export
print.privacy_profile <- function(x, ...) {
  cat(format(x), sep = "\n")
  invisible(x)
}

#' @export
`$.privacy_profile` <- function(x, name) {
  member(list(
    epsilon = function(delta) x(delta = delta),
    delta = function(epsilon) x(epsilon = epsilon)
  ), name, "privacy_profile")
}

# Renyi curves -------------------------------------------------------------------------------------

# In older versions a curve was a function of `arg`, which still works.
new_renyi_curve <- function(handle) {
  force(handle)
  self <- function(attr, alpha, arg) {
    given <- c(attr = !missing(attr), alpha = !missing(alpha), arg = !missing(arg))
    check_exactly_one(given, environment())
    if (!missing(attr)) {
      attribute(self, attr, list(ptr = function() handle), environment())
    } else {
      if (!missing(alpha)) arg <- as.double(check_number(alpha, above = 1, finite = FALSE))
      core_function_eval(handle, arg, NULL)
    }
  }
  new_callable(c("renyi_curve", "opendp_function"), self)
}

#' Evaluate and plot Renyi curves
#'
#' Plots and evaluates Renyi curves. A Renyi curve bounds the Renyi divergence between releases on
#' neighbouring datasets at each order alpha. It is the distance of [renyi_divergence()]. The maps
#' of [make_pureDP_to_RDP()] and [make_zCDP_to_RDP()], and of their compositions, return it.
#' Evaluate it with `curve(alpha = )`.
#'
#' `plot()` uses package graphics. `autoplot()` uses package ggplot2 and returns a plot that you can
#' add to. Both axes are logarithmic.
#'
#' @param x,object (`renyi_curve`) A curve.
#' @param alpha (`numeric` or `NULL`) Orders to plot, above 1. `NULL` covers 1.05 to 256.
#' @param ... Arguments for [graphics::plot.default()]. `autoplot()` ignores them.
#' @param xlab,ylab,main,type (graphical parameters) Labels and type of the plot.
#' @returns A `renyi_curve` is a function: `curve(alpha = a)` is the loss at order `a` above 1,
#'   `numeric(1)`, in the unit of epsilon. `curve(arg = a)` gives the same value. The loss increases
#'   with `a`. At infinite order it is the loss of pure differential privacy. `plot()` returns a
#'   data frame with columns `alpha` and `epsilon`, invisibly. `autoplot()` returns a ggplot.
#' @section Errors: Raises `dp_error_invalid_argument` if alpha is not above 1, and the errors of
#'   the curve.
#' @template ref-mironov-2017
#' @seealso [make_RDP_to_approxDP()] for the epsilon and delta that follow.
#' @examples
#' enable_features("contrib")
#' noisy <- c(atom_domain(.T = "i32"), absolute_distance(.T = "i32")) |>
#'   then_laplace(scale = 1) |>
#'   then_pureDP_to_RDP()
#' curve <- noisy(d_in = 1L)
#' curve(alpha = 2)
#' plot(curve)
#' @name renyi_curve
NULL

#' @export
toString.renyi_curve <- function(x, ...) "RenyiCurve"

#' @export
format.renyi_curve <- function(x, ...) "RenyiCurve"

#' @export
`$.renyi_curve` <- function(x, name) {
  part_or_member(x, name, list(
    epsilon = function(alpha) x(alpha = alpha), eval = function(arg) x(arg = arg)
  ))
}

#' @rdname renyi_curve
#' @export
plot.renyi_curve <- function(x, alpha = NULL, ..., xlab = "alpha", ylab = "epsilon",
                             main = "Renyi curve", type = "l") {
  points <- curve_points(x, alpha, rlang::current_env())
  # A logarithmic axis cannot show 0.
  log <- if (all(points$epsilon > 0)) "xy" else "x"
  graphics::plot.default(points$alpha, points$epsilon, type = type, main = main, xlab = xlab,
    ylab = ylab, log = log, ...)
  invisible(points)
}

# nolint start: object_name_linter. The generic has this name.

#' @rdname renyi_curve
#' @exportS3Method ggplot2::autoplot
autoplot.renyi_curve <- function(object, alpha = NULL, ..., xlab = "alpha", ylab = "epsilon",
                                 main = "Renyi curve") {
  points <- curve_points(object, alpha, rlang::current_env())
  columns <- ggplot2::aes(x = !!rlang::sym("alpha"), y = !!rlang::sym("epsilon"))
  plot <- ggplot2::ggplot(points, columns) +
    ggplot2::geom_line() +
    ggplot2::scale_x_log10() +
    ggplot2::labs(title = main, x = xlab, y = ylab)
  if (all(points$epsilon > 0)) plot + ggplot2::scale_y_log10() else plot
}

# nolint end

# Orders that are denser near 1, because the curve of pure differential privacy bends there.
curve_points <- function(curve, alpha, call) {
  alpha <- alpha %||% (1 + exp(seq(log(0.05), log(255), length.out = 101)))
  data.frame(
    alpha = alpha,
    epsilon = vapply(alpha, function(at) {
      curve(alpha = check_number(at, above = 1, arg = "alpha", call = call))
    }, numeric(1))
  )
}
