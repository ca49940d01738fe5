# Bounds of random outcomes. Each bound rejects a correct outcome with probability at most `rare`,
# so a failing test has found a fault.
rare <- 1e-9

# Least and greatest plausible number among `n` independent events of probability `p`. `bounds` is
# the number of bounds that a test checks. They share the probability.
least_of <- function(n, p, bounds = 1) stats::qbinom(rare / bounds, n, p)
most_of <- function(n, p, bounds = 1) stats::qbinom(rare / bounds, n, p, lower.tail = FALSE)

# Whether all `counts` are plausible for `n` independent events of probability `p`.
can_occur <- function(counts, n, p) {
  bounds <- 2 * length(counts)
  all(counts >= least_of(n, p, bounds) & counts <= most_of(n, p, bounds))
}

# Greatest plausible distance between the mean of `n` independent draws and its expectation. Tails
# of the draws must not be longer than an exponential tail of scale `tail`. Use width / 3
# for draws within `width` of their expectation, and 0 for normal draws. Source: Boucheron, Lugosi
# and Massart (2013), Concentration Inequalities, theorem 2.10.
mean_reach <- function(n, variance, tail, bounds = 2) {
  log_odds <- log(bounds / rare)
  sqrt(2 * variance * log_odds / n) + tail * log_odds / n
}
