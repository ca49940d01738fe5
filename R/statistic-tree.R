most_leaves <- 2^16

#' Differentially private tree of counts
#'
#' `dpTree()` plans a release of counts of one column: in equal parts of its range, in equal parts
#' of these, and so on. The distribution function with intervals, the mean, the median and all other
#' quantiles follow from the counts. Building the plan checks the arguments and chooses the noise
#' without reading data. Each call of `release()` spends `globalEps`, or `rho`.
#'
#' The number of rows `n` is public. Neighbouring datasets differ in one replaced row. Each count
#' separately is within the `accuracy` of its level of the true count with probability `1 - alpha`.
#' The true count is for the data as used: clamped, with missing values dropped or imputed, `n`
#' rows.
#'
#' @inheritParams dpMean
#' @param varType (`character(1)`) Type of the column, public: `"numeric"` or `"integer"`. See
#'   `conversion`.
#' @param rng (`numeric(2)`) Lower and upper bound of the values, public, in the unit of the column.
#'   Values outside are clamped. Do not take the bounds from the data. Use [bounds()] if you know
#'   none.
#' @param imputeRng (`numeric(2)`) Range of the uniform draws that replace missing values, if
#'   `missing = "impute"`. The default is `rng`. Values are drawn once for all levels, so they count
#'   in the cells that `imputeRng` reaches.
#' @param alpha (`numeric(1)`) Probability that the noise of a count exceeds the `accuracy` of its
#'   level, and that an interval of `cdf` misses.
#' @param n_check (`character(1)`) Rule for data whose number of rows differs from `n`. With
#'   `"error"`, `release()` raises an error. With `"resize"`, it drops rows at random or adds rows
#'   without a value.
#' @param depth (whole number) Number of levels below the root. Level i has `branching`^i cells of
#'   equal width, at most 65536. Instead, you can give `leaves`, a power of `branching`, or `gran`,
#'   the largest width of a leaf. If you give none of the three, `n` and the loss determine the
#'   shape, see below.
#' @param globalEps (`numeric(1)`) Privacy loss of one release, divided equally between the levels.
#' @param accuracy (`numeric(1)`) Target accuracy of a count, in rows. Give it instead of the loss.
#' @param mechanism (`character(1)`) Noise mechanism, public: `"mechanismLaplace"` or
#'   `"mechanismGaussian"`. If you give `rho` or `delta`, the noise is Gaussian.
#' @param epsilon (`numeric`) Privacy loss, instead of `globalEps`: one number means the same as
#'   `globalEps`. One number per level gives the loss of each level.
#' @param percentiles (`numeric`) Quantiles to release, between 0 and 1.
#' @param gran,leaves (`numeric(1)`) Alternatives to `depth`.
#' @param branching (whole number) Number of parts that a cell is divided into, at least 2. The
#'   default is 2 if you give `depth`, `leaves` or `gran`.
#' @param missing (`character(1)`) Rule for missing values. `"drop"` releases the tree of the rows
#'   with a value, at no further loss. `"impute"` draws values from `imputeRng`. It is only right if
#'   almost nothing is missing, and then more accurate, because the root is exact. The default is
#'   `"impute"` if you give `imputeRng`, and `"drop"` otherwise.
#' @param ... Not used. Unknown arguments raise an error.
#' @returns An R6 object of class `dpTree`, with the methods and fields of [dpMean()]. `epsilon` and
#'   `accuracy` have a number for each level. It also has the fields `depth`, `branching`,
#'   `globalEps`, `percentiles`, `bins` and `missing`. `result` is a [dp_result] with
#'
#' * `release`: a list of the noisy counts of each level, starting with the root, `n`.
#' * `variable`, `epsilon`, `globalEps`, `accuracy`, and `bins`, a list of the edges of each level.
#' * `tree`: a list like `release`: the consistent counts that best fit all noisy counts.
#' * `cdf`: a data frame. `val` and `cdf` hold the share of rows below each edge of the leaves,
#'   which rises from 0 to 1 and never falls. `lower` and `upper` are an interval of level 1 -
#'   `alpha` for the share of the population. `lowerNoise` and `upperNoise` are an interval for the
#'   share of the rows. Each interval holds at its edge, not at all edges at once.
#' * `status`: `"coarse"` if the median or a percentile says little more than its leaf, because half
#'   the leaf is more than a tenth of the distance to the nearer bound, or to 0. Otherwise `"ok"`.
#'   If noise hides the mean, because half of `meanInterval` is at least the mean, the status is
#'   `"noise"`.
#' * `meanInterval`: an interval for the mean of the data as used, which counts the noise and the
#'   width of leaves. It has the means of the distributions at both ends of `lowerNoise` and
#'   `upperNoise`, so it covers at least as often as these.
#' * `mean`, `median`, and `percentiles`, a data frame `percentile`, `value`. They assume rows
#'   spread evenly within leaves, or over the whole numbers of each leaf if `varType` is
#'   `"integer"`.
#' @section How it works: Rows are prepared once, and each level is a histogram. Cells include their
#'   left edge, and the last cell also its right edge. One replaced row changes two counts of each
#'   level by one. The root is public. Each count in `tree` is the precision-weighted mean of its
#'   noisy count and the counts implied by the levels above and below: generalised least squares in
#'   two passes. This gives the variance of the noise in `cdf`. The sampling variance F (1 - F) / n
#'   is added to it. Intervals use the normal distribution.
#' @section Shape: A wide tree has few levels, so each has a larger share of the loss, but many
#'   cells to add up. If you give none of `depth`, `leaves` and `gran`, the tree has 64, 256, 1024,
#'   4096 or 65536 leaves (8 x 8, 16 x 16, 32 x 32, 16 x 16 x 16, 16 x 16 x 16 x 16, with
#'   `branching`, its powers). Of these, it takes the shape with the smallest V / n^2 + (16 / (G
#'   sqrt(12)))^2. V is the mean noise variance of a count below an edge. The other term is the loss
#'   of detail within one of G leaves, if the rows fill a sixteenth of the range. Leaves of integers
#'   are at least 1 wide.
#' @section Missing values: With `missing = "drop"`, each level has one more cell for the missing
#'   values. A row that loses its value changes two counts of a level by one, like a replaced row,
#'   so noise and loss are the same as with `"impute"`. The root is `n` minus the precision-weighted
#'   mean of the noisy counts of missing values, so it is no longer exact. `result` also has
#'   `missing`, these noisy counts, `nPresent`, the best estimate of the number of values, and
#'   `share_missing`. The `status` is `"few"` if noise hides whether there are any values. `mean`,
#'   `median` and `percentiles` are then `NA`.
#' @section Gaussian noise: See [gaussian_noise], with D = sqrt(2 h) for a tree of h levels, which
#'   share rho equally. Each count has noise of standard deviation sqrt(h / rho). `sigma`, in the
#'   object and the result, has a number for each level.
#' @section Errors: See [statistic_errors].
#' @section Warnings: `dp_warning_large_epsilon`, `dp_warning_noise` (the accuracy of a count is
#'   more than `n`), `dp_warning_range` (more than two values), `dp_warning_impute_range` (beyond
#'   `rng`).
#' @references Hay, Rastogi, Miklau and Suciu (2010), *Boosting the Accuracy of Differentially
#'   Private Histograms through Consistency*. Honaker (2015), *Efficient Use of Differentially
#'   Private Binary Trees*.

#' @seealso [dpQuantile()] and [dpQuantiles()] release quantiles closer to those in the data, with
#'   intervals if you ask for them.
#' @examples
#' ages <- dpTree(
#'   "age", n = 10000, rng = c(0, 128), epsilon = 1, depth = 6, percentiles = c(0.1, 0.9)
#' )
#' result <- ages$release(PUMS5extract10000)
#' result$median
#' result$percentiles
#'
#' # Without a depth the shape follows from `n` and the loss.
#' incomes <- dpTree("income", n = 10000, rng = c(0, 750000), epsilon = 1)
#' c(incomes$branching, incomes$depth)
#' @export
dpTree <- new_statistic("dpTree", "Tree of counts of a column",
  "several quantiles, a distribution function",
  arguments = function(varType = "numeric", variable, n, depth = NULL, rng = NULL,
                       globalEps = NULL, accuracy = NULL, imputeRng = NULL, alpha = 0.05,
                       mechanism = "mechanismLaplace", epsilon = NULL, percentiles = NULL,
                       gran = NULL, leaves = NULL, n_check = "error",
                       missing = c("drop", "impute"), branching = NULL, rho = NULL, delta = NULL) {
  },
  required = c("variable", "n", "rng", "globalEps"),
  or = list(globalEps = c("epsilon", "accuracy", "rho")),
  takes = list(
    mechanism = one_of(additive_mechanisms), varType = variable_type(c("numeric", "integer")),
    depth = with_others("a whole number of at least 1, unless you give `leaves` or `gran`"),
    leaves = with_others("a power of `branching`"),
    gran = with_others("a finite number above 0, the greatest width of a leaf"),
    branching = whole_number(min = 2, max = most_leaves, null = TRUE),
    globalEps = with_others(
      paste(
        "a finite number above 0, the loss of all levels together, unless you give `epsilon` or",
        "`accuracy`"
      )
    ),
    epsilon = with_others(
      "a finite number above 0, or one for each level, instead of `globalEps`"
    ),
    percentiles = shares()
  ),
  plan = function(...) plan_tree(...),
  fields = c(
    common_fields, "missing", "depth", "branching", "globalEps", "percentiles", "bins",
    gaussian_fields
  ),
  numbers = c("n", "range", "depth")
)

plan_tree <- function(args, call) {
  args <- with_mechanism(args, call)
  one <- one_loss(args, call)
  args[names(one)] <- one
  shape <- tree_shape(args, call)
  loss <- tree_loss(args, shape[["depth"]], call)
  bins <- tree_edges(args$rng, shape[["branching"]], shape[["depth"]])
  built <- with_features("contrib", tree_chain(args, bins[-1], loss$limits))
  loss$epsilon <- if (is_gaussian(args)) NA_real_ else built$loss
  sens <- if (is_gaussian(args)) l2_of_counts else histogram_sensitivity
  fields <- statistic_fields(paste("tree of", args$variable), args, loss, sens,
    reported(built$measurement, loss[["limit"]]))
  fields <- c(fields, list(
    missing = args$missing, depth = shape[["depth"]], branching = shape[["branching"]],
    globalEps = NA_real_, percentiles = args$percentiles, bins = bins, rho = NULL,
    sigma = loss$sigma
  ))
  plan <- new_plan(fields, tree_result,
    class = "dp_tree_result", within = "the noise of a count is no larger", range = args$n,
    covers = c(cdf = target_of$moved, meanInterval = target_of$rows), call = call
  )
  # Plans with a single level had an `epsilon`. They keep their identity.
  with_chosen_mechanism(c(plan, list(chosen = if (shape[["depth"]] > 1) one)), args)
}

# Shape, loss and levels of a tree -----------------------------------------------------------------

# Edges of each level, starting with the root.
tree_edges <- function(rng, branching, depth) {
  lapply(0:depth, function(level) seq(rng[[1]], rng[[2]], length.out = branching^level + 1))
}

# Returns c(branching, depth).
tree_shape <- function(args, call) {
  ways <- c("depth", "leaves", "gran")
  given <- ways[!vapply(ways, function(way) is.null(args[[way]]), NA)]
  if (length(given) > 1) {
    stop_argument("given, or `leaves` or `gran` in its place", paste(length(given), "of them"),
      "depth", call
    )
  }
  if (length(given) == 0) {
    return(best_shape(args, call))
  }
  branching <- args$branching %||% 2
  depth <- switch(given,
    depth = args$depth,
    leaves = depth_of_leaves(args$leaves, branching, call),
    gran = depth_of_width(args$gran, diff(args$rng), branching, call)
  )
  depth <- check_whole(depth, min = 1, max = deepest_tree(branching), arg = "depth", call = call)
  c(branching = branching, depth = as.double(depth))
}

deepest_tree <- function(branching) sum(branching^(1:16) <= most_leaves)

depth_of_leaves <- function(leaves, branching, call) {
  check_number(leaves, min = 2, arg = "leaves", call = call)
  depth <- match(leaves, branching^(1:64))
  if (is.na(depth)) {
    of <- if (branching == 2) "two" else branching
    stop_argument(paste("a power of", of), name_public(leaves), "leaves", call)
  }
  depth
}

# Depth of a tree whose leaves are no wider than `gran`.
depth_of_width <- function(gran, width, branching, call) {
  check_number(gran, above = 0, arg = "gran", call = call)
  max(1, ceiling(log2(width / gran) / log2(branching)))
}

# Best shapes for their number of leaves, from 64 to 65536.
wide_shapes <- list(c(8, 2), c(16, 2), c(32, 2), c(16, 3), c(16, 4))

# Share of the range that the rows fill. The smaller it is, the more the leaf width matters.
filled_share <- 1 / 16

# Uses only public numbers, see the section on the shape in the help of dpTree().
best_shape <- function(args, call) {
  if (!is_missing(args$epsilon)) {
    stop_argument("given where `epsilon` has a number for each level", "left out", "depth", call)
  }
  branching <- args$branching
  shapes <- if (is.null(branching)) {
    wide_shapes
  } else {
    lapply(seq_len(deepest_tree(branching)), function(depth) c(branching, depth))
  }
  width <- diff(args$rng)
  if (args$varType == "integer") {
    fitting <- Filter(function(shape) shape[[1]]^shape[[2]] <= width, shapes)
    shapes <- if (length(fitting) > 0) fitting else list(c(branching %||% max(width, 2), 1))
  }
  errors <- vapply(shapes, function(shape) {
    loss <- suppressWarnings(tree_loss(args, shape[[2]], call), classes = "dp_warning")
    noise <- node_variances(loss$epsilon, drops_missing(args), loss$sigma)
    of_counts <- edge_noise(noise, shape[[1]])$left / args$n^2
    mean(of_counts) + (1 / (filled_share * shape[[1]]^shape[[2]] * sqrt(12)))^2
  }, 0)
  stats::setNames(as.double(shapes[[which.min(errors)]]), c("branching", "depth"))
}

# Returns list(epsilon, accuracy, limits, limit, sigma) with one number per level. `limit` is one
# number: the loss of Gaussian noise in all levels, which share it equally.
tree_loss <- function(args, depth, call) {
  if (is_gaussian(args)) {
    return(gaussian_tree_loss(args, depth, call))
  }
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
  list(
    epsilon = epsilon, accuracy = laplaceGetAccuracy(sensitivity, epsilon, args$alpha),
    limits = epsilon
  )
}

# Each level moves by sqrt(2) in L2.
gaussian_tree_loss <- function(args, depth, call) {
  refuse_beside(args, "epsilon", "one number, for Gaussian noise", call)
  limit <- gaussian_limit(args, call, "globalEps")
  parts <- shares_of_rho(limit$rho, rep(1 / depth, depth))
  sigma <- vapply(parts, function(part) gaussian_sigma(l2_of_counts, part), 0)
  list(
    epsilon = NA_real_, accuracy = sigma * two_sided_quantile(args$alpha),
    limits = parts, limit = limit, sigma = sigma
  )
}

# Returns list(measurement, loss). Rows are prepared once. Then each level is a separate release
# with a separate loss. `limits` holds the argument of then_protect() for each level.
tree_chain <- function(common, bins, limits) {
  rows <- cell_rows(common)
  levels <- tree_levels(space_after(rows), common, bins, limits)
  distance <- rows(d_in = protected_rows)
  list(
    measurement = rows |> chain(make_composition(levels)),
    loss = vapply(levels, function(level) level(d_in = distance), 0)
  )
}

space_after <- function(rows) c(rows("output_domain"), rows("output_metric"))

# Noisy counts between the edges in each of `bins`, at the loss of each level. If missing values are
# dropped, each level counts them in a cell after the last one. A row that becomes missing moves two
# counts by one, like any other row.
tree_levels <- function(space, common, bins, limits) {
  unname(Map(function(edges, limit) {
    counts <- length(edges) - 1 + drops_missing(common)
    space |>
      then_cell(common, edges[-c(1, length(edges))]) |>
      then_count_by_categories(
        categories = as.double(seq_len(counts) - 1), null_category = FALSE,
        .MO = metric_of_noise(limit), .TOA = "f64"
      ) |>
      then_protect(limit)
  }, bins, limits))
}
