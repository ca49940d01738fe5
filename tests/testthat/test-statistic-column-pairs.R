columns <- c("income", "age")

test_that("pairs follow the order of the columns, by position or by name", {
  expected <- list(c(0, 9), c(18, 93))
  by_name <- list(age = c(18, 93), income = c(0, 9))
  of <- function(x) pairs_of_columns(x, columns, "rng", NULL)
  expect_equal(of(unname(rev(by_name))), expected)
  expect_equal(of(by_name), expected)
  expect_equal(of(do.call(rbind, by_name)), expected)
  expect_equal(of(unname(do.call(rbind, rev(by_name)))), expected)
})

test_that("names that do not match the columns raise an error that lists them", {
  pair <- c(0, 1)
  wrong <- list(
    list(age = pair, wage = pair), list(age = pair, pair), list(age = pair, age = pair),
    rbind(age = pair, wage = pair)
  )
  for (x in wrong) {
    expect_error(pairs_of_columns(x, columns, "rng", NULL), '"income", "age"',
      class = "dp_error_invalid_argument"
    )
  }
  for (x in list(pair, list(pair), NULL, list(pair, pair, pair))) {
    expect_error(pairs_of_columns(x, columns, "rng", NULL), class = "dp_error_invalid_argument")
  }
})

test_that("every statistic of several columns matches their bounds by name", {
  by_name <- list(age = c(18, 93), income = c(0, 200000))
  impute <- list(age = c(20, 30), income = c(1, 2))
  plans <- list(
    dpCovariance = function(...) {
      dpCovariance("mechanismLaplace", "numeric", 100, columns, ..., globalEps = 1)
    },
    dpLM = function(...) dpLM(income ~ age, 100, ..., epsilon = 1),
    dpGLM = function(...) {
      dpGLM("mechanismObjective", "numeric", 100, ...,
        formula = income ~ age, objective = "ols", epsilon = 1
      )
    },
    dpSampleAndAggregate = function(...) {
      dpSampleAndAggregate(
        innerFun = function(block) mean(block$age), aggregationFun = "Mean", numSubsets = 5,
        mechanism = "mechanismLaplace", varType = "numeric", variable = columns, n = 100,
        epsilon = 1, outputRange = c(18, 93), ...
      )
    }
  )
  for (plan in plans) {
    matched <- plan(rng = by_name, imputeRng = impute)
    expect_equal(matched$rng, unname(by_name[columns]))
    expect_equal(matched$imputeRng, unname(impute[columns]))
    names(by_name)[[1]] <- "years"
    expect_error(plan(rng = by_name), "years", class = "dp_error_invalid_argument")
    names(by_name)[[1]] <- "age"
  }
})
