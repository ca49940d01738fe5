# Facts about dpMedian() for tests, see helper-statistic-facts.R.

tested_median <- list(
  arguments = quote(list(
    dpMedian = c(ranged, list(epsilon = 1))
  )),
  examples = quote(list(
    median = form(
      dpMedian(varType = "integer", variable = "age", n = 10000, rng = c(18, 93), epsilon = 1,
        missing = "impute", conversion = "truncate", score = "balance"), 1, "estimates"
    ),
    sampled_median = form(
      dpMedian(varType = "integer", variable = "age", n = 10000, rng = c(18, 93), epsilon = 1,
        missing = "impute", conversion = "truncate", interval = "population",
        score = "balance"), 1, "estimates"
    )
  )),
  guarantees = quote(list(
    dpMedian = with_build(middles, function(epsilon) {
      dpMedian(varType = "numeric", variable = "x", n = 3, rng = c(0, 10), epsilon = epsilon,
        gridPoints = 2, missing = "impute")
    })
  )),
  audits = quote(list(
    dpMedian = list(
      make = function(excess) {
        dpMedian(varType = "numeric", variable = "x", n = 62, rng = c(0, 9), epsilon = excess,
          gridPoints = 4, missing = "impute", score = "balance")
      },
      data = tie, evidence = itself, draws = 30000
    )
  )),
  random = quote(list(
    dpMedian = function() c(column("numeric"), list(gridPoints = whole(2, 30)), loss())
  )),
  covers = quote(list(
    dpMedian = rank_of(
      dpMedian(varType = "numeric", variable = "x", n = 50, rng = c(0, 100), epsilon = 1,
        gridPoints = 101, missing = "impute"), 0.5
    )
  ))
)
