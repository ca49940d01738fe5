# Smallest excess that an audit would have noticed.

# The least multiple of the claim that this audit would have refuted with each probability. Uses the
# share of named draws and the number of draws of its best pair, and the cost of all pairs and
# experts. It counts the wealth of one expert at the end only, so the audit has more power.
power_of_audit <- function(audit, best, plan, probabilities = c(0.9, 0.99)) {
  if (is.null(best$track)) {
    return(stats::setNames(rep(Inf, length(probabilities)), probabilities))
  }
  counts <- best$bets$counts
  factors <- lapply(plan$factors[[best$point]][[max(1, 2 * best$bets$used)]], function(factor) {
    factor[plan$claim$rung, , drop = FALSE]
  })
  price <- -log(plan$alpha) + log(length(audit$pairs)) +
    log(sum(lengths(best$track$bets)))
  draws <- sum(counts)
  point <- plan$claim$points[[best$point]]
  known <- point$delta * best$bets$used
  named <- counts[[1]] + counts[[2]]
  refutes <- function(multiple, probability) {
    # Delta reveals `known`. The rest is right with the odds of the loss.
    loss <- multiple * point$ladder[[plan$claim$rung]]
    wrong <- max(named / draws - known, 0) / (1 + exp(loss))
    right <- stats::qbinom(1 - probability, named, min(1, 1 - wrong * draws / named))
    log_mean_exp(log_growth(c(right, named - right, draws - named), factors)) >= price
  }
  least <- function(probability) {
    if (named == 0 || point$ladder[[plan$claim$rung]] == 0) {
      return(Inf)
    }
    steps <- c(seq(1, 3, by = 0.01), 3 * 1.05^(1:60))
    found <- vapply(steps, refutes, NA, probability)
    min(steps[found], Inf)
  }
  stats::setNames(vapply(probabilities, least, 0), probabilities)
}

# The track, expert and point with the most evidence: the largest loss where its wealth is 2,
# then the wealth at the claim. Experts that name nothing have no evidence.
best_of_audit <- function(audit, plan) {
  found <- list(evidence = -Inf)
  for (k in seq_along(audit$pairs)) {
    track <- audit$pairs[[k]]
    for (name in names(track$bets)) {
      for (p in seq_along(track$bets[[name]])) {
        bets <- track$bets[[name]][[p]]
        if (sum(bets$counts[1:2]) == 0) next
        wealth <- log_mean_exp(bets$log_wealth)
        at_claim <- wealth[[plan$claim$rung]]
        run <- unbroken_run(wealth >= log(2))
        # Wealth at the claim decides once it is larger than luck makes it.
        evidence <- if (at_claim > log(1000)) 1e6 + at_claim else run + 1e-6 * at_claim
        if (evidence > found$evidence) {
          found <- list(
            evidence = evidence, pair = k, track = track, expert = name, point = p, bets = bets
          )
        }
      }
    }
  }
  found
}
