test_that("D-06: the chain is accessible and has the loss that the statistic states", {
  statistics <- list(
    mean_of(), mean_of(varType = "integer"), mean_of(varType = "logical"), aggregate_of(),
    aggregate_of(innerFun = "median", varType = "integer"), aggregate_of(innerFun = "var"),
    aggregate_of(innerFun = max, outputRange = c(0, 3))
  )
  asked <- rep(c(0.1, 1), c(3, 4))
  for (i in seq_along(statistics)) {
    statistic <- statistics[[i]]
    chain <- statistic$measurement
    expect_lte(chain(d_in = 1L), asked[[i]])
    expect_gt(chain(d_in = 1L), asked[[i]] * (1 - 1e-12))
    expect_s3_class(chain, "measurement")
    expect_equal(toString(chain("input_metric")), "ChangeOneDistance()")
    expect_equal(toString(chain("output_measure")), "MaxDivergence")
    expect_equal(toString(statistic$input_metric), "ChangeOneDistance()")
    expect_identical(chain(d_in = statistic$d_in), statistic$epsilon)
    expect_identical(chain(d_in = 0L), 0)
    expect_equal(chain(d_in = 2L), 2 * statistic$epsilon)
  }
})

test_that("any loss has a scale, or raises an error before any data are read", {
  for (epsilon in c(1e-12, 1e-3, 1, 700)) {
    statistic <- exactly(mean_of(epsilon = epsilon))
    expect_lte(statistic$measurement(d_in = 1L), epsilon)
    expect_true(is.finite(statistic$release(PUMS5extract10000)$release))
  }
  expect_error(mean_of(epsilon = 1e-320), class = "dp_error_search")
})

test_that("D-01 and D-02: D_FLT_1 releases are multiples of a public step, whatever the data", {
  step <- 2^(7 - 51) # bounds below 2^7
  statistic <- mean_of(variable = "x", n = 7, epsilon = 1)
  for (value in c(0, 1 / 3, 50, 100, 2^-40)) {
    data <- data.frame(x = rep(value, 7))
    releases <- replicate(200, statistic$release(data)$release)
    expect_true(all(releases / step == round(releases / step)))
  }
})

test_that("D_FLT_1 the check rejects noise added in floating point", {
  step <- 2^(7 - 51)
  mutant <- 1 / 3 + stats::qexp(stats::ppoints(200)) / 0.37
  expect_false(all(mutant / step == round(mutant / step)))
})

test_that("noise has the promised spread", {
  # Continuous Laplace noise of scale 10 misses `accuracy` with probability alpha.
  misses <- function(statistic, truth, data) {
    releases <- replicate(2000, statistic$release(data)$release)
    sum(abs(releases - truth) > statistic$accuracy)
  }
  data <- data.frame(x = rep(c(0, 1), 50))
  for (type in c("numeric", "logical")) {
    statistic <- mean_of(variable = "x", varType = type, n = 100, rng = c(0, 1), alpha = 0.2)
    expect_true(can_occur(misses(statistic, 0.5, data), 2000, 0.2))
  }
  # Noise in whole ones on the sum would miss too often: 0.36, P(|Z| > 1.6) at epsilon 1. Of 20,000
  # releases 0.206 did.
  statistic <- mean_of(variable = "x", varType = "logical", n = 100, alpha = 0.2, epsilon = 1)
  expect_lte(misses(statistic, 0.5, data), most_of(2000, 0.21))
})

test_that("the check of the spread rejects noise that is 40 percent too small", {
  data <- data.frame(x = rep(c(0, 1), 50))
  statistic <- mean_of(variable = "x", n = 100, rng = c(0, 1), alpha = 0.2)
  releases <- replicate(2000, (statistic$release(data)$release - 0.5) * 0.6)
  expect_false(can_occur(sum(abs(releases) > statistic$accuracy), 2000, 0.2))
})

test_that("D_RNG_1 and D_RNG_5 R's generators decide nothing and are left alone", {
  statistics <- list(
    mean_of(), aggregate_of(innerFun = "median"),
    aggregate_of(innerFun = function(x) stats::rnorm(1), outputRange = c(-1, 1), numSubsets = 5)
  )
  for (statistic in statistics) {
    set.seed(1)
    before <- .Random.seed
    first <- statistic$release(PUMS5extract10000)$release
    expect_identical(.Random.seed, before)
    set.seed(1)
    expect_false(identical(statistic$release(PUMS5extract10000)$release, first))
    withr::with_preserve_seed({
      rm(".Random.seed", envir = globalenv())
      statistic$release(PUMS5extract10000)
      expect_false(exists(".Random.seed", globalenv(), inherits = FALSE))
    })
  }
})

if (has_fork()) {
  test_that("D_RNG_3 forked children and their parent never share noise", {
    statistic <- mean_of()
    statistic$release(PUMS5extract10000)
    child <- function(i) statistic$release(PUMS5extract10000)$release
    for (mc_set_seed in c(TRUE, FALSE)) {
      children <- in_forks(1:8, child, 2, mc_set_seed)
      releases <- c(unlist(children), child(), child())
      expect_length(unique(releases), 10)
    }
  })
}
