#' Differentially private tree of counts
#'
#' A plan for releases of the counts of one column in halves of its range, quarters, eighths, ...:
#' from them follow the distribution function, the mean, the median and all other quantiles.
#' Building it checks the arguments, chooses the noise and reads no data; `release()` spends
#' `globalEps`, each time that it is called.
#'
#' The number of rows `n` is public, and two datasets are neighbours if one row of one is replaced
#' in the other. Each count, by itself, is within the `accuracy` of its level of that of the data as
#' used (clamped, imputed, `n` rows) with probability `1 - alpha`.
#'
#' `dpTree(...)` and `dpTree$new(...)` are the same.
#'
#' @inheritParams dpMean
#' @param varType (`character(1)`) `"numeric"` or `"integer"` (values are truncated).
#' @param depth (whole number) Number of levels below the root, at most 16: level i has 2^i cells of
#'   equal width. Instead, `leaves`, a power of two, or `gran`, the largest width of a leaf.
#' @param globalEps (`numeric(1)`) Loss of a release, divided over the levels equally.
#' @param accuracy (`numeric(1)`) Wanted accuracy of a count, instead.
#' @param mechanism (`character(1)`) `"mechanismLaplace"`.
#' @param epsilon (`numeric`) Loss of each level, instead of `globalEps`.
#' @param percentiles (`numeric`) Quantiles to release, between 0 and 1.
#' @param gran,leaves (`numeric(1)`) See `depth`.
#' @param missing (`character(1)`) `"impute"`: see `imputeRng`; right where nothing, or next to
#'   nothing, is missing, since the root is then exact. `"drop"`: the tree is that of the rows with
#'   a value, at no further loss.
#' @returns An R6 object of class `dpTree`, with the methods and fields of [dpMean()], of which
#'   `epsilon` and `accuracy` have a number for each level, and the fields `depth`, `globalEps`,
#'   `percentiles`, `bins` and `missing`. `result` is a [dp_result] with
#'
#' * `release`: a list of the noisy counts of each level, from the root, `n`, on.
#' * `variable`, `epsilon`, `globalEps`, `accuracy`, and `bins`, a list of the edges of each level.
#' * `tree`: a list like `release`: the counts, consistent with each other, that fit all noisy ones
#'   best.
#' * `cdf`: a data frame, `val` and `cdf`: the share of rows below each edge of the leaves, from 0
#'   to 1 and nowhere falling.
#' * `mean`, `median`, and `percentiles`, a data frame `percentile`, `value`: of rows spread evenly
#'   within leaves.
#' @section How it works: Rows are prepared once, and each level is a histogram, whose cells are
#'   closed on the left, the last on both sides: one replaced row moves two of its counts by one.
#'   The root is public. Each count in `tree` is the precision-weighted mean of its noisy count and
#'   of what the levels above and below imply: generalised least squares in two passes.
#' @section Missing values: With `missing = "drop"` each level has one cell more, of the missing
#'   values. A row that loses its value moves two counts of a level by one, as a replaced one does:
#'   noise and loss are those of `"impute"`. The root is `n` without the mean of the noisy counts of
#'   missing values, weighted by their precision, and is no longer exact. `result` has besides
#'   `missing`, those noisy counts, `nPresent`, the best estimate of how many values there are,
#'   `share_missing`, and `status`: `"ok"`, or `"few"` if noise hides that there are any values;
#'   then `mean`, `median` and `percentiles` are `NA`.
#' @inheritSection dpMean Errors
#' @inheritSection dpQuantile Warnings
#' @references Hay, Rastogi, Miklau and Suciu (2010), *Boosting the Accuracy of Differentially
#'   Private Histograms through Consistency*; Honaker (2015), *Efficient Use of Differentially
#'   Private Binary Trees*.
#' @seealso [dpQuantile()] for a single quantile.
#' @examples
#' ages <- dpTree(
#'   varType = "numeric", variable = "age", n = 10000, depth = 6, rng = c(0, 128), globalEps = 1,
#'   percentiles = c(0.1, 0.9)
#' )
#' result <- ages$release(PUMS5extract10000)
#' result$median
#' result$percentiles
#' @export
dpTree <- new_generator(R6::R6Class("dpTree",
  inherit = class_of(dpStatistic),
  public = list(
    initialize = function(varType, variable, n, depth = NULL, rng = NULL, globalEps = NULL,
                          accuracy = NULL, imputeRng = NULL, alpha = 0.05,
                          mechanism = "mechanismLaplace", epsilon = NULL, percentiles = NULL,
                          gran = NULL, leaves = NULL, n_check = "refuse", missing = "impute") {
      check_given("varType", "variable", "n", "depth", "rng", "globalEps",
        or = list(depth = c("leaves", "gran"), globalEps = c("epsilon", "accuracy")),
        call = quote(dpTree())
      )
      private$.start(plan_tree, environment())
    }
  ),
  active = plan_fields(c(common_fields, "missing", "depth", "globalEps", "percentiles", "bins"))
), declared(
  "Tree of counts of a column", statistic_mechanisms,
  numbers = c("n", "range", "depth")
))

deepest_tree <- 16

plan_tree <- function(args) {
  call <- quote(dpTree())
  check_name(args$varType, c("numeric", "integer"), "varType", call)
  common <- check_common(args, dpTree, call)
  common$missing <- check_missing_rule(args$missing, common$mechanism, args$imputeRng, call)
  depth <- tree_depth(args, diff(common$rng), call)
  if (!is.null(args$percentiles)) {
    check_numbers(args$percentiles, zero = TRUE, arg = "percentiles", call = call)
    if (any(args$percentiles > 1)) stop_argument("at most 1", "above", "percentiles", call)
  }
  loss <- tree_loss(args, depth, call)
  bins <- lapply(0:depth, function(level) {
    seq(common$rng[[1]], common$rng[[2]], length.out = 2^level + 1)
  })
  built <- with_features("contrib", tree_chain(common, bins[-1], loss$epsilon))
  loss$epsilon <- built$epsilon
  if (drops_missing(common)) common["imputeRng"] <- list(NULL)
  fields <- statistic_fields(paste("tree of", common$variable), common, loss, histogram_sensitivity,
    built$measurement)
  fields <- c(fields, list(
    missing = common$missing, depth = depth, globalEps = NA_real_, percentiles = args$percentiles,
    bins = bins
  ))
  new_plan(fields, tree_result,
    class = "dp_tree_result", within = "the noise of a count is no larger", range = common$n,
    call = call
  )
}

tree_depth <- function(args, width, call) {
  given <- c(!is.null(args$depth), !is.null(args$leaves), !is.null(args$gran))
  if (sum(given) != 1) {
    stop_argument("given, or `leaves` or `gran` in its place", paste(sum(given), "of them"),
      "depth", call
    )
  }
  if (given[[2]]) {
    check_number(args$leaves, min = 2, arg = "leaves", call = call)
    if (log2(args$leaves) %% 1 != 0) {
      stop_argument("a power of two", name_public(args$leaves), "leaves", call)
    }
    args$depth <- log2(args$leaves)
  } else if (given[[3]]) {
    check_number(args$gran, above = 0, arg = "gran", call = call)
    args$depth <- max(1, ceiling(log2(width / args$gran)))
  }
  as.double(check_whole(args$depth, min = 1, max = deepest_tree, arg = "depth", call = call))
}

tree_loss <- function(args, depth, call) {
  sensitivity <- histogram_sensitivity
  epsilon <- if (!is_missing(args$epsilon)) {
    check_numbers(args$epsilon, arg = "epsilon", call = call)
    if (length(args$epsilon) != depth) {
      stop_argument(paste(depth, "numbers"), "another number of them", "epsilon", call)
    }
    as.double(args$epsilon)
  } else if (!is_missing(args$globalEps)) {
    distributeEpsilon(check_epsilon(args$globalEps, call, "globalEps"), depth)
  } else {
    rep(check_loss(NULL, args$accuracy, sensitivity, args$alpha, call)$epsilon, depth)
  }
  list(epsilon = epsilon, accuracy = laplaceGetAccuracy(sensitivity, epsilon, args$alpha))
}

# list(measurement, epsilon). The rows are prepared once; then each level is a release of its own,
# with a loss of its own. Where missing values are dropped, each level counts them in a cell behind
# the last: a row that goes missing moves two counts by one, as any other does.
tree_chain <- function(common, bins, epsilon) {
  rows <- tree_rows(common)
  space <- c(rows("output_domain"), rows("output_metric"))
  levels <- Map(function(edges, epsilon) {
    counts <- length(edges) - 1 + drops_missing(common)
    space |>
      then_tree_bin(common, edges[-c(1, length(edges))]) |>
      then_count_by_categories(
        categories = as.double(seq_len(counts) - 1), null_category = FALSE,
        .MO = "L1Distance<f64>", .TOA = "f64"
      ) |>
      then_protect(epsilon)
  }, bins, epsilon)
  distance <- rows(d_in = protected_rows)
  list(
    measurement = rows |> chain(make_composition(unname(levels))),
    epsilon = vapply(unname(levels), function(level) level(d_in = distance), 0)
  )
}

tree_rows <- function(common) {
  if (drops_missing(common)) {
    return(resized_rows(common$n))
  }
  rows <- prepared_rows(common$varType, common$n, common$rng, common$imputeRng)
  if (common$varType == "integer") rows |> then_cast_default(.TOA = "f64") else rows
}

then_tree_bin <- function(lhs, common, edges) {
  if (drops_missing(common)) {
    then_present_bin(lhs, common$varType, common$rng, edges)
  } else {
    then_find_bin(lhs, edges = edges)
  }
}

tree_result <- function(release, fields) {
  drops <- drops_missing(fields)
  counts <- tree_counts(release, fields$n, node_variances(fields$epsilon, drops), drops)
  noisy <- Map(function(level, edges) stats::setNames(level, interval_names(edges)),
    counts$levels, fields$bins
  )
  tree <- consistent_tree(counts$levels, node_variances(fields$epsilon, drops))
  present <- if (drops) present_rows_of_tree(tree, counts$missing, fields)
  edges <- fields$bins[[fields$depth + 1]]
  cdf <- distribution_function(tree[[length(tree)]], max(tree[[1]], 1))
  few <- identical(present$status, "few")
  quantile <- function(p) if (few) p * NA else invert_cdf(edges, cdf, p)
  middles <- (edges[-1] + edges[-length(edges)]) / 2
  result <- list(
    release = unname(noisy), variable = fields$variable, epsilon = fields$epsilon,
    globalEps = fields$globalEps, accuracy = fields$accuracy, bins = fields$bins, tree = tree,
    cdf = data.frame(val = edges, cdf = cdf),
    mean = if (few) NA_real_ else sum(middles * diff(cdf)),
    median = quantile(0.5),
    percentiles = data.frame(
      percentile = as.double(fields$percentiles), value = quantile(as.double(fields$percentiles))
    )
  )
  c(result, present)
}

# Of the noise of each level's counts. The root is public; where missing values are dropped it is
# `n` without the best estimate of their number.
node_variances <- function(epsilon, drops) {
  levels <- 2 * (histogram_sensitivity / epsilon)^2
  c(if (drops) 1 / sum(1 / levels) else 0, levels)
}

# list(levels, missing): the counts of cells, from the root on, and of each level those of missing
# values. The root's comes from the latter, weighted by their precision.
tree_counts <- function(release, n, variances, drops) {
  levels <- lapply(release, function(counts) as.double(unlist(counts, use.names = FALSE)))
  if (!drops) {
    return(list(levels = c(list(n), levels)))
  }
  missing <- vapply(levels, function(level) level[[length(level)]], 0)
  estimate <- sum(missing / variances[-1]) * variances[[1]]
  list(
    levels = c(list(n - estimate), lapply(levels, function(level) level[-length(level)])),
    missing = missing
  )
}

# What a release says of missing values. `status` is "few" where noise hides that there are others.
present_rows_of_tree <- function(tree, missing, fields) {
  variance <- tree_variances(node_variances(fields$epsilon, TRUE))$both[[1]]
  few <- tree[[1]] <= stats::qnorm(1 - fields$alpha / 2) * sqrt(variance)
  list(
    missing = missing, nPresent = tree[[1]],
    share_missing = within_bounds(1 - tree[[1]] / fields$n, 0, 1),
    status = if (few) "few" else "ok"
  )
}

# Cells are closed on the left, the last one on both sides.
interval_names <- function(edges) {
  labels <- edge_labels(edges)
  count <- length(edges) - 1
  paste0("[", labels[-length(labels)], ",", labels[-1], rep(c(")", "]"), c(count - 1, 1)))
}
