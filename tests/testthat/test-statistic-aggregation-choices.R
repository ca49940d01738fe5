# Aggregators and schemes as objects: a second spelling of the same plans.

# Old spelling and object for every aggregator and every scheme.
spellings <- function() {
  vote <- function(x) if (mean(x) > 44) "old" else "young"
  helper <- function(range) range
  list(
    list(list(), list(aggregationFun = aggregator_mean())),
    list(list(rangeMode = "loose"), list(aggregationFun = aggregator_mean("loose"))),
    list(
      list(rangeMode = "loose", gridPoints = 50),
      list(aggregationFun = aggregator_mean("loose", gridPoints = 50L))
    ),
    list(list(intervalShare = 0.2), list(aggregationFun = aggregator_mean(intervalShare = 0.2))),
    list(
      list(rangeMode = "helper", rangeHelper = helper, gridPoints = 11),
      list(aggregationFun = aggregator_mean(rangeHelper = helper, gridPoints = 11))
    ),
    list(
      list(aggregationFun = "WinsorizedMean", gridPoints = 11),
      list(aggregationFun = aggregator_winsorized_mean(11))
    ),
    list(
      list(aggregationFun = "TrimmedMean", trim = 0.1),
      list(aggregationFun = aggregator_trimmed_mean(0.1))
    ),
    list(list(aggregationFun = "Median"), list(aggregationFun = aggregator_median())),
    list(
      list(aggregationFun = "Median", score = "nearest"),
      list(aggregationFun = aggregator_median())
    ),
    list(
      list(aggregationFun = "Median", score = "balance"),
      list(aggregationFun = aggregator_median(score = "balance"))
    ),
    list(
      list(aggregationFun = "Quantile", prob = 0.9, score = "balance"),
      list(aggregationFun = aggregator_quantile(0.9, score = "Balance"))
    ),
    list(
      list(aggregationFun = "Quantile", prob = 0.9, gridPoints = 11),
      list(aggregationFun = aggregator_quantile(0.9, 11))
    ),
    list(
      list(innerFun = vote, aggregationFun = "Mode", outcomes = c("old", "young")),
      list(innerFun = vote, aggregationFun = aggregator_mode(c("old", "young")))
    ),
    list(list(), list(scheme = scheme_partition())),
    list(list(scheme = "resampled", overlap = 5), list(scheme = scheme_resampled(5))),
    list(list(scheme = "labels"), list(scheme = scheme_labels())),
    list(
      list(scheme = "resampled", overlap = 2, aggregationFun = "Median", gridPoints = 11),
      list(scheme = scheme_resampled(2L), aggregationFun = aggregator_median(11))
    )
  )
}

test_that("an object gives the same plan as the single arguments", {
  for (pair in spellings()) {
    old <- do.call(aggregate_of, pair[[1]])
    new <- do.call(aggregate_of, pair[[2]])
    expect_identical(plan_hash(new), plan_hash(old), label = deparse1(pair[[1]]))
    expect_identical(names(new$getFields()), names(old$getFields()))
    expect_identical(new$aggregationFun, old$aggregationFun)
    expect_identical(new$scheme, old$scheme)
    expect_identical(format(new), format(old))
    if (!holds_code(old)) {
      expect_identical(to_json(new), to_json(old))
      expect_identical(plan_hash(small(from_json(to_json(new)))), plan_hash(old))
    }
  }
  # Every aggregator, and every scheme except the one that draws its subsets when built.
  chosen <- lapply(spellings(), `[[`, 2)
  of <- function(argument) {
    unique(unlist(lapply(chosen, function(args) args[[argument]]$name)))
  }
  expect_setequal(of("aggregationFun"), names(aggregators))
  expect_setequal(c(of("scheme"), "subsets"), block_schemes)
})

test_that("subsets as an object have the size of the old spelling", {
  old <- aggregate_of(scheme = "subsets", subsetSize = 20)
  new <- aggregate_of(scheme = scheme_subsets(20L))
  expect_identical(new$subsetSizes, old$subsetSizes)
  expect_identical(plan_hash(new), plan_hash(old))
})

test_that("arguments that an object sets cannot be given beside it", {
  expect_refused(aggregate_of(aggregationFun = aggregator_median(), gridPoints = 50), "gridPoints")
  expect_refused(aggregate_of(aggregationFun = aggregator_trimmed_mean(0.1), trim = 0.2), "trim")
  expect_refused(
    aggregate_of(aggregationFun = aggregator_median(), score = "balance"), "score"
  )
  expect_refused(aggregate_of(scheme = scheme_resampled(2), overlap = 5), "overlap")
  expect_s3_class(aggregate_of(aggregationFun = aggregator_median(), trim = 0.1), "dpStatistic")
})

test_that("arguments are checked where the object is made", {
  expect_refused(aggregator_mean("wide"), "rangeMode")
  expect_refused(aggregator_mean("helper"), "rangeHelper")
  expect_refused(aggregator_mean("tight", rangeHelper = identity), "rangeHelper")
  expect_refused(aggregator_mean(rangeHelper = 1), "rangeHelper")
  expect_refused(aggregator_mean(intervalShare = 1), "intervalShare")
  expect_refused(aggregator_mean("loose", intervalShare = 0.5), "intervalShare")
  expect_refused(aggregator_winsorized_mean(1), "gridPoints")
  expect_refused(aggregator_trimmed_mean(0.5), "trim")
  expect_refused(aggregator_trimmed_mean("a"), "trim")
  expect_refused(aggregator_median(0.5), "gridPoints")
  expect_refused(aggregator_median(score = "middle"), "score")
  expect_refused(aggregator_quantile(), "prob")
  expect_refused(aggregator_quantile(2), "prob")
  expect_refused(aggregator_mode(), "outcomes")
  expect_refused(aggregator_mode("one"), "outcomes")
  expect_refused(scheme_resampled(), "overlap")
  expect_refused(scheme_resampled(0), "overlap")
  expect_refused(scheme_subsets(0.5), "subsetSize")
})

test_that("an object as any other argument raises that argument's error", {
  expect_refused(aggregate_of(scheme = aggregator_mean()), "scheme")
  expect_refused(aggregate_of(aggregationFun = scheme_labels()), "aggregationFun")
  expect_refused(mean_of(mechanism = aggregator_mean()), "mechanism")
  expect_refused(aggregate_of(aggregationFun = aggregator_median), "aggregationFun")
})

test_that("objects print their settings and capture no environment", {
  expect_snapshot({
    aggregator_mean()
    aggregator_mean(rangeHelper = identity)
    aggregator_trimmed_mean(0.1)
    aggregator_quantile(0.9)
    aggregator_median(score = "balance")
    aggregator_mode(c("old", "young"))
    scheme_partition()
    scheme_resampled(3)
  })
  canary <- 7417.3391
  made_by <- function(private) aggregator_mean(rangeHelper = function(range) range)
  bytes <- serialize(made_by(canary), NULL)
  expect_length(grepRaw(writeBin(canary, raw(), endian = "big"), bytes, fixed = TRUE), 0)
})
