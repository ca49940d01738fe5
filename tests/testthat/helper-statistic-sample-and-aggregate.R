# Facts about dpSampleAndAggregate() for tests, see helper-statistic-facts.R.

tested_sample_and_aggregate <- list(
  arguments = quote(list(
    dpSampleAndAggregate = c(blocks, list(innerFun = "mean", aggregationFun = "Mean")),
    `dpSampleAndAggregate of a function` = c(
      blocks, list(innerFun = max, aggregationFun = "Median", outputRange = c(0, 1))
    )
  )),
  examples = quote(list(
    blocks = form(aggregate_of(), 1, "estimates"),
    gaussian_blocks = form(aggregate_of(epsilon = NULL, rho = 0.1), 1, "estimates"),
    gaussian_numbers = form(
      aggregate_of(innerFun = function(x) range(x), outputRange = rbind(c(0, 100), c(0, 100)),
        epsilon = NULL, rho = 0.1), 2, "estimates"
    ),
    block_median = form(aggregate_of(aggregationFun = "Median", score = "balance"), 1, "estimates"),
    two_numbers = form(
      aggregate_of(innerFun = function(x) range(x), outputRange = rbind(c(0, 100), c(0, 100))), 2,
      "estimates"
    ),
    named_numbers = form(
      aggregate_of(
        innerFun = income ~ educ, variable = c("income", "educ"), rng = list(c(0, 2e5), c(1, 16)),
        outputRange = rbind(constant = c(-1e5, 1e5), educ = c(-2e4, 2e4))
      ), 2, "estimates"
    ),
    vote = form(
      aggregate_of(
        innerFun = function(x) if (mean(x) > 44) "old" else "young", aggregationFun = "Mode",
        outcomes = c("old", "young")
      ), 1, "estimates"
    ),
    winsorized = form(aggregate_of(aggregationFun = "WinsorizedMean"), 1, "estimates"),
    trimmed = form(aggregate_of(aggregationFun = "TrimmedMean", trim = 0.3), 1, "estimates"),
    sampled = form(aggregate_of(intervalShare = 0.2), 1, "estimates"),
    labels = form(aggregate_of(scheme = "labels"), 1, "estimates"),
    helped = form(
      aggregate_of(rangeMode = "helper", rangeHelper = function(x) x, gridPoints = 11), 1,
      "estimates"
    ),
    counted_failures = form(
      aggregate_of(innerFun = mean, outputRange = c(0, 100), failureShare = 0.2), 1, "estimates"
    ),
    working_blocks = form(
      aggregate_of(
        innerFun = function(x) c(low = min(x), high = max(x)), numSubsets = 100,
        outputRange = rbind(low = c(0, 50), high = c(0, 100)), failures = "drop",
        interval = "population"
      ), 2, "estimates"
    ),
    spread_of_blocks = form(
      aggregate_of(innerFun = "median", interval = "population"), 1, "estimates"
    ),
    working_median = form(
      aggregate_of(
        innerFun = mean, outputRange = c(0, 100), aggregationFun = "Median", failures = "drop",
        score = "balance"
      ), 1, "estimates"
    )
  )),
  guarantees = quote(list(
    dpSampleAndAggregate = with_build(means, function(epsilon) {
      aggregate_of(variable = "x", n = 4, numSubsets = 4, rng = c(0, 10), epsilon = epsilon)
    })
  )),
  audits = quote(list(
    `dpSampleAndAggregate, Gaussian` = gaussian_case(1, ends, 1, function(...) {
      aggregate_of(variable = "x", n = 4, numSubsets = 4, rng = c(0, 10), ...)
    }),
    dpSampleAndAggregate = list(
      make = function(excess) {
        aggregate_of(variable = "x", n = 4, numSubsets = 4, rng = c(0, 10), epsilon = excess)
      },
      data = ends, evidence = itself, draws = 23000
    ),
    `dpSampleAndAggregate, median` = choice_case(62, 30,
      aggregationFun = "Median", score = "balance"
    ),
    `dpSampleAndAggregate, quantile` = choice_case(110, 98,
      aggregationFun = "Quantile", prob = 0.9, score = "balance"
    ),
    # As of dpQuantile.
    `dpSampleAndAggregate, nearest` = list(
      make = function(excess) {
        aggregate_of(innerFun = "median", variable = "x", n = 61, numSubsets = 61, rng = c(0, 1),
          gridPoints = 2, epsilon = 2 * excess, aggregationFun = "Median")
      },
      claim = c(log(2 * exp(0.5) - 1) * (1 - 1e-9), 0),
      data = list(rows(rep(0:1, c(31, 30))), rows(rep(0:1, c(30, 31)))), evidence = itself,
      draws = 30000
    ),
    `dpSampleAndAggregate, resampled` = blocks_case(
      scheme = "resampled", overlap = 2, numSubsets = 8
    )
  )),
  random = quote(list(
    `dpSampleAndAggregate, Gaussian` = function() {
      c(blocks(), own_function()[1:2], list(aggregationFun = "Mean", rho = epsilon()), one_of(
        list(), list(scheme = "resampled", overlap = 2), list(scheme = "labels")
      ))
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
  )),
  covers = quote(list(
    # Blocks have equal size, so the mean of their means is the mean of all rows.
    dpSampleAndAggregate = way(
      aggregate_of(variable = "x", n = 50, epsilon = 0.5),
      function(result) within(mean(data$x), result$interval)
    )
  ))
)
