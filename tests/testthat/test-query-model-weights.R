# Linear models of private tables with weights of rows.
local_verbs()

surveyed_domain <- dp_domain(
  hours = dp_num(0, 60), age = dp_int(18, 90), region = dp_levels("N", "S", "W"),
  retired = dp_flag(), w = dp_num(0, 8)
)

made_survey <- function(rows = 900) {
  withr::with_seed(5, {
    data <- data.frame(
      house = sample(rows %/% 2, rows, TRUE), age = sample(18:90, rows, TRUE),
      region = sample(c("N", "S", "W"), rows, TRUE), retired = stats::runif(rows) < 0.3,
      w = stats::runif(rows, 0, 9)
    )
    means <- 20 + 0.2 * data$age - 3 * (data$region == "S") - 8 * data$retired * (data$w > 4)
    data$hours <- pmin(pmax(means + stats::rnorm(rows, sd = 4), 0), 60)
    data
  })
}

survey_table <- function(data, unit = dp_unit(rows = 1), session = plenty(), ...) {
  dp_tbl(session, data, unit, surveyed_domain, ...)
}

almost_exact <- function(query) release(query, epsilon = 1e16)

test_that("weighted coefficients equal the ones of lm() with clamped weights", {
  data <- made_survey()
  clamped <- transform(data, w = pmin(w, 8))
  for (formula in list(hours ~ age, hours ~ age - 1, hours ~ age * region + retired)) {
    model <- almost_exact(dp_lm(survey_table(data), formula, weights = w))
    own <- stats::lm(formula, clamped, weights = w)
    expect_equal(coef(model), coef(own), tolerance = 1e-5)
    expect_equal(model$sumWeights, sum(clamped$w), tolerance = 1e-6)
  }
  # The weights matter.
  expect_gt(max(abs(coef(own) - coef(stats::lm(formula, data)))), 1e-3)
})

test_that("rows without a weight are left out, and the result says so", {
  data <- made_survey()
  data$w[1:90] <- NA
  data$age[80:120] <- NA
  model <- almost_exact(dp_lm(survey_table(data), hours ~ age + region, weights = w))
  own <- stats::lm(hours ~ age + region, transform(data, w = pmin(w, 8)), weights = w)
  expect_equal(coef(model), coef(own), tolerance = 1e-5)
  expect_output(print(model), "rows without .*`w` are left out")
  filled <- dp_domain(hours = dp_num(0, 60), age = dp_int(18, 90),
    w = dp_num(0, 8, missing = "midpoint")
  )
  table <- dp_tbl(plenty(), data[c("hours", "age", "w")], dp_unit(rows = 1), filled)
  own <- stats::lm(hours ~ age, transform(data, w = pmin(w, 8)), weights = w)
  expect_equal(coef(almost_exact(dp_lm(table, hours ~ age, weights = w))), coef(own),
    tolerance = 1e-5
  )
})

test_that("groups have weighted models, and glance() has sums of weights", {
  data <- transform(made_survey(), w = pmin(w, 8))
  models <- survey_table(data) |> group_by(region) |> dp_lm(hours ~ age, weights = w) |>
    almost_exact()
  for (region in names(models)) {
    own <- stats::lm(hours ~ age, data[data$region == region, ], weights = w)
    expect_equal(coef(models[[region]]), coef(own), tolerance = 1e-5)
  }
  glance <- generics::glance(models)
  expect_equal(glance$sum.weights, as.vector(tapply(data$w, data$region, sum)), tolerance = 1e-6)
  expect_true(all(is.na(glance$nobs)))
  expect_identical(nobs(models[["N"]]), NA_real_)
})

test_that("errors of weighted models count noise, and sampling on demand", {
  data <- transform(made_survey(), w = pmin(w, 8))
  table <- survey_table(data)
  query <- dp_lm(table, hours ~ age, weights = w)
  expect_output(print(query), "hours ~ age, weights w")
  expect_output(print(query), "errors: noise")
  expect_lt(max(sqrt(diag(vcov(almost_exact(query))))), 1e-6)
  classical <- almost_exact(dp_lm(table, hours ~ age, weights = w, vcov = "classical"))
  # The residual variance is for rows, and the sum of shares is below the number of rows.
  shares <- data$w / 8
  x <- cbind(1, data$age)
  residuals <- data$hours - drop(x %*% coef(classical))
  variance <- sum(shares * residuals^2) / (sum(shares) - 2)
  expected <- variance * solve(crossprod(x * sqrt(shares)))
  expect_equal(vcov(classical), expected, tolerance = 1e-3, ignore_attr = TRUE)
})

test_that("weights scale the noise by the largest weight", {
  table <- survey_table(NULL, session = dp_session(dp_epsilon(1)))
  scales <- function(query) {
    preview <- dp_preview(query, epsilon = 0.5)
    stats::setNames(preview$scale, preview$column)
  }
  plain <- scales(dp_lm(table, hours ~ age + region))
  weighted <- scales(dp_lm(table, hours ~ age + region, weights = w))
  expect_identical(names(weighted), names(plain))
  expect_equal(weighted, 8 * plain, tolerance = 1e-6)
  guess <- list(n = 5000, sd = c(w = 1, hours = 10))
  expected <- dp_preview(dp_lm(table, hours ~ age, weights = w), epsilon = 0.5, guess = guess)
  expect_true(all(expected$std.error > 0))
})

test_that("each engine gives the same weighted moments", {
  withr::local_seed(20261128)
  data <- hostile_tables(tables_in_one)
  moments <- function(source, ...) {
    hostile_table(source, ...) |>
      mutate(heavy = abs(cost)) |>
      dp_truncate(max_groups = tables_in_one, max_rows_per_group = 1000, by = batch) |>
      group_by(batch) |>
      dp_lm(cost ~ size * kind + paid, weights = heavy) |>
      as_plain_query() |>
      exact_release(within = 1e-8) |>
      without_noise()
  }
  expected <- moments(data)
  expect_gt(sum(abs(round(expected[["cost * size[1]"]]))), 0)
  skip_if_not_installed("RSQLite")
  con <- DBI::dbConnect(RSQLite::SQLite())
  withr::defer(DBI::dbDisconnect(con))
  stored <- transform(data, day = as.character(day), paid = as.integer(paid))
  DBI::dbWriteTable(con, "stays", stored)
  expect_equal(moments(dplyr::tbl(con, "stays")), expected, tolerance = 1e-6)
  expect_equal(moments(nanoarrow::as_nanoarrow_array(data)), expected, tolerance = 1e-6)
})

test_that("weights that are not numbers from 0 on are refused before any charge", {
  session <- dp_session(dp_epsilon(1))
  table <- survey_table(made_survey(20), session = session)
  expect_error(dp_lm(table, hours ~ age, weights = region), "from 0 on", class = "dp_error_domain")
  expect_error(dp_lm(mutate(table, d = age - 30L), hours ~ age, weights = d), "from 0 on",
    class = "dp_error_domain"
  )
  expect_error(dp_lm(table, hours ~ age, weights = w * 2), "mutate",
    class = "dp_error_invalid_argument"
  )
  expect_error(dp_lm(table, hours ~ age, weights = 2), "mutate",
    class = "dp_error_invalid_argument"
  )
  expect_error(dp_lm(table, hours ~ age, weights = v), "not declared", class = "dp_error_domain")
  expect_identical(unname(unlist(dp_spent(session))[[1]]), 0)
})

test_that("a moment has weights, and its form keeps them", {
  data <- transform(made_survey(), w = pmin(w, 8))
  query <- summarise(survey_table(data), m = dp_moment(age, hours, weights = w),
    first = dp_moment(age, weights = w)
  )
  found <- exact_release(query)
  expect_equal(found$m, sum(data$w * (data$age - 54) * (data$hours - 30)), tolerance = 1e-6)
  expect_equal(found$first, sum(data$w * (data$age - 54)), tolerance = 1e-6)
  expect_match(to_json(query), "weights", fixed = TRUE)
  expect_error(summarise(survey_table(data), m = dp_moment(age, weights = 1)), "column",
    class = "dp_error_invalid_argument"
  )
})

test_that("a design with weights warns if a model ignores them", {
  skip_if_not_installed("survey")
  design <- survey::svydesign(~1, weights = ~w, data = transform(made_survey(), w = pmin(w, 8)))
  table <- dp_tbl(plenty(), design, dp_unit(rows = 1), surveyed_domain)
  expect_warning(dp_lm(table, hours ~ age), "weights = w", class = "dp_warning_weights")
  expect_warning(dp_cor(table, hours, age), "cannot have weights", class = "dp_warning_weights")
  expect_no_warning(query <- dp_lm(table, hours ~ age, weights = w))
})
