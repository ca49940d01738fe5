# confint() has the intervals of the table, with their target, or says why there are none.
expect_intervals_of_table <- function(result, table) {
  if (!is.null(result$bounds)) {
    expect_error(confint(result), "Declare the bounds", class = "dp_error_invalid_argument")
  } else if (has_regression(result)) {
    expect_true(TRUE)
  } else if (is.null(table$conf.low)) {
    expect_error(confint(result), "a result with intervals", class = "dp_error_invalid_argument")
  } else {
    intervals <- confint(result)
    expect_identical(nrow(intervals), nrow(table))
    expect_identical(as.character(rownames(intervals)), table$term)
    expect_equal(unname(intervals[, 1]), table$conf.low)
    expect_equal(unname(intervals[, 2]), table$conf.high)
    expect_true(all(table$covers == attr(intervals, "covers")))
  }
}

test_that("every form of a result is a table with one row per number", {
  for (form in result_forms()) {
    table <- as.data.frame(form$result)
    expect_equal(nrow(table), form$rows)
    expect_named(table[1:2], c("term", "estimate"))
    expect_type(table$term, "character")
    expect_type(table$estimate, "double")
    expect_identical(anyDuplicated(table$term), 0L)
    expect_identical(generics::tidy(form$result), table)
    expect_identical(generics::tidy(form$statistic), table)
    expect_identical(as.data.frame(form$statistic), table)
    glance <- generics::glance(form$result)
    expect_equal(nrow(glance), 1)
    rho <- if (!is.null(form$statistic$getFields()$rho)) "rho"
    expect_named(glance, c("method", "n", "epsilon", "delta", "alpha", rho, "covers", "notes"))
    expect_identical(generics::glance(form$statistic), glance)
    expect_intervals_of_table(form$result, table)
    if (!is.null(table$conf.low)) {
      # Some rows have no interval: the variance of residuals beside coefficients, and numbers that
      # may be pure noise, which have no estimate either. If noise rules out nothing about a
      # correlation, its interval is -1 to 1. A cluster of few rows keeps its centre.
      alone <- identical(form$statistic$getFields()$inference, "onestep") &
        table$term == "variance"
      hidden <- is.na(table$estimate) & !inherits(form$statistic, "dpCorrelation")
      stays <- inherits(form$statistic, "dpKMeans") &&
        identical(form$result$status, "few")
      without <- if (stays) {
        unlist(form$result$release) %in% unlist(form$result$previous)
      } else {
        alone | hidden
      }
      if (anyNA(table$estimate)) expect_identical(form$result$status, "noise")
      expect_identical(is.na(table$conf.low), without)
      expect_identical(is.na(table$conf.high), without)
      expect_true(all((table$conf.low <= table$conf.high)[!without]))
    }
  }
})

test_that("a table has the numbers of the result", {
  forms <- result_forms()
  mean <- forms$mean$result
  expect_equal(as.data.frame(mean)$conf.high, mean$interval[[2]])
  expect_equal(as.data.frame(mean)$estimate, mean$release)
  numbers <- forms$two_numbers$result
  table <- as.data.frame(numbers)
  expect_equal(table$term, c("age[1]", "age[2]"))
  expect_equal(as.matrix(table[c("conf.low", "conf.high")]), numbers$interval, ignore_attr = TRUE)
  expect_equal(as.data.frame(forms$named_numbers$result)$term, c("constant", "educ"))
  sampled <- as.data.frame(forms$sampled$result)
  expect_equal(c(sampled$sampling.low, sampled$sampling.high),
    forms$sampled$result$samplingInterval)
  hitters <- forms$stable_hitters$result
  expect_equal(as.data.frame(hitters)$estimate, as.double(hitters$counts))
  expect_equal(as.data.frame(forms$tree$result)$estimate, forms$tree$result$tree[[4]])
})

test_that("the error of a leaf is its noise", {
  statistic <- small(dpTree("numeric", "x", 4, 2, c(0, 4), globalEps = 2))
  leaf <- function() as.data.frame(statistic$release(data.frame(x = c(0.5, 1.5, 2.5, 3.5))))[2, ]
  leaves <- do.call(rbind, replicate(2000, leaf(), simplify = FALSE))
  # The standard deviation of 2000 draws is off by 10 % about once in 1e7 times, including heavy
  # tails.
  expect_equal(stats::sd(leaves$estimate), leaves$std.error[[1]], tolerance = 0.2)
  expect_equal(mean(leaves$estimate), 1, tolerance = 0.5)
})

test_that("an unreleased statistic has no table", {
  expect_refused(as.data.frame(mean_of()), "x")
  expect_refused(generics::glance(mean_of()), "x")
})
