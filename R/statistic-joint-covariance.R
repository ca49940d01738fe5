# The covariance matrix of all rows, or of those that lack no value: from their sums and sums of
# products about the middle of each range, of the latter also their noisy count, in one joint
# release (joint_moments.h).

# What asks for a loss of each entry, which a joint release does not have.
entrywise_arguments <- c("epsilon", "epsilonDist", "accuracy", "accuracyVals")

is_joint_covariance <- function(args) {
  entrywise <- vapply(entrywise_arguments, function(arg) !is_missing(args[[arg]]), NA)
  together <- !is_missing(args$globalEps) && !any(entrywise)
  drops_missing(args) || (together && args$mechanism == "mechanismLaplace")
}

# Scales of the noise in the moments of u = (x - middle) / half-width, in the order of the release:
# the count, which is public unless rows are dropped, the sums, and the products of each pair.
joint_scales <- function(columns, epsilon, drops) {
  pairs <- triangle(columns)
  s <- (columns + 1)^2 / (2 * epsilon)
  list(
    count = if (drops) 2 * s else 0, sums = rep(s, columns),
    products = s * (1 + (pairs$first == pairs$second))
  )
}

# What each of these stays within with probability 1 - alpha. Noise is whole in the steps of a
# moment, of which a half-width has very many, but for whole numbers whose rows may be dropped.
joint_reach <- function(scales, widths, varType, alpha) {
  pairs <- triangle(length(widths))
  is_fine <- varType == "numeric" || scales$count == 0
  steps <- if (is_fine) rep(2^40, length(widths)) else widths
  within <- function(scale, steps) whole_reach(scale * steps, alpha) / steps
  list(
    count = if (scales$count > 0) within(scales$count, 1) else 0, sums = within(scales$sums, steps),
    products = within(scales$products, steps[pairs$first] * steps[pairs$second])
  )
}

# Of the moments that an entry is made of, all of them: a product, two sums, and the count.
entry_alpha <- function(fields) fields$alpha / (3 + drops_missing(fields))

# list(epsilon, meanEpsilon, accuracy). All entries share one loss. The accuracy is that of data
# without gaps whose means are in the middle: then the noise of products is all there is.
joint_covariance_loss <- function(args, widths, call) {
  for (arg in entrywise_arguments) {
    if (!is_missing(args[[arg]])) {
      stop_argument('NULL, for `missing = "drop"`, whose one loss is `globalEps`',
        name_public(args[[arg]]), arg, call
      )
    }
  }
  epsilon <- check_epsilon(args$globalEps, call, "globalEps")
  pairs <- triangle(length(widths))
  scales <- joint_scales(length(widths), epsilon, drops_missing(args))
  reach <- joint_reach(scales, widths, args$varType, entry_alpha(args))$products
  unit <- widths[pairs$first] * widths[pairs$second] / 4
  list(epsilon = epsilon, meanEpsilon = NULL, accuracy = unit * reach / (args$n - 1))
}

joint_covariance_measurement <- function(args, epsilon) {
  if (drops_missing(args)) {
    columns <- column_specs(args$columns, args$rng, args$rng, args$varType)
    build("joint_moments", columns, TRUE, 1, epsilon, args$n)
  } else {
    columns <- column_specs(args$columns, args$rng, args$imputeRng, args$varType)
    build("imputed_moments", columns, epsilon, args$n)
  }
}

# The released moments of u, what they stay within, and what there may be of rows.
joint_found <- function(release, fields) {
  half <- unname(vapply(fields$rng, diff, 0)) / 2
  columns <- length(half)
  pairs <- triangle(columns)
  drops <- drops_missing(fields)
  if (!drops) release <- c(fields$n, release)
  scales <- joint_scales(columns, fields$globalEps, drops)
  reach <- joint_reach(scales, 2 * half, fields$varType, entry_alpha(fields))
  counts <- c(release[[1]] - reach$count, min(release[[1]] + reach$count, fields$n))
  list(
    count = within_bounds(release[[1]], 0, fields$n), sums = release[1 + seq_len(columns)] / half,
    products = release[-seq_len(columns + 1)] / (half[pairs$first] * half[pairs$second]),
    half = half, middle = unname(vapply(fields$rng, mean, 0)), pairs = pairs, scales = scales,
    reach = reach, counts = counts, enough = counts[[1]] >= 2
  )
}

joint_covariance <- function(release, fields) {
  found <- joint_found(release, fields)
  entries <- if (found$enough) joint_entries(found) else few_entries(found)
  result <- list(
    release = as.data.frame(symmetric_matrix(entries$value, found$pairs, fields$columns)),
    variable = fields$variable, epsilon = fields$epsilon, globalEps = fields$globalEps,
    accuracy = entries$accuracy, n = fields$n
  )
  if (drops_missing(fields)) {
    result$nPresent <- found$count
    result$share_missing <- within_bounds(1 - found$count / fields$n, 0, 1)
    result$status <- if (found$enough) "ok" else "few"
  }
  if (fields$intercept) result$means <- stats::setNames(entries$means, fields$columns)
  if (found$enough && length(fields$formula) > 0) {
    result$linearRegression <- regressions(
      as.matrix(result$release), result$means, fields, found$count,
      noise_of_moments(found, entries$centre, fields)
    )
  }
  result
}

few_entries <- function(found) {
  nothing <- rep(NA_real_, nrow(found$pairs))
  list(value = nothing, accuracy = nothing, means = found$half * NA)
}

# list(value, accuracy, means) in the units of the columns; and the means in those of u, `centre`.
joint_entries <- function(found) {
  i <- found$pairs$first
  j <- found$pairs$second
  mean <- within_bounds(found$sums / found$count, -1, 1)
  unit <- found$half[i] * found$half[j]
  covariance <- (found$products - found$count * mean[i] * mean[j]) / (found$count - 1)
  ends <- vapply(seq_along(i), function(k) entry_ends(found, k), numeric(2))
  farthest <- pmax(abs(ends[1, ] - covariance), abs(ends[2, ] - covariance))
  list(
    value = unit * covariance, accuracy = unit * farthest,
    means = found$middle + found$half * mean, centre = mean
  )
}

# Between which an entry lies if each moment stays within its reach: C / (C - 1) (q - p), with q the
# mean product and p the product of the means.
entry_ends <- function(found, entry) {
  i <- found$pairs$first[[entry]]
  j <- found$pairs$second[[entry]]
  mean_of <- function(column) {
    within_bounds(ratios(found$sums[[column]], found$reach$sums[[column]], found$counts), -1, 1)
  }
  square <- function(ends) c(if (prod(ends) < 0) 0 else min(ends^2), max(ends^2))
  means <- if (i == j) square(mean_of(i)) else range(outer(mean_of(i), mean_of(j)))
  product <- ratios(found$products[[entry]], found$reach$products[[entry]], found$counts)
  product <- within_bounds(product, if (i == j) 0 else -1, 1)
  difference <- c(product[[1]] - means[[2]], product[[2]] - means[[1]])
  range(outer(difference, found$counts / (found$counts - 1)))
}

# For regressions(). Moments have noise of their own each. Least squares with a constant, of u,
# solve M_zz b = M_zy with z = (1, u_x): noise moves M_zy - M_zz b. Covariances and means, whose
# noise is not independent, are not needed; M_zz has the inverse that that of the covariances gives.
noise_of_moments <- function(found, centre, fields) {
  variances <- moment_variances(found)
  function(fit, means) {
    x <- match(fit$x, fields$columns)
    y <- match(fit$y, fields$columns)
    z <- c(1, x + 1)
    units <- found$half[x]
    slopes <- fit$estimate * units / found$half[[y]]
    line <- c(centre[[y]] - sum(slopes * centre[x]), slopes)
    inner <- fit$inverse * outer(units, units) / (found$count - 1)
    inverse <- with_intercept(inner, centre[x], 1 / found$count)
    scores <- score_variance(variances[z, z], variances[z, y + 1], line)
    to_columns <- found$half[[y]] *
      rbind(c(1, -found$middle[x] / units), cbind(0, diag(1 / units, length(x))))
    noise <- to_columns %*% inverse %*% scores %*% inverse %*% t(to_columns)
    if (is.null(means)) noise[-1, -1, drop = FALSE] else noise
  }
}

# Of the noise in M_ij, i and j from 0.
moment_variances <- function(found) {
  columns <- length(found$half)
  first <- c(found$scales$count, found$scales$sums)
  scales <- matrix(0, columns + 1, columns + 1)
  scales[1, ] <- scales[, 1] <- first
  scales[-1, -1] <- symmetric_matrix(found$scales$products, found$pairs, seq_len(columns))
  2 * scales^2
}
