# Bounds of random outcomes. Each of them fails a right outcome with a probability of at most
# `rare`, so a test that fails has found a fault.
rare <- 1e-9

# The least and the largest number that can occur of `n` independent events of probability `p`.
# `bounds` is how many bounds a test checks, which share the probability.
least_of <- function(n, p, bounds = 1) stats::qbinom(rare / bounds, n, p)
most_of <- function(n, p, bounds = 1) stats::qbinom(rare / bounds, n, p, lower.tail = FALSE)

# Whether all `counts` are numbers of `n` independent events of probability `p`.
can_occur <- function(counts, n, p) {
  bounds <- 2 * length(counts)
  all(counts >= least_of(n, p, bounds) & counts <= most_of(n, p, bounds))
}

# How far a mean of `n` independent draws can be from its expectation. Tails of the draws must not
# be longer than those of an exponential law of scale `tail`, which is width / 3 for draws within
# `width` of their expectation, and 0 for normal ones. Source: Boucheron, Lugosi and Massart (2013),
# Concentration Inequalities, theorem 2.10.
mean_reach <- function(n, variance, tail, bounds = 2) {
  log_odds <- log(bounds / rare)
  sqrt(2 * variance * log_odds / n) + tail * log_odds / n
}
