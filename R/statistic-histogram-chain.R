# Chains that count the cells of a histogram.

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
