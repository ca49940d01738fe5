# What statistics of the moments of several columns share, which come from one joint release
# (joint_moments.h): their plan, and how noise moves what follows from them.

# `fields` besides those that all have; `...` for new_plan(). `epsilon`: what is for the moments, if
# `measurement` releases others, too.
plan_joint <- function(args, names, name, fields, describe, call, ..., epsilon = args$epsilon,
                       measurement = joint_measurement(names, args, epsilon)) {
  measurement <- after_program(args, measurement)
  own <- list(
    name = name, variable = names, delta = 0, rngFormat = "list", accuracy = NA_real_,
    input_metric = measurement("input_metric"), d_in = protected_rows, measurement = measurement
  )
  all <- c(own, args)[fields]
  names(all) <- fields
  scales <- joint_scales(length(names), epsilon, drops_missing(args))
  new_plan(all, describe, read = columns_of_kinds, drowned = moment_floor(scales) >= args$n,
    call = call, ...)
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
