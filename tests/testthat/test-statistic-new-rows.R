# Warnings of predict() about public rows beyond the declared ranges.

rows_to_fit <- function() {
  data.frame(x = rep(0:9, 40), y = rep(0:9, 40) / 2, f = rep(c("a", "b"), 200), g = rep(0:1, 200))
}

models_to_warn <- function() {
  of <- function(statistic) exactly(statistic)$release(rows_to_fit())
  ranges <- list(c(0, 5), c(0, 9))
  list(
    lm = of(dpLM(formula = y ~ x, n = 400, rng = ranges, epsilon = 10)),
    program = of(dpLM(formula = y ~ I(x^2), n = 400, rng = ranges, epsilon = 10)),
    glm = of(dpGLM(formula = g ~ x, objective = "logit", n = 400, rng = list(c(0, 1), c(0, 9)),
      epsilon = 10)),
    covariance = of(dpCovariance(columns = c("y", "x"), n = 400, rng = ranges, epsilon = 10,
      formula = y ~ x)),
    kmeans = of(dpKMeans(columns = c("y", "x"), k = 2, n = 400, rng = ranges, epsilon = 10))
  )
}

test_that("predict() warns of values outside of the declared range, and names them", {
  models <- models_to_warn()
  for (name in names(models)) {
    inside <- data.frame(x = c(0, 9, NA), y = 1)
    expect_no_warning(predict(models[[name]], inside), class = "dp_warning_new_rows")
    beyond <- data.frame(x = c(3, 150, -1), y = 1)
    warned <- expect_warning(predict(models[[name]], beyond), class = "dp_warning_new_rows")
    expect_match(conditionMessage(warned),
      "`newdata` has 2 rows with `x` outside of its range, 0 to 9, such as 150. ", fixed = TRUE
    )
    used <- if (name == "kmeans") "use the nearest bound" else "extrapolate"
    expect_match(conditionMessage(warned), used)
  }
  held <- suppressWarnings(predict(models$kmeans, data.frame(x = c(9, 150), y = 1)))
  expect_identical(held[[1]], held[[2]])
})

test_that("predict() warns of levels that the model does not know", {
  model <- exactly(dpLM(formula = y ~ f, n = 400, rng = list(c(0, 5)),
    levels = list(f = c("a", "b")), epsilon = 10))$release(rows_to_fit())
  expect_no_warning(predict(model, data.frame(f = c("a", NA))), class = "dp_warning_new_rows")
  fit <- NULL
  warned <- expect_warning(fit <- predict(model, data.frame(f = c("a", "c"))),
    class = "dp_warning_new_rows"
  )
  said <- "a level of `f` that the model does not know, such as \"c\""
  expect_match(conditionMessage(warned), said, fixed = TRUE)
  expect_identical(unname(is.na(fit)), c(FALSE, TRUE))
})
