# Results of principal components.

pca_result <- function(release, fields) {
  found <- joint_found(release, fields, fields$epsilon)
  names <- paste0("PC", seq_len(fields$k))
  parts <- if (found$enough) components(found, fields) else no_components(fields)
  dimnames(parts$loadings) <- list(fields$columns, names)
  rownames(parts$intervals) <- names
  c(
    list(
      release = as.data.frame(parts$loadings), variable = fields$variable,
      accuracy = fields$accuracy, epsilon = fields$epsilon,
      variance = stats::setNames(parts$variance, names), intervals = parts$intervals,
      means = stats::setNames(parts$means, fields$columns)
    ),
    counted_rows(found$count, fields), list(status = parts$status)
  )
}

no_components <- function(fields) {
  nothing <- rep(NA_real_, fields$k)
  list(
    loadings = matrix(NA_real_, length(fields$columns), fields$k), variance = nothing,
    intervals = cbind(nothing, nothing, deparse.level = 0), means = found_nothing(fields),
    status = "few"
  )
}

found_nothing <- function(fields) rep(NA_real_, length(fields$columns))

# Computes from rows what no_components() lacks.
components <- function(found, fields) {
  about <- joint_scatter(found)
  unit <- if (fields$scale == "public") rep(1, length(found$half)) else found$half
  parts <- eigen(about$scatter / (found$count - 1) * outer(unit, unit), symmetric = TRUE)
  k <- seq_len(fields$k)
  parts$vectors <- apply(parts$vectors, 2, with_positive_largest)
  loadings <- parts$vectors[, k, drop = FALSE]
  variance <- pmax(parts$values[k], 0)
  deviations <- moment_deviations(found) / (found$count - 1)
  noise <- vapply(k, function(j) {
    a <- unit * loadings[, j]
    sqrt(sum(moved_by_moments(deviations, c(-sum(a * about$mean), a))^2))
  }, 0)
  list(
    loadings = loadings, variance = variance,
    intervals = component_intervals(parts, fields$k, unit, found, fields),
    means = found$middle + found$half * about$mean,
    status = if (all(variance > max(3, sqrt(2 * length(unit))) * noise)) "ok" else "noise"
  )
}

# Variance of a component's variance, for the loadings `a` of u: the value for normal rows, or an
# upper bound. A component is within sum(|a|) of the middle, which is public except for the
# loadings. So variance_of_variance() bounds it, as for dpVariance(). Noise moves the variance by at
# most `norm`, and the loadings by this `angle`.
sampling_of_component <- function(variance, a, norm, angle, unit, found, fields) {
  count <- found$count
  if (fields$law == "normal") {
    return(2 * variance^2 / (count - 1))
  }
  longest <- sqrt(sum(unit^2))
  within <- min(sum(abs(a)) + sqrt(2) * angle * longest, longest)
  likely <- min(variance + norm, within^2)
  mean <- farthest_mean(a, likely, found, fields$alpha)
  variance_of_variance(likely, min(within + mean, 2 * within), count)
}

# Largest distance between the population mean of sum(a u) and the middle, for a `variance`.
farthest_mean <- function(a, variance, found, alpha) {
  count <- found$count
  mean <- sum(a * within_bounds(found$sums / count, -1, 1))
  noise <- sqrt(2) * c(a * found$scales$sums, mean * found$scales$count) / count
  abs(mean) + error_reach(variance / count, matrix(noise, 1), alpha)
}

with_positive_largest <- function(x) x * sign(x[[which.max(abs(x))]])

# nolint start: object_name_linter.
estimates_of.dp_pca_result <- function(x) {
  data.frame(
    term = names(x$variance), estimate = unname(x$variance)
  ) |> with_ends(x$intervals, c("conf.low", "conf.high"))
}

pictures.dp_pca_result <- function(x) {
  list(
    variances = function() {
      list(
        kind = "bars", table = as.data.frame(x), xlab = "component", ylab = "variance"
      )
    },
    loadings = function() {
      places <- expand.grid(column = x$variable, component = names(x$variance))
      list(
        kind = "points", apart = FALSE, xlab = "loading",
        table = data.frame(
          term = paste(places$component, places$column), estimate = unlist(x$release),
          row.names = NULL
        )
      )
    }
  )
}
# nolint end
