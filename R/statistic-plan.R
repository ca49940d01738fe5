# Makes plans of statistics and their results.

# Makes a plan. All `fields` are public.
# * `describe(release, fields)` derives the result from both.
# * `progress` shows the progress of a slow release.
# * `read(data, columns)` takes the `columns` out of the data.
# * `class`, the name and `within` describe the result. `within` names the number that stays inside
#   the accuracy. `unverified` lists the arguments that are promises.
# * `range` is the largest distance between two noiseless releases, in the unit of the accuracy.
#   `drowned` says whether noise hides the whole result. `span` is the length of an interval with
#   all possible values of a number in the result, or one length for each number.
# * `model` says what a regression is, see released_model(). `covers` says what the intervals of a
#   result cover, see statistic-population.R.
# A plan must not hold a closure made in a constructor's frame. An unevaluated argument would keep
# the frames of its callers alive, and the data in them.
new_plan <- function(fields, describe, progress = NULL, read = column_of, class = NULL,
                     name = fields$name, within = "the noise is no larger", unverified = NULL,
                     range = NA, noise_dominates = any(fields$accuracy > range, na.rm = TRUE),
                     span = range,
                     model = NULL, columns = fields$variable, covers = NULL, call = NULL) {
  fields <- with_measured_loss(fields)
  fields$measurement <- with_features("contrib", snapped(fields))
  fields$noiseDominates <- noise_dominates
  if (fields$noiseDominates) warn_of_noise(fields, call)
  list(
    fields = fields, describe = describe, progress = progress, read = read, columns = columns,
    class = class,
    about = list(
      name = name, n = fields$n, alpha = fields$alpha, within = within,
      adds_rows = adds_rows(fields), unverified = unverified,
      noise_dominates = fields$noiseDominates, span = span,
      imputed_from = imputed_from(fields), model = model, covers = covers,
      loss = if (is_gaussian(fields)) fields[c("rho", "delta")]
    )
  )
}

# Accuracy and range are public. If there are several accuracies, the warning names the worst.
warn_of_noise <- function(fields, call) {
  worst <- max(fields$accuracy)
  reach <- if (!is.na(worst)) paste0(" (accuracy ", show_number(worst, 4), ")") else ""
  loss <- if (is.null(fields$rho)) "epsilon" else "rho"
  sentence <- paste0(noise_sentence, reach, ". More of `", loss, "` or `n` is needed.")
  warn_as_is(sentence, "noise", call)
}

noise_sentence <- "The noise is as wide as the range: a release says next to nothing"

# Reports the loss that the running measurement states, never the requested loss. If there are
# several parts, `epsilon` is the loss of each part and `globalEps` the total.
with_measured_loss <- function(fields) {
  gaussian <- is_gaussian(fields)
  loss <- measured_loss(fields$measurement, gaussian)
  has_parts <- "globalEps" %in% names(fields)
  if (has_parts) fields$globalEps <- loss$epsilon
  if (gaussian || !has_parts) fields$epsilon <- loss$epsilon
  fields$delta <- loss$delta
  if (!is.null(loss$rho)) fields$rho <- loss$rho
  fields
}

# Returns list(epsilon, delta, rho) for one protected row. For Gaussian noise a single number is
# rho, and there is no epsilon. Otherwise rho is NULL.
measured_loss <- function(measurement, gaussian = FALSE) {
  loss <- measurement(d_in = protected_rows)
  if (gaussian && length(loss) == 1) {
    return(list(epsilon = NA_real_, delta = 0, rho = loss[[1]]))
  }
  list(epsilon = loss[[1]], delta = if (length(loss) > 1) loss[[2]] else 0, rho = NULL)
}

# A different version of the package can choose different noise, but must not spend more than the
# statistic declares.
#' @exportS3Method
remade_measurement.dpStatistic <- function(statistic) { # nolint: object_name_linter.
  measurement <- remade(plan_of(statistic))$measurement
  fields <- statistic$getFields()
  said <- list(
    epsilon = fields$globalEps %||% fields$epsilon, delta = fields$delta, rho = fields$rho
  )
  spent <- measured_loss(measurement, is_gaussian(fields))
  more <- c(spent$epsilon > said$epsilon, spent$delta > said$delta, spent$rho > said$rho)
  if (any(more, na.rm = TRUE)) {
    stop_dp("stale object: it would lose more here than it says. Build it again.", "stale_object",
      call = NULL
    )
  }
  measurement
}

# TRUE if neighbours differ by one added or removed row. FALSE if by one replaced row.
adds_rows <- function(fields) identical(fields$scheme, "labels")

# Adds an interval to a release by postprocessing.
interval_result <- function(release, fields) {
  list(
    release = release,
    variable = fields$variable,
    accuracy = fields$accuracy,
    epsilon = fields$epsilon,
    interval = c(release - fields$accuracy, release + fields$accuracy)
  )
}

# Every result names the arguments that are promises, because the loss rests on them.
new_result <- function(values, about, class = NULL) {
  values <- with_loss_named(values, about$loss)
  values$unverified <- about$unverified
  structure(values,
    class = c(class, "dp_result"), about = about[names(about) != "plan"], plan = about$plan
  )
}

# For Gaussian noise, with `loss` = list(rho, delta): a result has `rho` instead of `epsilon`, or
# `delta` beside it.
with_loss_named <- function(values, loss) {
  place <- match("epsilon", names(values))
  if (is.null(loss) || is.na(place)) {
    return(values)
  }
  if (is.null(loss$rho)) {
    values$delta <- NULL
    return(append(values, list(delta = loss$delta), place))
  }
  values[[place]] <- loss$rho
  names(values)[[place]] <- "rho"
  values$globalEps <- NULL
  values
}

# Steps of a statistic, which is a chain of framework objects, in the order of the chain -----------

# Every number that affects privacy (stability, loss, noise scale) comes from the core.

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
