#' Plot a stability or privacy map
#'
#' Draws the largest output distance, or privacy loss, over a range of input distances. The plot
#' shows, for example, the steps of a map that counts replaced rows, the offset of a floating-point
#' sum, or the slope that noise must cover.
#'
#' @param x (`transformation` or `measurement`) Object whose distances are single numbers.
#' @param d_in (`numeric`) Input distances, in the unit of the input metric (rows, for distances
#'   between datasets). Public.
#' @param ... Arguments for [graphics::plot.default()].
#' @param xlab,ylab,main,type (graphical parameters) Labels and type of the plot.
#' @returns A data frame with columns `d_in` and `d_out`, invisibly.
#' @section Errors: Raises the errors of the map.
#' @examples
#' enable_features("contrib")
#' space <- c(vector_domain(atom_domain(bounds = c(-10L, 10L)), size = 3L), symmetric_distance())
#' total <- space |> then_sum()
#' plot(total, d_in = 0:9)
#' @name plot_map
NULL

#' @rdname plot_map
#' @export
plot.transformation <- function(x, d_in = 0:10, ..., xlab = NULL, ylab = NULL,
                                main = "Stability map", type = "s") {
  plot_map(x, d_in, ...,
    xlab = xlab, ylab = ylab %||% axis_label("Output distance", x("output_metric")),
    main = main, type = type
  )
}

#' @rdname plot_map
#' @export
plot.measurement <- function(x, d_in = 0:10, ..., xlab = NULL, ylab = NULL, main = "Privacy map",
                             type = "s") {
  plot_map(x, d_in, ...,
    xlab = xlab, ylab = ylab %||% axis_label("Privacy loss", x("output_measure")),
    main = main, type = type
  )
}

plot_map <- function(x, d_in, ..., xlab, ylab, main, type) {
  d_out <- lapply(d_in, function(d) x(d_in = d))
  if (!all(vapply(d_out, is_number, logical(1)))) {
    stop_dp("only a map to single numbers can be drawn. This one gives tuples or profiles.",
      "invalid_argument",
      argument = "x", call = rlang::caller_env()
    )
  }
  points <- data.frame(d_in = d_in, d_out = unlist(d_out))
  graphics::plot.default(points$d_in, points$d_out, type = type, main = main, ylab = ylab,
    xlab = xlab %||% axis_label("Input distance", x("input_metric")), ...)
  if (type == "s") graphics::points.default(points$d_in, points$d_out, pch = 19)
  invisible(points)
}

# Names the quantity that a distance counts, such as "Privacy loss: epsilon".
axis_label <- function(distance, measured_by) {
  name <- toString(measured_by)
  words <- distance_words[sub("[(].*$", "", name)]
  paste0(distance, ": ", if (is.na(words)) name else words)
}

distance_words <- c(
  SymmetricDistance = "rows added or removed", InsertDeleteDistance = "rows inserted or deleted",
  ChangeOneDistance = "replaced rows", HammingDistance = "replaced rows, in order",
  DiscreteDistance = "whether the values differ", AbsoluteDistance = "absolute difference",
  L1Distance = "sum of absolute differences", L2Distance = "Euclidean distance",
  MaxDivergence = "epsilon", ZeroConcentratedDivergence = "rho"
)

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
