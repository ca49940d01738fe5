# Facts about dpMeanDifference() for tests, see helper-statistic-facts.R.

tested_mean_difference <- list(
  arguments = quote(list(
    dpMeanDifference = c(ranged[-1], list(group = "y", groups = c(0, 1), epsilon = 1))
  )),
  examples = quote(list(
    mean_difference = form(
      dpMeanDifference("income", "sex", c(0, 1), 10000, c(0, 2e5), epsilon = 1,
        missing = "impute"), 1, "estimates"
    ),
    present_mean_difference = form(
      dpMeanDifference("age", "job", c("cook", "clerk"), 10000, c(18, 93), epsilon = 1,
        missing = "drop"), 1, "estimates"
    ),
    sized_mean_difference = form(
      dpMeanDifference("income", "sex", c(0, 1), rng = c(0, 2e5), epsilon = 1,
        groupSizes = c(4876, 5124), missing = "impute"), 1, "estimates"
    )
  )),
  guarantees = quote(list(
    dpMeanDifference = with_build(groups, function(epsilon) {
      dpMeanDifference("x", "y", c(0, 1), 6, c(0, 1), epsilon = epsilon, missing = "impute")
    }),
    `dpMeanDifference, by design` = with_build(groups, function(epsilon) {
      dpMeanDifference("x", "y", c(0, 1), rng = c(0, 1), epsilon = epsilon, groupSizes = c(3, 3),
        missing = "impute")
    })
  )),
  audits = quote(list(
    # A row with a different class and the same numbers moves two cells of each column.
    dpMeanDifference = list(
      make = function(excess) {
        dpMeanDifference("x", "y", c(0, 1), 3, c(0, 1), epsilon = 2 * excess, missing = "impute")
      },
      data = list(rows(c(0, 1, 1), y = c(0, 1, 1)), rows(c(0, 1, 1), y = c(1, 1, 1))),
      evidence = laplace_evidence(c(1, 0, 0, 0, 0, 2, 0), c(0, 0, 0, 1, 0, 2, 0)), draws = 17000
    ),
    `dpMeanDifference, by design` = list(
      make = function(excess) {
        dpMeanDifference("x", "y", c(0, 1), rng = c(0, 10), epsilon = excess, groupSizes = c(2, 2),
          missing = "impute")
      },
      data = lapply(ends, cbind, y = c(0, 0, 1, 1)), evidence = first, draws = 24000
    )
  )),
  random = quote(list(
    dpMeanDifference = function() {
      list(
        variable = "a", group = "y", groups = c(0.25, 0.5), n = whole(2, 5000), rng = range(),
        epsilon = epsilon(), missing = one_of("impute", "drop")
      )
    },
    `dpMeanDifference, by design` = function() {
      list(
        variable = "a", group = "y", groups = c(0.25, 0.5), groupSizes = rep(whole(2, 2500), 2),
        rng = range(), epsilon = epsilon(), missing = one_of("impute", "drop")
      )
    }
  ))
)
