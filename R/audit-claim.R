# The claim under audit, as points (epsilon, delta) that it implies, and a ladder of larger losses.

# Parts of the ladder, in multiples of the claim, and in units of epsilon.
ladder_of_claim <- seq(0, 4, by = 0.02)
ladder_of_epsilon <- c(seq(0, 12, by = 0.02), 12 * 1.05^(1:40))

points_of_curve <- 8
least_audited_delta <- 1e-4

# list(measure, amounts, rung, points, text): `amounts` are the losses of the rungs in the unit of
# the claim, `rung` is the claim's own, and each point is list(delta, ladder).
new_claim <- function(measure, amount, more, text, point_of) {
  amounts <- sort(unique(c(amount * ladder_of_claim, amount, more)))
  points <- point_of(amounts)
  list(
    measure = measure, amounts = amounts, rung = match(amount, amounts), points = points,
    text = text
  )
}

# `planned` draws limit the smallest delta of a curve that an audit can see.
claim_of_loss <- function(loss, planned, call) {
  amount <- amount_of(loss)
  if (measure_name(loss) == "epsilon") {
    return(claim_of_epsilon(amount, loss$delta, call))
  }
  deltas <- audited_deltas(planned)
  new_claim("rho", amount, numeric(), format(loss), function(amounts) {
    lapply(deltas, function(delta) {
      # If the measurement already has a delta0, the loss is (epsilon(rho, delta), delta + delta0).
      list(delta = delta + loss$delta, ladder = pmin(zcdpToApproxDP(amounts, delta), 700))
    })
  })
}

claim_of_epsilon <- function(epsilon, delta, call) {
  check_number(epsilon, min = 0, max = 100, arg = "claim", call = call)
  text <- if (epsilon > 0) format(dp_epsilon(epsilon, delta)) else "epsilon 0"
  new_claim("epsilon", epsilon, ladder_of_epsilon, text, function(amounts) {
    list(list(delta = delta, ladder = amounts))
  })
}

# Losses of a curve are multiples of its epsilons at fixed deltas.
claim_of_curve <- function(epsilon_at, planned) {
  deltas <- audited_deltas(planned)
  epsilons <- vapply(deltas, epsilon_at, 0)
  kept <- is.finite(epsilons)
  new_claim("times the curve", 1, numeric(), "a privacy curve", function(amounts) {
    Map(function(delta, epsilon) list(delta = delta, ladder = pmin(amounts * epsilon, 700)),
      deltas[kept], epsilons[kept]
    )
  })
}

audited_deltas <- function(planned) {
  exp(seq(log(0.1), log(max(least_audited_delta, min(20 / planned, 0.05))),
    length.out = points_of_curve
  ))
}

# The map of a measurement.
claim_of_map <- function(measurement, d_in, planned, call) {
  measure <- toString(measurement("output_measure"))
  distance <- measurement(d_in = d_in)
  if (grepl("ZeroConcentratedDivergence", measure, fixed = TRUE)) {
    parts <- c(unlist(distance), 0)
    return(claim_of_loss(dp_zcdp(parts[[1]], delta = parts[[2]]), planned, call))
  }
  if (is.numeric(distance) || is.list(distance)) {
    parts <- c(as.double(unlist(distance)), 0)
    return(claim_of_epsilon(parts[[1]], parts[[2]], call))
  }
  if (inherits(distance, "privacy_profile")) {
    return(claim_of_curve(function(delta) distance(delta = delta), planned))
  }
  stop_argument("given: the map of the mechanism has no epsilon, rho or privacy profile",
    "left out", "claim", call
  )
}

check_claim <- function(claim, opened, d_in, planned, call) {
  if (is.null(claim)) {
    if (is.null(opened$measurement)) {
      stop_argument("the claimed loss, such as `dp_epsilon(1)`: a function has no privacy map",
        "left out", "claim", call
      )
    }
    return(claim_of_map(opened$measurement, d_in, planned, call))
  }
  check_class(claim, "dp_loss", arg = "claim", call = call)
  claim_of_loss(claim, planned, call)
}
