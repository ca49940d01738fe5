# A statistic is a chain of framework objects: here its steps, in the order in which they stand.
# Every number that bears on privacy (stability, loss, noise scale) comes from the core.

# The unit of protection: one row replaced by another, in data of a public number of rows.
protected_rows <- 1L

# What the core needs to know of columns of numbers (table/column_spec.h).
column_specs <- function(columns, rng, imputeRng, varType) {
  bound <- function(ranges, i) vapply(ranges, `[[`, 0, i)
  list(
    name = columns, lower = bound(rng, 1), upper = bound(rng, 2),
    impute_lower = bound(imputeRng, 1), impute_upper = bound(imputeRng, 2),
    whole = rep(varType != "numeric", length(columns))
  )
}

# From any vector of doubles, NaN if missing, to `n` rows of the column's type within `rng`.
prepared_rows <- function(varType, n, rng, imputeRng) {
  columns <- column_specs("rows", list(rng), list(imputeRng), varType)
  build_after("prepare", number_rows(n), columns, as.double(n))
}

number_rows <- function(n) {
  c(vector_domain(atom_domain(nan = TRUE, .T = "f64"), size = n), change_one_distance())
}

resized_rows <- function(n) {
  number_rows(n) |> then_resize(size = n, constant = NaN, .MO = "ChangeOneDistance")
}

# From the same vector to bins between `edges`, closed on the left, and behind the last one a bin of
# missing values. Edges lie within `rng`; of whole numbers no bin changes with the fraction of its
# ends.
then_present_bin <- function(lhs, varType, rng, edges) {
  bounds <- list(c(floor(rng[[1]]), ceiling(rng[[2]])))
  columns <- column_specs("rows", bounds, bounds, varType)
  build_after("present_bin", lhs, columns, as.double(edges))
}

# `n` rows, imputed and of the column's type, or doubles with gaps where these are dropped.
rows_or_gaps <- function(common) {
  if (drops_missing(common)) {
    return(resized_rows(common$n))
  }
  prepared_rows(common$varType, common$n, common$rng, common$imputeRng)
}

# These as doubles, and then the cells between `edges` that they are in: behind the last cell one of
# missing values, where these are dropped.
then_doubles <- function(lhs, common) {
  whole <- common$varType == "integer" && !drops_missing(common)
  if (whole) lhs |> then_cast_default(.TOA = "f64") else lhs
}

cell_rows <- function(common) rows_or_gaps(common) |> then_doubles(common)

then_cell <- function(lhs, common, edges) {
  if (drops_missing(common)) {
    then_present_bin(lhs, common$varType, common$rng, edges)
  } else {
    then_find_bin(lhs, edges = edges)
  }
}

# From any vector of texts to `n` of them, "NA" where one is missing.
prepared_texts <- function(n) {
  texts <- vector_domain(option_domain(atom_domain(.T = "String")), size = n)
  c(texts, change_one_distance()) |>
    then_impute_constant("NA") |>
    then_resize(size = n, constant = "NA", .MO = "ChangeOneDistance")
}

# The noise on a sum in lattice steps, or on counts, that makes one protected row cost at most
# `limit`, or whatever moves the data by `d_in`: an epsilon, or what gaussian_limit() says.
then_protect <- function(lhs, limit, d_in = protected_rows) {
  if (is.list(limit)) {
    calibrated("make_gaussian", lhs, least, NULL, "ZeroConcentratedDivergence",
      d_in = d_in, loss = limit$rho
    )
  } else {
    calibrated("make_laplace", lhs, least, NULL, "MaxDivergence", d_in = d_in, loss = limit)
  }
}

# Noise with a threshold: the least scale for `epsilon`, which no threshold changes, and then the
# least threshold for `delta`. `calibrate(scale, threshold, loss)` builds it.
with_threshold <- function(epsilon, delta, calibrate) {
  noisy <- calibrate(least, 1, list(epsilon, 1))
  calibrate(value_of(noisy, "scale"), least, list(epsilon, delta))
}

# A noisy sum of `count` numbers, in steps of 2^exponent, to their mean in the same steps.
then_mean_of <- function(lhs, count, exponent) {
  chain(lhs, build("lattice_mean", exponent, count, exponent))
}

# The lattice on which doubles between two bounds lie.
lattice_exponent <- function(bounds) {
  core_lattice_exponent(handle(vector_domain(atom_domain(bounds = bounds)), "domain"))
}

# Sums of whole numbers come in steps of 1; noise and mean want the finer ones of doubles.
mean_chain <- function(varType, n, rng, imputeRng, limit) {
  rows <- prepared_rows(varType, n, rng, imputeRng)
  steps <- core_lattice_exponent(handle(rows("output_domain"), "domain"))
  exponent <- min(steps, lattice_exponent(rng))
  rows |>
    then_lattice_sum() |>
    then_lattice_refine(steps - exponent) |>
    then_protect(limit) |>
    then_mean_of(n, exponent)
}

# The mean of what `blocks`, made by named_blocks(), makes of each of `numSubsets` blocks.
aggregate_chain <- function(rows, blocks, numSubsets, limit) {
  blocks$then(rows) |>
    then_block_total() |>
    then_protect(limit) |>
    then_mean_of(numSubsets, blocks$exponent)
}

# One of the core's own functions of a block.
named_blocks <- function(rows, innerFun, numSubsets) {
  range <- core_block_range(handle(rows("output_domain"), "domain"), innerFun, numSubsets)
  list(
    then = function(lhs) then_subset_statistics(lhs, innerFun, numSubsets),
    exponent = range$exponent,
    range = range$bounds
  )
}

then_lattice_refine <- function(lhs, bits) build_after("lattice_refine", lhs, bits)

then_subset_statistics <- function(lhs, innerFun, numSubsets) {
  build_after("subset_statistics", lhs, innerFun, numSubsets)
}

then_block_total <- function(lhs) build_after("block_total", lhs)
