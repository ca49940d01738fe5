quantiles_of <- function(...) {
  args <- list(
    varType = "numeric", variable = "x", n = 5, probs = c(0.25, 0.5, 0.75), rng = c(0, 10),
    epsilon = 1, gridPoints = 11
  )
  built(dpQuantiles, utils::modifyList(args, list(...)))
}

# Whether each quantile divides the rows correctly, if rows equal to it may count on either side.
divides <- function(quantiles, probs, x) {
  below <- vapply(quantiles, function(q) sum(x < q), 0)
  at_most <- vapply(quantiles, function(q) sum(x <= q), 0)
  all(below <= probs * length(x) + 1e-9 & at_most >= probs * length(x) - 1e-9)
}

test_that("releases with little noise are the quantiles, within heaps and outside", {
  probs <- c(0.05, 0.3, 0.31, 0.5, 0.95)
  ages <- PUMS5extract10000$age
  of_ages <- exactly(quantiles_of(
    varType = "integer", variable = "age", n = 10000, probs = probs, rng = c(0, 100),
    epsilon = 1000, gridPoints = NULL
  ))
  result <- of_ages$release(PUMS5extract10000)
  expect_true(divides(result$release, probs, ages))
  expect_named(result$release, c("5%", "30%", "31%", "50%", "95%"))
  heaps <- data.frame(x = rep(c(1, 4, 8), c(20, 60, 20)))
  of_heaps <- exactly(quantiles_of(n = 100, probs = c(0.3, 0.5, 0.7, 0.9), epsilon = 1000))
  expect_equal(unname(of_heaps$release(heaps)$release), c(4, 4, 4, 8))
})

test_that("with missing = \"drop\" quantiles use the rows with a value, at no extra cost", {
  data <- data.frame(x = c(rep(c(2, 5, 7), c(20, 20, 20)), rep(NA, 40)))
  drops <- exactly(quantiles_of(n = 100, epsilon = 1000, missing = "drop"))
  expect_equal(unname(drops$release(data)$release), c(2, 5, 7))
  imputes <- exactly(quantiles_of(n = 100, epsilon = 1000))
  expect_identical(drops$measurement(d_in = 1L), imputes$measurement(d_in = 1L))
  whole <- exactly(quantiles_of(
    varType = "integer", n = 9, probs = 0.5, epsilon = 1000, missing = "drop"
  ))
  expect_equal(unname(whole$release(data.frame(x = c(4.9, 4.9, 4.9, -Inf, Inf, 9, 9, NA, NA)))
    $release), 5)
})

test_that("the loss of the chain is the promised one, for any number of quantiles", {
  for (count in c(1, 3, 20)) {
    chain <- quantiles_of(n = 100, probs = seq_len(count) / 21)$measurement
    expect_lte(chain(d_in = 1L), 1)
    expect_gt(chain(d_in = 1L), 1 - 1e-12)
  }
})

test_that("joint quantiles are nearer to the truth than separate ones with shares of the loss", {
  x <- stats::qlnorm((1:2000 - 0.5) / 2000, 3, 1)
  probs <- c(0.1, 0.25, 0.5, 0.75, 0.9)
  rank_errors <- function(values) abs(vapply(values, function(q) mean(x < q), 0) - probs) * 2000
  together <- quantiles_of(
    n = 2000, probs = probs, rng = c(0, 500), gridPoints = 5001, epsilon = 0.2
  )
  single <- lapply(probs, function(prob) {
    small(dpQuantile(varType = "numeric", variable = "x", n = 2000, prob = prob, rng = c(0, 500),
      epsilon = 0.2 / 5, gridPoints = 5001))
  })
  data <- data.frame(x = x)
  of_joint <- replicate(100, mean(rank_errors(together$release(data)$release)))
  of_each <- replicate(100, mean(rank_errors(
    vapply(single, function(statistic) statistic$release(data)$release, 0)
  )))
  # Means of 23 and 57. Single releases deviate by 15 and 25, so eight standard errors lie between.
  expect_lt(mean(of_joint), 0.7 * mean(of_each))
  expect_true(all(rank_errors(together$release(data)$release) <= together$accuracy + 1))
})

test_that("arguments raise errors that name them before any data are read", {
  refused <- function(..., argument) {
    error <- expect_error(quantiles_of(...), class = "dp_error_invalid_argument")
    expect_identical(error$argument, argument)
  }
  refused(probs = numeric(), argument = "probs")
  refused(probs = c(0.5, 0.5), argument = "probs")
  refused(probs = c(0.5, 0.4), argument = "probs")
  refused(probs = c(0.5, NA), argument = "probs")
  refused(probs = c(-0.1, 0.4), argument = "probs")
  refused(probs = 1.1, argument = "probs")
  refused(probs = "half", argument = "probs")
  refused(probs = 1:21 / 22, argument = "probs")
  refused(gridPoints = 1, argument = "gridPoints")
  refused(varType = "logical", argument = "varType")
  expect_error(dpQuantile(
    varType = "numeric", variable = "x", n = 5, prob = c(0.1, 0.5), rng = c(0, 1), epsilon = 1
  ), "dpQuantiles")
})

test_that("the constructor takes vectors and data of every distance", {
  rows <- c(vector_domain(atom_domain(.T = "i32"), size = 7), hamming_distance())
  joint <- rows |> then_joint_quantiles(max_divergence(), 0:9, alphas = c(0.2, 0.8), scale = 0.001)
  expect_identical(joint(arg = c(1L, 1L, 2L, 5L, 5L, 8L, 8L)), c(1L, 8L))
  expect_identical(joint(d_in = 1L), 4000)
  for (bad in list("a", TRUE, list(0.1, "b"), NULL, c(0.1, NA))) {
    expect_error(
      rows |> then_joint_quantiles(max_divergence(), 0:9, alphas = bad, scale = 1),
      class = "dp_error"
    )
  }
})
