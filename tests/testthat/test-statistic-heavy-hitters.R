hitters_of <- function(...) {
  args <- list(
    mechanism = "mechanismExponential", varType = "character", variable = "x", n = 60, epsilon = 1,
    k = 2, bins = c("a", "b", "c", "d")
  )
  built(dpHeavyHitters, utils::modifyList(args, list(...)))
}

some_texts <- data.frame(x = rep(c("a", "b", "c", "zz", NA), c(10, 25, 15, 7, 3)))

test_that("releases converge to the most frequent values", {
  result <- exactly(hitters_of(epsilon = 1e6))$release(some_texts)
  expect_equal(result$release, c("b", "c"))
  as_factor <- data.frame(x = factor(some_texts$x))
  expect_equal(exactly(hitters_of(varType = "factor", epsilon = 1e6))$release(as_factor)$release,
    c("b", "c"))
})

test_that("absent values can be released, and misses stay within the accuracy", {
  statistic <- hitters_of(k = 1, epsilon = 0.1, alpha = 0.1)
  found <- replicate(1000, statistic$release(some_texts)$release)
  expect_true("d" %in% found)
  expect_equal(statistic$accuracy, 20 * (log(4) + log(10)))
  # The other values are just beyond the accuracy. Of all releases 0.069 miss. More than 0.1 of
  # these miss in one of 1e9 runs.
  close <- data.frame(x = rep(c("a", "b", "c", "d"), c(100, 174, 100, 100)))
  statistic <- hitters_of(k = 1, epsilon = 0.1, alpha = 0.1, n = 474)
  missed <- replicate(3000, statistic$release(close)$release != "b")
  expect_lte(mean(missed), 0.1)
  expect_gt(mean(missed), 0.001)
})

test_that("k selections cost epsilon together", {
  for (k in 1:3) {
    chain <- hitters_of(k = k)$measurement
    expect_lte(chain(d_in = 1L), 1)
    expect_gt(chain(d_in = 1L), 1 - 1e-9)
  }
})

counted_of <- function(...) hitters_of(mechanism = "mechanismLaplace", ...)

test_that("counts are made once: the largest are released with them, for any k", {
  result <- exactly(counted_of(epsilon = 1e6))$release(some_texts)
  expect_equal(result$release, c("b", "c"))
  expect_equal(result$counts, data.frame(b = 25, c = 15))
  expect_equal(result$intervals[["lower bound"]], c(24, 14))
  for (k in 1:3) {
    statistic <- counted_of(k = k)
    expect_identical(statistic$accuracy, 2 * ceiling(2 * log(4 / 0.05)))
    loss <- statistic$measurement(d_in = 1L)
    expect_lte(loss, 1)
    expect_gt(loss, 1 - 1e-9)
  }
  expect_lte(compose_pld(list(counted_of(k = 1), counted_of(k = 3)), d_in = 1L)(delta = 0), 2)
})

test_that("equal counts stay in the order of the bins and are integers", {
  nobody <- data.frame(x = rep("zz", 60))
  result <- exactly(counted_of(epsilon = 1e6, k = 3))$release(nobody)
  expect_identical(result$release, c("a", "b", "c"))
  found <- counted_of(epsilon = 0.1)$release(some_texts)$counts
  expect_true(all(unlist(found) == round(unlist(found))))
})

test_that("intervals hold for all released counts, although these are the largest", {
  bins <- sprintf("v%03d", 1:200)
  alike <- data.frame(x = rep(bins, 10))
  statistic <- counted_of(n = 2000, bins = bins, k = 5, alpha = 0.1)
  holds <- replicate(1000, {
    ends <- statistic$release(alike)$intervals
    all(ends[["lower bound"]] <= 10 & ends[["upper bound"]] >= 10)
  })
  expect_gte(mean(holds), 0.9)
  # A reach for five values chosen in advance would nearly always miss.
  reach <- 2 * log(5 / 0.1)
  narrow <- replicate(200, all(abs(unlist(statistic$release(alike)$counts) - 10) <= reach))
  expect_lt(mean(narrow), 0.5)
})

test_that("the best mechanism is the default", {
  chosen <- function(...) {
    dpHeavyHitters(varType = "character", variable = "x", n = 60, ...)$mechanism
  }
  expect_identical(chosen(epsilon = 1, k = 1, bins = c("a", "b")), "mechanismExponential")
  expect_identical(chosen(epsilon = 1, k = 2, bins = letters), "mechanismLaplace")
  expect_identical(chosen(epsilon = 1, k = 2, delta = 1e-6), "mechanismStability")
})

test_that("counting once misses fewer frequent values than repeated selection", {
  sizes <- ceiling(3000 / (1:300)^1)
  names <- sprintf("v%03d", 1:300)
  data <- data.frame(x = rep(names, sizes))
  misses <- function(mechanism) {
    statistic <- hitters_of(
      mechanism = mechanism, n = nrow(data), bins = names, k = 20, epsilon = 0.5
    )
    mean(replicate(50, 20 - length(intersect(statistic$release(data)$release, names[1:20]))))
  }
  expect_lt(3 * misses("mechanismLaplace"), misses("mechanismExponential"))
})

test_that("unknown values are released only above a threshold", {
  statistic <- suppressWarnings(hitters_of(
    mechanism = "mechanismStability", bins = NULL, delta = 1e-9, n = 600, k = 4, epsilon = 2
  ))
  data <- data.frame(x = rep(c("a", "b", "c", "d"), c(100, 300, 199, 1)))
  result <- statistic$release(data)
  # Only delta allows the release of one row.
  expect_equal(result$release, c("b", "c", "a"))
  expect_equal(names(result$counts), c("b", "c", "a"))
  expect_gt(min(unlist(result$counts)), result$threshold - 1)
})

set_of <- function(...) {
  suppressWarnings(hitters_of(mechanism = "mechanismStability", ...), classes = "dp_warning_delta")
}

test_that("the exact set is released if the gap is wide, and nothing otherwise", {
  data <- data.frame(x = rep(c("a", "b", "c", "d"), c(300, 100, 290, 80)))
  statistic <- set_of(n = nrow(data), delta = 1e-12)
  result <- statistic$release(data)
  expect_equal(result$release, c("a", "c"))
  expect_named(result,
    c("release", "variable", "accuracy", "epsilon", "delta", "threshold"))
  expect_equal(statistic$accuracy, 2 * (statistic$threshold + ceiling(log(20))) + 1)
  expect_lte(statistic$threshold, ceiling(log(1e12)))
  one <- set_of(n = nrow(data), delta = 1e-12, k = 1)
  expect_equal(one$release(data)$release, character())
  nobody <- data.frame(x = rep(NA_character_, nrow(data)))
  expect_equal(statistic$release(nobody)$release, character())
})

test_that("a set whose gap equals the accuracy is released at the promised rate", {
  statistic <- set_of(n = 201, k = 1, delta = 1e-3, epsilon = 0.5, alpha = 0.1)
  gap <- statistic$accuracy
  data <- data.frame(x = rep(c("a", "b"), c((201 + gap) / 2, (201 - gap) / 2)))
  released <- replicate(1000, length(statistic$release(data)$release) == 1)
  expect_gte(sum(released), least_of(1000, 0.9))
  expect_lt(mean(released), 1)
})

test_that("the set costs epsilon and delta, with less than one step of delta left", {
  for (epsilon in c(0.1, 1, 2.9)) {
    statistic <- set_of(epsilon = epsilon, delta = 1e-4)
    loss <- statistic$measurement(d_in = 1L)
    expect_lte(loss[[1]], epsilon)
    expect_lte(loss[[2]], 1e-4)
    expect_gt(loss[[2]], 1e-4 * exp(-epsilon) * (1 - 1e-9))
  }
})

test_that("D_EPS_1 neighbours with different sets are as hard to distinguish as promised", {
  statistic <- set_of(n = 9, k = 1, bins = c("a", "b"), delta = 0.1)
  evidence <- function(which, n) {
    data <- data.frame(x = c(rep(c("a", "b"), 4), c("a", "b")[[which]]))
    replicate(n, {
      released <- statistic$release(data)$release
      if (length(released) == 0) 0 else if (released == "a") 1 else 2
    })
  }
  # The set reveals itself no more often than delta allows.
  expect_lte(proven(list(evidence = evidence), c(1, 0.1), 4000), 1)
  expect_gt(proven(list(evidence = evidence), c(1, 0), 4000), 1)
})

test_that("invalid arguments raise errors", {
  expect_refused(hitters_of(k = 4), "k")
  expect_refused(hitters_of(k = 1.5), "k")
  expect_refused(hitters_of(bins = NULL), "bins")
  expect_refused(hitters_of(mechanism = "mechanismStability", k = 4), "k")
  expect_refused(hitters_of(mechanism = "mechanismStability", delta = 0.1), "delta")
  expect_refused(hitters_of(varType = "numeric"), "varType")
  expect_refused(counted_of(k = 4), "k")
  expect_refused(counted_of(bins = NULL), "bins")
  expect_warning(counted_of(delta = 1e-5), class = "dp_warning_delta")
  expect_refused(hitters_of()$release(data.frame(x = 1)), "data")
})

test_behaviours("dpHeavyHitters", list(
  `HH-001` = function() {
    expect_warning(statistic <- hitters_of(k = 1, delta = 1e-5), class = "dp_warning_delta")
    expect_equal(statistic$delta, 0)
    expect_length(statistic$release(some_texts)$release, 1)
  }
))
