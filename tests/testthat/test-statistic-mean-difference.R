sexes <- c(0, 1)
sizes <- c(4876, 5124)

# Negligible noise.
gap_of <- function(..., epsilon = 1e14) {
  small(exactly(dpMeanDifference("income", "sex", sexes, rng = c(0, 2e5), epsilon = epsilon, ...)))
}

clamped <- transform(PUMS5extract10000, income = pmin(pmax(income, 0), 2e5))
exact_means <- as.double(tapply(clamped$income, clamped$sex, mean))
welch <- stats::t.test(income ~ sex, clamped)$conf.int

test_that("without noise it equals R's, with Welch's interval, for private and public sizes", {
  for (missing in c("impute", "drop")) {
    for (gap in list(
      gap_of(n = 10000, missing = missing), gap_of(groupSizes = sizes, missing = missing)
    )) {
      result <- released(gap)
      expect_equal(result$release, exact_means[[1]] - exact_means[[2]], tolerance = 1e-8)
      expect_equal(result$means, c(`0` = exact_means[[1]], `1` = exact_means[[2]]))
      expect_equal(result$rows, c(`0` = sizes[[1]], `1` = sizes[[2]]))
      expect_equal(result$populationInterval, as.double(welch), tolerance = 1e-3)
      expect_equal(confint(result)[1, ], result$populationInterval, ignore_attr = TRUE)
      expect_identical(result$status, "ok")
    }
  }
})

test_that("groups are texts or numbers, and rows of other groups do not count", {
  jobs <- transform(clamped, sex = c("f", "m", "x")[1 + sex + (age > 80)])
  gap <- small(exactly(
    dpMeanDifference("income", "sex", c("m", "f"), 10000, c(0, 2e5), epsilon = 1e14)
  ))
  means <- tapply(jobs$income, jobs$sex, mean)
  for (data in list(jobs, transform(jobs, sex = factor(sex)))) {
    expect_equal(gap$release(data)$release, means[["m"]] - means[["f"]], tolerance = 1e-8)
  }
  expect_equal(gap$result$rows[["f"]], sum(jobs$sex == "f"))
})

test_that("missing values are drawn from the range, or dropped", {
  gone <- transform(clamped, income = replace(income, seq(1, 10000, 4), NA))
  dropped <- tapply(gone$income, gone$sex, mean, na.rm = TRUE)
  for (gap in list(
    gap_of(n = 10000, missing = "drop"), gap_of(groupSizes = sizes, missing = "drop")
  )) {
    result <- gap$release(gone)
    expect_equal(unname(result$means), as.double(dropped), tolerance = 1e-8)
    expect_equal(sum(result$rows), 7500, tolerance = 1e-8)
  }
  drawn <- gap_of(n = 10000, imputeRng = c(1e5, 1e5))$release(gone)
  expect_equal(unname(drawn$means),
    as.double(tapply(replace(gone$income, is.na(gone$income), 1e5), gone$sex, mean)),
    tolerance = 1e-8
  )
})

test_that("noise moves it as far as its standard error adds to sampling", {
  withr::local_seed(6)
  data <- data.frame(x = stats::rbeta(2000, 2, 8), y = rep(c("a", "b", "c"), c(800, 1000, 200)))
  kept <- data[1:1800, ]
  sampling <- sum(tapply(kept$x, kept$y, stats::var) / c(800, 1000))
  for (sizes in list(NULL, c(800, 1000))) {
    rows <- if (is.null(sizes)) data else kept
    gap <- dpMeanDifference("x", "y", c("a", "b"), nrow(rows), c(0, 1), 0.5, groupSizes = sizes)
    results <- replicate(600, gap$release(rows), simplify = FALSE)
    found <- stats::sd(vapply(results, `[[`, 0, "release"))
    expected <- sqrt(mean(vapply(results, `[[`, 0, "standardError")^2) - sampling)
    # A standard deviation of 600 draws is within a quarter of the true one, by six standard errors.
    expect_lt(abs(log(found / expected)), log(1.3))
  }
})

test_that("public sizes reduce the noise, and are a named promise", {
  private <- gap_of(n = 10000, epsilon = 0.1)
  public <- gap_of(groupSizes = sizes, epsilon = 0.1)
  noise <- function(gap) mean(replicate(20, released(gap)$standardError))
  expect_lt(noise(public), noise(private))
  expect_identical(released(public)$unverified, "groupSizes")
  expect_match(format(public$result), "promise", all = FALSE)
  expect_null(released(private)$unverified)
  expect_identical(public$n, 10000)
  expect_match(format(public$input_metric), "Hamming", all = FALSE)
})

test_that("data with other sizes or groups raise the same error, whatever they are", {
  gap <- gap_of(groupSizes = sizes)
  refuses <- function(data) expect_error(gap$release(data), class = "dp_error_rows")
  refuses(clamped[-1, ])
  refuses(transform(clamped, sex = 1 - sex))
  refuses(transform(clamped, sex = replace(sex, 1, NA)))
  refuses(transform(clamped, sex = replace(sex, 1, 2)))
  expect_null(gap$result)
  expect_match(dry_run(gap, clamped[1:30, ])$refused, "the numbers of rows in `groupSizes`")
  expect_s3_class(dry_run(gap, clamped)$result, "dp_result")
})

test_that("combinations of arguments are checked", {
  gap <- function(...) {
    built(dpMeanDifference, utils::modifyList(list(
      variable = "x", group = "y", groups = c(0, 1), rng = c(0, 1), epsilon = 1
    ), list(...)))
  }
  expect_refused(gap(n = 10, group = "x"), "group")
  expect_refused(gap(n = 11, groupSizes = c(5, 5)), "n")
  expect_refused(gap(groupSizes = c(5, 5), n_check = "resize"), "n_check")
  expect_identical(gap(n = 10, groupSizes = c(5, 5))$n, 10)
  expect_refused(gap(), "n")
  expect_warning(
    dpMeanDifference("x", "y", c(0, 1), 10, c(0, 1), 0.1),
    class = "dp_warning_noise"
  )
})

test_that("few rows in a group are reported", {
  gap <- dpMeanDifference("x", "y", c("a", "b"), 200, c(0, 1), epsilon = 1)
  data <- data.frame(x = 0.5, y = rep(c("a", "c"), each = 100))
  results <- replicate(20, gap$release(data), simplify = FALSE)
  few <- Filter(function(result) result$status == "few", results)
  expect_gt(length(few), 0)
  expect_true(is.na(few[[1]]$release))
  expect_identical(few[[1]]$populationInterval, c(-1, 1))
  expect_true(is.na(few[[1]]$means[["b"]]))
  expect_refused(plot(few[[1]]), "x")
})
