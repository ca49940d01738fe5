# Estimates of counts that are not the noisy counts: at least as near to the truth, and within their
# intervals.

test_that("the projection is the nearest possible histogram", {
  counts <- c(12, -3, 7.5, 1)
  near <- count_projection(counts, 10)
  expect_equal(sum(near), 10)
  expect_true(all(near >= 0))
  expect_equal(near, c(7.25, 0, 2.75, 0))
  for (i in 1:200) {
    other <- diff(c(0, sort(stats::qbeta((i * c(0.31, 0.57, 0.83)) %% 1, 1, 1)), 1)) * 10
    expect_gte(sum((other - counts)^2), sum((near - counts)^2))
  }
  expect_equal(count_projection(c(-5, -1), 100), c(48, 52))
  expect_equal(count_projection(c(3, -1, 2), 0), c(0, 0, 0))
})

test_that("counts of many tables are made valid together like counts of each", {
  withr::local_seed(31)
  tables <- matrix(stats::rnorm(60 * 7, 10, 30), 7)
  each <- function(n) vapply(seq_len(60), \(i) count_projection(tables[, i], n[[i]]), numeric(7))
  expect_equal(count_projections(tables, 100), each(rep(100, 60)))
  expect_equal(count_projections(tables, 0:59), each(0:59))
  expect_equal(count_projections(matrix(c(-5, 2, 2)), 1), matrix(c(0, 0.5, 0.5)))
})

test_that("ends hold the estimate, and never less than noise around the noisy count", {
  noisy <- c(-30, 4, 95, 130)
  around <- count_ends(noisy, 10, 100)
  expect_equal(around, list(lower = c(0, 0, 85, 100), upper = c(0, 14, 100, 100)))
  with <- count_ends(noisy, 10, 100, c(0, 20, 80, 99))
  expect_equal(with, list(lower = c(0, 0, 80, 99), upper = c(0, 20, 100, 100)))
})

# Rows in 100 cells, most of them empty, and in 6 that all have many.
populations <- list(sparse = c(900, 100, rep(0, 98)), dense = c(188, 62, 50, 40, 35, 25))

cells_of_rows <- function(counts) rep(seq_along(counts), counts)

# A plan of all kinds of noise for the cells of a population, the rows, and how results show these.
count_plans <- function(counts, alpha) {
  n <- sum(counts)
  texts <- paste0("c", seq_along(counts))
  rows <- data.frame(g = texts[cells_of_rows(counts)])
  sides <- if (length(counts) == 100) c(10, 10) else c(2, 3)
  places <- cells_of_rows(counts) - 1
  pairs <- data.frame(x = places %% sides[[1]], y = places %/% sides[[1]])
  histogram <- function(...) {
    dpHistogram("character", "g", n, bins = texts, alpha = alpha, missing = "impute", ...)
  }
  of_histogram <- function(result) {
    list(estimate = unlist(result$release), noisy = unlist(result$counts))
  }
  plans <- lapply(
    list(
      histogram(epsilon = 0.5), histogram(rho = 0.1),
      histogram(epsilon = 0.5, mechanism = "mechanismSnapping")
    ),
    function(plan) list(plan = plan, rows = rows, shown = of_histogram)
  )
  table <- dpContingency(c("x", "y"), lapply(sides, \(side) seq_len(side) - 1), n = n,
    epsilon = 0.5, alpha = alpha, missing = "impute"
  )
  of_table <- function(result) list(estimate = result$counts$count, noisy = result$release$count)
  c(plans, list(list(plan = table, rows = pairs, shown = of_table)))
}

# This holds for every noise, so the test cannot fail by chance.
test_that("estimates are as accurate as the noisy counts, and within their intervals", {
  for (counts in populations) {
    for (alpha in c(0.05, 0.3)) {
      for (case in small(count_plans(counts, alpha))) {
        for (i in 1:5) {
          result <- case$plan$release(case$rows)
          shown <- case$shown(result)
          table <- as.data.frame(result)
          expect_equal(table$estimate, unname(shown$estimate))
          expect_equal(unname(shown$estimate), count_projection(unname(shown$noisy), sum(counts)))
          expect_lte(sum((shown$estimate - counts)^2), sum((shown$noisy - counts)^2) * (1 + 1e-12))
          expect_true(all(table$conf.low <= table$estimate & table$estimate <= table$conf.high))
        }
      }
    }
  }
})

# A true interval fails one of these 48 bounds with a probability of 1e-9, and so one of them with
# 5e-8 in 50 suites. Each release is one number of a binomial law.
test_that("intervals cover each cell as often as they say", {
  runs <- in_tier(60, 2000)
  for (counts in populations) {
    for (alpha in c(0.05, 0.3)) {
      for (case in small(count_plans(counts, alpha))) {
        hits <- rowSums(replicate(runs, {
          table <- as.data.frame(case$plan$release(case$rows))
          table$conf.low <= counts & counts <= table$conf.high
        }))
        least <- stats::qbinom(1e-9 / 48, runs, 1 - alpha)
        expect_true(all(hits[c(1, 2, length(counts))] >= least))
      }
    }
  }
})

# Each estimate has a standard deviation of about 0.011, the plain sum of squares a bias of 0.032
# more. The bounds are 7 standard deviations of the mean, and 8 times the variance: beyond 1e-9.
test_that("the sum of squared shares has no bias of noise", {
  counts <- c(900, 100, rep(0, 998))
  texts <- paste0("c", seq_along(counts))
  plan <- small(dpHistogram("character", "g", 1000, epsilon = 0.5, bins = texts,
    missing = "impute"))
  rows <- data.frame(g = texts[cells_of_rows(counts)])
  truth <- sum((counts / 1000)^2)
  found <- replicate(50, {
    result <- plan$release(rows)
    noisy <- unlist(result$counts) / 1000
    c(result$herfindahl, sum(noisy^2))
  })
  expect_lt(abs(mean(found[1, ]) - truth), 7 * 0.011 / sqrt(50))
  expect_lt(mean((found[1, ] - truth)^2), mean((found[2, ] - truth)^2))
  nothing <- small(dpHistogram("character", "g", 4, epsilon = 0.01, bins = c("a", "b", "c"),
    missing = "impute"))
  shares <- replicate(20, nothing$release(data.frame(g = c("a", "a", "b", "c")))$herfindahl)
  expect_true(all(shares >= 1 / 3 & shares <= 1))
})

# 50 cells of 100 rows in one level of a, and 950 empty ones. Alone, each margin is a projection.
# Beside a table of all cells, a margin has 0.2 times the squared errors of the noisy counts, and
# the table has 0.1 times these. Means of 60 releases have a relative standard deviation of a tenth,
# so that they are in the other order with a probability far below 1e-9.
test_that("a margin is no less accurate for the empty cells of a table beside it", {
  sizes <- c(a = 10, b = 100)
  exact <- replace(numeric(1000), 1 + 10 * (0:49), 100)
  places <- cells_of_rows(exact) - 1
  rows <- data.frame(a = places %% 10 + 1, b = places %/% 10 + 1)
  errors_of <- function(sets, runs) {
    truth <- lapply(sets, function(set) sums_by_place(exact, places_in_margin(sizes, set)))
    plan <- small(dpContingency(c("a", "b"), list(1:10, 1:100), sets, n = 5000, epsilon = 1,
      missing = "impute"))
    replicate(runs, {
      result <- plan$release(rows)
      table <- as.data.frame(result)
      expect_true(all(table$conf.low <= table$estimate & table$estimate <= table$conf.high))
      of <- function(tables) mapply(\(table, exact) sum((table$count - exact)^2), tables, truth)
      rbind(of(result$counts), of(result$release))
    })
  }
  alone <- errors_of(list("a", "b"), 5)
  expect_true(all(alone[1, , ] <= alone[2, , ] * (1 + 1e-12)))
  means <- apply(errors_of(list("a", c("a", "b")), 60), 1:2, mean)
  expect_true(all(means[1, ] <= means[2, ]))
})
