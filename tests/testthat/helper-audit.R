# What samples of a release say: whether they have a law, and what loss they prove.

# Of all statistical tests at the boundary, each may fail by chance this often.
audit_alpha <- 1e-6 / 100

# `n` releases, as a list. Many at once, in a composition: the way from R is longer than a draw.
draw_many <- function(measurement, arg, n, at_once = 1000) {
  stopifnot(n %% at_once == 0)
  many <- make_composition(rep(list(measurement), at_once))
  unlist(replicate(n / at_once, many(arg = arg), simplify = FALSE), recursive = FALSE)
}

# How often each of `outcomes` came up; every release must be one of them.
tally <- function(releases, outcomes) {
  place <- match(releases, outcomes)
  stopifnot(!anyNA(place))
  tabulate(place, length(outcomes))
}

# Pearson's statistic against its quantile.
has_law <- function(counts, probabilities) {
  stopifnot(abs(sum(probabilities) - 1) < 1e-9)
  expected <- sum(counts) * probabilities
  stopifnot(expected >= 5)
  statistic <- sum((counts - expected)^2 / expected)
  stats::pchisq(statistic, length(counts) - 1, lower.tail = FALSE) >= audit_alpha
}

# The largest epsilon that two samples prove with confidence 1 - alpha, for a given delta: an event
# is chosen on the first halves, and bounded after Clopper and Pearson on the second. Events are
# single outcomes and those up to each, both ways round.
audited_epsilon <- function(counts, other, delta = 0, alpha = audit_alpha) {
  bound <- function(hits, misses, n) {
    low <- ifelse(hits == 0, 0, stats::qbeta(alpha / 2, hits, n - hits + 1))
    high <- ifelse(misses == n, 1, stats::qbeta(1 - alpha / 2, misses + 1, n - misses))
    log(pmax(low - delta, 0) / high)
  }
  events <- rbind(diag(length(counts[[1]])), lower.tri(diag(length(counts[[1]])), TRUE))
  events <- rbind(events, 1 - events)
  of <- function(half) {
    n <- sum(counts[[half]])
    a <- drop(events %*% counts[[half]])
    b <- drop(events %*% other[[half]])
    list(bound(a, b, n), bound(b, a, n))
  }
  first <- of(1)
  way <- if (max(first[[1]]) >= max(first[[2]])) 1 else 2
  of(2)[[way]][[which.max(first[[way]])]]
}

# The epsilon that releases on two data prove. `outcome` reduces a release to one of `outcomes`.
audit <- function(measurement, arg, other, outcomes, outcome = identity, delta = 0, n = 1e5) {
  halves <- function(arg) {
    releases <- unlist(lapply(draw_many(measurement, arg, n), outcome))
    first <- seq_along(releases) <= n / 2
    list(tally(releases[first], outcomes), tally(releases[!first], outcomes))
  }
  audited_epsilon(halves(arg), halves(other), delta)
}

# The same of numbers, by cells between the quantiles of both samples together.
audited_loss <- function(first, second, delta = 0) {
  cuts <- unique(stats::quantile(c(first, second), seq(0.02, 0.98, 0.02), type = 1))
  halves <- function(numbers) {
    cells <- findInterval(numbers, cuts) + 1
    early <- seq_along(cells) <= length(cells) / 2
    lapply(list(cells[early], cells[!early]), tally, seq_len(length(cuts) + 1))
  }
  audited_epsilon(halves(first), halves(second), delta)
}

expect_private <- function(first, second, epsilon, delta = 0) {
  testthat::expect_lte(audited_loss(first, second, delta), epsilon)
}
