# Facts about dpVariance() for tests, see helper-statistic-facts.R.

tested_variance <- list(
  arguments = quote(list(
    dpVariance = c(laplace, ranged, list(epsilon = 1))
  )),
  examples = quote(list(
    variance = form(variance_of(), 1, "estimates"),
    gaussian_variance = form(variance_of(epsilon = NULL, rho = 0.01), 1, "estimates"),
    gaussian_sampled_variance = form(
      variance_of(epsilon = NULL, rho = 0.01, interval = "population"), 1, "estimates"
    ),
    present_variance = form(variance_of(missing = "drop"), 1, "estimates"),
    sampled_variance = form(variance_of(interval = "population"), 1, "estimates"),
    sampled_present_variance = form(
      variance_of(missing = "drop", interval = "population"), 1, "estimates"
    ),
    found_present_variance = form(
      variance_of(rng = bounds(), epsilon = NULL, rho = 0.1, missing = "drop"), 1, "estimates"
    )
  )),
  guarantees = quote(list(
    dpVariance = with_build(variances, variance_for(laplace)),
    `dpVariance, snapping` = with_build(variances, variance_for(snapping)),
    # Noise of the squares and noise of the sum: the midpoint is far from the mean.
    `dpVariance, sampled` = with_build(
      utils::modifyList(variances, list(reach = far)), function(epsilon) {
        variance_of(variable = "x", n = 4, rng = c(0, 1), epsilon = epsilon,
          interval = "population")
      }
    ),
    `dpVariance, Gaussian` = with_build(variances, function(epsilon) {
      variance_of(variable = "x", n = 4, rng = c(0, 1), epsilon = NULL, rho = epsilon^2 / 2)
    })
  )),
  audits = quote(list(
    dpVariance = variance_case("mechanismLaplace", 24000),
    `dpVariance, snapping` = variance_case("mechanismSnapping", 45000),
    `dpVariance, sampled` = list(
      make = function(excess) {
        variance_of(variable = "x", n = 4, rng = c(0, 10), epsilon = excess,
          interval = "population")
      },
      data = ends, evidence = first, draws = 24000
    ),
    `dpVariance, Gaussian` = gaussian_case(1, alone, 1, function(...) {
      variance_of(variable = "x", n = 4, rng = c(0, 1), ...)
    })
  )),
  random = quote(list(
    dpVariance = function() c(list(mechanism = noisy(), missing = "impute"), column(), loss()),
    `dpVariance, dropping` = function() {
      c(list(mechanism = "mechanismLaplace", missing = "drop"), column(), loss())
    },
    `dpVariance, sampled` = function() {
      c(list(mechanism = "mechanismLaplace", interval = "population"), column(), loss(), list(
        missing = one_of("impute", "drop")
      ))
    },
    `dpVariance, Gaussian` = function() c(column(), concentrated(), gaps())
  )),
  covers = quote(list(
    dpVariance = variance_by(laplace),
    `dpVariance, snapping` = variance_by(snapping),
    `dpVariance, sampled` = way(
      variance_of(variable = "x", n = 50, epsilon = 0.5, interval = "population"),
      function(result) {
        within(stats::var(data$x), result$interval) &&
          abs(result$release - stats::var(data$x)) <= result$accuracy
      }
    )
  ))
)
