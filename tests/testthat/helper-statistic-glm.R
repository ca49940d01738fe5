# Facts about dpGLM() for tests, see helper-statistic-facts.R.

tested_glm <- list(
  arguments = quote(list(
    dpGLM = c(
      list(mechanism = "mechanismObjective"), pairs,
      list(formula = "y ~ x", objective = "ols", epsilon = 1)
    )
  )),
  examples = quote(list(
    model = form(model(), 3, "coefficients"),
    model_of_terms = form(
      dpGLM("mechanismObjective", "numeric", 10000, list(c(0, 1), c(18, 93)),
        I(married == 1) ~ pmax(age - 40, 0) + sex, "logit", 1, levels = list(sex = 0:1),
        missing = "impute", inference = "none"), 3, "coefficients"
    ),
    parts = form(model(nBoot = 5, inference = "parts"), 3, "coefficients"),
    present_model = form(model(missing = "drop"), 3, "coefficients"),
    model_with_offset = form(
      dpGLM("mechanismObjective", "numeric", 10000, list(c(0, 20), c(18, 93), c(0, 1)),
        educ ~ age + offset(log(sex + 1)), "poisson", 1, missing = "impute",
        inference = "none"), 2, "coefficients"
    ),
    weighted_model = form(
      dpGLM("mechanismObjective", "numeric", 10000, list(c(0, 1), c(18, 93), c(1, 16)),
        married ~ age, "logit", 1, missing = "drop", inference = "onestep", weights = "educ"), 2,
      "coefficients"
    ),
    one_step_model = form(
      dpGLM("mechanismObjective", "numeric", 10000, pums_ranges[3:2], age ~ educ, "ols",
        epsilon = 1, missing = "drop", inference = "onestep", vcov = "sandwich"), 3,
      "coefficients"
    )
  )),
  guarantees = quote(list(
    dpGLM = list(
      build = function(epsilon) {
        dpGLM("mechanismObjective", "numeric", 4, list(c(0, 1), c(-1, 1)), y ~ x, "ols",
          epsilon = epsilon, intercept = FALSE, inference = "none", missing = "impute")
      },
      # Much of the error comes from the ridge that privacy needs, which also scales as one over
      # epsilon.
      data = rows(c(1, 1, 1, 1), y = c(1, 0, 1, 1)),
      other = rows(c(-1, 1, 1, 1), y = c(1, 0, 1, 1)), exact = 0.75, reach = 1e4, rest = 1e-3,
      number = function(result) result$release["x", "estimate"]
    )
  )),
  audits = quote(list(
    `dpGLM, poisson` = glm_case("poisson", 1, apart = 2, draws = 25000),
    `dpGLM, logit` = glm_case("logit", 2, apart = 1, draws = 25000),
    `dpGLM, probit` = glm_case("probit", 4, apart = 4 * stats::dnorm(0), draws = 20000),
    `dpGLM, ols` = glm_case("ols", 2.3, apart = 2, draws = 25000),
    `dpGLM, one step` = one_step_case(2, draws = 40000)
  )),
  random = quote(list(
    dpGLM = function() {
      list(
        mechanism = "mechanismObjective", varType = "numeric", n = whole(40, 5000),
        rng = c(list(c(0, 1)), ranges(2)), epsilon = epsilon(),
        formula = one_of("y ~ a + b", "y ~ a:b + I(a > 0)", "y ~ a + offset(b / 9)"),
        missing = one_of("impute", "drop"),
        objective = one_of("logit", "probit", "poisson", "ols"), nBoot = one_of(NULL, 3),
        intercept = one_of(TRUE, FALSE), inference = NULL
      )
    },
    `dpGLM, one step` = function() {
      list(
        mechanism = "mechanismObjective", varType = "numeric", n = whole(40, 5000),
        rng = c(list(c(0, 1)), ranges(2)), epsilon = epsilon(), formula = "y ~ a + b",
        missing = one_of("impute", "drop"), intercept = one_of(TRUE, FALSE),
        objective = one_of("logit", "probit", "poisson", "ols"), inference = "onestep",
        inferenceShare = one_of(NULL, share()), vcov = one_of(NULL, "classical", "sandwich")
      )
    },
    `dpGLM, weights` = function() {
      list(
        mechanism = "mechanismObjective", varType = "numeric", n = whole(40, 5000),
        rng = c(list(c(0, 1)), ranges(2), list(c(0, share()))), epsilon = epsilon(),
        formula = one_of("y ~ a + b", "y ~ a + offset(b / 9)"), missing = "drop",
        objective = one_of("logit", "probit", "poisson", "ols"),
        inference = one_of("none", "onestep"), weights = "w"
      )
    }
  ))
)
