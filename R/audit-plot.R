#' Plot an audit
#'
#' Draws how the bound grew with the number of draws, with a thin line for each pair, beside the
#' claim, or how well the best evidence tells the neighbours apart, beside the region that the claim
#' allows.
#'
#' @param x,object (`dp_audit`) Audit.
#' @param what (`character(1)`) `"bound"` or `"roc"`. `plot()` draws both by default.
#' @param ... Not used.
#' @returns `plot()` returns its argument, invisibly. `autoplot()` returns a ggplot.
#' @seealso [dp_audit()]
#' @examples
#' audit <- dp_audit(dpMean("x", n = 4, rng = c(0, 10), epsilon = 1), draws = 5000)
#' plot(audit)
#' @export
plot.dp_audit <- function(x, what = c("bound", "roc"), ...) {
  check_names(...)
  for (each in what) check_choice(each, c("bound", "roc"), arg = "what")
  if (is.null(x$roc)) what <- setdiff(what, "roc")
  if (length(what) > 1) {
    before <- graphics::par(mfrow = c(1, 2))
    on.exit(graphics::par(before))
  }
  if ("bound" %in% what) plot_bound(x)
  if ("roc" %in% what) plot_roc(x)
  invisible(x)
}

title_of_audit <- function(x) paste0("Audit of ", x$name, ": ", x$status)

bound_label <- function(x) paste0("proved loss (", x$measure, ")")

# Log axes cannot show 0 draws.
curves_of_audit <- function(x) {
  pairs <- x$log_of_pairs[x$log_of_pairs$draws > 0, ]
  list(all = x$log[x$log$draws > 0, ], pairs = pairs)
}

plot_bound <- function(x) {
  curves <- curves_of_audit(x)
  range <- range(curves$pairs$draws, curves$all$draws)
  graphics::plot.default(range, c(0, 1.1 * max(x$amount, curves$all$bound, curves$pairs$bound)),
    type = "n", log = "x", xlab = "draws", ylab = bound_label(x), main = title_of_audit(x)
  )
  for (one in split(curves$pairs, curves$pairs$pair)) {
    graphics::lines(one$draws, one$bound, type = "s", col = "grey70")
  }
  graphics::lines(curves$all$draws, curves$all$bound, type = "s", lwd = 2)
  graphics::abline(h = x$amount, lty = 2)
}

plot_roc <- function(x) {
  allowed <- allowed_region(x)
  graphics::plot.default(0:1, 0:1, type = "n", xlab = "second named as first",
    ylab = "first named as first", main = "Evidence and claim"
  )
  graphics::polygon(allowed$wrong, allowed$right, col = "grey90", border = NA)
  graphics::abline(0, 1, col = "grey70")
  graphics::lines(x$roc$wrong, x$roc$right, lwd = 2)
}

# The outline of what (epsilon, delta) allows: between both curves right <= e^epsilon wrong + delta,
# seen from each neighbour.
allowed_region <- function(x) {
  at <- seq(0, 1, length.out = 201)
  upper <- pmin(1, exp(x$epsilon) * at + x$delta, 1 - exp(-x$epsilon) * (1 - at - x$delta))
  data.frame(wrong = c(at, rev(at)), right = c(upper, rev(1 - rev(upper))))
}

#' @rdname plot.dp_audit
#' @exportS3Method ggplot2::autoplot
autoplot.dp_audit <- function(object, what = c("bound", "roc"), ...) { # nolint: object_name_linter.
  check_names(...)
  what <- check_choice(what[[1]], c("bound", "roc"), arg = "what")
  if (what == "roc" && !is.null(object$roc)) autoplot_roc(object) else autoplot_bound(object)
}

autoplot_bound <- function(x) {
  curves <- curves_of_audit(x)
  ggplot2::ggplot(curves$all, columns_to(x = "draws", y = "bound")) +
    ggplot2::geom_step(columns_to(group = "pair"), curves$pairs, colour = "grey70") +
    ggplot2::geom_step() +
    ggplot2::geom_hline(yintercept = x$amount, linetype = "dashed") +
    ggplot2::scale_x_log10() +
    ggplot2::labs(x = "draws", y = bound_label(x), title = title_of_audit(x),
      caption = "Dashed: the claim. Black: proved by all pairs together. Grey: each pair alone."
    )
}

autoplot_roc <- function(x) {
  ggplot2::ggplot(x$roc, columns_to(x = "wrong", y = "right")) +
    ggplot2::geom_polygon(data = allowed_region(x), fill = "steelblue", alpha = 0.3) +
    ggplot2::geom_abline(colour = "grey70") +
    ggplot2::geom_line() +
    ggplot2::coord_equal() +
    ggplot2::labs(x = "second named as first", y = "first named as first",
      title = title_of_audit(x),
      caption = "Shaded: what the claim allows. The line: half of the draws of the best pair."
    )
}
