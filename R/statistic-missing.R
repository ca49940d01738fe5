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

imputation_sentence <- function(source) {
  paste0("Missing values are replaced by uniform draws from ", source, ", whatever they would be",
    recycle0 = TRUE
  )
}

# Arguments with the rule for missing values written out. A call that leaves it out drops rows
# without a value, unless it says what to impute.
with_missing_rule <- function(arguments, declared) {
  if (identical(arguments[["missing"]], missing_rules) && "missing" %in% names(declared$kinds)) {
    arguments$missing <- if (says_imputation(arguments)) "impute" else "drop"
  }
  # Plans from before there was a choice impute.
  if ("missing" %in% declared$later && identical(arguments[["missing"]], "impute")) {
    arguments["missing"] <- list(NULL)
  }
  arguments
}

says_imputation <- function(arguments) {
  given <- !vapply(arguments[c("imputeRng", "imputeBins")], is_missing, NA)
  any(given) || isTRUE(arguments[["impute"]])
}

drops_missing <- function(common) identical(common$missing, "drop")

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

# One number of all rows, by a chain. `limit` is what then_protect() takes.
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

# Of the rows with a value: count, sum and, with `products`, sum of squares, about the middle. The
# larger the `weight` of the count, the less noise is in it and in the sum, and the more in the
# squares. Gaussian noise is the same on all three, whether squares are asked for or not.
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

# Scales of the noise in the moments of u = (x - middle) / half-width, as joint_moments.h has them.
present_scales <- function(epsilon, products, weight) {
  if (!products) {
    return(c(count = 2, sum = 2) / epsilon)
  }
  s <- (weight + 1)^2 / (2 * epsilon)
  c(count = 2 * s / weight^2, sum = s / weight, squares = 2 * s)
}

# The same of the moments that were released; of Gaussian noise standard deviations.
noise_of_moments <- function(fields, products, weight) {
  if (is_gaussian(fields)) {
    return(stats::setNames(rep(fields$sigma, 3), c("count", "sum", "squares")))
  }
  present_scales(fields$epsilon, products, weight)
}

# The noisy moments of u, with what each stays within, all of them with probability 1 - alpha. A
# count that noise alone may have taken below n is n: a rule that looks at released numbers only.
present_moments <- function(release, fields, products, weight = 1) {
  scales <- noise_of_moments(fields, products, weight)
  half <- diff(fields$rng) / 2
  moments <- release / half^(seq_along(release) - 1)
  names(moments) <- names(scales)
  reach <- present_reach(scales, fields)
  # What noise exceeds on one side in a share of 0.05.
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

# The moments of u of all n rows, in the same form: there is no noise in their number.
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

# The noise is whole in the steps of each moment, of which a half-width has very many, but for whole
# numbers. `powers` of u that they are sums of.
present_reach <- function(scales, fields, powers = seq_along(scales) - 1) {
  width <- if (fields$varType == "numeric") 2^40 else diff(fields$rng)
  steps <- width^powers
  reach <- if (is_gaussian(fields)) whole_gaussian_reach else whole_reach
  reach(scales * steps, fields$alpha / length(scales)) / steps
}

# The least t with P(|noise| > t) = 2 p^(t + 1) / (1 + p) <= alpha, p = exp(-1 / scale).
whole_reach <- function(scale, alpha) {
  pmax(ceiling(scale * log(2 / ((1 + exp(-1 / scale)) * alpha)) - 1), 0)
}

# All ratios of a number that is within `reach` of `value` and a count.
ratios <- function(value, reach, counts) range(outer(value + c(-reach, reach), counts, "/"))

within_bounds <- function(x, lower, upper) pmin(pmax(x, lower), upper)

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
