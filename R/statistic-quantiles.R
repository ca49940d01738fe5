#' Differentially private quantiles
#'
#' `dpQuantiles()` plans a joint release of several quantiles of one column. The loss does not
#' depend on the number of quantiles, and the released quantiles are in order. Building the plan
#' checks the arguments without reading data. Each call of `release()` spends `epsilon`.
#'
#' The number of rows `n` is public. Neighbouring datasets differ in one replaced row. With
#' probability `1 - alpha`, no released quantile misses its rank by more than `accuracy` rows,
#' beyond the error of the best choice of candidates. This bound holds for the worst data. For most
#' data, the error is much smaller. The error in the unit of the column depends on the data and is
#' not released.
#'
#' @inheritParams dpQuantile
#' @param varType (`character(1)`) Type of the column, public: `"numeric"` or `"integer"`. See
#'   `conversion`.
#' @param probs (`numeric`) Shares of rows below the quantiles, public: up to 20 increasing numbers
#'   from 0 to 1, rounded to the nearest 1/10000.
#' @param accuracy (`numeric(1)`) Target accuracy, in rows. Give it instead of `epsilon`.
#' @param missing (`character(1)`) Rule for missing values. `"drop"` releases the quantiles of the
#'   rows with a value, with the same noise. `"impute"` draws values from `imputeRng`. The default
#'   is `"impute"` if you give `imputeRng`, and `"drop"` otherwise.
#' @param ... Not used. Unknown arguments raise an error.
#' @returns An R6 object of class `dpQuantiles`, with the methods and fields of [dpMean()] and the
#'   fields `probs`, `gridPoints` and `candidates`. `sens` is the sensitivity of a rank: 1. `result`
#'   is a [dp_result] with `release` (candidates named `"25%"` and so on), `variable`, `accuracy` in
#'   rows, `epsilon` and `status`. The status is `"coarse"` if one of the candidates is, see
#'   [dpQuantile()]. `interval = "population"` adds `populationInterval`, a matrix with a row for
#'   each quantile and the columns `lower` and `upper`, and `populationAlpha`. It also adds the
#'   fields `treeBranching` and `treeDepth`.
#' @section How it works: The chain resizes to `n` rows, imputes and clamps. Each row counts at its
#'   nearest candidate. One candidate is chosen for each of `probs`, in order. A choice is drawn
#'   with probability proportional to exp(-epsilon / 4 times its score). The chosen candidates
#'   divide the rows into intervals. The score sums, over these intervals, the distance between the
#'   number of rows and the share that `probs` asks for. One replaced row moves the score by at most
#'   2, so a release costs `epsilon`. A row that becomes missing moves it by less.
#'
#'   Rows at a chosen candidate can lie on either side of it: each candidate has up to 64 ranks,
#'   which divide them. accuracy = 2 / epsilon times log(number of choices / alpha), for
#'   `gridPoints` times 64 ranks. See [make_joint_quantiles()].
#' @inheritSection dpQuantile Interval for the population
#' @section Errors: See [statistic_errors].
#' @inheritSection dpQuantile Warnings
#' @references Gillenwater, Joseph and Kulesza (2021), *Differentially Private Quantiles*.
#' @seealso [dpQuantile()] for a single quantile, [dpTree()] for all of them, with intervals.
#' @examples
#' ages <- dpQuantiles(
#'   varType = "integer", variable = "age", n = 10000, probs = c(0.1, 0.5, 0.9), rng = c(18, 93),
#'   epsilon = 0.1
#' )
#' ages$release(PUMS5extract10000)
#'
#' # Sampling and noise together.
#' sampled <- dpQuantiles(
#'   varType = "integer", variable = "age", n = 10000, probs = c(0.1, 0.5, 0.9), rng = c(18, 93),
#'   epsilon = 0.5, interval = "population"
#' )
#' sampled$release(PUMS5extract10000)
#' @export
dpQuantiles <- new_statistic("dpQuantiles", "Quantiles of a column", "several quantiles",
  arguments = function(mechanism = "mechanismExponential", varType = "numeric", variable, n, probs,
                       rng = NULL, epsilon = NULL, accuracy = NULL, imputeRng = NULL, alpha = 0.05,
                       gridPoints = NULL, n_check = "error", missing = c("drop", "impute"),
                       interval = NULL, spacing = c("digits", "even")) {
  },
  required = c("variable", "n", "probs", "rng", "epsilon"),
  or = list(epsilon = "accuracy"),
  takes = c(quantile_kinds, list(probs = increasing_shares(most = 20))),
  plan = function(...) plan_quantiles(...),
  fields = c(common_fields, "missing", "probs", "gridPoints", "candidates", sampled_fields),
  numbers = c("n", "range", "probs"), later = "spacing"
)

plan_quantiles <- function(args, call) {
  candidates <- quantile_candidates(args$gridPoints, args$rng, args$varType, args$spacing)
  # The rank error is at most half of a choice's score. The union bound runs over all choices.
  per_choice <- exp(log(args$alpha) - choices_of(length(candidates), length(args$probs)))
  factor <- selection_factor / share_of_release(args)
  loss <- check_loss(args$epsilon, args$accuracy, factor, per_choice, call)
  select <- function(lhs, epsilon) {
    lhs |>
      then_nearest(args, candidates) |>
      calibrated_quantiles(candidates, args$probs, epsilon)
  }
  own <- list(
    name = paste("quantiles of", args$variable), probs = args$probs,
    gridPoints = length(candidates), candidates = candidates
  )
  plan_ranks(args, loss, select, own, quantiles_result,
    "ranks are within this many rows of the best choice's", call
  )
}

# Largest number of ranks of one candidate (joint_quantiles.cpp).
most_ranks_each <- 64

# Logarithm of the number of ordered choices.
choices_of <- function(candidates, count) lchoose(candidates * most_ranks_each + count - 1, count)

calibrated_quantiles <- function(lhs, candidates, probs, epsilon) {
  calibrated("joint_quantiles_of_cells", lhs, max_divergence(), candidates, probs, least,
    d_in = protected_rows, loss = epsilon
  )
}

quantiles_result <- function(release, fields) {
  names <- paste0(vapply(100 * fields$probs, show_number, "", 7), "%")
  sampled <- fields$interval == "population"
  values <- as.double(unlist(if (sampled) release[[1]] else release))
  c(
    list(
      release = stats::setNames(values, names), variable = fields$variable,
      accuracy = fields$accuracy, epsilon = fields$epsilon,
      status = status_of_cells(is_coarse_candidate(values, fields))
    ),
    if (sampled) population_of_quantiles(release[-1], fields$probs, fields, names)
  )
}

# Population intervals for quantiles ---------------------------------------------------------------

# They use a tree of counts (statistic-tree.R) that is released together with the quantiles of the
# same rows. The loss is the composition of both.

# Share of the loss that the quantiles get. The levels of the tree split the rest.
share_of_release <- function(args) if (is.null(args$interval)) 1 else 1 / 2

# Returns list(measurement, treeBranching, treeDepth). `select(lhs, epsilon)` adds the quantiles to
# prepared rows.
with_tree <- function(args, epsilon, select, call) {
  share <- share_of_release(args)
  of_tree <- list(globalEps = epsilon * (1 - share), epsilon = NULL, branching = NULL)
  shape <- best_shape(c(args[setdiff(names(args), names(of_tree))], of_tree), call)
  depth <- shape[["depth"]]
  parts <- distributeEpsilon(epsilon, epsilonDist = c(share, rep((1 - share) / depth, depth)))
  rows <- rows_or_gaps(args)
  space <- space_after(rows)
  edges <- tree_edges(args$rng, shape[["branching"]], depth)[-1]
  levels <- tree_levels(space |> then_doubles(args), args, edges, parts[-1])
  released <- c(list(select(space, parts[[1]])), levels)
  list(
    measurement = rows |> chain(make_composition(released)), treeBranching = shape[["branching"]],
    treeDepth = depth
  )
}

# Noise variances of the levels, root first. Maps may state slightly less than the shares of the
# loss. Privacy does not depend on these numbers.
tree_noise <- function(fields) {
  depth <- fields$treeDepth
  share <- 1 - share_of_release(fields)
  node_variances(rep(share * fields$epsilon / depth, depth), drops_missing(fields))
}

# `levels` holds the noisy counts of each level of the tree. The share of rows below the population
# quantile is p, up to sampling and noise. An edge whose share is farther below p than these explain
# lies below the quantile, likewise above. Rows of several quantiles are named by `names`.
#
# If many edges lie above the quantile and have a share near p, one of them is below p - H far more
# often than each alone. So the lower end is the last edge before the first one that is not below p
# - H. The upper end is found likewise from above. The lower end is then wrong only if the first
# edge above the quantile is below p - H, and noise does not affect which edge that is. The shares
# are the noisy ones, because shares that a fit makes monotone depend on each other.
#
# This also holds for bounds that were found in the range `searched`. That edge has at least the
# rows up to the quantile, and their number does not depend on the edges. Its noise is independent
# of everything. Rows are clamped to the first and the last edge, so shares of 0 and 1 beyond these
# say nothing. If no inner edge is an end, the end of `searched` is used.
population_of_quantiles <- function(levels, probs, fields, names = NULL) {
  leaves <- fields$treeBranching^fields$treeDepth
  edges <- seq(fields$rng[[1]], fields$rng[[2]], length.out = leaves + 1)
  variances <- tree_noise(fields)
  counts <- tree_counts(levels, fields$n, variances, drops_missing(fields))
  tree <- consistent_tree(counts$levels, variances)
  rows <- max(tree[[1]], 1)
  shares <- within_bounds(c(0, cumsum(tree[[length(tree)]])) / rows, 0, 1)
  noise <- edge_noise(variances, fields$treeBranching)
  outer <- fields$searched %||% fields$rng
  known <- if (is.null(fields$searched)) seq_along(edges) else which(!edges %in% fields$rng)
  ends <- vapply(probs, function(p) {
    reach <- share_reach(p, rows, noise, fields$alpha)
    below <- edges[known][cumall((shares < p - reach)[known])]
    above <- rev(edges[known])[cumall(rev((shares > p + reach)[known]))]
    quantile_ends(below, above, outer, fields$varType)
  }, numeric(2))
  ends <- if (is.null(names)) {
    as.vector(ends)
  } else {
    matrix(ends, ncol = 2, byrow = TRUE, dimnames = list(names, c("lower", "upper")))
  }
  population_fields(ends, fields)
}

# TRUE as long as all elements up to here are TRUE.
cumall <- function(x) cumsum(!x) == 0

# Distance that shares of `rows` rows below edges can have from p, with probability 1 - alpha. The
# standard deviation is known, because these shares are p in the population.
share_reach <- function(p, rows, noise, alpha) {
  reach_of_shares(noise_of_shares(p, rows, noise), p * (1 - p) / rows, alpha, FALSE)
}

# Interval from the edges that are not above the quantile and the edges above it, within `outer`. A
# quantile of whole numbers is a whole number.
quantile_ends <- function(below, above, outer, varType) {
  ends <- c(max(below, outer[[1]]), min(above, outer[[2]]))
  if (varType != "integer") {
    return(ends)
  }
  c(ceiling(ends[[1]]), if (ends[[2]] < outer[[2]]) ceiling(ends[[2]]) - 1 else ends[[2]])
}

# Uses public numbers only: the interval in the middle is the widest.
warn_of_wide_intervals <- function(fields, call) {
  if (fields$interval != "population") {
    return()
  }
  probs <- fields[["probs"]] %||% fields[["prob"]]
  noise <- edge_noise(tree_noise(fields), fields$treeBranching)
  worst <- probs[[which.min(abs(probs - 0.5))]]
  rows <- 2 * stats::median(share_reach(worst, fields$n, noise, fields$alpha))
  if (rows < widest_interval) {
    return()
  }
  spans <- show_number(100 * min(rows, 1), 2)
  warn_dp(
    paste(
      "The interval for the population will span {spans}% of the rows or more.",
      "More of `epsilon` or `n` is needed."
    ),
    "noise", call = call
  )
}

# Unit: share of the rows.
widest_interval <- 1 / 2
