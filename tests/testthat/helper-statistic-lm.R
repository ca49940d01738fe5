# Facts about dpLM() for tests, see helper-statistic-facts.R.

tested_lm <- list(
  arguments = quote(list(
    dpLM = c(pairs[-1], list(formula = "y ~ x", epsilon = 1))
  )),
  examples = quote(list(
    found_line = form(
      dpLM(income ~ age, 10000, list(bounds(0.2), c(18, 93)), epsilon = 1, missing = "impute"), 2,
      "coefficients"
    ),
    line = form(
      dpLM(income ~ age, 10000, list(c(0, 2e5), c(18, 93)), epsilon = 1, missing = "impute"), 2,
      "coefficients"
    ),
    gaussian_line = form(
      dpLM(income ~ age, 10000, list(c(0, 2e5), c(18, 93)), rho = 0.1, missing = "drop"), 2,
      "coefficients"
    ),
    line_from_origin = form(
      dpLM(income ~ age - 1, 10000, list(c(0, 2e5), c(18, 93)), epsilon = 1, missing = "impute"), 1,
      "coefficients"
    ),
    present_line = form(
      dpLM(income ~ educ + age, 10000, pums_ranges, epsilon = 1, missing = "drop"), 3,
      "coefficients"
    ),
    sandwich_line = form(
      dpLM(income ~ educ + age, 10000, pums_ranges, epsilon = 1, vcov = "sandwich",
        missing = "impute"), 3, "coefficients"
    ),
    weighted_line = form(
      dpLM(income ~ age, 10000, pums_ranges[c(1, 3, 2)], epsilon = 1, missing = "drop",
        weights = "educ"), 2, "coefficients"
    ),
    line_of_terms = form(
      dpLM(log(income) ~ I(age^2) * sex + educ, 10000, missing = "drop", levels = list(sex = 0:1),
        rng = list(income = c(0, 713000), age = c(18, 93), educ = c(1, 16),
          "log(income)" = c(5, 14)), epsilon = 1), 5,
      "coefficients"
    )
  )),
  guarantees = quote(list(
    dpLM = list(
      build = function(epsilon) {
        dpLM(y ~ x, 3, list(c(0, 1), c(0, 1)), epsilon = epsilon, missing = "impute")
      },
      data = corners, other = rows(c(0, 0, 0), y = c(0, 0, 0)),
      apart = rows(c(1, 0, 0), y = c(0, 1, 1)), exact = 1, reach = far * 40, rest = 1e-5,
      number = function(result) result$release["x", "estimate"]
    )
  )),
  audits = quote(list(
    dpLM = joint_case(dpLM, formula = x ~ y),
    `dpLM, terms` = joint_case(dpLM, formula = x ~ sqrt(I(y^2))),
    `dpLM, sandwich` = sandwich_case(2.5, 400, draws = 90000),
    `dpLM, weights` = weighted_case(draws = 130000)
  )),
  random = quote(list(
    dpLM = function() {
      list(
        formula = one_of(
          "y ~ a + b", "y ~ a + b - 1", "y ~ a * b", "y ~ I(a^2) + abs(b) - 1",
          "y ~ a + I(b > 0)"
        ),
        n = whole(6, 5000), rng = ranges(3), epsilon = epsilon(), missing = one_of("impute", "drop")
      )
    },
    `dpLM, sandwich` = function() {
      list(
        formula = one_of("y ~ a + b", "y ~ a * b - 1"), n = whole(6, 5000), rng = ranges(3),
        epsilon = epsilon(), missing = one_of("impute", "drop"), vcov = "sandwich"
      )
    },
    `dpLM, weights` = function() {
      list(
        formula = one_of("y ~ a + b", "y ~ a * b - 1"), n = whole(6, 5000),
        rng = c(ranges(3), list(c(0, share()))), epsilon = epsilon(), missing = "drop",
        vcov = one_of(NULL, "classical"), weights = "w"
      )
    }
  ))
)
