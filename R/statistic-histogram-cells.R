# The declared cells of a histogram, and the chain that counts them.

# Writes out the closed ends of cells, if cells of numbers are declared.
with_closed_side <- function(arguments, declared) {
  if (!"closed" %in% names(declared$kinds)) {
    return(arguments)
  }
  if (identical(arguments[["closed"]], cell_sides)) arguments["closed"] <- list("left")
  given <- !vapply(arguments[c("bins", "rng")], is_missing, NA)
  declared_cells <- any(given) && !identical(arguments[["mechanism"]], "mechanismStability")
  numeric <- !is_string(arguments[["varType"]]) ||
    arguments[["varType"]] %in% c("numeric", "integer")
  unused <- identical(arguments[["closed"]], "right") || !declared_cells || !numeric
  if (unused && is_string(arguments[["closed"]]) && arguments[["closed"]] %in% cell_sides) {
    arguments["closed"] <- list(NULL)
  }
  arguments
}

closes_left <- function(fields) identical(fields$closed, "left")

# Returns list(bins, nBins, rng, imputeRng, imputeBins) from canonical arguments.
histogram_cells <- function(args, call) {
  switch(args$varType,
    character = text_cells(args, call),
    logical = logical_cells(args, call),
    number_cells(args, call)
  )
}

text_cells <- function(args, call) {
  bins <- args$bins
  if (!is.character(bins) || length(bins) == 0 || anyNA(bins) || anyDuplicated(bins)) {
    stop_argument("different texts", describe(bins), "bins", call)
  }
  check_bin_count(args$nBins, length(bins), call)
  imputed <- if (!drops_missing(args)) check_impute_bins(args, call)
  list(bins = bins, nBins = length(bins), imputeBins = imputed)
}

# Checks the texts among `bins` that can replace missing values.
check_impute_bins <- function(args, call) {
  imputed <- args$imputeBins %||% args$bins
  if (!is.character(imputed) || length(imputed) == 0) {
    stop_argument("texts", describe(imputed), "imputeBins", call)
  }
  if (!all(imputed %in% args$bins)) {
    warn_dp("`imputeBins` has values that are not among `bins`.", "impute_bins", call = call)
    imputed <- intersect(imputed, args$bins)
    if (length(imputed) == 0) imputed <- args$bins
  }
  unique(imputed)
}

logical_cells <- function(args, call) {
  cells <- if (args$impute) c(0, 1) else c(0, 1, NA)
  bins <- args$bins
  if (!is.null(bins) && !(is.atomic(bins) && all(bins %in% c(0, 1, NA)))) {
    stop_argument("out of 0, 1 and NA", describe(bins), "bins", call)
  }
  if (!is.null(args$imputeRng)) check_impute_range(args$imputeRng, c(0, 1), "logical", call)
  list(bins = cells, nBins = length(cells), rng = c(0, 1), imputeRng = c(0, 1))
}

number_cells <- function(args, call) {
  if (!is.null(args$imputeBins)) {
    warn_dp("`imputeBins` is for texts. `bins` and `imputeRng` are used instead.", "impute_bins",
      call = call
    )
  }
  edges <- if (is.null(args$bins)) equal_edges(args, call) else declared_edges(args, call)
  rng <- range(edges)
  list(
    bins = edges, nBins = length(edges) - 1, rng = rng,
    imputeRng = if (!drops_missing(args)) {
      check_impute_range(args$imputeRng, rng, args$varType, call)
    }
  )
}

declared_edges <- function(args, call) {
  bins <- args$bins
  if (!is_numbers(bins) || length(bins) < 3 || !all(is.finite(bins)) ||
    is.unsorted(bins, strictly = TRUE)) {
    flags <- is_numbers(bins) && setequal(bins, c(0, 1))
    stop_argument(
      paste0("three or more increasing numbers, the edges of cells",
        if (flags) ' (for counts of 0 and 1, give `varType = "logical"`)'
      ),
      describe(bins), "bins", call
    )
  }
  check_bin_count(args$nBins, length(bins) - 1, call)
  if (!is_missing(args$rng)) {
    warn_dp("`rng` is given with `bins`, whose ends are used.", "range", call = call)
  }
  as.double(bins)
}

# Limits the number of cells. Counting this many takes seconds.
most_cells <- 1e6

equal_edges <- function(args, call) {
  rng <- check_range(args$rng, args$varType, call)
  count <- args$nBins
  if (is.null(count) && !is.null(args$granularity)) {
    count <- max(2, ceiling(args$n / args$granularity))
  }
  if (is.null(count) && !is.null(args$binWidth)) {
    count <- max(2, ceiling(diff(rng) / args$binWidth))
    rng[[2]] <- max(rng[[2]], rng[[1]] + count * args$binWidth)
  }
  if (is.null(count)) stop_argument("given", "left out", "nBins", call)
  if (count > most_cells) {
    given <- Filter(function(arg) !is.null(args[[arg]]), c("nBins", "granularity", "binWidth"))
    stop_argument(paste("such that there are at most", most_cells, "cells"), "one that makes more",
      given[[1]], call)
  }
  edges <- seq(rng[[1]], rng[[2]], length.out = count + 1)
  if (is.unsorted(edges, strictly = TRUE)) {
    stop_argument("so small that cells have a width", "too large", "nBins", call)
  }
  edges
}

check_bin_count <- function(nBins, count, call) {
  if (!is.null(nBins) && nBins != count) {
    stop_argument("left out, or the number of cells in `bins`", "another number", "nBins", call)
  }
}

# Formats numbers with at least `least` digits, enough to tell them apart.
edge_labels <- function(edges, least = 7) {
  different <- unique(edges)
  for (digits in least:17) {
    labels <- show_number(different, digits)
    if (!anyDuplicated(labels)) break
  }
  labels[match(edges, different)]
}

cell_labels <- function(fields) {
  bins <- fields$bins
  if (fields$varType %in% c("numeric", "integer")) {
    edges <- edge_labels(bins)
    others <- length(bins) - 2
    if (closes_left(fields)) {
      opening <- "["
      closing <- rep(c(")", "]"), c(others, 1))
    } else {
      opening <- rep(c("[", "("), c(1, others))
      closing <- "]"
    }
    labels <- paste0(opening, edges[-length(edges)], ",", edges[-1], closing)
    return(c(labels, if (drops_missing(fields)) "NA"))
  }
  labels <- c(
    ifelse(is.na(bins), "NA", as.character(bins)),
    if (isTRUE(fields$other)) "(other)" else if (drops_missing(fields)) "NA"
  )
  make.unique(labels) # a value may be called "NA" or "(other)"
}

# Chains that count the cells of a histogram -------------------------------------------------------

# Chain from the column to one noisy count for each cell, in the order of count_order().
histogram_chain <- function(args, limit) {
  rows <- switch(args$varType,
    character = text_cell_rows(args),
    logical = logical_cell_rows(args),
    number_cell_rows(args)
  )
  first <- rows$first %||% 0
  rows$chain |>
    then_count_by_categories(
      categories = as.double(seq_len(rows$count) - 1 + first), null_category = first > 0,
      .MO = metric_of_noise(limit), .TOA = "f64"
    ) |>
    then_protect(limit)
}

# Puts values to impute first, so they are neighbours. If there is one more cell than bins, the last
# cell counts texts that are missing or not declared.
text_cell_rows <- function(args) {
  count <- length(args$bins)
  found <- prepared_texts(args$n) |>
    then_find(unique(c(args$imputeBins, args$bins)))
  counted <- counts_others(args)
  filled <- if (counted) {
    found |> then_impute_constant(as.double(count))
  } else {
    found |> then_impute_uniform(bounds = c(0, length(args$imputeBins) - 1))
  }
  list(chain = filled, count = count + counted)
}

counts_others <- function(fields) fields$other || drops_missing(fields)

# Index of each declared cell among the counts of the chain.
count_order <- function(fields) {
  if (fields$varType != "character") {
    return(seq_len(fields$nBins + drops_missing(fields)))
  }
  place <- match(fields$bins, unique(c(fields$imputeBins, fields$bins)))
  c(place, if (counts_others(fields)) length(place) + 1)
}

# Cells of logical values. Numbers of at least 1 count as 1, and missing values come last.
logical_cell_rows <- function(args) {
  rows <- if (args$impute) {
    prepared_rows("logical", args$n, c(0, 1), c(0, 1)) |>
      then_cast_default(.TOA = "f64") |>
      then_find_bin(edges = 1)
  } else {
    resized_rows(args$n) |> then_find_bin(edges = c(1, Inf))
  }
  list(chain = rows, count = if (args$impute) 2 else 3)
}

# Cells of numbers. If cells are closed on the right, the double after an edge begins the next cell.
# If missing values are dropped, they have a cell after the last one.
number_cell_rows <- function(args) {
  edges <- args$bins[-c(1, length(args$bins))]
  if (!closes_left(args)) edges <- next_double(edges)
  if (closes_left(args) && drops_missing(args)) {
    return(number_cell_rows_within(args))
  }
  if (drops_missing(args)) {
    rows <- resized_rows(args$n) |> then_present_bin(args$varType, args$rng, edges)
    return(list(chain = rows, count = args$nBins + 1))
  }
  rows <- prepared_rows(args$varType, args$n, args$rng, args$imputeRng)
  if (args$varType == "integer") rows <- rows |> then_cast_default(.TOA = "f64")
  list(chain = rows |> then_find_bin(edges = edges), count = args$nBins)
}

# Adds cells below the first edge and above the last one, before and after the others. Their rows
# are counted together with missing values, as rows in no category.
number_cell_rows_within <- function(args) {
  last <- length(args$bins)
  edges <- c(args$bins[-last], next_double(args$bins[[last]]))
  beyond <- if (args$varType == "integer") {
    c(floor(edges[[1]]) - 1, ceiling(edges[[last]]) + 1)
  } else {
    c(-next_double(-edges[[1]]), edges[[last]])
  }
  rows <- resized_rows(args$n) |> then_present_bin(args$varType, beyond, edges)
  list(chain = rows, count = args$nBins, first = 1)
}

next_double <- function(x) {
  exponent <- pmax(floor(log2(abs(x))), -1022)
  half <- pmax(2^(exponent - 53), 2^-1074)
  # Half a step is a whole step where doubles get denser, and a tie elsewhere.
  up <- x + half
  ifelse(up == x, x + 2 * half, up)
}

# Histograms over cells that are not declared ------------------------------------------------------

# Noisy counts above a threshold.

default_delta <- 2^-30

#' @rdname statistic_accuracy
#' @export
stabilityGetAccuracy <- function(sensitivity, epsilon, delta = 2^-30, alpha = 0.05) {
  check_numbers(sensitivity, zero = TRUE)
  check_numbers(epsilon)
  check_numbers(delta, below = 1)
  check_numbers(alpha, below = 1)
  (sensitivity / epsilon) * log(2 / (alpha * delta)) + 1
}

#' @rdname statistic_accuracy
#' @export
stabilityGetEpsilon <- function(sensitivity, accuracy, delta = 2^-30, alpha = 0.05) {
  check_numbers(sensitivity, zero = TRUE)
  check_numbers(accuracy)
  if (any(accuracy <= 1)) stop_argument("above 1", "less", "accuracy", rlang::current_env())
  check_numbers(delta, below = 1)
  check_numbers(alpha, below = 1)
  sensitivity * log(2 / (alpha * delta)) / (accuracy - 1)
}

#' @rdname statistic_accuracy
#' @export
histogramGetAccuracy <- function(mechanism, epsilon, delta = 2^-30, alpha = 0.05, sensitivity = 2) {
  mechanism <- check_name(mechanism, c("mechanismLaplace", "mechanismStability"))
  if (mechanism == "mechanismLaplace") {
    laplaceGetAccuracy(sensitivity, epsilon, alpha)
  } else {
    stabilityGetAccuracy(sensitivity, epsilon, delta, alpha)
  }
}

#' @rdname statistic_accuracy
#' @export
histogramGetEpsilon <- function(mechanism, accuracy, delta = 2^-30, alpha = 0.05, sensitivity = 2) {
  mechanism <- check_name(mechanism, c("mechanismLaplace", "mechanismStability"))
  if (mechanism == "mechanismLaplace") {
    laplaceGetEpsilon(sensitivity, accuracy, alpha)
  } else {
    stabilityGetEpsilon(sensitivity, accuracy, delta, alpha)
  }
}

# list(epsilon, accuracy, delta), as check_loss().
stability_loss <- function(args, call) {
  if (!is_missing(args$rng)) {
    warn_dp("`rng` is not used by the stability mechanism.", "range", call = call)
  }
  delta <- check_stability_delta(args$delta, args$n, call)
  if (is_missing(args$epsilon) && !is_missing(args$accuracy)) {
    accuracy <- as.double(check_number(args$accuracy, above = 1, arg = "accuracy", call = call))
    epsilon <- stabilityGetEpsilon(histogram_sensitivity, accuracy, delta, args$alpha)
    return(list(epsilon = check_epsilon(epsilon, call), accuracy = accuracy, delta = delta))
  }
  epsilon <- check_loss(args$epsilon, NULL, histogram_sensitivity, args$alpha, call)$epsilon
  accuracy <- stabilityGetAccuracy(histogram_sensitivity, epsilon, delta, args$alpha)
  list(epsilon = epsilon, accuracy = accuracy, delta = delta)
}

# With a delta of 1 / n a release that names a random row would pass.
check_stability_delta <- function(delta, n, call) {
  if (is_missing(delta)) delta <- min(default_delta, 1 / (2 * n))
  check_probability(delta, arg = "delta", call = call)
  if (delta >= 1 / n) stop_argument("below 1 / `n`", "larger", "delta", call)
  if (delta >= 1 / n^2) {
    warn_dp("`delta` is not below 1 / `n`^2, as is recommended.", "delta", call = call)
  }
  as.double(delta)
}

# list(measurement, threshold): a noisy count has to reach the threshold.
stability_chain <- function(args, loss) {
  cells <- if (args$varType == "character") {
    prepared_texts(args$n)
  } else {
    resized_rows(args$n) |> then_grid_cell(args$origin, args$binWidth %||% 1)
  }
  counts <- cells |> then_count_by(.TV = "i64")
  measurement <- with_threshold(loss$epsilon, loss$delta, function(scale, threshold, loss) {
    calibrated("make_laplace_threshold", counts, scale, threshold, NULL,
      "Approximate<MaxDivergence>",
      d_in = protected_rows, loss = loss
    )
  })
  list(measurement = measurement, threshold = value_of(measurement, "threshold"))
}

then_grid_cell <- function(lhs, origin, width) {
  build_after("grid_cell", lhs, as.double(origin), as.double(width))
}

stability_result <- function(release, fields) {
  counts <- surviving_counts(release, fields)
  noise <- whole_accuracy(fields$epsilon, fields$alpha)
  frame <- if (length(counts) > 0) counts_frame(counts, names(counts)) else data.frame()
  list(
    release = frame, variable = fields$variable, accuracy = fields$accuracy,
    epsilon = fields$epsilon, delta = fields$delta, mechanism = fields$mechanism,
    intervals = count_intervals(unname(counts), noise, names(counts), fields$n),
    herfindahl = sum((counts / fields$n)^2), counts = frame, threshold = fields$threshold
  )
}

# Noise of whole numbers exceeds what continuous noise stays within more often, unless that is
# rounded up: with p = exp(-epsilon / sensitivity), P(|noise| > t) = 2 p^(t + 1) / (1 + p) is at
# most p^t, and so at most alpha.
whole_accuracy <- function(epsilon, alpha) {
  ceiling(laplaceGetAccuracy(histogram_sensitivity, epsilon, alpha))
}

# Named counts in the order of their cells, or of their size if only `most` of them are wanted.
surviving_counts <- function(release, fields, most = fields$nBins) {
  entries <- as.data.frame(release)
  keys <- entries$key
  labels <- if (fields$varType == "character") keys else grid_labels(as.double(keys), fields)
  counts <- stats::setNames(as.double(entries$value), labels)
  if (is.null(most) || length(counts) <= most) {
    return(counts)
  }
  utils::head(sort(counts, decreasing = TRUE), most)
}

grid_labels <- function(cells, fields) {
  edges <- fields$origin + c(cells, cells + 1) * (fields$binWidth %||% 1)
  ends <- matrix(edge_labels(edges, 15), ncol = 2)
  labels <- paste0("[", ends[, 1], ",", ends[, 2], ")", recycle0 = TRUE)
  labels[is.na(cells) | cells < -2^53] <- "NA"
  make.unique(labels)
}
