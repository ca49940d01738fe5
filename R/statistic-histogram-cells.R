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
