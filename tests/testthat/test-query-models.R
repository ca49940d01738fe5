# Models on private tables: exact moments, estimates, errors, groups, and refused formulas.
local_verbs()

stays_domain <- dp_domain(
  days = dp_num(0, 20), age = dp_int(0, 100), ward = dp_levels("A", "B", "C"), urgent = dp_flag(),
  score = dp_num(-3, 3)
)

made_stays <- function(rows, seed = 1) {
  withr::with_seed(seed, {
    data <- data.frame(
      patient = sample(rows %/% 2, rows, replace = TRUE), age = sample(0:100, rows, TRUE),
      ward = sample(c("A", "B", "C"), rows, TRUE), urgent = sample(c(TRUE, FALSE), rows, TRUE),
      score = stats::rnorm(rows)
    )
    means <- 5 + 0.05 * data$age + 2 * (data$ward == "B") + data$urgent * data$score
    data$days <- pmin(pmax(means + stats::rnorm(rows), 0), 20)
    data$score <- pmin(pmax(data$score, -3), 3)
    data
  })
}

stays_table <- function(data, unit = dp_unit(rows = 1), session = plenty(), ...) {
  dp_tbl(session, data, unit, stays_domain, ...)
}

spent_epsilon <- function(session) unname(unlist(dp_spent(session))[[1]])

nearly_exact <- function(query) release(query, epsilon = 1e16)

test_that("coefficients, variances and standard errors are those of lm() without noise", {
  data <- made_stays(500)
  table <- stays_table(data)
  formulas <- list(
    days ~ age, days ~ age + score + ward + urgent, days ~ age * ward + urgent * score,
    days ~ age:score + age + score, days ~ ward * urgent, days ~ age + score - 1,
    urgent ~ age + ward
  )
  for (formula in formulas) {
    model <- nearly_exact(dp_lm(table, formula))
    own <- stats::lm(formula, data)
    info <- deparse1(formula)
    expect_identical(names(coef(model)), names(coef(own)), info = info)
    expect_equal(coef(model), coef(own), tolerance = 1e-4, info = info)
    expect_equal(sigma(model), stats::sigma(own), tolerance = 1e-4, info = info)
    expect_equal(vcov(model), stats::vcov(own), tolerance = 1e-3, ignore_attr = TRUE, info = info)
    expect_equal(df.residual(model), own$df.residual, tolerance = 1e-6, info = info)
    new <- made_stays(5, seed = 2)
    expect_equal(unname(predict(model, new)), unname(predict(own, new)), tolerance = 1e-4,
      info = info
    )
  }
})

test_that("covariances, correlations and means are those of R without noise", {
  data <- made_stays(500)
  columns <- c("days", "age", "score")
  matrix <- nearly_exact(dp_cov(stays_table(data), days, age, score))
  expect_equal(as.matrix(matrix$release), stats::cov(data[columns]), tolerance = 1e-5,
    ignore_attr = TRUE
  )
  expect_equal(matrix$means, colMeans(data[columns]), tolerance = 1e-5)
  correlations <- nearly_exact(dp_cor(stays_table(data), days, age, score))
  expect_equal(as.matrix(correlations$release), stats::cor(data[columns]), tolerance = 1e-5,
    ignore_attr = TRUE
  )
})

test_that("principal components are those of prcomp() without noise", {
  data <- made_stays(500)
  found <- nearly_exact(dp_pca(stays_table(data), days, age, score, k = 2))
  own <- stats::prcomp(data[c("days", "age", "score")])
  expect_equal(unname(found$variance), own$sdev[1:2]^2, tolerance = 1e-5)
  expect_equal(abs(as.matrix(found$release)), abs(own$rotation[, 1:2]), tolerance = 1e-4,
    ignore_attr = TRUE
  )
  expect_error(dp_pca(stays_table(data), days, age, k = 3), "at most the number of columns",
    class = "dp_error_invalid_argument"
  )
})

test_that("each group has its own model", {
  data <- made_stays(600)
  models <- stays_table(data) |> group_by(ward) |> dp_lm(days ~ age + urgent) |> nearly_exact()
  expect_named(models, c("A", "B", "C"))
  for (ward in names(models)) {
    own <- stats::lm(days ~ age + urgent, data[data$ward == ward, ])
    expect_equal(coef(models[[ward]]), coef(own), tolerance = 1e-4)
  }
  tidy <- generics::tidy(models)
  expect_identical(as.character(tidy$ward), rep(c("A", "B", "C"), each = 3))
  expect_identical(tidy$term[1:3], c("(Intercept)", "age", "urgentTRUE"))
  glance <- generics::glance(models)
  expect_equal(glance$nobs, as.vector(table(data$ward)))
  expect_identical(rownames(confint(models))[[1]], "A: (Intercept)")
  expect_output(print(models), "linear model of days ~ age \\+ urgent by ward")
  expect_error(coef(models), "models of groups", class = "dp_error_invalid_argument")
})

test_that("rows without a value are left out, and the footer says so", {
  data <- made_stays(400)
  data$age[1:40] <- NA
  data$ward[30:60] <- NA
  model <- nearly_exact(dp_lm(stays_table(data), days ~ age + ward))
  own <- stats::lm(days ~ age + ward, data)
  expect_equal(coef(model), coef(own), tolerance = 1e-4)
  expect_equal(nobs(model), stats::nobs(own))
  expect_output(print(model), "rows without `days` or `age` or `ward` are left out")
})

test_that("classical errors need one row for each person", {
  table <- stays_table(made_stays(300), dp_unit(id = patient))
  several <- dp_truncate(table, max_rows = 3)
  expect_error(dp_lm(several, days ~ age, vcov = "classical"), "max_rows = 1",
    class = "dp_error_invalid_argument"
  )
  noise <- dp_lm(several, days ~ age)
  expect_output(print(noise), "errors: noise")
  released <- nearly_exact(noise)
  expect_identical(unique(generics::tidy(released)$covers), "the rows that caps keep")
  expect_true(all(sqrt(diag(vcov(released))) < 1e-6))
  expect_output(print(released), "\\[ \\]: 95% intervals for the rows that caps keep")
  one <- dp_lm(dp_truncate(table, max_rows = 1), days ~ age)
  expect_output(print(one), "errors: classical")
  expect_error(dp_cor(several, days, age), "independent rows", class = "dp_error_unsupported")
  expect_s3_class(dp_cor(dp_truncate(table, max_rows = 1), days, age), "dp_query")
  expect_s3_class(dp_cov(several, days, age), "dp_query")
})

test_that("the noise has the scale of one row's effect on all moments, times the cap", {
  table <- stays_table(NULL, dp_unit(id = patient), dp_session(dp_epsilon(1)))
  query <- dp_lm(dp_truncate(table, max_rows = 4), days ~ age + score + ward + urgent)
  preview <- dp_preview(query, epsilon = 0.5)
  # Three numbers and two factors.
  scale <- 4 * ((3 + 2 + 1)^2 - 2) / 2 / 0.5
  scales <- stats::setNames(preview$scale, preview$column)
  expect_equal(scales[["(rows)"]], 2 * scale, tolerance = 1e-6)
  expect_equal(scales[["rows in ward"]], scale, tolerance = 1e-6)
  expect_equal(scales[["age"]], 50 * scale, tolerance = 1e-6)
  expect_equal(scales[["age * days"]], 50 * 10 * scale, tolerance = 1e-6)
  expect_equal(scales[["age * age"]], 2 * 50^2 * scale, tolerance = 1e-6)
})

test_that("a session, a receipt and a batch take models like other queries", {
  ledger <- create_ledger(withr::local_tempfile(), "stays", dp_unit(rows = 1), dp_epsilon(1),
    version = "1"
  )
  session <- dp_session(ledger = ledger)
  table <- stays_table(made_stays(2000), session = session, version = "1")
  model <- small(release(dp_lm(table, days ~ age), epsilon = 0.25))
  again <- small(suppressMessages(release(dp_lm(table, days ~ age), epsilon = 0.25)))
  expect_identical(coef(again), coef(model))
  expect_equal(spent_epsilon(session), 0.25)
  expect_identical(dp_history(ledger)$what[[1]], "linear model of days ~ age")
  checks <- verify_release(dp_receipt(model), ledger)
  expect_false(any(checks$passed %in% FALSE))
  batch <- dp_batch(session, n = count(table), model = dp_lm(table, days ~ age))
  released <- small(release(batch, epsilon = 0.5))
  expect_s3_class(released$model, "dp_lm_result")
  expect_output(print(released), "linear model of days ~ age")
  published <- utils::capture.output(print(dp_publish(model)))
  expect_match(published, "(Intercept)", fixed = TRUE, all = FALSE)
})

test_that("Gaussian noise has normal errors, and wide noise has status and marks", {
  table <- stays_table(made_stays(2000), session = plenty("rho"))
  model <- release(dp_lm(table, days ~ age), rho = 0.5)
  expect_true(attr(model$summary, "errors")$normal)
  few <- small(release(dp_lm(stays_table(made_stays(4)), days ~ age), epsilon = 0.1))
  expect_identical(few$status, "few")
  expect_true(all(is.na(coef(few))))
  expect_output(print(few), "\"few\"")
})

test_that("formulas that moments cannot answer are refused before any charge", {
  session <- dp_session(dp_epsilon(1))
  table <- stays_table(made_stays(20), session = session)
  refused <- function(formula, pattern, class = "dp_error_invalid_argument") {
    expect_error(dp_lm(table, formula), pattern, class = class)
  }
  refused(days ~ log(age), "mutate")
  refused(days ~ I(age^2), "mutate")
  refused(days ~ offset(age) + score, "offset")
  refused(days ~ ward - 1, "intercept")
  refused(days ~ age:ward, "a \\* b")
  refused(ward ~ age, "response")
  refused(days ~ 1, "at least one column")
  refused(days ~ ., "named")
  refused(days ~ size, "size", "dp_error_domain")
  expect_error(dp_lm(group_by(table, ward), days ~ ward), "constant within its group",
    class = "dp_error_invalid_argument"
  )
  expect_error(dp_cov(table, ward), "levels", class = "dp_error_domain")
  expect_error(dp_cor(table, age), "two columns", class = "dp_error_invalid_argument")
  expect_error(dp_lm(data.frame(x = 1), x ~ x), "dp_tbl", class = "dp_error_invalid_argument")
  expect_error(release(dp_lm(table, days ~ age), epsilon = 0.1, digits = "noise"), "model",
    class = "dp_error_invalid_argument"
  )
  expect_identical(spent_epsilon(session), 0)
})

test_that("a model has the plan of its moments, without the columns of other models", {
  table <- stays_table(NULL, session = dp_session(dp_epsilon(1)))
  first <- dp_lm(table, days ~ age + score)
  other <- dp_lm(table, age ~ days + score)
  expect_identical(plan_hash(first, dp_epsilon(0.1)), plan_hash(other, dp_epsilon(0.1)))
  expect_s3_class(from_json(to_json(first)), "dp_written_query")
})

test_that("a preview expects the errors of releases from a guess, and dp_solve() reaches them", {
  data <- made_stays(5000)
  table <- stays_table(data)
  query <- dp_lm(table, days ~ age + ward)
  guess <- list(n = 5000, sd = c(days = stats::sigma(stats::lm(days ~ age + ward, data))))
  expected <- dp_preview(query, epsilon = 1, guess = guess)
  expect_identical(expected$term, c("(Intercept)", "age", "wardB", "wardC"))
  own <- summary(stats::lm(days ~ age + ward, data))$coefficients[, "Std. Error"]
  expect_alike <- function(x, y, within) expect_lt(max(abs(log(x / y))), within)
  expect_alike(expected$classical, own, 0.1)
  released <- generics::tidy(small(release(query, epsilon = 1)))
  expect_alike(expected$std.error, released$std.error, 0.4)
  expect_true(all(expected$std.error > expected$classical))
  expect_output(print(expected), "for rows like the guess")
  wanted <- c(wardB = 2 * expected$accuracy[[3]])
  loss <- dp_solve(query, wanted, guess = guess)
  reached <- function(epsilon) dp_preview(query, epsilon = epsilon, guess = guess)$accuracy[[3]]
  expect_lte(reached(loss$epsilon), wanted)
  expect_gt(reached(loss$epsilon * 0.99), wanted)
  expect_error(dp_solve(query, c(age = 1e-9), guess = guess), "no loss", class = "dp_error_search")
  expect_error(dp_preview(count(table), epsilon = 1, guess = guess), "dp_lm",
    class = "dp_error_invalid_argument"
  )
  expect_error(dp_preview(query, epsilon = 1, guess = list(n = 10, sd = c(ward = 1))), "days",
    class = "dp_error_invalid_argument"
  )
})
