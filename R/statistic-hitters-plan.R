# Chains of heavy hitters, and their results.

# A single value is selected with less noise than counts have. Noise of counts is the same for any
# k.
hitters_mechanism <- function(args) {
  if (is.null(args$bins)) {
    "mechanismStability"
  } else if (args$k == 1) {
    "mechanismExponential"
  } else {
    "mechanismLaplace"
  }
}

plan_counted_hitters <- function(args, call) {
  measurement <- with_features("contrib",
    hitter_counts(args, "L1Distance<i64>", "i64") |> then_protect(args$epsilon)
  )
  noise <- whole_accuracy(args$epsilon, args$alpha / length(args$bins))
  loss <- list(epsilon = args$epsilon, accuracy = 2 * noise, delta = 0)
  new_plan(hitters_fields(args, loss, list(measurement = measurement)), counted_result,
    read = text_column_of, class = "dp_hitters_result", within = within_omitted, range = args$n,
    call = call
  )
}

# Plans whole-number noise that is within a bound on all `bins` at once.
plan_gaussian_hitters <- function(args, call) {
  limit <- gaussian_limit(args, call)
  measurement <- with_features("contrib",
    hitter_counts(args, metric_of_noise(limit), "i64") |> then_protect(limit)
  )
  sigma <- value_of(measurement, "scale")
  noise <- whole_gaussian_reach(sigma, args$alpha / length(args$bins))
  loss <- list(epsilon = NA_real_, accuracy = 2 * noise, delta = 0)
  fields <- hitters_fields(args, loss, list(measurement = reported(measurement, limit)))
  fields$sigma <- sigma
  new_plan(fields, counted_result,
    read = text_column_of, class = "dp_hitters_result", within = within_omitted, range = args$n,
    call = call
  )
}

within_omitted <- "no omitted value has a count further above a listed one"

# Keeps counts of equal size in the order of `bins`.
counted_result <- function(release, fields) {
  counts <- as.double(in_doubles(release))
  largest <- utils::head(order(-counts, seq_along(counts)), fields$k)
  counts <- counts[largest]
  names <- fields$bins[largest]
  list(
    release = names, variable = fields$variable, accuracy = fields$accuracy,
    epsilon = fields$epsilon, delta = fields$delta, counts = counts_frame(counts, names),
    intervals = count_intervals(counts, fields$accuracy / 2, names, fields$n)
  )
}

plan_selected_hitters <- function(args, call) {
  accuracy <- selection_factor * args$k / args$epsilon *
    (log(length(args$bins)) + log(args$k / args$alpha))
  measurement <- with_features("contrib", selected_hitters_chain(args))
  loss <- list(epsilon = args$epsilon, accuracy = accuracy, delta = 0)
  fields <- hitters_fields(args, loss, list(measurement = measurement))
  new_plan(fields, selected_result,
    read = text_column_of, class = "dp_hitters_result", within = within_omitted, range = args$n,
    call = call
  )
}

check_hitter_bins <- function(args, call) {
  bins <- text_cells(args, call)$bins
  if (args$k >= length(bins)) stop_argument("below the number of `bins`", "more", "k", call)
  bins
}

# Counts each of `bins`, as numbers of `type`.
hitter_counts <- function(args, metric, type) {
  count <- length(args$bins)
  prepared_texts(args$n) |>
    then_find(args$bins) |>
    then_impute_constant(as.double(count)) |>
    then_count_by_categories(
      categories = as.double(seq_len(count) - 1), null_category = FALSE,
      .MO = metric, .TOA = type
    )
}

selected_hitters_chain <- function(args) {
  counts <- hitter_counts(args, "LInfDistance<f64>", "f64")
  calibrated("make_noisy_top_k", counts, max_divergence(), args$k, least, FALSE,
    d_in = protected_rows, loss = args$epsilon
  )
}

plan_stable_set <- function(args, call) {
  args$bins <- check_hitter_bins(args, call)
  delta <- check_stability_delta(args$delta, args$n, call)
  measurement <- with_features("contrib", stable_set_chain(args, delta))
  built <- list(measurement = measurement, threshold = value_of(measurement, "threshold"))
  noise <- ceiling(laplaceGetAccuracy(1, args$epsilon, args$alpha))
  accuracy <- 2 * (built$threshold + noise) + 1
  loss <- list(epsilon = args$epsilon, accuracy = accuracy, delta = delta)
  new_plan(hitters_fields(args, loss, built), stable_set_result,
    read = text_column_of, class = "dp_hitters_result",
    within = "the gap to the next count is smaller, if nothing is released",
    range = args$n, call = call
  )
}

stable_set_chain <- function(args, delta) {
  counts <- hitter_counts(args, "LInfDistance<i64>", "i64")
  with_threshold(args$epsilon, delta, function(scale, threshold, loss) {
    calibrated("stable_top_k", counts, args$k, scale, threshold, d_in = protected_rows, loss = loss)
  })
}

stable_set_result <- function(release, fields) {
  list(
    release = fields$bins[as.double(release) + 1], variable = fields$variable,
    accuracy = fields$accuracy, epsilon = fields$epsilon, delta = fields$delta,
    threshold = fields$threshold
  )
}

plan_stable_hitters <- function(args, call) {
  args$varType <- "character"
  loss <- stability_loss(args, call)
  built <- with_features("contrib", stability_chain(args, loss))
  fields <- hitters_fields(args, loss, built)
  new_plan(fields, stable_hitters_result,
    read = text_column_of, class = "dp_hitters_result",
    within = "the count of an omitted value is no larger",
    range = args$n, call = call
  )
}

hitters_fields <- function(args, loss, built) {
  name <- paste(args$k, "heavy hitters of", args$variable)
  fields <- statistic_fields(name, args, loss, 1, built$measurement)
  fields$delta <- loss$delta
  c(fields, list(k = args$k, bins = args$bins, threshold = built$threshold))
}

selected_result <- function(release, fields) {
  list(
    release = fields$bins[as.double(release) + 1], variable = fields$variable,
    accuracy = fields$accuracy, epsilon = fields$epsilon, delta = fields$delta
  )
}

stable_hitters_result <- function(release, fields) {
  counts <- sort(surviving_counts(release, fields, fields$k), decreasing = TRUE)
  list(
    release = names(counts) %||% character(), variable = fields$variable,
    accuracy = fields$accuracy, epsilon = fields$epsilon, delta = fields$delta,
    counts = if (length(counts) > 0) counts_frame(counts, names(counts)) else data.frame(),
    threshold = fields$threshold
  )
}
