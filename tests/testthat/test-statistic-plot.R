test_that("every form of a result has its plots", {
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  for (form in result_forms()) {
    if (form$rows > 0) expect_named(pictures(form$result), form$pictures)
    for (what in form$pictures) {
      expect_identical(
        withVisible(plot(form$result, what)), list(value = form$result, visible = FALSE)
      )
    }
    if (form$rows > 0) {
      expect_identical(plot(form$statistic), form$statistic)
      first <- picture(form$result, form$pictures[[1]], NULL)
      expect_identical(picture(form$result, NULL, NULL), first)
    }
  }
})

test_that("a plot shows the release within its interval", {
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  result <- released(mean_of())
  before <- graphics::par("mar")
  plot(result, main = "Ages")
  expect_identical(graphics::par("mar"), before)
  shown <- graphics::par("usr")
  expect_true(shown[[1]] < result$interval[[1]] && result$interval[[2]] < shown[[2]])
})

test_that("plots show the numbers of the result", {
  forms <- result_forms()
  cdf <- picture(forms$histogram$result, "cdf", NULL)$table
  counts <- as.double(forms$histogram$result$release)
  expect_equal(cdf$estimate, cumsum(counts) / 10000)
  curve <- picture(forms$tree$result, "cdf", NULL)
  expect_equal(curve$table$share, forms$tree$result$cdf$cdf)
  expect_equal(curve$mark, forms$tree$result$median)
  cells <- picture(forms$tree$result, "tree", NULL)$table
  expect_equal(nrow(cells), 15)
  expect_true(all(cells$density >= 0))
  expect_equal(cells$density[[1]] * (cells$upper[[1]] - cells$lower[[1]]), 1)
  slopes <- picture(forms$covariance$result, "coefficients", NULL)$table
  regression <- forms$covariance$result$linearRegression
  expect_equal(slopes$term, rownames(regression))
  expect_equal(slopes$estimate, regression$Estimate)
  ends <- confint(forms$covariance$result)
  expect_equal(cbind(slopes$conf.low, slopes$conf.high), ends, ignore_attr = TRUE)
  both <- picture(forms$two_formulas$result, "coefficients", NULL)$table
  expect_equal(both$term, c("educ ~ age: age", "age ~ educ: educ"))
  ranks <- picture(forms$hitters$result, NULL, NULL)
  expect_equal(ranks$table$estimate, 1:2)
  expect_equal(ranks$xlab, "rank")
})

test_that("results without a plot raise errors", {
  # Too few values for a mean. The result has no number to plot.
  plan <- mean_of(missing = "drop")$.__enclos_env__$private$.plan
  expect_refused(plot(described_result(plan, c(0, 0))), "x")
  expect_refused(plot(mean_of()), "x")
  expect_refused(plot(released(mean_of()), "cdf"), "what")
  none <- histogram_of(variable = "age", n = 2, binWidth = 1, epsilon = 1, n_check = "resize")
  expect_refused(plot(released(none)), "x")
})
