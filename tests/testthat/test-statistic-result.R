# Results with known numbers, to test printing.
known_result <- function(statistic, release = 0.5) {
  plan <- statistic$.__enclos_env__$private$.plan
  new_result(plan$describe(release, plan$fields), plan$about, plan$class)
}

test_that("objects and results print their public numbers", {
  expect_snapshot({
    print(mean_of())
    print(aggregate_of(innerFun = max, outputRange = c(0, 1)))
    print(aggregate_of(innerFun = max, outputRange = c(0, 1), scheme = "labels"))
    print(known_result(aggregate_of(innerFun = max, outputRange = c(0, 1), scheme = "labels")))
    print(known_result(mean_of()))
    print(known_result(mean_of(varType = "logical", n = 8)))
    print(known_result(aggregate_of()))
    print(summary(mean_of()))
  })
  result <- known_result(mean_of())
  expect_identical(print_silently(result), result)
  expect_match(format(mean_of()), "nothing released yet", all = FALSE)
})

test_that("results of many numbers print as tables", {
  expect_snapshot({
    print(known_result(histogram_of(rng = c(0, 16), nBins = 4), c(2000, 3000, 4000, 1000)))
    print(known_result(
      dpTree("numeric", "age", 100, 1, c(0, 10), globalEps = 1, missing = "impute"),
      list(c(60, 45))
    ))
    print(known_result(
      dpCovariance("mechanismLaplace", "numeric", 1000, c("a", "b"), list(c(0, 9), c(0, 8)),
        globalEps = 1, intercept = TRUE, formula = a ~ b, missing = "impute"),
      c(500, 2000, 4246, 1999, 5998)
    ))
    print(known_result(
      dpHeavyHitters("mechanismExponential", "character", "x", 100, 1, k = 2, bins = letters), 2:1
    ))
    print(known_result(
      dpGLM("mechanismObjective", "numeric", 1000, list(c(0, 1), c(0, 9)), y ~ x, "logit",
        epsilon = 1, missing = "impute", inference = "none"), c(1, 2)
    ))
  })
})

test_that("long tables are cut with a note", {
  result <- released(dpTree("numeric", "age", 10000, 6, c(0, 128), globalEps = 1))
  lines <- format(result, rows = 5)
  expect_match(lines, "and 59 more rows", all = FALSE)
  expect_equal(sum(grepl("^  [[(][0-9]+,", lines)), 5)
  expect_match(knit_print.dp_result(result, rows = 5), "And 59 more rows")
})

test_that("numbers print in plain notation, and tiny ones with an exponent", {
  expect_equal(show_number(c(1e6, 0.25, 2^-30, NA), 7), c("1000000", "0.25", "9.313226e-10", "NA"))
  expect_equal(show_value(c(1, 2), 7), "1, 2")
  expect_equal(show_value(c(1, 2), 7, ends = TRUE), "1 to 2")
  expect_equal(show_value(rep(0.2, 5), 7), "0.2 each (5)")
  expect_equal(show_value(c(5, 1:4), 7), "1 to 5 (5)")
  expect_equal(show_column(c(1.25, 100), 7), c("  1.25", "100.00"))
  expect_equal(show_column(c(1.25, 1e9), 7), c("1.25", "1000000000"))
})

test_that("every form of a result prints its numbers and the spent budget", {
  for (form in result_forms()) {
    lines <- format(form$result)
    expect_match(lines[[1]], "^Differentially private")
    expect_match(lines, "for one (replaced row|row added or removed)", all = FALSE)
    expect_lte(max(nchar(lines)), 130)
    for (term in utils::head(as.data.frame(form$result)$term, 3)) {
      expect_match(lines, term, fixed = TRUE, all = FALSE)
    }
    expect_identical(print_silently(form$result), form$result)
    expect_match(format(form$statistic), form$statistic$name, fixed = TRUE, all = FALSE)
  }
})

test_that("a document shows every form of a result as a table", {
  for (form in result_forms()) {
    shown <- knitr::knit_print(form$result)
    expect_s3_class(shown, "knit_asis")
    lines <- strsplit(shown, "\n")[[1]]
    expect_equal(sum(grepl("^[|]", lines)), if (form$rows > 0) form$rows + 2 else 0)
    spent <- shown_loss(generics::glance(form$result), 5)
    expect_match(shown, spent, fixed = TRUE)
  }
})

test_that("a summary is one row, with the release if there is one", {
  statistic <- mean_of()
  expect_true(is.na(summary(statistic)$release))
  result <- statistic$release(PUMS5extract10000)
  row <- summary(statistic)
  expect_equal(nrow(row), 1)
  expect_equal(c(row$release, row$lower, row$upper), c(result$release, result$interval))
  expect_equal(row$epsilon, 0.1)
  for (form in result_forms()) {
    row <- summary(form$statistic)
    expect_equal(nrow(row), 1)
    numbers <- form$rows == 1 && !anyNA(as.data.frame(form$result)$estimate)
    expect_equal(is.na(row$release), !numbers)
  }
})

test_that("sample-and-aggregate prints its unusual settings", {
  expect_no_match(format(aggregate_of()), "rangeMode|intervalShare|delta")
  shown <- format(aggregate_of(intervalShare = 0.2))
  expect_match(shown, "intervalShare +0.2", all = FALSE)
  formula <- aggregate_of(
    innerFun = income ~ educ, variable = c("income", "educ"), rng = list(c(0, 2e5), c(1, 16)),
    outputRange = rbind(constant = c(-1e5, 1e5), educ = c(-2e4, 2e4))
  )
  expect_match(format(formula), "innerFun +income ~ educ", all = FALSE)
  vote <- aggregate_of(innerFun = max, aggregationFun = "Mode", outcomes = c("old", "young"))
  expect_match(format(vote), "outcomes +old, young", all = FALSE)
  expect_no_match(format(vote), "outputRange")
})
