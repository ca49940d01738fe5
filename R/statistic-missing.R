# What a statistic does with missing values. They are imputed, and n rows count; or their rows are
# dropped: then a noisy count says how many are left, beside the noisy sums of these. One
# measurement of the core releases them together, and its map is the loss that is reported.

# The argument that says what missing values are replaced by, or NULL if they are not.
imputed_from <- function(fields) {
  if (!is.null(fields$imputeRng) && fields$varType != "factor") {
    "imputeRng"
  } else if (!is.null(fields$imputeBins) && is.null(fields$threshold) && !fields$other) {
    "imputeBins"
  }
}

imputation_sentence <- function(from) {
  paste0("Missing values are replaced by uniform draws from `", from, "`, whatever they would be",
    recycle0 = TRUE
  )
}

drops_missing <- function(common) identical(common$missing, "drop")

# The plan of a moment: of all rows, by a `chain` of its own, or of those with a value, by a joint
# release with or without `products`. Each comes with what describes it. `own`: other fields.
plan_moment <- function(name, args, loss, sens, own, all, present, range, call) {
  drops <- drops_missing(args)
  measurement <- if (drops) {
    present_measurement(args, loss$epsilon, present$products)
  } else {
    with_features("contrib", all$chain(
      args$varType, args$n, args$rng, args$imputeRng, loss$epsilon
    ))
  }
  fields <- statistic_fields(paste(name, "of", args$variable), args, loss, sens, measurement)
  new_plan(c(fields, list(missing = args$missing), own),
    if (drops) present$describe else all$describe, read = if (drops) columns_of else column_of,
    range = range, call = call
  )
}

# Count, sum and, with `products`, sum of squares of the rows with a value, about the middle.
present_measurement <- function(common, epsilon, products) {
  bounds <- list(common$rng)
  columns <- column_specs(common$variable, bounds, bounds, common$varType)
  build("joint_moments", columns, products, 1, epsilon, common$n)
}

# Scales of the noise in the moments of u = (x - middle) / half-width, as joint_moments.h has them.
present_scales <- function(epsilon, products) {
  (if (products) c(count = 4, sum = 2, squares = 4) else c(count = 2, sum = 2)) / epsilon
}

# The noisy moments of u, with what each stays within, all of them with probability 1 - alpha. A
# count that noise alone may have taken below n is n: a rule that looks at released numbers only.
present_moments <- function(release, fields, products) {
  scales <- present_scales(fields$epsilon, products)
  half <- diff(fields$rng) / 2
  moments <- release / half^(seq_along(release) - 1)
  names(moments) <- names(scales)
  reach <- present_reach(scales, fields)
  complete <- moments[["count"]] > fields$n - scales[["count"]] * log(10)
  least <- moments[["count"]] - reach[["count"]]
  most <- min(moments[["count"]] + reach[["count"]], fields$n)
  list(
    count = if (complete) fields$n else moments[["count"]], values = moments, reach = reach,
    counts = c(least, most), enough = least >= 2, half = half, middle = mean(fields$rng)
  )
}

# The noise is whole in the steps of each moment, of which a half-width has very many, but for whole
# numbers.
present_reach <- function(scales, fields) {
  width <- if (fields$varType == "numeric") 2^40 else diff(fields$rng)
  steps <- width^(seq_along(scales) - 1)
  whole_reach(scales * steps, fields$alpha / length(scales)) / steps
}

# The least t with P(|noise| > t) = 2 p^(t + 1) / (1 + p) <= alpha, p = exp(-1 / scale).
whole_reach <- function(scale, alpha) {
  pmax(ceiling(scale * log(2 / ((1 + exp(-1 / scale)) * alpha)) - 1), 0)
}

# All ratios of a number that is within `reach` of `value` and a count.
ratios <- function(value, reach, counts) range(outer(value + c(-reach, reach), counts, "/"))

within_bounds <- function(x, lower, upper) pmin(pmax(x, lower), upper)

present_mean <- function(release, fields) {
  found <- present_moments(release, fields, FALSE)
  sum <- found$values[["sum"]]
  if (!found$enough) {
    return(present_result(NA_real_, fields$rng, found, fields))
  }
  unit <- within_bounds(sum / found$count, -1, 1)
  ends <- within_bounds(ratios(sum, found$reach[["sum"]], found$counts), -1, 1)
  in_column <- function(u) found$middle + found$half * u
  result <- present_result(in_column(unit), in_column(ends), found, fields)
  if (fields$varType == "logical") {
    result <- c(result, share_result(result$release, round(found$count)))
  }
  result
}

present_variance <- function(release, fields) {
  found <- present_moments(release, fields, TRUE)
  largest <- found$half^2 * 2
  if (!found$enough) {
    return(c(present_result(NA_real_, c(0, largest), found, fields), list(std = NA_real_)))
  }
  divisor <- function(count) count / (count - 1)
  sum <- found$values[["sum"]]
  squares <- found$values[["squares"]]
  variance <- divisor(found$count) * (squares / found$count - (sum / found$count)^2)
  means <- within_bounds(ratios(sum, found$reach[["sum"]], found$counts), -1, 1)
  least <- if (prod(means) < 0) 0 else min(means^2)
  powers <- within_bounds(ratios(squares, found$reach[["squares"]], found$counts), 0, 1)
  ends <- pmax(c(powers[[1]] - max(means^2), powers[[2]] - least), 0) * divisor(rev(found$counts))
  released <- found$half^2 * variance
  ends <- range(found$half^2 * ends, max(released, 0))
  c(present_result(released, ends, found, fields), list(std = sqrt(max(released, 0))))
}

# `status` is "few" where so few values are left that noise hides how many.
present_result <- function(release, ends, found, fields) {
  list(
    release = release, variable = fields$variable,
    accuracy = if (is.na(release)) NA_real_ else max(abs(ends - release)),
    epsilon = fields$epsilon, interval = ends, nPresent = found$count,
    share_missing = within_bounds(1 - found$count / fields$n, 0, 1),
    status = if (is.na(release)) "few" else "ok"
  )
}
