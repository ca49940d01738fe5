test_that("a misspelt field or method raises an error that names it", {
  mean_age <- mean_of()
  expect_error(mean_age$relase, "no field or method `relase`. Did you mean `release`",
    class = "dp_error_invalid_argument"
  )
  expect_error(mean_age$relase(PUMS5extract10000), "dpMean", class = "dp_error_invalid_argument")
  expect_error(mean_age$zebra, "`zebra`[.]$", class = "dp_error_invalid_argument")
  noise <- mechanismLaplace(varType = "numeric", rng = c(0, 1), epsilon = 1)
  expect_error(noise$evaluat, "Did you mean `evaluate`", class = "dp_error_invalid_argument")
})

test_that("every statistic has all its fields, by name", {
  for (name in names(valid_arguments)) {
    statistic <- build_with(name, "alpha", 0.05)
    for (field in names(statistic$getFields())) {
      expect_identical(statistic[[field]], statistic$getFields()[[field]])
    }
    copied <- statistic$copy()
    expect_identical(copied$epsilon, statistic$epsilon)
  }
})

test_that("an error about a method call names missing arguments before data are read", {
  expect_error(mean_of()$release(), "`data`", class = "dp_error_invalid_argument")
  noise <- mechanismLaplace(varType = "numeric", rng = c(0, 1), epsilon = 1)
  expect_error(noise$evaluate(), "`fun`", class = "dp_error_invalid_argument")
  expect_error(noise$evaluate(mean), "`x`", class = "dp_error_invalid_argument")
  expect_error(from_json(), class = "dp_error_invalid_argument")
})

test_that("a misspelt result element is an error; an element of another result is NULL", {
  for (form in result_forms()) {
    expect_true(all(names(form$result) %in% result_elements))
  }
  result <- result_forms()$mean$result
  expect_error(result$epsilom, "no element `epsilom`. Did you mean `epsilon`?",
    fixed = TRUE, class = "dp_error_invalid_argument"
  )
  expect_error(result$rel, class = "dp_error_invalid_argument")
  expect_null(result$threshold)
  expect_identical(result$release, result[["release"]])
})
