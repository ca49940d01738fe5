# Tests whether samples of a release follow a law, and computes the loss that they prove.

# Probability that an audit proves a loss above the true one.
audit_alpha <- 1e-6 / 100

# unlist() drops the class integer64, and without the class the bits mean different numbers.
numbers_of <- function(releases) vapply(releases, function(x) as.double(in_doubles(x)), double(1))

# Releases of equal length, as columns of a matrix.
in_columns <- function(releases) {
  numbers <- as.double(unlist(in_doubles(releases)))
  stopifnot(length(numbers) %% length(releases) == 0)
  matrix(numbers, ncol = length(releases))
}

# Draws releases of a statistic that finds its range and therefore queries twice. The second query
# is planned once for each set of cells that appears.
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

# Counts how often each of `outcomes` was released. Every release must be one of them.
tally <- function(releases, outcomes) {
  place <- match(releases, outcomes)
  stopifnot(!anyNA(place))
  tabulate(place, length(outcomes))
}

# Tests whether independent draws with these probabilities can have these counts. The likelihood
# ratio exceeds its bound with probability at most `rare`, for all sample sizes and laws. Source:
# Agrawal (2020), Finite-Sample Concentration of the Multinomial in Relative Entropy, theorem 1.2.
has_law <- function(counts, probabilities) {
  stopifnot(abs(sum(probabilities) - 1) < 1e-9)
  expected <- sum(counts) * probabilities
  ratio <- sum(ifelse(counts > 0, counts * log(counts / expected), 0))
  freedom <- length(counts) - 1
  ratio <= freedom || freedom * (1 + log(ratio / freedom)) - ratio >= log(rare)
}

# An audit is a game. A fair coin chooses one of two neighbours for each release. An adversary sees
# the release and names the neighbour, or abstains. If releases are epsilon-private, each name is
# right with probability at most e^epsilon / (1 + e^epsilon), given all other names. With delta, the
# adversary also learns the right name for a binomial share delta of all releases. So the number of
# right names is stochastically at most binomial, and the Clopper-Pearson bound gives the proven
# loss.
#
# Sources: Kairouz, Oh and Viswanath (2015), Theorem 3.4, for the law of the worst case. Steinke,
# Nasr and Jagielski (2023) for the game.
#
# A case is a list:
#
#   make      function(excess): a measurement or statistic, honest if `excess` is 1. Otherwise a
#             mutant with `excess` times the loss
#   data      two neighbours whose releases are as far apart as the claim allows
#   evidence  function(releases, fields): one number per release. The further it is from the middle,
#             the stronger it speaks for one of the neighbours. A statistic has `fields`
#   d_in      distance of the neighbours, for a measurement
#   claim     c(epsilon, delta) of this pair, if it is below the map's bound for all pairs
#   draws     number of judged releases. It is large enough to miss a mutant of `least_excess` as
#             rarely as it blames an honest object. benchmarks/audit-power.md shows the smallest
#             excess that is noticed with probability 0.99
least_excess <- 1.3

claim_of <- function(case) case$claim %||% opened(case)$loss

# Opens the audited object. Returns its loss, and a function that draws releases of one neighbour
# and returns their evidence.
opened <- function(case, excess = 1) {
  audited <- small(exactly(case$make(excess)))
  parts <- audited_parts(audited)
  plan <- parts$plan
  fields <- plan$fields
  measurement <- parts$measurement
  arg <- parts$arg
  d_in <- if (is.null(plan)) case$d_in else fields$d_in
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

# Ratio of choosing releases to judged ones. The adversary chooses its names from the former.
choosing_share <- 1 / 3

# Evidence of `draws` games. Each game picks the first neighbour with probability 1/2.
played <- function(open, draws) {
  first <- stats::rbinom(1, draws, 0.5)
  list(open$evidence(1, first), open$evidence(2, draws - first))
}

# Largest epsilon that the games prove for the delta of a claim, with confidence 1 - alpha.
audited_epsilon <- function(chosen_on, judged_on, claim, alpha = audit_alpha) {
  known <- known_names(sum(lengths(judged_on)), claim[[2]], alpha)
  named <- named_by(adversary(chosen_on, claim[[1]], known * choosing_share), judged_on)
  proven_by(named[["right"]], named[["wrong"]], known, claim[[2]], alpha)
}

# Bound on the names that delta reveals. It holds with probability 1 - alpha / 2.
known_names <- function(games, delta, alpha = audit_alpha) {
  if (delta > 0) stats::qbinom(1 - alpha / 2, games, delta) else 0
}

proven_by <- function(right, wrong, known, delta, alpha = audit_alpha) {
  if (delta > 0) alpha <- alpha / 2
  right <- pmax(right - known, 0)
  stats::qlogis(ifelse(right == 0, 0, stats::qbeta(alpha, pmax(right, 1), wrong + 1)))
}

# Chooses which neighbour the adversary names for each evidence. It sorts cells by likelihood ratio,
# then names the first neighbour for the leading cells and the second for the trailing ones. It
# picks the split whose right names exceed the bound of `epsilon` by most standard deviations.
adversary <- function(played, epsilon, known) {
  all <- unlist(played)
  cuts <- sort(unique(all))
  if (length(cuts) > 40) cuts <- unique(stats::quantile(all, seq(0.025, 0.975, 0.025), type = 1))
  cells <- length(cuts) + 1
  counts <- lapply(played, function(evidence) tabulate(findInterval(evidence, cuts) + 1, cells))
  excess <- function(right, wrong, used) {
    named <- pmax(right + wrong - known, 1)
    allowed <- stats::plogis(epsilon)
    excess <- (right - known - allowed * named) / sqrt(named)
    excess[right + wrong < 0.01 * length(all)] <- -Inf
    excess
  }
  names <- best_split(counts[[1]], counts[[2]], excess)
  list(cuts = cuts, names = names)
}

# Counts the right and the wrong names.
named_by <- function(rule, played) {
  names <- lapply(played, function(evidence) rule$names[findInterval(evidence, rule$cuts) + 1])
  c(
    right = sum(names[[1]] == 1) + sum(names[[2]] == 2),
    wrong = sum(names[[1]] == 2) + sum(names[[2]] == 1)
  )
}

# Epsilon that `draws` releases prove, in addition to the releases that choose the names. `open`
# comes from opened().
proven <- function(open, claim, draws) {
  chosen_on <- played(open, ceiling(choosing_share * draws))
  audited_epsilon(chosen_on, played(open, draws), claim)
}

# Tests whether releases of a mutant prove more than the claim. It starts with a quarter of the
# honest audit's draws and adds more until it succeeds. The looks share alpha, so together they
# prove too much as rarely as one audit does. The last look, at twice the draws, covers unlucky
# draws. It is needed as rarely as an audit overlooks a mutant. It also chooses the names again,
# because names chosen from few releases can be too bad to prove anything.
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

# Skips two guards around user functions: hiding their output and restoring their state. The
# functions in these tests do not print and leave nothing behind. The guards take half of the time
# of each release. test-callback-hostile.R tests them.
local_unguarded <- function(env = parent.frame()) {
  local_replaced("silently", identity, env)
  local_replaced("kept_state", function(environments) no_state, env)
}

# The honest object proves no more than its claim, and the mutant does.
test_audits <- function(cases) {
  for (name in names(cases)) {
    test_that(paste("D_EPS_1 samples prove at most the claimed loss of", name), {
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

# Lifts evidence from one release, function(release), to a list of releases.
of_each <- function(evidence) {
  function(releases, fields) {
    vapply(releases, function(release) as.double(evidence(release)), double(1), USE.NAMES = FALSE)
  }
}

# Uses entry `which` of each release as its evidence.
entry <- function(which) function(releases, fields) in_columns(releases)[which, ]

# Log likelihood ratio of numbers with Laplace noise. `these` are the exact values of the first
# neighbour, `others` of the second. You can omit `scales` if all noise has one scale.
# `numbers` makes a matrix of the releases, one column per release.
laplace_evidence <- function(these, others, scales = 1, numbers = in_columns) {
  function(releases, fields) laplace_ratio(numbers(releases), these, others, scales)
}

laplace_ratio <- function(numbers, these, others, scales = 1) {
  colSums((abs(numbers - others) - abs(numbers - these)) / scales)
}
