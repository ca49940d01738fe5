# Facts about dpCorrelation() for tests, see helper-statistic-facts.R.

tested_correlation <- list(
  arguments = quote(list(
    dpCorrelation = c(pairs[-1], list(columns = c("x", "y"), epsilon = 1)),
    `dpCorrelation, bounds found` = list(
      columns = c("x", "y"), n = 10, rng = list(bounds(), c(0, 1)), epsilon = 1
    )
  )),
  examples = quote(list(
    correlation = form(
      dpCorrelation(c("income", "educ", "age"), 10000, pums_ranges, epsilon = 1,
        missing = "impute"), 3, "correlations"
    ),
    present_correlation = form(
      dpCorrelation(c("educ", "age"), 10000, pums_ranges[2:3], epsilon = 1, missing = "drop"), 1,
      "correlations"
    )
  )),
  guarantees = quote(list(
    # Correlations of 1 and -1. With negligible noise, a column keeps some variance.
    dpCorrelation = list(
      build = function(epsilon) {
        dpCorrelation(c("x", "y"), 3, list(c(0, 1), c(0, 1)), epsilon = epsilon, missing = "impute")
      },
      data = corners, other = rows(c(0, 0, 0), y = c(0, 0, 0)),
      apart = rows(c(1, 0, 0), y = c(0, 1, 1)), exact = 1, reach = far * 40, rest = 1e-5,
      number = function(result) result$release["x", "y"]
    )
  )),
  audits = quote(list(
    dpCorrelation = joint_case(dpCorrelation, columns = c("x", "y"))
  )),
  random = quote(list(
    `dpCorrelation, bounds found` = function() {
      args <- joint_columns()
      args$rng[[1]] <- bounds(share() / 2)
      args$rng[[2]] <- bounds(share() / 2, sides = "positive")
      args
    },
    dpCorrelation = function() joint_columns()
  ))
)
