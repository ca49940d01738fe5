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
