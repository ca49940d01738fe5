# The event of a step of a plan.

# The event of a step whose input moves by `moved` if the data of `whole` move by `d_in`.
event_of_step <- function(node, moved, whole, d_in) {
  constructor <- node$constructor %||% "unknown"
  known <- switch(constructor,
    make_laplace = , make_gaussian = , make_geometric = noise_event(node, moved, whole, d_in),
    make_randomized_response_bool = response_event(node$args$prob, 2L),
    make_randomized_response = response_event(node$args$prob, length(node$args$categories)),
    make_noisy_max = , make_private_quantile = selection_event(whole, d_in)
  )
  event <- known %||% event_of_loss(whole("output_measure"), whole(d_in = d_in))
  label_event(event, sub("^make_", "", constructor))
}

label_event <- function(event, mechanism) {
  if (length(event$within) == 0) {
    event$mechanism <- mechanism
  } else {
    event$within <- lapply(event$within, label_event, mechanism)
  }
  event
}

# Relative margin for a few roundings, toward more loss for either sign.
rounding <- 2^-50

noise_event <- function(node, moved, whole, d_in) {
  if (!is.null(node$args$k) || !is_number(moved) || node$args$scale == 0) {
    return(NULL)
  }
  is_laplace <- node$constructor != "make_gaussian"
  scale <- node$args$scale
  if (!adds_to_floats(node)) {
    return(if (is_laplace) {
      new_event("DiscreteLaplaceDpEvent", noise_parameter = (1 + rounding) / scale,
        sensitivity = moved)
    } else {
      new_event("DiscreteGaussianDpEvent", sigma = scale, sensitivity = moved)
    })
  }
  loss <- whole(d_in = d_in)
  if (!is_number(loss) || loss == 0) {
    return(NULL)
  }
  multiplier <- if (is_laplace) 1 / loss else 1 / sqrt(2 * loss)
  new_event(if (is_laplace) "LaplaceDpEvent" else "GaussianDpEvent",
    noise_multiplier = multiplier * (1 - rounding))
}

response_event <- function(prob, buckets) {
  new_event("RandomizedResponseDpEvent",
    noise_parameter = (1 - prob) * buckets / (buckets - 1) * (1 - rounding), num_buckets = buckets)
}

selection_event <- function(whole, d_in) {
  loss <- whole(d_in = d_in)
  if (!is_number(loss)) {
    return(NULL)
  }
  switch(toString(whole("output_measure")),
    "MaxDivergence" = new_event("PermuteAndFlipDpEvent", epsilon = loss),
    # Bounded by its range: rho is epsilon^2 / 8.
    "ZeroConcentratedDivergence" = new_event("ExponentialMechanismDpEvent",
      epsilon = sqrt(8 * loss) * (1 + rounding))
  )
}

event_of_loss <- function(measure, loss) {
  pair <- function(epsilon, delta) {
    new_event("EpsilonDeltaDpEvent", epsilon = epsilon, delta = delta)
  }
  switch(toString(measure),
    "MaxDivergence" = pair(loss, 0),
    "Approximate(MaxDivergence)" = pair(loss[[1]], loss[[2]]),
    "ZeroConcentratedDivergence" = new_event("ZCDpEvent", rho = loss, xi = 0),
    "Approximate(ZeroConcentratedDivergence)" = new_event("ComposedDpEvent",
      within = list(new_event("ZCDpEvent", rho = loss[[1]], xi = 0), pair(0, loss[[2]]))),
    new_event("UnsupportedDpEvent")
  )
}
