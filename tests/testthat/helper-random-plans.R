# Random statistics of every kind, and checks of the loss that each reports.

# Functions that draw arguments for the constructor of their name. Some classes have several.
random_arguments <- local({
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

  list(
    dpMean = function() c(list(mechanism = noisy(), missing = "impute"), column(), loss()),
    dpVariance = function() c(list(mechanism = noisy(), missing = "impute"), column(), loss()),
    `dpMean, dropping` = function() {
      c(list(mechanism = "mechanismLaplace", missing = "drop"), column(), loss())
    },
    `dpVariance, dropping` = function() {
      c(list(mechanism = "mechanismLaplace", missing = "drop"), column(), loss())
    },
    `dpVariance, sampled` = function() {
      c(list(mechanism = "mechanismLaplace", interval = "population"), column(), loss(), list(
        missing = one_of("impute", "drop")
      ))
    },
    `dpMean, Gaussian` = function() {
      c(column(), concentrated(), gaps(), list(interval = one_of("noise", "population")))
    },
    `dpVariance, Gaussian` = function() c(column(), concentrated(), gaps()),
    `dpHistogram, Gaussian` = function() {
      c(column(c("numeric", "logical")), list(nBins = whole(2, 9), rho = epsilon()))
    },
    `dpTree, Gaussian` = function() {
      c(column("numeric"), list(depth = whole(1, 4)), concentrated(), gaps())
    },
    `dpCovariance, Gaussian` = function() {
      count <- whole(2, 4)
      c(list(n = whole(2, 5000), columns = letters[seq_len(count)], rng = ranges(count)),
        concentrated(), gaps())
    },
    `dpHeavyHitters, Gaussian` = function() {
      c(texts(), list(k = whole(1, 3), bins = letters[seq_len(whole(4, 9))], rho = epsilon()))
    },
    `dpSampleAndAggregate, Gaussian` = function() {
      c(blocks(), own_function()[1:2], list(aggregationFun = "Mean", rho = epsilon()), one_of(
        list(), list(scheme = "resampled", overlap = 2), list(scheme = "labels")
      ))
    },
    dpHistogram = function() c(column(c("numeric", "logical")), list(nBins = whole(2, 9)), loss()),
    `dpHistogram of texts` = function() {
      c(list(varType = "character", variable = "x", n = 50, bins = bins()), loss())
    },
    `dpHistogram, stability` = function() {
      c(column("numeric")[-4], list(binWidth = 1, epsilon = epsilon(), delta = delta()))
    },
    dpCovariance = function() {
      count <- whole(2, 4)
      c(
        list(
          mechanism = noisy(), missing = "impute", varType = "numeric", n = whole(2, 5000),
          columns = letters[seq_len(count)], rng = ranges(count), intercept = one_of(TRUE, FALSE),
          meanShare = share()
        ),
        covariance_loss(entries(count))
      )
    },
    dpTree = function() {
      depth <- whole(1, 4)
      c(column("numeric"), list(depth = depth), tree_loss(depth))
    },
    `dpTree, dropping` = function() {
      depth <- whole(1, 4)
      c(column("numeric"), list(depth = depth, missing = "drop"), tree_loss(depth))
    },
    `dpCovariance, dropping` = function() {
      count <- whole(2, 4)
      list(
        mechanism = "mechanismLaplace", varType = "numeric", n = whole(2, 5000),
        columns = letters[seq_len(count)], rng = ranges(count), missing = "drop",
        globalEps = epsilon()
      )
    },
    `dpCovariance, weights` = function() {
      list(
        mechanism = "mechanismLaplace", varType = "numeric", n = whole(2, 5000),
        columns = c("a", "b"), rng = c(ranges(2), list(c(0, share()))), missing = "drop",
        globalEps = epsilon(), weights = "w"
      )
    },
    dpMedian = function() c(column("numeric"), list(gridPoints = whole(2, 30)), loss()),
    dpQuantile = function() {
      c(column("numeric"), list(prob = share(), gridPoints = whole(2, 30)), loss())
    },
    `dpQuantile, dropping` = function() {
      c(column("numeric"), loss(), list(
        prob = share(), gridPoints = whole(2, 30), missing = "drop"
      ))
    },
    `dpQuantile, sampled` = function() {
      c(column(c("numeric", "integer")), loss(), list(
        prob = share(), gridPoints = whole(2, 30), missing = one_of("impute", "drop"),
        interval = "population"
      ))
    },
    `dpQuantiles, sampled` = function() {
      c(column(c("numeric", "integer")), loss(), list(
        probs = sort(stats::runif(whole(1, 4))), gridPoints = whole(2, 30),
        missing = one_of("impute", "drop"), interval = "population"
      ))
    },
    `dpMean, bounds found` = function() {
      c(column(c("numeric", "integer"))[c("varType", "variable", "n")], gaps(),
        list(rng = bounds(share(), stats::runif(1, 1.5, 12))),
        one_of(list(epsilon = epsilon()), concentrated())
      )
    },
    `dpCorrelation, bounds found` = function() {
      args <- joint_columns()
      args$rng[[1]] <- bounds(share() / 2)
      args$rng[[2]] <- bounds(share() / 2, sides = "positive")
      args
    },
    dpBounds = function() {
      c(column("numeric")[c("varType", "variable", "n")], list(
        base = stats::runif(1, 1.1, 12), smallest = 10^stats::runif(1, -6, 2),
        sides = one_of("both", "positive", "negative"), epsilon = epsilon()
      ))
    },
    dpQuantiles = function() {
      c(column("numeric"), list(
        probs = sort(stats::runif(whole(1, 4))), gridPoints = whole(2, 30),
        missing = one_of("impute", "drop")
      ), loss())
    },
    dpHeavyHitters = function() {
      c(texts(), list(
        mechanism = one_of("mechanismExponential", "mechanismLaplace"), k = whole(1, 3),
        bins = letters[seq_len(whole(4, 9))], epsilon = epsilon()
      ))
    },
    `dpHeavyHitters, stability` = function() {
      c(texts(), list(
        mechanism = "mechanismStability", k = whole(1, 3), epsilon = epsilon(), delta = delta()
      ))
    },
    `dpHeavyHitters, set` = function() {
      c(texts(), list(
        mechanism = "mechanismStability", k = whole(1, 3), bins = letters[seq_len(whole(4, 9))],
        epsilon = epsilon(), delta = delta()
      ))
    },
    dpContingency = function() {
      sizes <- c(whole(2, 9), whole(2, 9), whole(2, 9))
      c(
        list(
          variables = c("a", "b", "y"), levels = lapply(sizes, function(size) seq_len(size) / 8),
          margins = one_of(
            NULL, list("a", "b"), list(c("a", "b"), c("b", "y")), list(c("a", "b", "y"), "y")
          ), n = whole(1, 5000), epsilon = epsilon()
        ),
        one_of(list(missing = "impute"), list(missing = "drop"), list(other = TRUE))
      )
    },
    dpCorrelation = function() joint_columns(),
    dpPCA = function() c(joint_columns(), list(k = whole(1, 2), scale = one_of("none", "public"))),
    dpLM = function() {
      list(
        formula = one_of(
          "y ~ a + b", "y ~ a + b - 1", "y ~ a * b", "y ~ I(a^2) + abs(b) - 1",
          "y ~ a + I(b > 0)"
        ),
        n = whole(6, 5000), rng = ranges(3), epsilon = epsilon(), missing = one_of("impute", "drop")
      )
    },
    `dpLM, sandwich` = function() {
      list(
        formula = one_of("y ~ a + b", "y ~ a * b - 1"), n = whole(6, 5000), rng = ranges(3),
        epsilon = epsilon(), missing = one_of("impute", "drop"), vcov = "sandwich"
      )
    },
    `dpLM, weights` = function() {
      list(
        formula = one_of("y ~ a + b", "y ~ a * b - 1"), n = whole(6, 5000),
        rng = c(ranges(3), list(c(0, share()))), epsilon = epsilon(), missing = "drop",
        vcov = one_of(NULL, "classical"), weights = "w"
      )
    },
    dpMeanDifference = function() {
      list(
        variable = "a", group = "y", groups = c(0.25, 0.5), n = whole(2, 5000), rng = range(),
        epsilon = epsilon(), missing = one_of("impute", "drop")
      )
    },
    `dpMeanDifference, by design` = function() {
      list(
        variable = "a", group = "y", groups = c(0.25, 0.5), groupSizes = rep(whole(2, 2500), 2),
        rng = range(), epsilon = epsilon(), missing = one_of("impute", "drop")
      )
    },
    dpNaiveBayes = function() {
      list(
        formula = "y ~ a + b", levels = c(0.25, 0.5, 1)[seq_len(whole(2, 3))],
        n = whole(2, 5000), rng = ranges(2), epsilon = epsilon(),
        missing = one_of("impute", "drop")
      )
    },
    dpKMeans = function() {
      c(joint_columns()[1:4], list(k = whole(1, 6), iterations = one_of(NULL, 1, 3, 7)))
    },
    dpGLM = function() {
      list(
        mechanism = "mechanismObjective", varType = "numeric", n = whole(40, 5000),
        rng = c(list(c(0, 1)), ranges(2)), epsilon = epsilon(),
        formula = one_of("y ~ a + b", "y ~ a:b + I(a > 0)", "y ~ a + offset(b / 9)"),
        missing = one_of("impute", "drop"),
        objective = one_of("logit", "probit", "poisson", "ols"), nBoot = one_of(NULL, 3),
        intercept = one_of(TRUE, FALSE), inference = NULL
      )
    },
    `dpGLM, one step` = function() {
      list(
        mechanism = "mechanismObjective", varType = "numeric", n = whole(40, 5000),
        rng = c(list(c(0, 1)), ranges(2)), epsilon = epsilon(), formula = "y ~ a + b",
        missing = one_of("impute", "drop"), intercept = one_of(TRUE, FALSE),
        objective = one_of("logit", "probit", "poisson", "ols"), inference = "onestep",
        inferenceShare = one_of(NULL, share()), vcov = one_of(NULL, "classical", "sandwich")
      )
    },
    `dpGLM, weights` = function() {
      list(
        mechanism = "mechanismObjective", varType = "numeric", n = whole(40, 5000),
        rng = c(list(c(0, 1)), ranges(2), list(c(0, share()))), epsilon = epsilon(),
        formula = one_of("y ~ a + b", "y ~ a + offset(b / 9)"), missing = "drop",
        objective = one_of("logit", "probit", "poisson", "ols"),
        inference = one_of("none", "onestep"), weights = "w"
      )
    },
    dpSampleAndAggregate = function() {
      c(blocks(), list(innerFun = one_of("mean", "median", "var")), loss())
    },
    `dpSampleAndAggregate of a function` = function() c(blocks(), own_function(), scheme()),
    `dpSampleAndAggregate by other means` = function() c(blocks(), own_function(), aggregator()),
    `dpSampleAndAggregate with failures` = function() {
      c(blocks(), own_function(), one_of(scheme(), aggregator()), list(failureShare = share()))
    },
    `dpSampleAndAggregate, joint` = function() {
      c(blocks(), own_function(), aggregationFun = "Mean", one_of(
        list(failures = "drop", scheme = "resampled", overlap = 2), list(interval = "population"),
        list(failures = "drop", interval = "population", scheme = one_of("partition", "labels"))
      ))
    },
    `dpSampleAndAggregate, dropping` = function() {
      c(blocks(), own_function(), scheme(), failures = "drop", gridPoints = 7, one_of(
        list(aggregationFun = "Median"), list(aggregationFun = "Quantile", prob = share())
      ))
    },
    `dpSampleAndAggregate by balance` = function() {
      c(blocks(), own_function(), score = "balance", gridPoints = 7, one_of(
        list(aggregationFun = "Median"), list(aggregationFun = "Quantile", prob = share())
      ))
    },
    `dpSampleAndAggregate of votes` = function() {
      c(blocks(), scheme(), list(
        innerFun = length, aggregationFun = "Mode", outcomes = seq_len(whole(2, 9)),
        epsilon = epsilon()
      ))
    },
    `dpSampleAndAggregate with a helper` = function() {
      c(blocks(), scheme(), list(
        innerFun = stats::median, rangeMode = "helper", rangeHelper = function(x) x,
        gridPoints = whole(2, 9), epsilon = epsilon()
      ))
    }
  )
})

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
