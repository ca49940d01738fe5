# Bounds that an aggregate sets for a column without bounds.

unbounded <- function(cost, ...) {
  dp_tbl(plenty(), data.frame(cost = cost),
    unit = dp_unit(rows = 1), domain = dp_domain(cost = dp_num(...))
  )
}

released <- function(x, ...) exact_release(summarise(x, ...))

test_that("bounds in the call act like declared bounds", {
  local_verbs()
  cost <- c(-1e300, -5, 0, 1, 2, 3, 3, 4, 5, 80, Inf, NaN)
  found <- lapply(list(unbounded(cost), unbounded(cost, -10, 10)), function(x) {
    released(x,
      sum = dp_sum(cost, bounds = c(0, 5)), mean = dp_mean(cost, bounds = c(0, 5)),
      var = dp_var(cost, bounds = c(0, 5)), sd = dp_sd(cost, bounds = c(0, 5)),
      median = dp_median(cost, bounds = c(0, 5), at = 0:5),
      tree = dp_quantile(cost, 0.5, bounds = c(0, 5), at = 0:5, method = "tree")
    )
  })
  values <- c("sum", "mean", "var", "sd", "median", "tree")
  expect_equal(found[[1]][values], found[[2]][values], tolerance = 1e-3)
  clamped <- pmin(pmax(cost[!is.nan(cost)], 0), 5)
  expect_equal(found[[1]]$sum, sum(clamped), tolerance = 1e-3)
  expect_equal(found[[1]]$mean, mean(clamped), tolerance = 1e-3)
  expect_equal(found[[1]]$median, 3)
})

test_that("unbounded integers and dates are clamped too", {
  local_verbs()
  days <- as.Date("2026-01-01") + 0:9
  x <- dp_tbl(plenty(), data.frame(n = c(1:9, 2000000000L), day = days),
    unit = dp_unit(rows = 1), domain = dp_domain(n = dp_int(), day = dp_date())
  )
  found <- released(x,
    n = dp_sum(n, bounds = c(2.5, 5.5)), m = dp_median(n, bounds = c(0, 20)),
    day = dp_median(day, at = as.numeric(days))
  )
  expect_equal(found$n, sum(pmin(pmax(1:10, 3), 5)), tolerance = 1e-3)
  expect_lte(abs(found$m - 5.5), 1.5)
  expect_lte(abs(as.numeric(found$day) - mean(as.numeric(days))), 1.5)
})

test_that("values beyond the points of a quantile or histogram stay outside", {
  local_verbs()
  x <- unbounded(c(-100, -50, 1.5, 2.5, 2.5, 900))
  found <- released(x,
    cells = dp_histogram(cost, breaks = 1:4), q = dp_quantile(cost, 0.5, at = 1:4, method = "tree")
  )
  expect_equal(unname(found$cells[[1]]), c(1, 2, 0), tolerance = 1e-3)
  expect_true(found$q >= 1 && found$q <= 3)
})

test_that("an unbounded column raises an error, and bounds in the call are checked", {
  local_verbs()
  x <- unbounded(1:3)
  refused <- function(...) expect_error(released(x, ...), class = "dp_error_domain")
  refused(n = dp_sum(cost))
  refused(n = dp_mean(cost))
  refused(n = dp_median(cost))
  expect_error(released(x, n = dp_sum(cost, bounds = c(0, Inf))), class = "dp_error")
  expect_error(released(x, n = dp_sum(cost, bounds = c(2, 1))), class = "dp_error")
})

test_that("the loss of a sum depends on the bounds in the call", {
  local_verbs()
  sensitivity <- function(bounds) {
    query <- summarise(unbounded(1), n = dp_sum(cost, bounds = bounds))
    as.data.frame(dp_preview(query, epsilon = 1))$sensitivity
  }
  expect_equal(sensitivity(c(-3, 8)), 8, tolerance = 1e-9)
  expect_equal(sensitivity(c(-30, 8)), 30, tolerance = 1e-9)
})

test_that("tree quantiles have intervals, and score quantiles a rank accuracy", {
  local_verbs()
  set.seed(1)
  value <- runif(20000, 0, 100)
  x <- dp_tbl(plenty(), data.frame(value = value),
    unit = dp_unit(rows = 1), domain = dp_domain(value = dp_num(0, 100))
  )
  query <- summarise(x,
    q = dp_quantile(value, c(0.1, 0.5, 0.9), at = 0:100), m = dp_median(value, at = 0:100)
  )
  preview <- as.data.frame(dp_preview(query, epsilon = 1))
  of_scores <- preview$mechanism == "permute and flip"
  # Scale 4 on doubled ranks, with 100 candidates besides the chosen one, at level 1 / 20.
  expect_equal(preview$accuracy[of_scores], preview$scale[of_scores] * log(100 / 0.05) / 2,
    tolerance = 1e-6
  )
  # Each interval misses in less than one of 1e10 releases.
  table <- generics::tidy(small(release(query, epsilon = 1, alpha = 1e-10)))
  of_tree <- grepl("^q", table$term)
  expect_identical(sum(of_tree), 3L)
  truth <- quantile(value, c(0.1, 0.5, 0.9))
  expect_true(all(table$conf.low[of_tree] <= truth & truth <= table$conf.high[of_tree]))
  expect_true(all(table$conf.high[of_tree] - table$conf.low[of_tree] < 20))
  of_score <- table$term == "m"
  # The tree counts the values, so the other quantile is of something, but its interval is unknown.
  expect_identical(table$mark[of_score], "unknown")
  expect_identical(c(table$conf.low[of_score], table$conf.high[of_score]), c(NA_real_, NA))
})

test_that("the footer says which whole numbers and days are within bounds", {
  local_verbs()
  rows <- data.frame(x = 1:50, y = 1:50 / 5, d = as.Date("2026-01-01") + 0:49)
  table <- dp_tbl(plenty(), rows, dp_unit(rows = 1), dp_schema(
    x = dp_int(0, 50), y = dp_num(0, 10), d = dp_date("2026-01-01", "2026-03-01")
  ))
  days <- as.Date(c("2026-01-05", "2026-01-09"))
  released <- small(exact_release(summarise(table,
    a = dp_sum(x, c(0.5, 10.5)), b = dp_sum(y, c(0.5, 8.5)), c = dp_sum(x * 2, c(0.5, 9)),
    d = dp_mean(d, days)
  )))
  notes <- about_released(released)$notes
  expect_equal(released$a, sum(pmin(pmax(rows$x, 1), 10)))
  expect_true("dp_sum(x): values count as 1 to 10" %in% notes)
  expect_true("dp_sum(y): values count as 0.5 to 8.5" %in% notes)
  expect_true("dp_sum(x * 2): values count as 1 to 9" %in% notes)
  expect_true("dp_mean(d): values count as 2026-01-05 to 2026-01-09" %in% notes)
})

test_that("bounds, breaks and candidates of dates can be texts", {
  local_verbs()
  rows <- data.frame(d = as.Date("2026-01-01") + 0:9)
  table <- dp_tbl(plenty(), rows, dp_unit(rows = 1), dp_schema(
    d = dp_date("2026-01-01", "2026-03-01")
  ))
  edges <- c("2026-01-01", "2026-01-04", "2026-03-01")
  released <- small(release(summarise(table,
    h = dp_histogram(d, edges), m = dp_mean(d, bounds = edges[1:2]), q = dp_median(d, at = edges),
    s = dp_sum(as.integer(coalesce(d, "2026-01-05") - "2026-01-01"))
  ), epsilon = 1e7))
  expect_equal(round(unlist(released$h, use.names = FALSE)), c(3, 7))
  expect_equal(as.numeric(released$m - as.Date("2026-01-01")), 2.4, tolerance = 1e-2)
  expect_identical(released$q, as.Date("2026-01-04"))
  expect_equal(released$s, 45, tolerance = 1e-3)
  expect_error(summarise(table, h = dp_histogram(d, c("2026-01-01", "x"))), "increasing numbers",
    class = "dp_error_invalid_argument"
  )
})
