hitters_of <- function(...) {
  args <- list(
    mechanism = "mechanismExponential", varType = "character", variable = "x", n = 60, epsilon = 1,
    k = 2, bins = c("a", "b", "c", "d")
  )
  do.call(dpHeavyHitters, utils::modifyList(args, list(...)))
}

some_texts <- data.frame(x = rep(c("a", "b", "c", "zz", NA), c(10, 25, 15, 7, 3)))

test_that("releases converge to the most frequent values", {
  result <- exactly(hitters_of(epsilon = 1e6))$release(some_texts)
  expect_equal(result$release, c("b", "c"))
  as_factor <- data.frame(x = factor(some_texts$x))
  expect_equal(exactly(hitters_of(varType = "factor", epsilon = 1e6))$release(as_factor)$release,
    c("b", "c"))
})

test_that("values that do not occur can be released, and misses stay within the accuracy", {
  statistic <- hitters_of(k = 1, epsilon = 0.1, alpha = 0.1)
  found <- replicate(1000, statistic$release(some_texts)$release)
  expect_true("d" %in% found)
  counts <- c(a = 10, b = 25, c = 15, d = 0)
  expect_lte(mean(25 - counts[found] > statistic$accuracy), 0.1 + 6 * sqrt(0.09 / 1000))
  expect_equal(statistic$accuracy, 20 * (log(4) + log(10)))
})

test_that("k selections cost epsilon together", {
  for (k in 1:3) {
    chain <- hitters_of(k = k)$measurement
    expect_lte(chain(d_in = 1L), 1)
    expect_gt(chain(d_in = 1L), 1 - 1e-9)
  }
})

test_that("unknown values are told above a threshold only", {
  statistic <- suppressWarnings(hitters_of(
    mechanism = "mechanismStability", bins = NULL, delta = 1e-3, n = 600, k = 2, epsilon = 2
  ))
  data <- data.frame(x = rep(c("a", "b", "c", "d"), c(100, 300, 199, 1)))
  result <- statistic$release(data)
  expect_equal(result$release, c("b", "c"))
  expect_equal(names(result$counts), c("b", "c"))
  expect_gt(min(unlist(result$counts)), result$threshold - 1)
})

test_that("D_EPS_1 neighbours are as hard to tell apart as promised", {
  statistic <- hitters_of(k = 1, n = 1, bins = c("a", "b"))
  releases <- function(x) {
    replicate(4000, as.double(statistic$release(data.frame(x = x))$release == "a"))
  }
  expect_private(releases("a"), releases("b"), epsilon = 1)
})

test_that("what cannot be is refused", {
  expect_refused(hitters_of(k = 4), "k")
  expect_refused(hitters_of(k = 1.5), "k")
  expect_refused(hitters_of(bins = NULL), "bins")
  expect_refused(hitters_of(mechanism = "mechanismStability"), "bins")
  expect_refused(hitters_of(varType = "numeric"), "varType")
  expect_refused(hitters_of()$release(data.frame(x = 1)), "data")
})

test_behaviours("dpHeavyHitters", list(
  `HH-001` = function() {
    expect_warning(statistic <- hitters_of(k = 1, delta = 1e-5), class = "dp_warning_delta")
    expect_equal(statistic$delta, 0)
    expect_length(statistic$release(some_texts)$release, 1)
  }
))
