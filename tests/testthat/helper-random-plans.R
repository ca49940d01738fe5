# Random statistics of every kind, and checks of the loss that each reports.

# What the functions share that draw arguments for a constructor (helper-statistic-facts.R). Some
# classes have several.
random_parts <- function() {
  one_of <- function(...) sample(list(...), 1)[[1]]
  whole <- function(low, high) low + floor(stats::runif(1) * (high - low + 1))
  epsilon <- function(count = 1) exp(stats::runif(count, log(1e-3), log(10)))
  share <- function() stats::runif(1, 0.01, 0.99)
  shares <- function(count) {
    weights <- epsilon(count)
    weights / sum(weights)
  }
  range <- function() {
    lower <- stats::runif(1, -1, 1) * 10^whole(-3, 6)
    c(lower, lower + stats::runif(1, 0.1, 1) * 10^whole(-3, 6))
  }
  ranges <- function(count) lapply(seq_len(count), function(i) range())
  # Bounds of whole numbers contain more than one number.
  column <- function(types = c("numeric", "integer", "logical")) {
    varType <- sample(types, 1)
    rng <- range()
    if (varType == "integer") rng <- c(floor(rng[[1]]), ceiling(rng[[2]]) + 1)
    list(varType = varType, variable = "x", n = whole(40, 5000), rng = rng)
  }
  loss <- function() one_of(list(epsilon = epsilon()), list(accuracy = epsilon()))
  noisy <- function() one_of("mechanismLaplace", "mechanismSnapping")
  texts <- function() {
    list(varType = one_of("character", "factor"), variable = "x", n = whole(40, 5000))
  }
  bins <- function() letters[seq_len(whole(2, 9))]
  delta <- function() one_of(NULL, 10^-whole(8, 12))
  # Loss arguments for Gaussian noise.
  concentrated <- function() {
    one_of(list(rho = epsilon()), list(epsilon = epsilon(), delta = 10^-whole(8, 10)))
  }
  gaps <- function() list(missing = one_of("impute", "drop"))
  entries <- function(columns) columns * (columns + 1) / 2

  covariance_loss <- function(count) {
    one_of(
      list(epsilon = epsilon(count)), list(globalEps = epsilon()),
      list(globalEps = epsilon(), epsilonDist = shares(count)), list(accuracy = epsilon()),
      list(accuracyVals = epsilon(count))
    )
  }
  joint_columns <- function() {
    count <- whole(2, 4)
    list(
      columns = letters[seq_len(count)], n = whole(2, 5000), rng = ranges(count),
      epsilon = epsilon(), missing = one_of("impute", "drop")
    )
  }
  tree_loss <- function(depth) {
    one_of(
      list(epsilon = epsilon(depth)), list(globalEps = epsilon()), list(accuracy = epsilon())
    )
  }
  blocks <- function() {
    c(list(mechanism = "mechanismLaplace"), column("numeric"), list(numSubsets = 2 * whole(2, 9)))
  }
  # A user function that returns several numbers from several columns.
  own_function <- function() {
    results <- whole(1, 4)
    list(
      innerFun = function(block) rep(0, results), outputRange = do.call(rbind, ranges(results)),
      epsilon = epsilon()
    )
  }
  scheme <- function() {
    one_of(
      list(), list(scheme = "resampled", overlap = 2), list(scheme = "labels"),
      list(scheme = "subsets", subsetSize = whole(1, 40))
    )
  }
  aggregator <- function() {
    one_of(
      list(), list(aggregationFun = "Median", gridPoints = 7), list(intervalShare = share()),
      list(aggregationFun = "Quantile", prob = share(), gridPoints = 7),
      list(aggregationFun = "WinsorizedMean", gridPoints = 7),
      list(aggregationFun = "TrimmedMean", trim = 0.2), list(rangeMode = "loose", gridPoints = 7)
    )
  }
  environment()
}

# A random statistic of this name. NULL if the drawn arguments leave no room, for example in `rng`.
random_statistic <- function(name) {
  arguments <- random_arguments[[name]]()
  statistic <- tryCatch(
    suppressMessages(
      suppressWarnings(do.call(generator_of(name), arguments), classes = "dp_warning"),
      classes = "dp_message_chosen"
    ),
    dp_error_invalid_argument = function(condition) NULL
  )
  if (is.null(statistic)) NULL else list(statistic = statistic, asked = arguments)
}

# Sign of a sum of doubles in exact arithmetic. It keeps the rounding error of each step. Source:
# Shewchuk (1997), "Adaptive Precision Floating-Point Arithmetic", GROW-EXPANSION.
exact_sign <- function(numbers) {
  parts <- numeric()
  for (value in numbers) {
    rest <- numeric()
    for (part in parts) {
      sum <- value + part
      moved <- sum - value
      rest <- c(rest, (value - (sum - moved)) + (part - moved))
      value <- sum
    }
    parts <- c(rest[rest != 0], value[value != 0])
  }
  if (length(parts) == 0) 0 else sign(parts[[length(parts)]])
}

# The reported rho, if there is one, otherwise epsilon.
reported_loss <- function(statistic) {
  fields <- statistic$getFields()
  list(epsilon = fields$rho %||% fields$globalEps %||% fields$epsilon, delta = fields$delta)
}

# Mistakes in the loss that a statistic reports, one sentence each.
loss_mistakes <- function(statistic, asked, reported = reported_loss(statistic)) {
  measured <- as.list(statistic$measurement(d_in = statistic$d_in))
  truth <- list(epsilon = measured[[1]], delta = if (length(measured) > 1) measured[[2]] else 0)
  gaussian <- statistic$mechanism == "mechanismGaussian"
  parts <- if (!is.null(statistic$getFields()$globalEps) && !gaussian) {
    c(statistic$epsilon, statistic$getFields()$meanEpsilon)
  }
  asked_epsilon <- asked$rho %||% asked$globalEps %||% if (is.null(parts)) asked$epsilon
  c(
    if (!identical(reported, truth)) "what is reported is not the map",
    if (exact_sign(c(parts, -reported$epsilon)) > 0) "the parts come to more than the whole",
    if (!is.null(asked_epsilon) && reported$epsilon > asked_epsilon) "it is more than asked for",
    if (!is.null(asked_epsilon) && reported$epsilon < asked_epsilon * (1 - 1e-9)) {
      "it is much less than asked for"
    },
    if (!is.null(asked$delta) && reported$delta > asked$delta) "delta is more than asked for"
  )
}

# Privacy filter with budget `loss` over the space of a statistic's data.
filter_of <- function(statistic, loss) {
  measurement <- statistic$measurement
  odometer <- make_fully_adaptive_composition(
    measurement("input_domain"), measurement("input_metric"), measurement("output_measure")
  )
  budget <- if (loss$delta > 0) unname(loss) else loss$epsilon
  make_privacy_filter(odometer, statistic$d_in, budget)
}

previous_double <- function(x) -next_double(-x)

# Whether a filter with exactly this budget releases, and one with the next lower epsilon refuses.
is_budget_of <- function(statistic, loss = reported_loss(statistic)) {
  plan <- statistic$.__enclos_env__$private$.plan
  values <- if (identical(plan$read, text_column_of)) c("a", "b") else c(0.5, 0.25)
  column <- rep_len(values, plan$fields$n)
  names <- unlist(plan$columns)
  data <- as.data.frame(stats::setNames(rep(list(column), length(names)), names))
  rows <- read_columns(plan, data)
  releases <- function(loss) {
    queryable <- filter_of(statistic, loss)(arg = rows)
    tryCatch(
      {
        queryable(query = statistic$measurement)
        TRUE
      },
      dp_error_failed_function = function(condition) FALSE
    )
  }
  less <- utils::modifyList(loss, list(epsilon = previous_double(loss$epsilon)))
  releases(loss) && !releases(less)
}
