# Hints go by what a name means. Each is followed here, and the result compared with what was meant.

test_that("unknown arguments of statistics have one class of error, with the name that is meant", {
  named <- list(
    list("dpMean", "range", "rng"), list("dpMean", "eps", "epsilon"),
    list("dpMean", "columns", "variable"), list("dpMean", "variables", "variable"),
    list("dpMean", "bounds", "rng"), list("dpMean", "size", "n"), list("dpMean", "nrow", "n"),
    list("dpContingency", "columns", "variables"), list("dpContingency", "variable", "variables"),
    list("dpContingency", "vars", "variables"), list("dpCovariance", "variables", "columns"),
    list("dpCovariance", "variable", "columns"), list("dpPCA", "variables", "columns"),
    list("dpKMeans", "variable", "columns"), list("dpTree", "column", "variable"),
    list("dpHistogram", "breaks", "bins"), list("dpGLM", "family", "objective"),
    list("dpQuantile", "range", "rng"), list("dpMeanDifference", "columns", "variable"),
    list("dpMean", "conf.level", "alpha")
  )
  for (each in named) {
    generator <- get(each[[1]])
    expect_true(each[[3]] %in% names(formals(generator)), info = each[[1]])
    error <- expect_error(do.call(generator, stats::setNames(list(1), each[[2]])),
      class = "dp_error_invalid_argument", info = each
    )
    expect_identical(error$argument, each[[2]])
    expect_match(conditionMessage(error), paste0("`", each[[3]]), fixed = TRUE, info = each)
  }
})

test_that("no statistic leaves an unknown argument to R", {
  for (name in names(valid_arguments)) {
    expect_error(do.call(generator_of(name), list(no_such_argument = 1)),
      class = "dp_error_invalid_argument", info = name
    )
  }
})

test_that("a session says how its loss is written", {
  error <- expect_error(dp_session(epsilon = 1), class = "dp_error_invalid_argument")
  expect_match(conditionMessage(error), "`dp_session(dp_epsilon(epsilon))`", fixed = TRUE)
  expect_error(dp_session(rho = 1), "dp_zcdp", class = "dp_error_invalid_argument")
  expect_error(dp_session(budget = 1), class = "dp_error_invalid_argument")
})
