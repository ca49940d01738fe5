# Logistic and Poisson models of private tables.
local_verbs()

visits_domain <- dp_domain(
  died = dp_flag(), ill = dp_int(0, 1), age = dp_int(20, 90), ward = dp_levels("A", "B", "C"),
  severity = dp_num(0, 10), falls = dp_int(0, 9)
)

made_visits <- function(rows = 4000, seed = 3) {
  withr::with_seed(seed, {
    data <- data.frame(
      patient = seq_len(rows), age = sample(20:90, rows, TRUE),
      ward = sample(c("A", "B", "C"), rows, TRUE), severity = stats::runif(rows, 0, 10)
    )
    link <- -3 + 0.02 * data$age + 0.3 * data$severity + 0.6 * (data$ward == "B")
    data$died <- stats::runif(rows) < stats::plogis(link)
    data$ill <- as.integer(data$died)
    data$falls <- pmin(stats::rpois(rows, exp(-1 + 0.1 * data$severity)), 9L)
    data
  })
}

visits_table <- function(data, unit = dp_unit(rows = 1), session = plenty(), ...) {
  dp_tbl(session, data, unit, visits_domain, ...)
}

# The noise of a coefficient is below a hundredth of its standard error, with a probability of at
# least 1 - 1e-12.
close_release <- function(query) release(query, epsilon = 1e5)

# Within a tenth of the standard errors of the model without noise.
expect_close <- function(model, own, info = NULL) {
  errors <- sqrt(diag(stats::vcov(own)))
  expect_lt(max(abs(coef(model) - coef(own)) / errors), 0.1, label = info)
}

test_that("coefficients and errors are those of glm() without noise", {
  data <- made_visits()
  table <- visits_table(data)
  formulas <- list(
    died ~ age, ill ~ age + severity + ward, died ~ age * ward + severity
  )
  for (formula in formulas) {
    model <- close_release(dp_glm(table, formula))
    own <- stats::glm(formula, stats::binomial(), data)
    info <- deparse1(formula)
    expect_identical(names(coef(model)), names(coef(own)), info = info)
    expect_close(model, own, info)
    ratios <- sqrt(diag(vcov(model)) / diag(stats::vcov(own)))
    expect_lt(max(abs(log(ratios))), 0.05, label = info)
    expect_identical(model$status, "ok")
  }
  model <- close_release(dp_glm(table, falls ~ severity + ward, family = poisson()))
  own <- stats::glm(falls ~ severity + ward, stats::poisson(), data)
  expect_close(model, own)
  expect_lt(max(abs(log(diag(vcov(model)) / diag(stats::vcov(own))))), 0.2)
})

test_that("rows without a value add nothing, and the footer says so", {
  data <- made_visits()
  data$age[1:300] <- NA
  data$ward[200:500] <- NA
  data$died[400:600] <- NA
  model <- close_release(dp_glm(visits_table(data), died ~ age + ward))
  own <- stats::glm(died ~ age + ward, stats::binomial(), data)
  expect_close(model, own)
  expect_output(print(model), "rows without `died` or `age` or `ward` are left out")
})

test_that("every engine gives the rows of a person once", {
  data <- made_visits(1500)
  several <- rbind(data, data, data)
  capped <- function(source, ...) {
    dp_tbl(plenty(), source, dp_unit(id = patient), visits_domain, ...) |>
      dp_truncate(max_rows = 1) |>
      dp_glm(ill ~ age + severity) |>
      close_release()
  }
  own <- stats::glm(ill ~ age + severity, stats::binomial(), data)
  expect_close(capped(several), own)
  expect_close(capped(nanoarrow::as_nanoarrow_array(several)), own)
  skip_if_not_installed("RSQLite")
  con <- DBI::dbConnect(RSQLite::SQLite())
  withr::defer(DBI::dbDisconnect(con))
  DBI::dbWriteTable(con, "visits", transform(several, died = as.integer(died)))
  expect_close(capped(dplyr::tbl(con, "visits")), own)
})

test_that("the loss is that of the rows of a unit, in epsilon and in rho", {
  table <- visits_table(NULL, session = dp_session(dp_epsilon(2)))
  query <- dp_glm(table, died ~ age)
  preview <- dp_preview(query, epsilon = 0.5)
  expect_identical(preview$mechanism, "objective perturbation")
  expect_lte(preview$loss, 0.5)
  expect_equal(preview$loss, 0.5, tolerance = 1e-9)
  map <- as_measurement(query, dp_epsilon(0.5))
  expect_equal(map(d_in = 3L), 1.5, tolerance = 1e-9)
  concentrated <- dp_glm(visits_table(NULL, session = dp_session(dp_zcdp(2))), died ~ age)
  map <- as_measurement(concentrated, dp_zcdp(0.08))
  expect_equal(map(d_in = 3L), 9 * 0.08, tolerance = 1e-6)
  several <- dp_glm(visits_table(NULL, dp_unit(rows = 4), dp_session(dp_epsilon(2))), died ~ age)
  expect_output(print(several), "the loss is 4 times .* `dp_unit\\(id = \\)`")
  expect_equal(dp_preview(several, epsilon = 0.5)$sensitivity, 4)
})

test_that("a session, a receipt and a batch take it like other queries", {
  ledger <- create_ledger(withr::local_tempfile(), "visits", dp_unit(rows = 1), dp_epsilon(3),
    version = "1"
  )
  session <- dp_session(ledger = ledger)
  table <- visits_table(made_visits(2000), session = session, version = "1")
  query <- dp_glm(table, died ~ age)
  model <- release(query, epsilon = 1)
  again <- suppressMessages(release(query, epsilon = 1))
  expect_identical(coef(again), coef(model))
  expect_equal(unname(unlist(dp_spent(session))[[1]]), 1)
  expect_identical(dp_history(ledger)$what[[1]], "logistic model of died ~ age")
  expect_false(any(verify_release(dp_receipt(model), ledger)$passed %in% FALSE))
  batch <- dp_batch(session, n = count(table), model = query)
  released <- suppressWarnings(release(batch, epsilon = 0.5))
  expect_s3_class(released$model, "dp_glm_result")
  written <- from_json(to_json(query))
  expect_s3_class(written, "dp_written_query")
  expect_identical(to_json(written), to_json(query))
})

test_that("a released model answers as models of data frames do", {
  data <- made_visits()
  model <- release(dp_glm(visits_table(data), died ~ age + ward), epsilon = 50)
  expect_identical(names(coef(model)), c("(Intercept)", "age", "wardB", "wardC"))
  tidy <- generics::tidy(model, conf.level = 0.9)
  expect_identical(tidy$term, names(coef(model)))
  wide <- generics::tidy(model, conf.level = 0.99)
  expect_true(all(wide$conf.high - wide$conf.low > tidy$conf.high - tidy$conf.low))
  odds <- generics::tidy(model, exponentiate = TRUE)
  expect_equal(odds$estimate, exp(unname(coef(model))))
  expect_null(generics::tidy(model, conf.int = FALSE)$conf.low)
  expect_identical(dim(confint(model)), c(4L, 2L))
  expect_identical(rownames(confint(model, "age")), "age")
  new <- data.frame(age = c(40, NA, 50), ward = c("B", "B", "Z"))
  expect_warning(fit <- predict(model, new, type = "response"), "Z", class = "dp_warning_new_rows")
  expect_identical(is.na(unname(fit)), c(FALSE, TRUE, TRUE))
  link <- sum(coef(model) * c(1, 40, 1, 0))
  expect_equal(unname(fit[[1]]), stats::plogis(link))
  added <- generics::augment(model, newdata = new[1, ])
  expect_equal(added$.fitted, link)
  expect_true(added$.lower < link && link < added$.upper)
  expect_identical(nobs(model), NA_real_)
  expect_identical(stats::family(model)$link, "logit")
  expect_match(generics::glance(model)$covers, "if the model is true")
  expect_output(print(model), "logistic model of died ~ age \\+ ward")
})

test_that("errors can be those of a sandwich, or none", {
  table <- visits_table(made_visits())
  sandwich <- release(dp_glm(table, died ~ age, vcov = "sandwich"), epsilon = 50)
  expect_false(grepl("if the model", generics::glance(sandwich)$covers))
  none <- release(dp_glm(table, died ~ age, vcov = "none"), epsilon = 50)
  expect_null(none$summary)
  expect_error(confint(none), "standard errors", class = "dp_error_invalid_argument")
  expect_output(print(none), "unit: 1 row; loss: epsilon 50")
})

test_that("what it cannot release is refused by name before any charge", {
  session <- dp_session(dp_epsilon(1))
  data <- made_visits(50)
  table <- visits_table(data, session = session)
  refused <- function(code, pattern, class) {
    expect_error(code, pattern, class = paste0("dp_error_", class))
  }
  refused(dp_glm(table, died ~ age, family = gaussian()), "dp_lm", "unsupported")
  refused(dp_glm(table, died ~ age, family = binomial("probit")), "dpGLM", "unsupported")
  refused(dp_glm(table, died ~ age, family = "x"), "binomial", "invalid_argument")
  refused(dp_glm(table, age ~ severity), "bounds 0 and 1", "invalid_argument")
  refused(dp_glm(table, died ~ age, family = poisson), "count", "invalid_argument")
  refused(dp_glm(table, ward ~ age), "response", "invalid_argument")
  refused(dp_glm(table, died ~ age - 1), "intercept", "invalid_argument")
  refused(dp_glm(group_by(table, ward), died ~ age), "filter", "unsupported")
  refused(dp_glm(table, died ~ age, weights = severity), "weights", "invalid_argument")
  several <- visits_table(data, dp_unit(id = patient), session)
  refused(dp_glm(several, died ~ age), "max_rows = 1", "unbounded")
  refused(dp_glm(dp_truncate(several, max_rows = 2), died ~ age), "one row", "unbounded")
  refused(dp_preview(dp_glm(table, died ~ age), epsilon = 1, rows = 100), "depends", "unsupported")
  refused(release(dp_glm(table, died ~ age), epsilon = 1e-12), "epsilon", "make_measurement")
  expect_identical(unname(unlist(dp_spent(session))[[1]]), 0)
})
