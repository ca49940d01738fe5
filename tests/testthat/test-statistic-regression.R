test_that("a formula is a response, columns by name, and an optional constant", {
  expect_equal(check_formula(y ~ a + b), list(
    text = "y ~ a + b", response = "y", terms = c("a", "b"), intercept = TRUE
  ))
  expect_equal(check_formula("y ~ (b + `a b`) + 1")$terms, c("b", "a b"))
  for (formula in list(y ~ a - 1, y ~ 0 + a, y ~ -1 + a, "y ~ a + 0")) {
    expect_false(check_formula(formula)$intercept)
  }
})

test_that("unsupported parts of a formula raise errors that name them", {
  unmodelled <- list(
    "offset(b)" = y ~ a + offset(b), "." = y ~ ., "a:b" = y ~ a:b, "a * b" = y ~ a * b,
    "log(a)" = y ~ log(a), "I(a^2)" = y ~ I(a^2), "a - b" = y ~ a - b, "log(y)" = log(y) ~ a,
    "2" = y ~ a + 2, "a^2" = y ~ a^2, "a | b" = y ~ a | b, "x$a" = y ~ x$a
  )
  for (term in names(unmodelled)) {
    expect_error(check_formula(unmodelled[[term]]), paste0("`", term, "`"),
      class = "dp_error_invalid_argument", fixed = TRUE
    )
  }
  for (formula in list(y ~ a + a, y ~ y, y ~ 1, ~a, "y ~", 1, NULL, NA)) {
    expect_error(check_formula(formula), "`formula`", class = "dp_error_invalid_argument")
  }
})

test_that("both regressions reject unsupported models", {
  plan <- function(class, formula) {
    switch(class,
      dpGLM = dpGLM(
        "mechanismObjective", "numeric", 100, list(c(0, 1), c(0, 1)), formula, "ols", 1
      ),
      dpCovariance = dpCovariance("mechanismLaplace", "numeric", 100, c("y", "a"),
        list(c(0, 1), c(0, 1)),
        globalEps = 1, formula = formula
      )
    )
  }
  for (class in c("dpGLM", "dpCovariance")) {
    expect_error(plan(class, y ~ a + I(mean(a))), "mean", class = "dp_error_invalid_argument")
    expect_error(plan(class, y ~ .), "`formula`", class = "dp_error_invalid_argument")
  }
  expect_error(plan("dpCovariance", y ~ a - 1), "constant", class = "dp_error_invalid_argument")
  expect_false(plan("dpGLM", y ~ a - 1)$intercept)
  expect_error(plan("dpCovariance", y ~ b), '"b"', class = "dp_error_invalid_argument")
})

test_that("a column cannot have the name of the constant", {
  expect_error(check_formula(y ~ intercept + a), "intercept", class = "dp_error")
})
