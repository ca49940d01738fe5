# What samples of a release say: whether they have a law, and what loss they prove.

# An audit proves a loss above the true one with this probability.
audit_alpha <- 1e-6 / 100

# `n` releases, as a list. Many at once, in a composition: the way from R is longer than a draw.
draw_many <- function(measurement, arg, n, at_most = 1000) {
  times <- ceiling(n / at_most)
  at_once <- ceiling(n / times)
  many <- make_composition(rep(list(measurement), at_once))
  releases <- unlist(replicate(times, many(arg = arg), simplify = FALSE), recursive = FALSE)
  utils::head(releases, n)
}

# unlist() drops the class of integer64, whose bits then are other numbers.
numbers_of <- function(releases) vapply(releases, function(x) as.double(in_doubles(x)), double(1))

# Releases of as many numbers each, as columns of a matrix.
in_columns <- function(releases) {
  numbers <- as.double(unlist(in_doubles(releases)))
  stopifnot(length(numbers) %% length(releases) == 0)
  matrix(numbers, ncol = length(releases))
}

# Of a statistic that finds its range, which asks twice: what it asks second is planned once for
# each set of cells that are seen.
draw_found <- function(plan, columns, n) {
  planned <- plan_from_counts
  thresholds <- lapply(plan$found$asked, `[[`, "threshold")
  known <- new.env(parent = emptyenv())
  local_replaced("plan_from_counts", function(found, counts) {
    key <- paste(unlist(counts) > unlist(thresholds), collapse = " ")
    if (!exists(key, known, inherits = FALSE)) assign(key, planned(found, counts), known)
    known[[key]]
  })
  replicate(n, released_by(plan, columns), simplify = FALSE)
}

# How often each of `outcomes` came up; every release must be one of them.
tally <- function(releases, outcomes) {
  place <- match(releases, outcomes)
  stopifnot(!anyNA(place))
  tabulate(place, length(outcomes))
}

# Whether independent draws with these probabilities can have these counts: the likelihood ratio is
# larger than a bound with a probability of at most `rare`, for all sample sizes and laws. Source:
# Agrawal (2020), Finite-Sample Concentration of the Multinomial in Relative Entropy, theorem 1.2.
has_law <- function(counts, probabilities) {
  stopifnot(abs(sum(probabilities) - 1) < 1e-9)
  expected <- sum(counts) * probabilities
  ratio <- sum(ifelse(counts > 0, counts * log(counts / expected), 0))
  freedom <- length(counts) - 1
  ratio <= freedom || freedom * (1 + log(ratio / freedom)) - ratio >= log(rare)
}

# An audit is a game. A fair coin chooses one of two neighbours for each release; an adversary sees
# the release and names the neighbour, or abstains. If releases are epsilon-private, each name is
# right with probability e^epsilon / (1 + e^epsilon) at most, whatever the other names. With a delta
# he knows, beyond that, the right name of a binomial share delta of all releases. So the right
# names have a binomial law at most, and what he proves is the bound of Clopper and Pearson.
#
# Sources: Kairouz, Oh and Viswanath (2015), Theorem 3.4, for the law of the worst case; Steinke,
# Nasr and Jagielski (2023) for the game.
#
# A case is a list:
#
#   make      function(excess): what is audited if `excess` is 1, else a mutant with that many times
#             its loss; a measurement or a statistic
#   data      two neighbours, for which releases differ as much as neighbours' do
#   evidence  function(releases, fields): of each release of the list a number, which speaks for one
#             of the neighbours the more, the further away it is; `fields` are those of a statistic
#   d_in      the distance of the neighbours, for a measurement
#   claim     c(epsilon, delta) of this pair, where that is less than what the map says of all
#   draws     releases that are judged: so many that a mutant of `least_excess` goes unnoticed as
#             rarely as an honest one is blamed. benchmarks/audit-power.md says how little is
#             noticed with probability 0.99
least_excess <- 1.3

claim_of <- function(case) case$claim %||% opened(case)$loss

# What is audited, opened: its loss, and a function of one of the neighbours and a number of
# releases that gives their evidence.
opened <- function(case, excess = 1) {
  audited <- small(exactly(case$make(excess)))
  statistic <- inherits(audited, "dpStatistic")
  plan <- if (statistic) audited$.__enclos_env__$private$.plan
  fields <- plan$fields
  measurement <- if (statistic) fields$measurement else audited
  arg <- if (statistic) {
    function(data) read_columns(plan, data)
  } else {
    identity
  }
  d_in <- if (statistic) fields$d_in else case$d_in
  list(
    loss = c(unlist(measurement(d_in = d_in)), 0)[1:2],
    evidence = function(which, n) {
      data <- arg(case$data[[which]])
      releases <- if (is.null(plan$found)) {
        draw_many(measurement, data, n)
      } else {
        draw_found(plan, data, n)
      }
      evidence <- case$evidence(releases, fields)
      stopifnot(is.numeric(evidence), length(evidence) == n)
      evidence
    }
  )
}

# So many releases for each that is judged choose what the adversary names.
choosing_share <- 1 / 3

# The evidence of `draws` games, half of the time of the first neighbour.
played <- function(open, draws) {
  first <- stats::rbinom(1, draws, 0.5)
  list(open$evidence(1, first), open$evidence(2, draws - first))
}

# The largest epsilon that the games prove, for the delta of a claim, with confidence 1 - alpha.
audited_epsilon <- function(chosen_on, judged_on, claim, alpha = audit_alpha) {
  known <- known_names(sum(lengths(judged_on)), claim[[2]], alpha)
  named <- named_by(adversary(chosen_on, claim[[1]], known * choosing_share), judged_on)
  proven_by(named[["right"]], named[["wrong"]], known, claim[[2]], alpha)
}

# With probability 1 - alpha / 2 delta gives away no more names than this.
known_names <- function(games, delta, alpha = audit_alpha) {
  if (delta > 0) stats::qbinom(1 - alpha / 2, games, delta) else 0
}

proven_by <- function(right, wrong, known, delta, alpha = audit_alpha) {
  if (delta > 0) alpha <- alpha / 2
  right <- pmax(right - known, 0)
  stats::qlogis(ifelse(right == 0, 0, stats::qbeta(alpha, pmax(right, 1), wrong + 1)))
}

# What the adversary names for evidence, from cells in the order of their likelihood ratios: the
# first neighbour for the first so many, the second for the last so many. So many that the right
# names exceed by most standard deviations what `epsilon` allows.
adversary <- function(played, epsilon, known) {
  all <- unlist(played)
  cuts <- sort(unique(all))
  if (length(cuts) > 40) cuts <- unique(stats::quantile(all, seq(0.025, 0.975, 0.025), type = 1))
  cells <- length(cuts) + 1
  counts <- lapply(played, function(evidence) tabulate(findInterval(evidence, cuts) + 1, cells))
  order <- order((counts[[1]] + 0.5) / (counts[[2]] + 0.5), decreasing = TRUE)
  up_to <- function(which, order) c(0, cumsum(counts[[which]][order]))
  right <- outer(up_to(1, order), up_to(2, rev(order)), `+`)
  wrong <- outer(up_to(2, order), up_to(1, rev(order)), `+`)
  named <- pmax(right + wrong - known, 1)
  allowed <- stats::plogis(epsilon)
  excess <- (right - known - allowed * named) / sqrt(named)
  excess[row(excess) + col(excess) - 2 > cells | right + wrong < 0.01 * length(all)] <- -Inf
  best <- arrayInd(which.max(excess), dim(excess))
  names <- numeric(cells)
  names[utils::head(order, best[[1]] - 1)] <- 1
  names[utils::tail(order, best[[2]] - 1)] <- 2
  list(cuts = cuts, names = names)
}

# How many names are right and wrong.
named_by <- function(rule, played) {
  names <- lapply(played, function(evidence) rule$names[findInterval(evidence, rule$cuts) + 1])
  c(
    right = sum(names[[1]] == 1) + sum(names[[2]] == 2),
    wrong = sum(names[[1]] == 2) + sum(names[[2]] == 1)
  )
}

# What so many releases prove, beyond those that choose the names. `open` has an `evidence`, as that
# of opened().
proven <- function(open, claim, draws) {
  chosen_on <- played(open, ceiling(choosing_share * draws))
  audited_epsilon(chosen_on, played(open, draws), claim)
}

# Whether releases of a mutant prove more than the claim: looked at with a quarter of the draws of
# the honest audit, and with more while that does not. The looks share alpha, so that all of them
# together prove too much as rarely as one audit does. The last look, at twice the draws, is there
# for those that chance is against: it is needed as rarely as an audit overlooks a mutant. It names
# anew, too: what few releases chose may have been so bad that no number of others proves anything.
looks <- c(1 / 4, 1 / 2, 1, 2)

is_noticed <- function(open, claim, draws) {
  chosen_on <- judged_on <- list(NULL, NULL)
  up_to <- function(games, seen) {
    more <- games - sum(lengths(seen))
    if (more > 0) Map(c, seen, played(open, more)) else seen
  }
  for (games in ceiling(looks * draws)) {
    chosen_on <- up_to(ceiling(choosing_share * max(games, draws)), chosen_on)
    judged_on <- up_to(games, judged_on)
    proven <- audited_epsilon(chosen_on, judged_on, claim, audit_alpha / length(looks))
    if (proven > claim[[1]]) return(TRUE)
  }
  FALSE
}

# What functions of the caller print is no part of a release, and those of these tests leave nothing
# behind. Hiding the one and undoing the other, in each release, takes half of the time;
# test-callback-hostile.R shows that it is done.
local_unguarded <- function(env = parent.frame()) {
  local_replaced("silently", identity, env)
  local_replaced("kept_state", function(environments) no_state, env)
}

# The honest one proves no more than its claim, and the mutant does.
test_audits <- function(cases) {
  for (name in names(cases)) {
    test_that(paste("D_EPS_1 samples prove no more than is claimed of", name), {
      local_unguarded()
      case <- cases[[name]]
      claim <- claim_of(case)
      honest <- opened(case)
      expect_true(all(claim <= honest$loss))
      expect_lte(proven(honest, claim, case$draws), claim[[1]])
      expect_true(is_noticed(opened(case, least_excess), claim, case$draws))
    })
  }
}

# Evidence that is written for one release, by one function(release).
of_each <- function(evidence) {
  function(releases, fields) {
    vapply(releases, function(release) as.double(evidence(release)), double(1), USE.NAMES = FALSE)
  }
}

# A number of each release says it all: which.
entry <- function(which) function(releases, fields) in_columns(releases)[which, ]

# The evidence of numbers that have Laplace noise, if `these` are the exact ones of the first
# neighbour and `others` those of the second: the logarithm of the likelihood ratio. Of noise of one
# scale that may be left out. `numbers` makes a matrix of releases, with a column for each.
laplace_evidence <- function(these, others, scales = 1, numbers = in_columns) {
  function(releases, fields) laplace_ratio(numbers(releases), these, others, scales)
}

laplace_ratio <- function(numbers, these, others, scales = 1) {
  colSums((abs(numbers - others) - abs(numbers - these)) / scales)
}
