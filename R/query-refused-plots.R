# Plots that private tables do not have.

# nolint start: object_name_linter.
#' @importFrom stats density
#' @export
density.dp_private <- refusal("density()", "hist")

#' @importFrom graphics barplot
#' @export
barplot.dp_private <- refusal("barplot()", "table")

#' @exportS3Method ggplot2::fortify
fortify.dp_private <- refusal("ggplot()", "rows")

#' @export
plot.dp_private <- refusal("plot()", "rows")

#' @importFrom graphics hist
#' @export
hist.dp_private <- refusal("hist()", "rows")
# nolint end
