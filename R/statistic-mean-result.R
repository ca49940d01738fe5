# Results of a mean.

# The second moment is free if all rows count.
mean_way <- function(args, limit) {
  if (drops_missing(args)) {
    moments_of_present(args, limit, knows_spread(args), mean_weight, present_mean)
  } else if (knows_spread(args)) {
    moments_of_rows(args, limit, mean_of_moments)
  } else {
    chain_of_rows(args, limit, mean_chain, mean_result)
  }
}

# Weight of the count, if squares are released with a mean.
mean_weight <- 2

# TRUE if squares are released. The spread of a share follows from the share, so it needs none.
knows_spread <- function(fields) fields$interval == "population" && fields$varType != "logical"

mean_result <- function(release, fields) {
  c(
    interval_result(release, fields),
    if (fields$varType == "logical") share_result(release, fields$n),
    if (fields$interval == "population") population_of_share(release, fields)
  )
}

mean_of_moments <- function(release, fields) {
  means <- release / fields$n
  c(
    interval_result(on_lattice(mean(fields$rng) + means[[1]], fields$rng), fields),
    if (is_gaussian(fields)) {
      population_of_present(complete_moments(release, fields), fields)
    } else {
      population_of_mean(means[[1]], means[[2]], fields)
    }
  )
}

# A mean that is released alone is also a multiple of this step.
on_lattice <- function(x, rng) {
  step <- 2^lattice_exponent(rng)
  round(x / step) * step
}

# Noise can move a released share outside [0, 1]. A share of rows lies inside.
share_result <- function(release, n) {
  share <- min(max(release, 0), 1)
  ones <- round(n * share)
  list(
    stdDev = sqrt(share * (1 - share)),
    median = if (share < 0.5) 0 else 1,
    histogram = data.frame(`0` = n - ones, `1` = ones, check.names = FALSE)
  )
}
