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
