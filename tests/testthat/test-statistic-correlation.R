columns <- c("income", "educ", "age")

correlation_of <- function(..., epsilon = 1e16) {
  small(exactly(dpCorrelation(columns, 10000, pums_ranges, epsilon, law = "normal", ...)))
}

test_that("without noise it equals R's correlation, with Fisher's intervals", {
  result <- released(correlation_of())
  exact <- stats::cor(PUMS5extract10000[columns])
  expect_equal(as.matrix(result$release), exact, tolerance = 1e-6)
  theirs <- stats::cor.test(~ income + age, PUMS5extract10000)$conf.int
  expect_equal(result$intervals["income:age", ], as.double(theirs), tolerance = 1e-4)
  expect_identical(result$status, "ok")
  table <- as.data.frame(result)
  expect_equal(table$term, c("income:educ", "income:age", "educ:age"))
  expect_equal(table$estimate, exact[lower.tri(exact)], tolerance = 1e-6)
})

test_that("noise moves it as far as intervals without sampling say", {
  plan <- dpCorrelation(c("x", "y"), 1e4, list(c(-1, 1), c(-1, 1)), epsilon = 0.5)
  withr::local_seed(9)
  x <- stats::runif(1e4, -1, 1)
  data <- data.frame(x = x, y = 0.6 * x + 0.4 * stats::runif(1e4, -1, 1))
  r <- stats::cor(data$x, data$y)
  # Intervals take most of the release time, and this test does not use them.
  local_replaced("correlation_interval", function(...) c(-1, 1))
  released <- replicate(600, plan$release(data)$release["x", "y"])
  found <- joint_found(in_doubles(plan$measurement(arg = columns_of(data, c("x", "y")))),
    plan$getFields(), 0.5)
  about <- joint_scatter(found)
  a <- c(-about$mean[[1]], 1, 0)
  b <- c(-about$mean[[2]], 0, 1)
  s <- about$scatter
  deviations <- moment_deviations(found)
  moved <- moved_by_moments(deviations, a, b) / sqrt(s[1, 1] * s[2, 2]) - r / 2 *
    (moved_by_moments(deviations, a) / s[1, 1] + moved_by_moments(deviations, b) / s[2, 2])
  # 600 draws with excess kurtosis 1.2: within seven standard errors.
  expect_lt(abs(log(stats::sd(released) / sqrt(sum(moved^2)))), log(1.3))
})

test_that("moments move the scatter of combinations as stated", {
  a <- c(0.3, 1, 0)
  b <- c(-0.2, 0.5, 2)
  deviations <- matrix(c(1, 2, 3, 2, 5, 4, 3, 4, 6), 3)
  pairs <- which(lower.tri(deviations, diag = TRUE), arr.ind = TRUE)
  direct <- apply(pairs, 1, function(at) {
    noise <- matrix(0, 3, 3)
    noise[at[[1]], at[[2]]] <- noise[at[[2]], at[[1]]] <- deviations[at[[1]], at[[2]]]
    drop(a %*% noise %*% b)
  })
  expect_equal(moved_by_moments(deviations, a, b), direct)
})

test_that("intervals cover at their level even if noise is as large as a variance", {
  # Variances of 1/4 and 1/40 of the largest, in columns of 1000 rows. At the smallest loss, noise
  # hides the second one in most releases.
  runs <- in_tier(100, 2000)
  withr::local_seed(12)
  rows <- function() {
    x <- 2 * stats::rbinom(1000, 1, 0.5) - 1
    y <- 0.1 * x + 0.1 * (2 * stats::rbinom(1000, 1, 0.5) - 1)
    data.frame(x = x, y = y)
  }
  truth <- sqrt(0.5)
  for (epsilon in c(0.3, 1, 2.9)) {
    plan <- small(dpCorrelation(c("x", "y"), 1000, list(c(-1, 1), c(-1, 1)), epsilon))
    results <- replicate(runs, plan$release(rows()), simplify = FALSE)
    ends <- t(vapply(results, function(result) result$intervals[1, ], c(0, 0)))
    expect_true(all(ends[, 1] < ends[, 2] & abs(ends) <= 1))
    expect_gte(sum(ends[, 1] <= truth & truth <= ends[, 2]), least_of(runs, 0.94))
    # A release with a hidden variance has an interval like any other.
    hidden <- vapply(results, function(result) is.na(result$release["x", "y"]), NA)
    expect_false(anyNA(ends))
    if (epsilon == 0.3) expect_gt(mean(hidden), 0.25)
  }
})

test_that("for small noise an interval equals the first-order one", {
  scatter <- list(first = 400, across = 150, second = 300)
  moved <- list(first = c(2, 0, 0), across = c(0, 1, 0), second = c(0, 0, 2))
  r <- 150 / sqrt(400 * 300)
  by <- moved$across / sqrt(400 * 300) - r / 2 * (moved$first / 400 + moved$second / 300)
  reach <- error_reach(1 / 997, matrix(by / (1 - r^2), 1), 0.05)
  found <- correlation_interval(r, scatter, moved, 1000, 0.05)
  expect_equal(found, tanh(atanh(r) + c(-reach, reach)), tolerance = 0.01)
  # With a hundredth of this noise they agree to one more digit. With large noise they do not agree.
  less <- correlation_interval(r, scatter, lapply(moved, `/`, 100), 1000, 0.05)
  expect_equal(less, tanh(atanh(r) + c(-1, 1) * stats::qnorm(0.975) / sqrt(997)),
    tolerance = 1e-3)
  expect_identical(correlation_interval(NA, scatter, lapply(moved, `*`, 1000), 1000, 0.05),
    c(-1, 1))
})

test_that("intervals are the ones from confint()", {
  result <- released(correlation_of(epsilon = 1))
  expect_equal(confint(result), result$intervals, ignore_attr = TRUE)
  expect_identical(rownames(confint(result)), rownames(result$intervals))
  expect_identical(colnames(confint(result)), c("2.5 %", "97.5 %"))
  expect_refused(confint(result, level = 0.9), "level")
})

test_that("a column whose variance noise hides has no correlation", {
  data <- data.frame(x = rep(0.5, 2000), y = rep(c(0, 1), 1000), z = rep(c(0, 0, 1, 1), 500))
  plan <- dpCorrelation(c("x", "y", "z"), 2000, rep(list(c(0, 1)), 3), epsilon = 1)
  # The variance of y is 60 standard deviations of its noise. The variance of x is hidden.
  results <- replicate(50, plan$release(data), simplify = FALSE)
  hidden <- Filter(function(result) result$status == "noise", results)
  expect_gt(length(hidden), 25)
  result <- hidden[[1]]
  expect_true(all(is.na(result$release[["x"]][2:3])))
  # The interval is the full range, except in the one of 20 releases whose noise is informative.
  whole <- vapply(hidden, function(result) identical(unname(result$intervals[1, ]), c(-1, 1)), NA)
  expect_gt(mean(whole), 0.6)
  expect_lt(abs(result$release["y", "z"]), 0.5)
  expect_equal(nrow(picture(result, NULL, NULL)$table), 1)
  expect_match(format(result), "noise", all = FALSE)
})

test_that("a matrix that noise makes no covariance is repaired, within -1 and 1", {
  matrix <- positive_scatter(rbind(c(1, 2), c(2, 1)))
  expect_identical(matrix$status, "repaired")
  expect_gte(min(eigen(matrix$matrix)$values), -1e-12)
  data <- data.frame(x = seq(0, 1, length.out = 300))
  data$y <- data$x
  plan <- dpCorrelation(c("x", "y"), 300, list(c(0, 1), c(0, 1)), epsilon = 1)
  results <- replicate(100, plan$release(data), simplify = FALSE)
  expect_true("repaired" %in% vapply(results, function(result) result$status, ""))
  for (result in results) {
    r <- result$release["x", "y"]
    expect_true(is.na(r) || abs(r) <= 1)
    if (!is.na(r)) expect_true(all(abs(result$intervals) <= 1) && diff(c(result$intervals)) > 0)
  }
})

test_that("rows with gaps are dropped and counted, and too few are reported", {
  data <- transform(PUMS5extract10000, educ = ifelse(age > 60, NA, educ))
  plan <- correlation_of(missing = "drop")
  result <- plan$release(data)
  exact <- stats::cor(data[columns], use = "complete.obs")
  expect_equal(as.matrix(result$release), exact, tolerance = 1e-6)
  expect_equal(result$nPresent, sum(!is.na(data$educ)), tolerance = 1e-9)
  few <- small(dpCorrelation(c("x", "y"), 40, list(c(0, 1), c(0, 1)), 1, missing = "drop"))
  results <- replicate(20, few$release(data.frame(x = rep(NA, 40), y = 1)), simplify = FALSE)
  few <- Filter(function(result) result$status == "few", results)
  expect_gt(length(few), 0)
  expect_true(is.na(few[[1]]$release["x", "y"]))
  expect_identical(unname(few[[1]]$intervals[1, ]), c(-1, 1))
  expect_refused(plot(few[[1]]), "x")
})
