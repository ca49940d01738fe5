# Shared code for statistics of the moments of several columns from one joint release
# (joint_moments.h): their plan, and the effect of noise on derived numbers.

# `fields`: the extra fields. `...`: for new_plan(). `epsilon`: loss of the moments, if
# `measurement` also releases others.
plan_joint <- function(args, names, name, fields, describe, call, ..., epsilon = args$epsilon,
                       limit = joint_limit(args, epsilon, call),
                       measurement = joint_measurement(names, args, limit)) {
  sigma <- if (is.list(limit)) value_of(measurement, "scale")
  measurement <- after_program(args, reported(measurement, limit))
  own <- list(
    name = name, variable = names, delta = 0, rngFormat = "list", accuracy = NA_real_,
    input_metric = measurement("input_metric"), d_in = protected_rows, measurement = measurement,
    epsilon = if (is.list(limit)) NA_real_ else args$epsilon, rho = NULL, sigma = sigma
  )
  all <- c(own, args)[fields]
  names(all) <- fields
  scales <- scales_of_joint(all, length(names), epsilon)
  plan <- new_plan(all, describe, read = columns_of_kinds,
    noise_dominates = moment_floor(scales) >= args$n, call = call, ...)
  with_chosen_mechanism(plan, args)
}

# Limit for joint_measurement(). No kind of argument checks that a loss was given.
joint_limit <- function(args, epsilon, call) {
  if (is_gaussian(args)) {
    return(gaussian_limit(args, call))
  }
  if (is_missing(epsilon)) stop_argument("given", "missing", "epsilon", call)
  check_epsilon(epsilon, call)
}

# Noise scales of the moments of u. For Gaussian noise they are the Laplace scales with the same
# variance, all equal, and marked `normal`.
scales_of_joint <- function(fields, columns, epsilon) {
  drops <- drops_missing(fields)
  if (!is_gaussian(fields)) {
    return(c(joint_scales(columns, epsilon, drops), list(normal = FALSE)))
  }
  each <- fields$sigma / sqrt(2)
  list(
    count = if (drops) each else 0, sums = rep(each, columns),
    products = rep(each, nrow(triangle(columns))), normal = TRUE
  )
}

# Smallest informative eigenvalue of moments of u. Noise alone can explain smaller ones.
moment_floor <- function(scales) 3 * scales$sums[[1]]

# Matrix of the moments M_ij, with i and j from 0.
moment_matrix <- function(count, sums, products, pairs) {
  inner <- symmetric_matrix(products, pairs, seq_along(sums))
  unname(rbind(c(count, sums), cbind(sums, inner)))
}

# Standard deviations of the noise in the moments.
moment_deviations <- function(found) {
  scales <- found$scales
  sqrt(2) * moment_matrix(scales$count, scales$sums, scales$products, found$pairs)
}

# Returns list(mean, scatter): means of u, and the sums of products of u - mean.
joint_scatter <- function(found) {
  mean <- within_bounds(found$sums / found$count, -1, 1)
  products <- symmetric_matrix(found$products, found$pairs, seq_along(mean))
  list(mean = mean, scatter = products - found$count * outer(mean, mean))
}

# Effect of one standard deviation of each moment's noise on the scatter of two combinations of
# columns. Noise E moves it by a'E b, with a and b in terms of (1, u).
moved_by_moments <- function(deviations, a, b = a) {
  moved <- tcrossprod(a, b) + tcrossprod(b, a)
  diag(moved) <- diag(moved) / 2
  (moved * deviations)[lower.tri(moved, diag = TRUE)]
}

# Describes the rows without a gap by their noisy `count`: list(nPresent, share_missing), or
# list(sumWeights) if each row counts by its share.
counted_rows <- function(count, fields) {
  if (has_weights(fields)) {
    list(sumWeights = count * fields$rng[[length(fields$rng)]][[2]])
  } else if (drops_missing(fields)) {
    list(nPresent = count, share_missing = within_bounds(1 - count / fields$n, 0, 1))
  }
}

# Covariance matrix of all rows, or of the complete ones -------------------------------------------

# One joint release (joint_moments.h) has the sums and sums of products about the middle of each
# range, and the noisy count of complete rows.

# Arguments that set a loss for each entry, which a joint release does not have.
entrywise_arguments <- c("epsilon", "epsilonDist", "accuracy", "accuracyVals")

is_joint_covariance <- function(args) {
  entrywise <- vapply(entrywise_arguments, function(arg) !is_missing(args[[arg]]), NA)
  together <- !is_missing(args$globalEps) && !any(entrywise)
  drops_missing(args) || is_gaussian(args) ||
    (together && args$mechanism == "mechanismLaplace")
}

# Noise scales of the moments of u = (x - middle) / half-width, in the order of the release: the
# count (public unless rows are dropped), the sums, and the products of each pair.
joint_scales <- function(columns, epsilon, drops) {
  pairs <- triangle(columns)
  s <- (columns + 1)^2 / (2 * epsilon)
  list(
    count = if (drops) 2 * s else 0, sums = rep(s, columns),
    products = s * (1 + (pairs$first == pairs$second))
  )
}

# Bounds that hold for the noise of each moment with probability 1 - alpha. Noise is a whole number
# of steps. A half-width usually has very many steps. It has few only for whole numbers whose rows
# can be dropped. A row has one step of the count, or 2^20 with `weights`.
joint_reach <- function(scales, widths, varType, alpha, weights = FALSE) {
  pairs <- triangle(length(widths))
  is_fine <- varType == "numeric" || scales$count == 0
  steps <- if (is_fine) rep(2^40, length(widths)) else widths
  within <- function(scale, steps) {
    if (isTRUE(scales$normal)) {
      whole_gaussian_reach(sqrt(2) * scale * steps, alpha) / steps
    } else {
      whole_reach(scale * steps, alpha) / steps
    }
  }
  list(
    count = if (scales$count > 0) within(scales$count, if (weights) 2^20 else 1) else 0,
    sums = within(scales$sums, steps),
    products = within(scales$products, steps[pairs$first] * steps[pairs$second])
  )
}

# Splits alpha among the moments of an entry: a product, two sums, and the count.
entry_alpha <- function(fields) fields$alpha / (3 + drops_missing(fields))

# Returns list(epsilon, meanEpsilon, accuracy). All entries share one loss. The accuracy assumes no
# missing values and means in the middle: then only the noise of products matters.
joint_covariance_loss <- function(args, widths, call) {
  refuse_beside(args, entrywise_arguments, if (is_gaussian(args)) {
    "NULL, for Gaussian noise, with one loss for all entries"
  } else {
    'NULL, for `missing = "drop"`, whose one loss is `globalEps` (others need "impute")'
  }, call)
  limit <- if (is_gaussian(args)) {
    gaussian_limit(args, call, "globalEps")
  } else {
    if (is_missing(args$globalEps)) stop_argument("given", "missing", "globalEps", call)
    check_epsilon(args$globalEps, call, "globalEps")
  }
  measurement <- joint_measurement(args$columns, args, limit)
  if (is.list(limit)) args$sigma <- value_of(measurement, "scale")
  epsilon <- if (is.list(limit)) NA_real_ else limit
  pairs <- triangle(length(widths))
  scales <- scales_of_joint(args, length(widths), epsilon)
  reach <- joint_reach(scales, widths, args$varType, entry_alpha(args))$products
  unit <- widths[pairs$first] * widths[pairs$second] / 4
  list(
    epsilon = epsilon, meanEpsilon = NULL, accuracy = unit * reach / (args$n - 1),
    measurement = reported(measurement, limit), sigma = args$sigma
  )
}

# `limit`: an epsilon, or the list from gaussian_limit().
joint_measurement <- function(names, args, limit) {
  drops <- drops_missing(args)
  if (drops) names <- c(names, weights_column(args))
  columns <- column_specs(names, args$rng, if (drops) args$rng else args$imputeRng, args$varType)
  if (is.list(limit)) {
    gaussian_moments(columns, drops, limit, args$n)
  } else if (drops) {
    build("joint_moments", columns, TRUE, 1, limit, args$n, weighted_rows(args))
  } else {
    build("imputed_moments", columns, limit, args$n)
  }
}

# Reads a release: moments of u, their error bounds, the possible numbers of rows, and `lost`, the
# degrees of freedom that the mean takes from the divisor of squares.
joint_found <- function(release, fields, epsilon) {
  ranges <- unname(fields$rng[seq_along(fields$variable)]) # not that of weights
  half <- vapply(ranges, diff, 0) / 2
  columns <- length(half)
  pairs <- triangle(columns)
  drops <- drops_missing(fields)
  if (!drops) release <- c(fields$n, release)
  scales <- scales_of_joint(fields, columns, epsilon)
  reach <- joint_reach(scales, 2 * half, fields$varType, entry_alpha(fields), has_weights(fields))
  counts <- c(release[[1]] - reach$count, min(release[[1]] + reach$count, fields$n))
  sums <- release[1 + seq_len(columns)] / half
  products <- release[-seq_len(columns + 1)] / (half[pairs$first] * half[pairs$second])
  list(
    count = within_bounds(release[[1]], 0, fields$n), sums = sums, products = products,
    half = half, middle = vapply(ranges, mean, 0), pairs = pairs, scales = scales,
    reach = reach, counts = counts, lost = if (has_weights(fields)) 0 else 1,
    enough = counts[[1]] >= 2 && all(is.finite(c(sums, products)))
  )
}

joint_covariance <- function(release, fields) {
  found <- joint_found(release, fields, fields$globalEps)
  entries <- if (found$enough) joint_entries(found) else few_entries(found)
  result <- list(
    release = as.data.frame(symmetric_matrix(entries$value, found$pairs, fields$columns)),
    variable = fields$variable, epsilon = fields$epsilon, globalEps = fields$globalEps,
    accuracy = entries$accuracy, n = fields$n
  )
  result <- c(result, joint_presence(found, fields))
  if (fields$intercept) result$means <- stats::setNames(entries$means, fields$columns)
  if (found$enough && length(fields$formula) > 0) {
    result$linearRegression <- regressions(fields$formula, function(formula) {
      line <- joint_line(found, formula, fields$columns, fields$ridge)
      if (fields$intercept) line else without_intercept(line)
    })
  }
  result
}

# Number of rows that remain after rows are dropped.
joint_presence <- function(found, fields) {
  if (drops_missing(fields)) {
    c(counted_rows(found$count, fields), list(status = if (found$enough) "ok" else "few"))
  }
}

few_entries <- function(found) {
  nothing <- rep(NA_real_, nrow(found$pairs))
  list(value = nothing, accuracy = nothing, means = found$half * NA)
}

# Returns list(value, accuracy, means) in the units of the columns.
joint_entries <- function(found) {
  i <- found$pairs$first
  j <- found$pairs$second
  mean <- within_bounds(found$sums / found$count, -1, 1)
  unit <- found$half[i] * found$half[j]
  covariance <- (found$products - found$count * mean[i] * mean[j]) / (found$count - found$lost)
  ends <- vapply(seq_along(i), function(k) entry_ends(found, k), numeric(2))
  farthest <- pmax(abs(ends[1, ] - covariance), abs(ends[2, ] - covariance))
  list(
    value = unit * covariance, accuracy = unit * farthest,
    means = found$middle + found$half * mean
  )
}

# Ends of an entry if each moment is within its error bound. The entry is C / (C - 1) (q - p), with
# q the mean product and p the product of the means. For weighted rows it is q - p.
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
  range(outer(difference, found$counts / (found$counts - found$lost)))
}
