# Facts about dpMedian() for tests, see helper-statistic-facts.R.

about_dpMedian <- list(
  arguments = function() with(argument_parts(), list(
    dpMedian = c(ranged, list(epsilon = 1))
  )),
  examples = function() with(example_parts(), list(
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
  guarantees = function() with(guarantee_parts(), list(
    dpMedian = with_build(middles, function(epsilon) {
      dpMedian(varType = "numeric", variable = "x", n = 3, rng = c(0, 10), epsilon = epsilon,
        gridPoints = 2, missing = "impute")
    })
  )),
  audits = function() with(audit_parts(), list(
    dpMedian = list(
      make = function(excess) {
        dpMedian(varType = "numeric", variable = "x", n = 62, rng = c(0, 9), epsilon = excess,
          gridPoints = 4, missing = "impute", score = "balance")
      },
      data = tie, evidence = itself, draws = 30000
    )
  )),
  random = function() with(random_parts(), list(
    dpMedian = function() c(column("numeric"), list(gridPoints = whole(2, 30)), loss())
  )),
  covers = function() with(coverage_parts(), list(
    dpMedian = rank_of(
      dpMedian(varType = "numeric", variable = "x", n = 50, rng = c(0, 100), epsilon = 1,
        gridPoints = 101, missing = "impute"), 0.5
    )
  ))
)
