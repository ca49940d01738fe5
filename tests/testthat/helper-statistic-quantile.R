# Facts about dpQuantile() for tests, see helper-statistic-facts.R.

tested_quantile <- list(
  arguments = quote(list(
    dpQuantile = c(ranged, list(prob = 0.5, epsilon = 1))
  )),
  examples = quote(list(
    quantile = form(
      dpQuantile(varType = "integer", variable = "age", n = 10000, prob = 0.9, rng = c(18, 93),
        epsilon = 1, missing = "impute", conversion = "truncate", score = "balance"), 1, "estimates"
    ),
    nearest_quantile = form(
      dpQuantile(variable = "age", n = 10000, prob = 0.9, rng = c(18, 93), epsilon = 1), 1,
      "estimates"
    ),
    sampled_quantile = form(
      dpQuantile(varType = "numeric", variable = "age", n = 10000, prob = 0.9, rng = c(18, 93),
        epsilon = 1, missing = "drop", interval = "population", score = "balance",
        spacing = "even"), 1, "estimates"
    )
  )),
  guarantees = quote(list(
    dpQuantile = with_build(middles, function(epsilon) {
      dpQuantile(varType = "numeric", variable = "x", n = 3, prob = 0.5, rng = c(0, 10),
        epsilon = epsilon, gridPoints = 2, missing = "impute")
    }),
    `dpQuantile, sampled` = with_build(middles, function(epsilon) {
      dpQuantile(varType = "numeric", variable = "x", n = 3, prob = 0.5, rng = c(0, 10),
        epsilon = epsilon, gridPoints = 2, interval = "population", missing = "impute")
    })
  )),
  audits = quote(list(
    dpQuantile = list(
      make = function(excess) {
        dpQuantile(varType = "numeric", variable = "x", n = 62, prob = 0.5, rng = c(0, 9),
          epsilon = excess, gridPoints = 4, missing = "impute", score = "balance")
      },
      data = tie, evidence = itself, draws = 30000
    ),
    # Two candidates are half a row apart. Permute-and-flip picks the second one half as often as
    # its coin comes up.
    `dpQuantile, nearest` = list(
      make = function(excess) {
        dpQuantile(varType = "numeric", variable = "x", n = 61, prob = 0.5, rng = c(0, 1),
          epsilon = 2 * excess, gridPoints = 2)
      },
      claim = c(log(2 * exp(0.5) - 1) * (1 - 1e-9), 0),
      data = list(rows(rep(0:1, c(31, 30))), rows(rep(0:1, c(30, 31)))), evidence = itself,
      draws = 30000
    )
  )),
  random = quote(list(
    dpQuantile = function() {
      c(column("numeric"), list(prob = share(), gridPoints = whole(2, 30)), loss())
    },
    `dpQuantile, dropping` = function() {
      c(column("numeric"), loss(), list(
        prob = share(), gridPoints = whole(2, 30), missing = "drop"
      ))
    },
    `dpQuantile, sampled` = function() {
      c(column(c("numeric", "integer")), loss(), list(
        prob = share(), gridPoints = whole(2, 30), missing = one_of("impute", "drop"),
        interval = "population"
      ))
    }
  )),
  covers = quote(list(
    dpQuantile = rank_of(
      dpQuantile(varType = "numeric", variable = "x", n = 50, prob = 0.3, rng = c(0, 100),
        epsilon = 1, gridPoints = 101, missing = "impute"), 0.3
    ),
    # Half of the loss is for the release.
    `dpQuantile, sampled` = rank_of(
      small(dpQuantile(varType = "numeric", variable = "x", n = 50, prob = 0.3, rng = c(0, 100),
        epsilon = 2.9, gridPoints = 101, interval = "population", missing = "impute")), 0.3
    )
  ))
)
