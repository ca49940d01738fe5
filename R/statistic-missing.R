# Rules for missing values. With imputation, n rows count. Otherwise their rows are dropped, and a
# noisy count of the remaining rows joins the noisy sums. One measurement of the core releases them
# together, and its map is the reported loss.

# Argument with the replacement for missing values, or NULL if they are dropped.
imputed_from <- function(fields) {
  if (!is.null(fields$imputeRng) && fields$varType != "factor") {
    "imputeRng"
  } else if (!is.null(fields$imputeBins) && is.null(fields$threshold) && !fields$other) {
    "imputeBins"
  }
}

imputation_sentence <- function(source) {
  paste0("Missing values are replaced by uniform draws from ", source, ", whatever they would be",
    recycle0 = TRUE
  )
}

# Writes out the rule for missing values. A call that omits it drops rows without a value, unless it
# says what to impute.
with_missing_rule <- function(arguments, declared) {
  if (identical(arguments[["missing"]], missing_rules) && "missing" %in% names(declared$kinds)) {
    arguments$missing <- if (says_imputation(arguments)) "impute" else "drop"
  }
  # Plans from before this choice existed impute.
  if ("missing" %in% declared$later && identical(arguments[["missing"]], "impute")) {
    arguments["missing"] <- list(NULL)
  }
  arguments
}

says_imputation <- function(arguments) {
  given <- !vapply(arguments[c("imputeRng", "imputeBins")], is_missing, NA)
  any(given) || isTRUE(arguments[["impute"]])
}

# The plan of a moment. `way`: list(measurement, describe, read), what releases it, of all rows by
# chain_of_rows() or moments_of_rows(), or of those with a value. `own`: other fields.
plan_moment <- function(name, args, loss, sens, own, way, range, call, covers, span = range) {
  fields <- statistic_fields(
    paste(name, "of", args$variable), args, loss, sens, reported(way$measurement, loss$limit)
  )
  noise <- list(rho = NULL, sigma = way$sigma %||% loss$sigma)
  plan <- new_plan(c(fields, list(missing = args$missing), own, noise), way$describe,
    read = way$read, range = range, span = span, covers = covers, call = call
  )
  with_chosen_mechanism(plan, args)
}

# Releases one number of all rows by a chain. `limit` is the argument of then_protect().
chain_of_rows <- function(args, limit, chain, describe) {
  measurement <- with_features("contrib", chain(
    args$varType, args$n, args$rng, args$imputeRng, limit
  ))
  list(measurement = measurement, describe = describe, read = column_of)
}

# Sum and sum of squares of all rows, about the middle.
moments_of_rows <- function(args, limit, describe) {
  columns <- column_specs(args$variable, list(args$rng), list(args$imputeRng), args$varType)
  if (is.list(limit)) {
    return(way_of_gaussian_moments(columns, args, limit, describe))
  }
  list(
    measurement = build("imputed_moments", columns, limit, args$n), describe = describe,
    read = columns_of
  )
}

way_of_gaussian_moments <- function(columns, args, limit, describe) {
  measurement <- gaussian_moments(columns, drops_missing(args), limit, args$n)
  list(
    measurement = measurement, describe = describe, read = columns_of,
    sigma = value_of(measurement, "scale")
  )
}

# Releases count, sum and, with `products`, sum of squares of the rows with a value, about the
# middle. A larger `weight` of the count reduces the noise in count and sum, and increases it in the
# squares. Gaussian noise is the same on all three, even if squares are not requested.
moments_of_present <- function(args, limit, products, weight, describe) {
  bounds <- list(args$rng)
  columns <- column_specs(args$variable, bounds, bounds, args$varType)
  if (is.list(limit)) {
    return(way_of_gaussian_moments(columns, args, limit, describe))
  }
  list(
    measurement = build("joint_moments", columns, products, weight, limit, args$n, NULL),
    describe = describe, read = columns_of
  )
}

# Noise scales of the moments of u = (x - middle) / half-width, as in joint_moments.h.
present_scales <- function(epsilon, products, weight) {
  if (!products) {
    return(c(count = 2, sum = 2) / epsilon)
  }
  s <- (weight + 1)^2 / (2 * epsilon)
  c(count = 2 * s / weight^2, sum = s / weight, squares = 2 * s)
}

# Noise scales of the released moments. For Gaussian noise, standard deviations.
noise_of_moments <- function(fields, products, weight) {
  if (is_gaussian(fields)) {
    return(stats::setNames(rep(fields$sigma, 3), c("count", "sum", "squares")))
  }
  present_scales(fields$epsilon, products, weight)
}

# Noisy moments of u with their bounds, which hold together with probability 1 - alpha. If noise can
# explain a count below n, the count is n. This rule uses only released numbers.
present_moments <- function(release, fields, products, weight = 1) {
  scales <- noise_of_moments(fields, products, weight)
  half <- diff(fields$rng) / 2
  moments <- release / half^(seq_along(release) - 1)
  names(moments) <- names(scales)
  reach <- present_reach(scales, fields)
  # Noise exceeds this on one side with probability 0.05.
  usual <- if (is_gaussian(fields)) stats::qnorm(0.95) else log(10)
  complete <- moments[["count"]] > fields$n - scales[["count"]] * usual
  least <- moments[["count"]] - reach[["count"]]
  most <- min(moments[["count"]] + reach[["count"]], fields$n)
  list(
    count = if (complete) fields$n else moments[["count"]], values = moments, reach = reach,
    counts = c(least, most), enough = least >= 2, half = half, middle = mean(fields$rng),
    scales = scales, normal = is_gaussian(fields)
  )
}

# Moments of u of all n rows, in the same form, without noise in their number.
complete_moments <- function(release, fields) {
  scales <- noise_of_moments(fields, TRUE, 1)
  half <- diff(fields$rng) / 2
  list(
    count = fields$n, values = c(sum = release[[1]] / half, squares = release[[2]] / half^2),
    reach = present_reach(scales[-1], fields, 1:2), counts = rep(fields$n, 2), enough = TRUE,
    half = half, middle = mean(fields$rng), scales = replace(scales, "count", 0),
    normal = is_gaussian(fields)
  )
}

# The noise is a whole number of steps of each moment. A half-width has very many steps, except for
# whole numbers. Moments are sums of these `powers` of u.
present_reach <- function(scales, fields, powers = seq_along(scales) - 1) {
  width <- if (fields$varType == "numeric") 2^40 else diff(fields$rng)
  steps <- width^powers
  reach <- if (is_gaussian(fields)) whole_gaussian_reach else whole_reach
  reach(scales * steps, fields$alpha / length(scales)) / steps
}

# Smallest t with P(|noise| > t) = 2 p^(t + 1) / (1 + p) <= alpha, p = exp(-1 / scale).
whole_reach <- function(scale, alpha) {
  pmax(ceiling(scale * log(2 / ((1 + exp(-1 / scale)) * alpha)) - 1), 0)
}

# Ratios of all numbers within `reach` of `value` to a count.
ratios <- function(value, reach, counts) range(outer(value + c(-reach, reach), counts, "/"))

present_mean <- function(release, fields) {
  products <- knows_spread(fields) || is_gaussian(fields)
  found <- present_moments(release, fields, products, mean_weight)
  sum <- found$values[["sum"]]
  if (!found$enough) {
    result <- present_result(NA_real_, fields$rng, found, fields)
    return(c(result, if (fields$interval == "population") population_of_few(fields)))
  }
  unit <- within_bounds(sum / found$count, -1, 1)
  ends <- within_bounds(ratios(sum, found$reach[["sum"]], found$counts), -1, 1)
  in_column <- function(u) found$middle + found$half * u
  result <- present_result(in_column(unit), in_column(ends), found, fields)
  if (fields$varType == "logical") {
    result <- c(result, share_result(result$release, round(found$count)))
  }
  c(result, if (fields$interval == "population") population_of_present(found, fields))
}

# `status` is "few" if noise hides the number of values left.
present_result <- function(release, ends, found, fields) {
  list(
    release = release, variable = fields$variable,
    accuracy = if (is.na(release)) NA_real_ else max(abs(ends - release)),
    epsilon = fields$epsilon, interval = ends, nPresent = found$count,
    share_missing = within_bounds(1 - found$count / fields$n, 0, 1),
    status = if (is.na(release)) "few" else "ok"
  )
}

# The rule for missing values of a plan ------------------------------------------------------------

drops_missing <- function(common) identical(common$missing, "drop")

within_bounds <- function(x, lower, upper) pmin(pmax(x, lower), upper)
