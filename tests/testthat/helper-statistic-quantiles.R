# Facts about dpQuantiles() for tests, see helper-statistic-facts.R.

tested_quantiles <- list(
  arguments = quote(list(
    dpQuantiles = c(ranged, list(probs = c(0.25, 0.75), epsilon = 1))
  )),
  examples = quote(list(
    spaced_quantiles = form(
      dpQuantiles(variable = "income", n = 10000, probs = c(0.1, 0.5), rng = c(0, 750000),
        epsilon = 1), 2, "estimates"
    ),
    quantiles = form(
      dpQuantiles(varType = "integer", variable = "age", n = 10000, probs = c(0.1, 0.5, 0.9),
        rng = c(18, 93), epsilon = 1, missing = "impute", conversion = "truncate"), 3, "estimates"
    ),
    present_quantiles = form(
      dpQuantiles(varType = "numeric", variable = "age", n = 10000, probs = c(0.1, 0.5),
        rng = c(18, 93), gridPoints = 76, epsilon = 1, missing = "drop"), 2, "estimates"
    ),
    sampled_quantiles = form(
      dpQuantiles(varType = "integer", variable = "age", n = 10000, probs = c(0.1, 0.5, 0.9),
        rng = c(18, 93), epsilon = 1, missing = "impute", conversion = "truncate",
        interval = "population"), 3, "estimates"
    )
  )),
  guarantees = quote(list(
    dpQuantiles = with_build(middles, function(epsilon) {
      dpQuantiles(varType = "numeric", variable = "x", n = 3, probs = 0.5, rng = c(0, 10),
        epsilon = epsilon, gridPoints = 2, missing = "impute")
    }),
    `dpQuantiles, sampled` = with_build(middles, function(epsilon) {
      dpQuantiles(varType = "numeric", variable = "x", n = 3, probs = 0.5, rng = c(0, 10),
        epsilon = epsilon, gridPoints = 2, interval = "population", missing = "impute")
    })
  )),
  audits = quote(list(
    # Two candidates. One more row makes one of them likelier by a known factor.
    dpQuantiles = list(
      make = function(excess) {
        dpQuantiles(varType = "numeric", variable = "x", n = 61, probs = 0.5, rng = c(0, 1),
          epsilon = 2 * excess, gridPoints = 2, missing = "impute")
      },
      claim = c(log(share_of_first(31, 61, 2) / share_of_first(30, 61, 2)) * (1 - 1e-9), 0),
      data = list(rows(rep(0:1, c(31, 30))), rows(rep(0:1, c(30, 31)))), evidence = itself,
      draws = 30000
    )
  )),
  random = quote(list(
    `dpQuantiles, sampled` = function() {
      c(column(c("numeric", "integer")), loss(), list(
        probs = sort(stats::runif(whole(1, 4))), gridPoints = whole(2, 30),
        missing = one_of("impute", "drop"), interval = "population"
      ))
    },
    dpQuantiles = function() {
      c(column("numeric"), list(
        probs = sort(stats::runif(whole(1, 4))), gridPoints = whole(2, 30),
        missing = one_of("impute", "drop")
      ), loss())
    }
  )),
  covers = quote(list(
    # Rows at a candidate share their ranks, so any of these ranks is correct.
    dpQuantiles = way(
      dpQuantiles(varType = "numeric", variable = "x", n = 50, probs = c(0.2, 0.6),
        rng = c(0, 100), epsilon = 2.9, gridPoints = 101, missing = "impute"),
      function(result) {
        off <- function(q, prob) {
          max(sum(data$x < q - 0.5) - prob * 50, prob * 50 - sum(data$x <= q + 0.5), 0)
        }
        all(mapply(off, result$release, c(0.2, 0.6)) <= result$accuracy + 1)
      }
    )
  ))
)
