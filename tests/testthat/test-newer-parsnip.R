# Engines of parsnip, which needs newer packages than the other tests.

patients <- local({
  ward <- rep(c("a", "b"), 2000)
  age <- rep(20:79, length.out = 4000)
  # Spread evenly: nothing here is random but the noise.
  spread <- (seq_len(4000) * 7919) %% 1000 / 1000
  died <- factor(ifelse(spread < stats::plogis(-4 + 0.06 * age), "yes", "no"))
  data.frame(age, ward, days = age / 10 + (ward == "b"), died)
})
wards <- list(ward = c("a", "b"))
outcomes <- c(wards, list(died = c("no", "yes")))

# Little noise: only sampling moves the results.
fitted <- function(code) {
  suppressWarnings(code, classes = c("dp_warning_noise", "dp_warning_large_epsilon"))
}

engine <- function(model, ...) {
  parsnip::set_engine(model, "psilence", n = 4000, epsilon = 1e4, rng = list(age = c(20, 80)), ...)
}

test_that("linear_reg() gives the predictions of dpLM()", {
  fit <- parsnip::linear_reg() |>
    parsnip::set_engine("psilence", n = 4000, epsilon = 1e4,
      rng = list(days = c(0, 10), age = c(20, 80)), levels = wards
    ) |>
    parsnip::fit(days ~ age + ward, data = patients) |>
    fitted()
  people <- patients[1:3, ]
  numbers <- predict(fit, people)
  expect_named(numbers, ".pred")
  expect_identical(numbers$.pred, unname(predict(fit$fit, people)))
  # Noise of epsilon 1e4 moves a prediction by less than 0.01.
  expect_equal(numbers$.pred, people$days, tolerance = 0.01)
  ends <- predict(fit, people, type = "conf_int")
  expect_named(ends, c(".pred_lower", ".pred_upper"))
  expect_true(all(ends$.pred_lower < numbers$.pred & numbers$.pred < ends$.pred_upper))
  expect_identical(generics::tidy(fit)$term[1:3], c("intercept", "age", "wardb"))
  expect_named(generics::augment(fit, people)[".pred"], ".pred")
})

test_that("logistic_reg() takes the second declared level as the event", {
  fit <- function(levels) {
    parsnip::logistic_reg() |>
      engine(levels = levels) |>
      parsnip::fit(died ~ age + ward, data = patients) |>
      fitted()
  }
  people <- data.frame(age = c(20, 80), ward = "a")
  yes <- fit(outcomes)
  shares <- predict(yes, people, type = "prob")
  expect_named(shares, c(".pred_no", ".pred_yes"))
  expect_equal(rowSums(shares), c(1, 1))
  # The truth is plogis(-2.8) and plogis(0.8). Sampling moves these by less than 0.1.
  expect_true(all(abs(shares$.pred_yes - stats::plogis(c(-2.8, 0.8))) < 0.1))
  expect_identical(predict(yes, people)$.pred_class, factor(c("no", "yes")))
  ends <- predict(yes, people, type = "conf_int")
  expect_named(ends,
    c(".pred_lower_no", ".pred_upper_no", ".pred_lower_yes", ".pred_upper_yes")
  )
  expect_true(all(ends$.pred_lower_yes < shares$.pred_yes))
  expect_true(all(ends$.pred_lower_no < shares$.pred_no & shares$.pred_no < ends$.pred_upper_no))
  other <- fit(c(wards, list(died = c("yes", "no"))))
  expect_named(predict(other, people, type = "prob"), c(".pred_yes", ".pred_no"))
  expect_identical(as.character(predict(other, people)$.pred_class), c("no", "yes"))
})

test_that("naive_Bayes() gives classes and probabilities", {
  fit <- parsnip::naive_Bayes() |>
    engine(levels = outcomes["died"]) |>
    parsnip::fit(died ~ age, data = patients) |>
    fitted()
  people <- data.frame(age = c(20, 80))
  expect_identical(as.character(predict(fit, people)$.pred_class), c("no", "yes"))
  shares <- predict(fit, people, type = "prob")
  expect_named(shares, c(".pred_no", ".pred_yes"))
  expect_equal(rowSums(shares), c(1, 1))
})

test_that("engines refuse an outcome without declared levels before they read data", {
  for (model in list(parsnip::logistic_reg(), parsnip::naive_Bayes(mode = "classification"))) {
    for (levels in list(NULL, c("no", "yes"), wards)) {
      expect_error(
        fit_private_model(formula = died ~ age, data = NULL, model = class(model)[[1]],
          n = 4000, epsilon = 1, rng = list(age = c(20, 80)), levels = levels
        ),
        class = "dp_error_invalid_argument"
      )
    }
  }
  expect_error(
    fit_private_model(formula = died ~ age, data = NULL, model = "logistic_reg",
      n = 4000, epsilon = 1, rng = list(age = c(20, 80)), levels = list(died = c("a", "b", "c"))
    ),
    "two for the outcome", class = "dp_error_invalid_argument"
  )
})

test_that("a fit holds no rows, and a repeated fit on a ledger is free", {
  ledger <- local_ledger(2e4)
  model <- engine(parsnip::logistic_reg(), levels = outcomes)
  fit <- function() with_ledger(ledger, fitted(parsnip::fit(model, died ~ age + ward, patients)))
  first <- fit()
  expect_identical(fit()$fit$release, first$fit$release)
  expect_identical(dp_spent(ledger)[["epsilon"]], 1e4)
  # 4000 rows of any column take more.
  expect_lt(length(serialize(first$fit, NULL)), 4000 * 4)
})
