quantile_kinds <- list(
  mechanism = one_of("mechanismExponential"), varType = variable_type(c("numeric", "integer")),
  gridPoints = whole_number(min = 2, max = 1e6, null = TRUE),
  interval = holds_at_found_bounds(interval_kind("none", NULL, function(args) NULL)),
  spacing = quantile_rule("spacing")
)

# A share, of which there may be several in another statistic.
single_share <- function() {
  kind <- share(zero = TRUE, one = TRUE)
  check <- kind$check
  kind$check <- function(value, arg, call, args) {
    if (is_numbers(value) && length(value) > 1) {
      stop_argument("one number, or use dpQuantiles() for several at the price of one",
        name_public(value), arg, call
      )
    }
    check(value, arg, call, args)
  }
  kind
}

#' Differentially private median and quantiles
#'
#' A plan for releases of a quantile of one column: the best of public candidates, chosen at random
#' such that better ones are likelier. Building it checks the arguments and reads no data;
#' `release()` spends `epsilon`, each time that it is called.
#'
#' The number of rows `n` is public, and two datasets are neighbours if one row of one is replaced
#' in the other. With probability `1 - alpha` the wanted rank is within `accuracy` rows of the ranks
#' of those rows that are nearest to the released candidate. How far that is in the unit of the
#' column depends on the data, and is not released.
#'
#' `dpQuantile(...)` and `dpQuantile$new(...)` are the same, and so for `dpMedian`, the quantile at
#' `prob = 0.5`.
#'
#' @inheritParams dpMean
#' @param mechanism (`character(1)`) `"mechanismExponential"`, in any letter case.
#' @param varType (`character(1)`) `"numeric"` or `"integer"`, see `conversion`.
#' @param prob (`numeric(1)`) Share of rows below, between 0 and 1.
#' @param accuracy (`numeric(1)`) Wanted accuracy in rows, instead of `epsilon`.
#' @param gridPoints (whole number) Candidates are so many points of equal distance from one end of
#'   `rng` to the other, both of them included; at least 2. By default `spacing` says which they
#'   are. For integers they are all whole numbers, if these are not more than 10000.
#' @param missing (`character(1)`) Rule for missing values. `"drop"`: the quantile of the rows with
#'   a value, with the same noise. `"impute"`: see `imputeRng`. Left out, it is `"drop"`, or
#'   `"impute"` if you give `imputeRng`.
#' @param imputeRng (`numeric(2)`) With `missing = "impute"`, missing values are replaced by uniform
#'   draws from here; `rng` by default. If a share of them is missing, imputation moves quantiles
#'   towards those of such draws.
#' @param alpha (`numeric(1)`) Probability that the rank misses by more than `accuracy`.
#' @param n_check (`character(1)`) What `release()` does with data of a different number of rows
#'   than `n`: `"refuse"` raises an error; `"resize"` drops rows at random, or adds rows without a
#'   value.
#' @param interval (`character(1)`) `"population"`: a result has besides an interval for the
#'   quantile of the population that the rows were drawn from, which counts sampling and noise, for
#'   half of `epsilon`. The release has the other half, which `accuracy` follows from. `"none"`, or
#'   `NULL`: it has not.
#' @param score (`character(1)`) How candidates are compared. `"nearest"`: each row counts at the
#'   candidate nearest to it, and a candidate stands for all ranks of its rows. `"balance"`, the
#'   rule of older plans: only rows below and above a candidate count. Beside a value that many rows
#'   share it can release a number that no row has.
#' @param spacing (`character(1)`) Candidates without `gridPoints`. `"even"`, the rule of older
#'   plans: round numbers, on which answers of people heap. They are both ends of `rng` and the
#'   multiples of the largest of ..., 0.1, 0.2, 0.5, 1, 2, 5, 10, ... that has 5000 of them or more
#'   in `rng`. `"digits"`: also the numbers with two digits, in the eight decades below the largest
#'   magnitude in `rng`. So bounds that are 1000 times too wide cost little.
#' @param ... Nothing: an argument with another name raises an error.
#' @returns An R6 object of class `dpQuantile` or `dpMedian`, with the methods and fields of
#'   [dpMean()] and the fields `prob`, `gridPoints` and `candidates`. `sens` is that of the rank: 1.
#'   `result` is a [dp_result] with `release`, one of the candidates, `variable`, `accuracy` in
#'   rows, `epsilon` and `status`. The status is `"coarse"` if the release says little more than
#'   which candidate is nearest: half the distance between its neighbours is more than a tenth of
#'   the distance to the nearer bound, or to 0. Otherwise it is `"ok"`. With `interval =
#'   "population"` there are besides `populationInterval`, its two ends, and its `populationAlpha`,
#'   which is `alpha`; and the fields `treeBranching` and `treeDepth`, the shape of the tree of
#'   counts that it comes from.
#' @section How it works: The chain resizes to `n` rows, imputes and clamps, and moves each row to
#'   the candidate nearest to it. The score of a candidate is the distance from the wanted rank,
#'   `prob` times the number of rows, to the interval from the number of rows below it to that of
#'   the rows below it or at it. One replaced row moves the score by one row at most, and so does
#'   one that becomes missing. Permute-and-flip selects with noise of scale 2 / epsilon (never worse
#'   than the exponential mechanism), exactly. accuracy = 2 / epsilon * log(gridPoints / alpha).
#'
#'   With `score = "balance"` rows stay where they are, and the score is the distance between the
#'   rows below and above in the proportion of `prob`. If rows without a value are dropped, the
#'   noise is then 2 max(p, 1 - p) times as large.
#' @section Interval for the population: With the release comes a tree of counts of the same rows,
#'   as [dpTree()] releases it, of the shape that its rule chooses for half of `epsilon`. Both are
#'   one composition, whose map is the loss. From the tree follows F, the share of rows below each
#'   edge of the leaves, which nowhere falls. Below the quantile p of the population there is a
#'   share p of rows, but for H = z sqrt(p (1 - p) / n + V / n^2), where z is the quantile of the
#'   normal distribution and V the variance of the noise at that edge; where rows are dropped, n is
#'   the estimate of how many are left. The lower end is the last edge with F < p - H, the upper one
#'   the first with F > p + H, and the bound of `rng` if there is none; for integers the whole
#'   numbers between. So it covers the population, with heaps or without, with probability
#'   `1 - alpha`, as far as counts of rows are normal. No end is nearer than an edge: where epsilon
#'   n is small, leaves are wide. The release comes from the other half, and may lie outside. Of
#'   several quantiles each interval holds by itself.
#'
#'   The interval also holds at [bounds()] that were found: an edge above the quantile has at least
#'   the rows up to the quantile, wherever the edges are. Then the first and the last edge do not
#'   count, and an end that lies at none of the others is that of the widest range that may be
#'   found.
#' @inheritSection dpMean Errors
#' @section Warnings: `dp_warning_large_epsilon`, `dp_warning_noise` (any rank of `n` rows is within
#'   the accuracy of the wanted one, or the interval for the population will span half of the rows
#'   or more), `dp_warning_range` (more than two values), `dp_warning_impute_range` (beyond `rng`).
#' @references McSherry and Talwar (2007), *Mechanism Design via Differential Privacy*; McKenna and
#'   Sheldon (2020), *Permute-and-Flip: A New Mechanism for Differentially Private Selection*; Smith
#'   (2011), *Privacy-Preserving Statistical Estimation with Optimal Convergence Rates*; Drechsler,
#'   Globus-Harris, McMillan, Sarathy and Smith (2022), *Nonparametric Differentially Private
#'   Confidence Intervals for the Median*.
#' @seealso [dpQuantiles()] for several quantiles at once, [dpTree()] for all of them.
#' @examples
#' middle <- dpMedian(
#'   varType = "integer", variable = "age", n = 10000, rng = c(18, 93), epsilon = 0.1
#' )
#' middle$release(PUMS5extract10000)
#'
#' upper <- dpQuantile(
#'   varType = "numeric", variable = "income", n = 10000, prob = 0.9, rng = c(0, 750000),
#'   epsilon = 0.5, gridPoints = 1501
#' )
#' upper$release(PUMS5extract10000)
#'
#' # Sampling and noise together.
#' sampled <- dpMedian(
#'   varType = "integer", variable = "age", n = 10000, rng = c(18, 93), epsilon = 0.5,
#'   interval = "population"
#' )
#' sampled$release(PUMS5extract10000)$populationInterval
#' @export
dpQuantile <- new_statistic("dpQuantile", "Quantile of a column", "a quantile",
  arguments = function(mechanism = "mechanismExponential", varType = "numeric", variable, n, prob,
                       rng = NULL, epsilon = NULL, accuracy = NULL, imputeRng = NULL, alpha = 0.05,
                       gridPoints = NULL, n_check = "refuse", missing = c("drop", "impute"),
                       interval = NULL, score = c("nearest", "balance"),
                       spacing = c("digits", "even")) {
  },
  required = c("variable", "n", "prob", "rng", "epsilon"),
  or = list(epsilon = "accuracy"),
  takes = c(quantile_kinds, list(prob = single_share(), score = quantile_rule("score"))),
  plan = function(...) plan_quantile(...),
  fields = c(common_fields, "missing", "prob", "gridPoints", "candidates", sampled_fields),
  numbers = c("n", "range", "prob"), later = names(quantile_rules)
)

#' @rdname dpQuantile
#' @export
dpMedian <- new_statistic("dpMedian", "Median of a column", "a median",
  arguments = function(mechanism = "mechanismExponential", varType = "numeric", variable, n,
                       rng = NULL, epsilon = NULL, accuracy = NULL, imputeRng = NULL, alpha = 0.05,
                       gridPoints = NULL, n_check = "refuse", missing = c("drop", "impute"),
                       interval = NULL, score = c("nearest", "balance"),
                       spacing = c("digits", "even")) {
  },
  required = c("variable", "n", "rng", "epsilon"),
  or = list(epsilon = "accuracy"),
  takes = c(quantile_kinds, list(score = quantile_rule("score"))),
  plan = function(...) plan_median(...),
  fields = c(common_fields, "missing", "prob", "gridPoints", "candidates", sampled_fields),
  numbers = c("n", "range"), later = names(quantile_rules)
)

# One replaced row moves the score of a candidate by one; scores may move apart, which counts twice.
selection_factor <- 2

plan_median <- function(args, call) plan_quantile(c(args, list(prob = 0.5)), call)

plan_quantile <- function(args, call) {
  candidates <- quantile_candidates(args$gridPoints, args$rng, args$varType, args$spacing)
  balances <- is.null(args$score)
  # By balance, a row that is dropped leaves one side, and joins no other.
  moves <- if (balances && drops_missing(args)) 2 * max(args$prob, 1 - args$prob) else 1
  factor <- selection_factor * moves
  # That of a rank error with probability alpha, for a union over all candidates.
  loss <- check_loss(
    args$epsilon, args$accuracy, factor / share_of_release(args), args$alpha / length(candidates),
    call
  )
  select <- if (balances) {
    function(lhs, epsilon) {
      lhs |>
        then_ranked(args) |>
        then_select_quantile(candidates, args$prob, epsilon)
    }
  } else {
    function(lhs, epsilon) {
      lhs |>
        then_nearest(args, candidates) |>
        then_select_nearest(candidates, args$prob, epsilon)
    }
  }
  what <- if (args$prob == 0.5) "median" else paste("quantile", show_number(args$prob, 7))
  own <- list(
    name = paste(what, "of", args$variable), prob = args$prob, gridPoints = length(candidates),
    candidates = candidates
  )
  within <- if (balances) {
    "the rank is within this many rows of the best candidate's"
  } else {
    "the wanted rank is within this many rows of those nearest to the release"
  }
  plan_ranks(args, loss, select, own, quantile_result, within, call)
}

# `select(lhs, epsilon)` adds the selection to rows_or_gaps(). `own`: the other fields.
plan_ranks <- function(args, loss, select, own, describe, within, call) {
  built <- with_features("contrib", if (is.null(args$interval)) {
    list(measurement = select(rows_or_gaps(args), loss$epsilon))
  } else {
    with_tree(args, loss$epsilon, select, call)
  })
  fields <- c(
    statistic_fields(own$name, args, loss, 1, built$measurement), list(missing = args$missing),
    own[names(own) != "name"],
    list(
      interval = args$interval %||% "none", treeBranching = built$treeBranching,
      treeDepth = built$treeDepth
    )
  )
  plan <- new_plan(fields, describe,
    within = within, range = least_hidden_rank(own$prob %||% own$probs) * args$n,
    span = diff(args$rng), covers = c(populationInterval = target_of$population), call = call
  )
  if (!plan$fields$noiseDominates) warn_of_wide_intervals(plan$fields, call)
  plan
}

# A rank that is off by up to this share of the rows can be any rank, for one of the quantiles.
least_hidden_rank <- function(probs) min(pmax(probs, 1 - probs))

# Where gaps are dropped, those with a value, whose number is not known.
then_ranked <- function(lhs, args) {
  if (!drops_missing(args)) {
    return(lhs |> then_metric_unbounded())
  }
  if (args$varType != "numeric") lhs <- lhs |> then_cast(.TOA = "i64")
  lhs |>
    then_metric_unbounded() |>
    then_drop_null() |>
    then_clamp(bounds = args$rng)
}

# The selection of one candidate at which a protected row costs at most `epsilon`.
then_select_quantile <- function(lhs, candidates, prob, epsilon) {
  calibrated("make_private_quantile", lhs, max_divergence(), candidates, prob, least,
    d_in = protected_rows, loss = epsilon
  )
}

# The places of the candidates that rows are nearest to, and behind the last one of missing values.
then_nearest <- function(lhs, args, candidates) {
  lhs |>
    then_doubles(args) |>
    then_cell(args, halves_between(candidates))
}

# The same selection among such places, where the rows of one have several ranks.
then_select_nearest <- function(lhs, candidates, prob, epsilon) {
  calibrated("private_quantile_of_cells", lhs, max_divergence(), candidates, prob, least,
    d_in = protected_rows, loss = epsilon
  )
}

quantile_result <- function(release, fields) {
  sampled <- fields$interval == "population"
  value <- as.double(if (sampled) release[[1]] else release)
  c(
    list(
      release = value, variable = fields$variable, accuracy = fields$accuracy,
      epsilon = fields$epsilon, status = status_of_cells(is_coarse_candidate(value, fields))
    ),
    if (sampled) population_of_quantiles(release[-1], fields$prob, fields)
  )
}
