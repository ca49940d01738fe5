# What statistics of the moments of several columns share, which come from one joint release
# (joint_moments.h): their plan, and how noise moves what follows from them.

# `fields` besides those that all have; `...` for new_plan(). `epsilon`: what is for the moments, if
# `measurement` releases others, too.
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
    drowned = moment_floor(scales) >= args$n, call = call, ...)
  with_chosen_mechanism(plan, args)
}

# What joint_measurement() takes. No kind of argument says whether there is a loss.
joint_limit <- function(args, epsilon, call) {
  if (is_gaussian(args)) {
    return(gaussian_limit(args, call))
  }
  if (is_missing(epsilon)) stop_argument("given", "missing", "epsilon", call)
  check_epsilon(epsilon, call)
}

# Scales of the noise in the moments of u. Those of Gaussian noise are the ones of Laplace noise of
# the same variance, and all alike; they are `normal`.
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

# What noise alone may make of an eigenvalue of moments of u is no sign of information.
moment_floor <- function(scales) 3 * scales$sums[[1]]

# Of what there is of each M_ij, i and j from 0.
moment_matrix <- function(count, sums, products, pairs) {
  inner <- symmetric_matrix(products, pairs, seq_along(sums))
  unname(rbind(c(count, sums), cbind(sums, inner)))
}

# Standard deviations of the noise of moments.
moment_deviations <- function(found) {
  scales <- found$scales
  sqrt(2) * moment_matrix(scales$count, scales$sums, scales$products, found$pairs)
}

# list(mean, scatter): means of u, and the sums of products of u - mean.
joint_scatter <- function(found) {
  mean <- within_bounds(found$sums / found$count, -1, 1)
  products <- symmetric_matrix(found$products, found$pairs, seq_along(mean))
  list(mean = mean, scatter = products - found$count * outer(mean, mean))
}

# Noise E moves the scatter of the combinations a and b of columns by a'E b, with a and b in terms
# of (1, u): how far one standard deviation of each moment moves it.
moved_by_moments <- function(deviations, a, b = a) {
  moved <- tcrossprod(a, b) + tcrossprod(b, a)
  diag(moved) <- diag(moved) / 2
  (moved * deviations)[lower.tri(moved, diag = TRUE)]
}
