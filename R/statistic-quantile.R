quantile_kinds <- list(
  mechanism = one_of("mechanismExponential"), varType = variable_type(c("numeric", "integer")),
  gridPoints = whole_number(min = 2, max = 1e6, null = TRUE),
  interval = holds_at_found_bounds(interval_kind("none", NULL, function(args) NULL)),
  spacing = quantile_rule("spacing")
)

# A single share. Another statistic can have several.
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
#' `dpQuantile()` plans a release of a quantile of one column, and `dpMedian()` of the quantile at
#' `prob = 0.5`. A release is one of several public candidates. It is drawn at random, and better
#' candidates are more likely. Building the plan checks the arguments without reading data. Each
#' call of `release()` spends `epsilon`.
#'
#' The number of rows `n` is public. Neighbouring datasets differ in one replaced row. The released
#' candidate has the ranks of the rows nearest to it. With probability `1 - alpha`, the target rank
#' is within `accuracy` rows of these ranks. The error in the unit of the column depends on the data
#' and is not released.
#'
#' `dpQuantile(...)` and `dpQuantile$new(...)` do the same, and so do `dpMedian(...)` and
#' `dpMedian$new(...)`.
#'
#' @inheritParams dpMean
#' @param mechanism (`character(1)`) Selection mechanism, public: `"mechanismExponential"`, in any
#'   letter case.
#' @param varType (`character(1)`) Type of the column, public: `"numeric"` or `"integer"`. See
#'   `conversion`.
#' @param prob (`numeric(1)`) Share of rows below the quantile, public, between 0 and 1.
#' @param accuracy (`numeric(1)`) Target accuracy, in rows. Give it instead of `epsilon`.
#' @param gridPoints (whole number) Number of candidates, at least 2: equally spaced points from one
#'   end of `rng` to the other, including both. By default, `spacing` chooses the candidates. For
#'   integers, the default is all whole numbers in `rng` if there are at most 10000.
#' @param missing (`character(1)`) Rule for missing values. `"drop"` releases the quantile of the
#'   rows with a value, with the same noise. `"impute"` draws values from `imputeRng`. The default
#'   is `"impute"` if you give `imputeRng`, and `"drop"` otherwise.
#' @param imputeRng (`numeric(2)`) Range of the uniform draws that replace missing values, if
#'   `missing = "impute"`. The default is `rng`. If values are missing, imputation moves quantiles
#'   towards the quantiles of these draws.
#' @param alpha (`numeric(1)`) Probability that the rank misses by more than `accuracy`.
#' @param n_check (`character(1)`) Rule for data whose number of rows differs from `n`. With
#'   `"error"`, `release()` raises an error. With `"resize"`, it drops rows at random or adds rows
#'   without a value.
#' @param interval (`character(1)`) Kind of confidence interval. `"population"` adds an interval for
#'   the quantile of the population, which covers sampling error and noise. It spends half of
#'   `epsilon`. The other half determines `accuracy`. `"none"` or `NULL` does not add it.
#' @param score (`character(1)`) Rule that compares candidates. With `"nearest"`, each row counts at
#'   its nearest candidate, and a candidate has all ranks of its rows. With `"balance"`, the rule of
#'   older plans, only the rows below and above a candidate count. Near a value that many rows
#'   share, `"balance"` can release a number that no row has.
#' @param spacing (`character(1)`) Rule for the candidates if you do not give `gridPoints`.
#'   `"even"`, the rule of older plans, takes round numbers, on which survey answers often heap.
#'   They are both ends of `rng` and the multiples of the largest step of ..., 0.1, 0.2, 0.5, 1, 2,
#'   5, 10, ... that has at least 5000 multiples in `rng`. `"digits"` adds the numbers with two
#'   digits, in the eight decades below the largest magnitude in `rng`. Bounds that are 1000 times
#'   too wide then cost little.
#' @param ... Not used. Unknown arguments raise an error.
#' @returns An R6 object of class `dpQuantile` or `dpMedian`, with the methods and fields of
#'   [dpMean()] and the fields `prob`, `gridPoints` and `candidates`. `sens` is the sensitivity of
#'   the rank: 1. `result` is a [dp_result] with `release` (one of the candidates), `variable`,
#'   `accuracy` in rows, `epsilon` and `status`. The status is `"coarse"` if the release says little
#'   more than which candidate is nearest. Half the distance between its neighbours is then more
#'   than a tenth of the distance to the nearer bound, or to 0. Otherwise the status is `"ok"`.
#'   `interval = "population"` adds `populationInterval`, its two ends, and `populationAlpha`, which
#'   equals `alpha`. It also adds the fields `treeBranching` and `treeDepth`, the shape of the tree
#'   of counts behind the interval.
#' @section How it works: The chain resizes to `n` rows, imputes, clamps, and moves each row to its
#'   nearest candidate. The target rank is `prob` times the number of rows. A candidate covers the
#'   ranks from the number of rows below it to the number of rows below or at it. Its score is the
#'   distance between the target rank and this interval. One replaced row moves the score by at most
#'   one row, and so does a row that becomes missing. Permute-and-flip selects exactly, with noise
#'   of scale 2 / epsilon, and is never worse than the exponential mechanism. `accuracy`
#'   is 2 / epsilon times log(gridPoints / alpha).
#'
#'   With `score = "balance"`, rows keep their values. The score then compares the numbers of rows
#'   below and above, weighted in proportion to `prob`. If rows without a value are dropped, the
#'   noise is 2 max(p, 1 - p) times as large.
#' @section Interval for the population: See [population_intervals].
#' @section Errors: See [statistic_errors].
#' @section Warnings: `dp_warning_large_epsilon`, `dp_warning_noise` (the accuracy covers every rank
#'   of `n` rows, or the population interval will span at least half the rows), `dp_warning_range`
#'   (more than two values), `dp_warning_impute_range` (beyond `rng`).
#' @references McSherry and Talwar (2007), *Mechanism Design via Differential Privacy*. McKenna and
#'   Sheldon (2020), *Permute-and-Flip: A New Mechanism for Differentially Private Selection*. Smith
#'   (2011), *Privacy-Preserving Statistical Estimation with Optimal Convergence Rates*. Drechsler,
#'   Globus-Harris, McMillan, Sarathy and Smith (2022), *Nonparametric Differentially Private
#'   Confidence Intervals for the Median*.
#' @seealso [dpQuantiles()] for several quantiles at once, [dpTree()] for all of them.
#' @examples
#' middle <- dpMedian("age", n = 10000, rng = c(18, 93), epsilon = 0.1, varType = "integer")
#' middle$release(PUMS5extract10000)
#'
#' # Sampling and noise together.
#' upper <- dpQuantile(
#'   "income", n = 10000, rng = c(0, 750000), epsilon = 0.5, prob = 0.9, gridPoints = 1501,
#'   interval = "population"
#' )
#' upper$release(PUMS5extract10000)$populationInterval
#' @export
dpQuantile <- new_statistic("dpQuantile", "Quantile of a column", "a quantile",
  arguments = function(mechanism = "mechanismExponential", varType = "numeric", variable, n, prob,
                       rng = NULL, epsilon = NULL, accuracy = NULL, imputeRng = NULL, alpha = 0.05,
                       gridPoints = NULL, n_check = "error", missing = c("drop", "impute"),
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
                       gridPoints = NULL, n_check = "error", missing = c("drop", "impute"),
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

# Plans of quantiles -------------------------------------------------------------------------------

plan_median <- function(args, call) plan_quantile(c(args, list(prob = 0.5)), call)

plan_quantile <- function(args, call) {
  candidates <- quantile_candidates(args$gridPoints, args$rng, args$varType, args$spacing)
  balances <- is.null(args$score)
  # With balance, a dropped row leaves one side and joins neither.
  moves <- if (balances && drops_missing(args)) 2 * max(args$prob, 1 - args$prob) else 1
  factor <- selection_factor * moves
  # Loss for a rank error with probability alpha, by a union bound over all candidates.
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

# `select(lhs, epsilon)` adds the selection to rows_or_gaps(). `own` holds the other fields.
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

# Chains that select a quantile among candidates ---------------------------------------------------

# If gaps are dropped, keeps the rows with a value. Their number is not known.
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

# Selects one candidate, such that a protected row costs at most `epsilon`.
then_select_quantile <- function(lhs, candidates, prob, epsilon) {
  calibrated("make_private_quantile", lhs, max_divergence(), candidates, prob, least,
    d_in = protected_rows, loss = epsilon
  )
}

# Places of the candidates nearest to the rows. A place after the last one holds missing values.
then_nearest <- function(lhs, args, candidates) {
  lhs |>
    then_doubles(args) |>
    then_cell(args, halves_between(candidates))
}

# Selects among such places, where the rows of one place have several ranks.
then_select_nearest <- function(lhs, candidates, prob, epsilon) {
  calibrated("private_quantile_of_cells", lhs, max_divergence(), candidates, prob, least,
    d_in = protected_rows, loss = epsilon
  )
}

# Sensitivity and noise of ranks, for quantiles ----------------------------------------------------

# One replaced row moves each score by one. Scores can move in opposite directions, so it counts
# twice.
selection_factor <- 2

# Smallest share of the rows that, as a rank error of one quantile, reaches every rank.
least_hidden_rank <- function(probs) min(pmax(probs, 1 - probs))

# Public candidates for quantiles ------------------------------------------------------------------

# `spacing` is NULL for evenly spaced round numbers, as in plans from before this choice existed.
quantile_candidates <- function(gridPoints, rng, varType, spacing = NULL) {
  points <- if (!is.null(gridPoints)) {
    seq(rng[[1]], rng[[2]], length.out = gridPoints)
  } else if (varType == "integer" && diff(rng) < most_candidates) {
    seq(rng[[1]], rng[[2]])
  } else {
    c(round_candidates(rng), if (!is.null(spacing)) candidates_with_digits(rng, varType))
  }
  points <- sort(points)
  if (varType == "integer") points <- round(points)
  unique(points)
}

most_candidates <- 10000
least_candidates <- 5000

# Multiples of a step with first digit 1, 2 or 5, and both ends. More candidates cost a quantile
# almost nothing, and it can find a heap of equal values if that value is a candidate.
round_candidates <- function(rng) {
  most <- diff(rng) / least_candidates
  power <- floor(log10(most))
  digit <- max(c(1, 2, 5)[c(1, 2, 5) <= most / 10^power * (1 + 1e-9)])
  # Steps below 1 are inverses of whole numbers, so their multiples are as exact as possible.
  times <- if (power < 0) function(k) k / (10^-power / digit) else function(k) k * digit * 10^power
  step <- digit * 10^power
  inner <- times(seq(ceiling(rng[[1]] / step), floor(rng[[2]] / step)))
  c(rng[[1]], inner[inner > rng[[1]] & inner < rng[[2]]], rng[[2]])
}

# Numbers of two digits in the eight decades below the largest magnitude. Their spacing grows with
# them, so bounds that are much too wide still leave candidates near every value.
candidates_with_digits <- function(rng, varType) {
  powers <- floor(log10(max(abs(rng)))) - 1 - 0:7
  sizes <- unlist(lapply(powers, function(power) {
    if (power < 0) 10:99 / 10^-power else 10:99 * 10^power
  }))
  points <- c(sizes, -sizes)
  points <- points[points > rng[[1]] & points < rng[[2]]]
  if (varType == "integer") points[points == round(points)] else points
}

# Edges halfway between candidates.
halves_between <- function(candidates) candidates[-1] - diff(candidates) / 2

# Tells whether a number says little more than its cell between public edges. Then half of the cell
# is longer than a tenth of the distance to the nearer bound and to 0, and than a ten-millionth of
# the range. Queries use the same rule (query/grids.h).
is_coarse <- function(value, width, rng) {
  distance <- pmin(value - rng[[1]], rng[[2]] - value)
  if (rng[[1]] <= 0 && rng[[2]] >= 0) distance <- pmin(distance, abs(value))
  width / 2 > pmax(distance / 10, diff(rng) * 1e-7)
}

# Applies the same rule to candidates. A whole-number candidate represents only itself.
is_coarse_candidate <- function(values, fields) {
  edges <- c(fields$rng[[1]], halves_between(fields$candidates), fields$rng[[2]])
  widths <- diff(edges)[match(values, fields$candidates)]
  if (fields$varType == "integer") widths <- ifelse(widths <= 1, 0, widths)
  is_coarse(values, widths, fields$rng)
}

# "coarse" if any released number is coarse.
status_of_cells <- function(coarse) if (any(coarse, na.rm = TRUE)) "coarse" else "ok"

# Writes out the rules of quantiles. If candidates are given, or are all whole numbers, `spacing`
# has no effect.
with_quantile_rules <- function(arguments, declared) {
  for (name in intersect(names(quantile_rules), names(declared$kinds))) {
    choices <- quantile_rules[[name]]
    rule <- first_choice(arguments[[name]], choices)
    unused <- identical(rule, choices[[2]]) ||
      name == "spacing" && identical(rule, choices[[1]]) && has_own_candidates(arguments)
    arguments[name] <- list(if (!unused) rule)
  }
  arguments
}

# An argument that was left out has all choices.
first_choice <- function(x, choices) if (identical(x, choices)) choices[[1]] else x

has_own_candidates <- function(arguments) {
  type <- arguments[["varType"]]
  rng <- arguments[["rng"]]
  whole <- is_string(type) && tolower(type) == "integer"
  !is_missing(arguments[["gridPoints"]]) ||
    whole && is_numbers(rng) && length(rng) > 1 && isTRUE(diff(range(rng)) < most_candidates)
}
