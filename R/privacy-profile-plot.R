#' Plot a privacy profile
#'
#' Draws delta against epsilon, with delta on a logarithmic scale.
#'
#' @param x,object (`privacy_profile`) Profile to plot.
#' @param epsilon (`numeric` or `NULL`) Epsilons to plot. `NULL` plots from 0 until delta is 1e-10,
#'   or to 10 if delta stays larger.
#' @param ... Arguments for [graphics::plot.default()]. `autoplot()` ignores them.
#' @param xlab,ylab,main,type (graphical parameters) Labels and type of the plot.
#' @returns `plot()` returns a data frame with columns `epsilon` and `delta`, invisibly.
#'   `autoplot()` returns a ggplot.
#' @section Errors: Raises the errors of the profile.
#' @examples
#' enable_features("contrib", "honest-but-curious")
#' plot(new_privacy_profile(\(epsilon) exp(-epsilon)))
#' @export
plot.privacy_profile <- function(x, epsilon = NULL, ..., xlab = "epsilon", ylab = "delta",
                                 main = "Privacy profile", type = "l") {
  points <- points_of_profile(x, epsilon)
  drawn <- drawn_of_profile(points)
  graphics::plot.default(drawn$points$epsilon, drawn$points$delta, type = type, main = main,
    xlab = xlab, ylab = ylab, log = if (drawn$log) "y" else "", ...)
  invisible(points)
}

#' @rdname plot.privacy_profile
#' @exportS3Method ggplot2::autoplot
autoplot.privacy_profile <- function( # nolint: object_name_linter.
    object, epsilon = NULL, ..., xlab = "epsilon", ylab = "delta", main = "Privacy profile") {
  drawn <- drawn_of_profile(points_of_profile(object, epsilon))
  plot <- ggplot2::ggplot(drawn$points,
    ggplot2::aes(x = .data[["epsilon"]], y = .data[["delta"]])
  ) +
    ggplot2::geom_line() +
    ggplot2::labs(x = xlab, y = ylab, title = main)
  if (drawn$log) plot + ggplot2::scale_y_log10() else plot
}

points_of_profile <- function(x, epsilon) {
  if (is.null(epsilon)) {
    last <- x(delta = 1e-10)
    epsilon <- seq(0, if (is.finite(last) && last > 0) last else 10, length.out = 201)
  }
  data.frame(epsilon = epsilon, delta = vapply(epsilon, function(at) x(epsilon = at), numeric(1)))
}

# A logarithmic axis cannot show 0.
drawn_of_profile <- function(points) {
  above <- points[points$delta > 0, ]
  log <- nrow(above) > 0
  list(points = if (log) above else points, log = log)
}
