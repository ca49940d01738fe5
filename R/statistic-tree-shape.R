# Shape, loss and levels of a tree.

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
