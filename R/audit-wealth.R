# The betting game of an audit.
#
# A fair coin chooses one of two neighbours for each draw. The auditor sees the release and names a
# neighbour, or abstains. S1 and S2 are the sets of releases where the expert names the first and
# the second. `used` = ([S1 is not empty] + [S2 is not empty]) / 2 belongs to his rule, not to a
# draw.
#
# If the mechanism is (epsilon, delta)-private, then P(right) <= e^epsilon P(wrong) + delta used:
# P(right) = (P1(S1) + P2(S2)) / 2, P(wrong) = (P2(S1) + P1(S2)) / 2, and privacy bounds each term
# of the first by a term of the second. So X = [right] - e^epsilon [wrong] - delta used has a mean
# of at most 0. For a bet l in [0, 1 / (e^epsilon + delta)) that is fixed before the draw, 1 + l X
# is then an e-value. Its products over draws are a nonnegative supermartingale, whatever chooses
# the next rule. So are means of several of them. By Ville's inequality such a wealth reaches
# 1 / alpha with probability at most alpha, at any time.
#
# A *point* is one (epsilon, delta) that a claim implies, and its `ladder` the epsilons where the
# same delta is refuted too. Wealth is kept for each rung of the ladder and for each bet.

audit_bets <- c(0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9)

# Factors of one draw on all rungs, as logarithms: `right` for a draw that is named right, and so
# on. They depend on `used`, which is 0.5 or 1.
log_factors <- function(ladder, delta, used) {
  bets <- outer(1 / (exp(ladder) + delta), audit_bets)
  known <- delta * used
  list(
    right = log1p(bets * (1 - known)), wrong = log1p(-bets * (exp(ladder) + known)),
    abstained = log1p(-bets * known)
  )
}

# Logarithm of the wealth after a batch with one rule. `counts` are c(right, wrong, abstained).
log_growth <- function(counts, factors) {
  counts[[1]] * factors$right + counts[[2]] * factors$wrong + counts[[3]] * factors$abstained
}

# Logarithm of the mean of each row.
log_mean_exp <- function(x) {
  most <- x[cbind(seq_len(nrow(x)), max.col(x, "first"))]
  most + log(rowMeans(exp(x - most)))
}

# Largest expected growth of the logarithm for one draw, over the bets. It orders pairs.
growth_rate <- function(counts, factors, rung) {
  if (sum(counts) == 0) {
    return(0)
  }
  at <- lapply(factors, function(factor) factor[rung, ])
  max(0, log_growth(counts / sum(counts), at))
}

# Number of rungs that are refuted from the first one on, without a gap. With a delta, wealth does
# not fall along the ladder. Only an unbroken run proves that the true loss is above its last rung:
# otherwise the first rung at or above the true loss would be refuted.
unbroken_run <- function(refuted) match(FALSE, refuted, length(refuted) + 1) - 1
