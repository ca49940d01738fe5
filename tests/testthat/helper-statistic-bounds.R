# Facts about dpBounds() for tests, see helper-statistic-facts.R.

tested_bounds <- list(
  arguments = quote(list(
    dpBounds = c(column, list(epsilon = 1))
  )),
  examples = quote(list(
    bounds = form(
      dpBounds(varType = "numeric", variable = "age", n = 10000, epsilon = 1), 2, "counts"
    )
  )),
  guarantees = quote(list(
    dpBounds = list(
      build = function(epsilon) {
        dpBounds(varType = "numeric", variable = "x", n = 4, epsilon = epsilon, smallest = 1,
          largest = 4, sides = "positive", beta = 1e-12)
      },
      data = rows(c(0.5, 3, 3, 3)), other = rows(c(3, 3, 3, 3)), exact = 0, reach = 0, rest = 0,
      number = function(result) result$release[["lower"]]
    )
  )),
  audits = quote(list(
    dpBounds = list(
      make = function(excess) {
        dpBounds(varType = "numeric", variable = "x", n = 4, epsilon = 2 * excess, smallest = 1,
          largest = 4, sides = "positive")
      },
      data = list(rows(c(3, 3, 0, 0)), rows(c(0, 3, 0, 0))),
      evidence = laplace_evidence(c(2, 0, 2), c(3, 0, 1)), draws = 17000
    )
  )),
  random = quote(list(
    dpBounds = function() {
      c(column("numeric")[c("varType", "variable", "n")], list(
        base = stats::runif(1, 1.1, 12), smallest = 10^stats::runif(1, -6, 2),
        sides = one_of("both", "positive", "negative"), epsilon = epsilon()
      ))
    }
  )),
  covers = quote(list(
    dpBounds = way(
      dpBounds(varType = "numeric", variable = "x", n = 50, epsilon = 2.9, smallest = 1,
        largest = 128, sides = "positive"),
      function(result) {
        # No unreleased cell has more rows than this.
        cells <- c(0, 2^(0:6))
        held <- tabulate(findInterval(data$x, cells), 8)
        all(held[!cells %in% result$counts$lower] <= result$accuracy)
      }
    )
  ))
)
