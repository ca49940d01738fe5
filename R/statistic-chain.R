# Steps of a statistic, which is a chain of framework objects, in the order of the chain. Every
# number that affects privacy (stability, loss, noise scale) comes from the core.

# Unit of privacy: one row replaced by another, in data with a public number of rows.
protected_rows <- 1L

# Describes numeric columns for the core (table/column_spec.h).
column_specs <- function(columns, rng, imputeRng, varType) {
  bound <- function(ranges, i) vapply(ranges, `[[`, 0, i)
  list(
    name = columns, lower = bound(rng, 1), upper = bound(rng, 2),
    impute_lower = bound(imputeRng, 1), impute_upper = bound(imputeRng, 2),
    whole = rep(varType != "numeric", length(columns))
  )
}

# Prepares `n` rows of the column's type within `rng` from any doubles, with NaN for missing values.
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

# Maps the same doubles to bins between `edges`, closed on the left, with a last bin for missing
# values. Edges are within `rng`. For whole numbers, fractions of its ends change no bin.
then_present_bin <- function(lhs, varType, rng, edges) {
  bounds <- list(c(floor(rng[[1]]), ceiling(rng[[2]])))
  columns <- column_specs("rows", bounds, bounds, varType)
  build_after("present_bin", lhs, columns, as.double(edges))
}

# Prepares `n` rows: imputed and of the column's type, or doubles with gaps if gaps are dropped.
rows_or_gaps <- function(common) {
  if (drops_missing(common)) {
    return(resized_rows(common$n))
  }
  prepared_rows(common$varType, common$n, common$rng, common$imputeRng)
}

# Maps these rows as doubles to the cells between `edges`. If missing values are dropped, they have
# a cell after the last one.
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

# Prepares `n` texts from any text vector, with "NA" for missing ones.
prepared_texts <- function(n) {
  texts <- vector_domain(option_domain(atom_domain(.T = "String")), size = n)
  c(texts, change_one_distance()) |>
    then_impute_constant("NA") |>
    then_resize(size = n, constant = "NA", .MO = "ChangeOneDistance")
}

# Adds the noise to a sum in lattice steps, or to counts, that keeps the loss within `limit`: an
# epsilon, or the list from gaussian_limit(). The loss is for one protected row, or for `d_in`.
then_protect <- function(lhs, limit, d_in = protected_rows) {
  if (is.list(limit)) {
    calibrated("make_gaussian", lhs, least, NULL, "ZeroConcentratedDivergence",
      d_in = d_in, loss = limit$rho
    )
  } else {
    calibrated("make_laplace", lhs, least, NULL, "MaxDivergence", d_in = d_in, loss = limit)
  }
}

# Calibrates noise with a threshold: the least scale for `epsilon`, which ignores the threshold, and
# then the least threshold for `delta`. `calibrate(scale, threshold, loss)` builds the measurement.
with_threshold <- function(epsilon, delta, calibrate) {
  noisy <- calibrate(least, 1, list(epsilon, 1))
  calibrate(value_of(noisy, "scale"), least, list(epsilon, delta))
}

# Divides a noisy sum of `count` numbers, in steps of 2^exponent, to get their mean in these steps.
then_mean_of <- function(lhs, count, exponent) {
  chain(lhs, build("lattice_mean", exponent, count, exponent))
}

# Exponent of the lattice for doubles between two bounds.
lattice_exponent <- function(bounds) {
  core_lattice_exponent(handle(vector_domain(atom_domain(bounds = bounds)), "domain"))
}

# Converts sums of whole numbers, in steps of 1, to the finer steps that noise and mean need.
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

# Takes the mean of the results of `blocks`, from named_blocks(), over `numSubsets` blocks.
aggregate_chain <- function(rows, blocks, numSubsets, limit) {
  blocks$then(rows) |>
    then_block_total() |>
    then_protect(limit) |>
    then_mean_of(numSubsets, blocks$exponent)
}

# Applies one of the core's named functions to each block.
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
