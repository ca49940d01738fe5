# Facts about dpMean() for tests, see helper-statistic-facts.R.

tested_mean <- list(
  arguments = quote(list(
    dpMean = c(laplace, ranged, list(epsilon = 1)),
    `dpMean, bounds found` = c(laplace, column, list(rng = bounds(), epsilon = 1))
  )),
  examples = quote(list(
    mean = form(mean_of(), 1, "estimates"),
    share = form(mean_of(varType = "logical", variable = "sex"), 1, "estimates"),
    whole = form(mean_of(varType = "integer", epsilon = NULL, accuracy = 1), 1, "estimates"),
    snapped_mean = form(mean_of(mechanism = "mechanismSnapping"), 1, "estimates"),
    present_mean = form(mean_of(missing = "drop"), 1, "estimates"),
    gaussian_mean = form(mean_of(epsilon = NULL, rho = 0.01), 1, "estimates"),
    gaussian_share = form(
      mean_of(varType = "logical", variable = "sex", epsilon = 1, delta = 1e-9,
        interval = "population"), 1, "estimates"
    ),
    gaussian_present_mean = form(
      mean_of(epsilon = NULL, rho = 0.01, missing = "drop", interval = "population"), 1,
      "estimates"
    ),
    found_mean = form(mean_of(rng = bounds(), epsilon = 1), 1, "estimates")
  )),
  guarantees = quote(list(
    dpMean = with_build(means, mean_for(laplace)),
    `dpMean, snapping` = with_build(means, mean_for(snapping)),
    # Standard deviation D / epsilon.
    `dpMean, Gaussian` = with_build(means, function(epsilon) {
      mean_of(variable = "x", n = 4, rng = c(0, 10), epsilon = NULL, rho = epsilon^2 / 2)
    }),
    # Scale 16 / 4 over half of epsilon.
    `dpMean, bounds found` = with_build(
      utils::modifyList(means, list(reach = far * 8)), function(epsilon) {
        mean_of(variable = "x", n = 4, epsilon = epsilon,
          rng = bounds(0.5, smallest = 1, largest = 16, sides = "positive", beta = 1e-12))
      }
    )
  )),
  audits = quote(list(
    dpMean = mean_case("mechanismLaplace", 24000),
    `dpMean, snapping` = mean_case("mechanismSnapping", 20000),
    `dpMean, bounds found` = list(
      make = function(excess) {
        mean_of(variable = "x", n = 4, epsilon = 2 * excess,
          rng = bounds(0.9, smallest = 1, largest = 4, sides = "positive", beta = 0.49))
      },
      data = list(rows(c(9, 3, 0, 0)), rows(c(0, 3, 0, 0))), evidence = found_evidence,
      draws = 36000
    ),
    `dpMean, Gaussian` = gaussian_case(1, ends, 1, function(...) {
      mean_of(variable = "x", n = 4, rng = c(0, 10), ...)
    })
  )),
  random = quote(list(
    dpMean = function() c(list(mechanism = noisy(), missing = "impute"), column(), loss()),
    `dpMean, dropping` = function() {
      c(list(mechanism = "mechanismLaplace", missing = "drop"), column(), loss())
    },
    `dpMean, Gaussian` = function() {
      c(column(), concentrated(), gaps(), list(interval = one_of("noise", "population")))
    },
    `dpMean, bounds found` = function() {
      c(column(c("numeric", "integer"))[c("varType", "variable", "n")], gaps(),
        list(rng = bounds(share(), stats::runif(1, 1.5, 12))),
        one_of(list(epsilon = epsilon()), concentrated())
      )
    }
  )),
  covers = quote(list(
    dpMean = mean_by(laplace),
    `dpMean, snapping` = mean_by(snapping)
  ))
)
