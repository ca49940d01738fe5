#' Plot a privacy profile
#'
#' Draws delta over a range of epsilon, delta on a logarithmic scale.
#'
#' @param x (`privacy_profile`)
#' @param epsilon (`numeric` or `NULL`) Where to draw it; by default from 0 to where delta is 1e-10,
#'   or to 10 if it does not get there.
#' @param ... Passed to [graphics::plot.default()].
#' @param xlab,ylab,main,type Labels and type of the plot.
#' @returns A data frame with columns `epsilon` and `delta`, invisibly.
#' @section Errors: Those of the profile.
#' @examples
#' enable_features("contrib", "honest-but-curious")
#' plot(new_privacy_profile(\(epsilon) exp(-epsilon)))
#' @export
plot.privacy_profile <- function(x, epsilon = NULL, ..., xlab = "epsilon", ylab = "delta",
                                 main = "Privacy profile", type = "l") {
  if (is.null(epsilon)) {
    last <- x(delta = 1e-10)
    epsilon <- seq(0, if (is.finite(last) && last > 0) last else 10, length.out = 201)
  }
  points <- data.frame(
    epsilon = epsilon,
    delta = vapply(epsilon, function(at) x(epsilon = at), numeric(1))
  )
  # A logarithmic axis has no place for 0.
  drawn <- points[points$delta > 0, ]
  log <- if (nrow(drawn) > 0) "y" else ""
  if (nrow(drawn) == 0) drawn <- points
  graphics::plot.default(drawn$epsilon, drawn$delta, type = type, main = main, xlab = xlab,
    ylab = ylab, log = log, ...)
  invisible(points)
}
