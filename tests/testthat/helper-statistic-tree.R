# Facts about dpTree() for tests, see helper-statistic-facts.R.

tested_tree <- list(
  arguments = quote(list(
    dpTree = c(ranged, list(depth = 2, globalEps = 1))
  )),
  examples = quote(list(
    found_tree = form(
      dpTree("numeric", "age", 10000, 3, bounds(0.5, sides = "positive"), globalEps = 1,
        missing = "impute"), 8, c("cdf", "leaves", "tree")
    ),
    tree = form(
      dpTree("numeric", "age", 10000, 3, c(0, 128), globalEps = 1, missing = "impute"), 8,
      c("cdf", "leaves", "tree")
    ),
    present_tree = form(
      dpTree("numeric", "age", 10000, 3, c(0, 128), globalEps = 1, missing = "drop"), 8,
      c("cdf", "leaves", "tree")
    ),
    gaussian_tree = form(
      dpTree(variable = "age", n = 10000, depth = 3, rng = c(0, 128), rho = 0.1,
        missing = "impute"),
      8, c("cdf", "leaves", "tree")
    )
  )),
  guarantees = quote(list(
    dpTree = list(
      build = function(epsilon) {
        dpTree("numeric", "x", 4, 2, c(0, 10), globalEps = epsilon, missing = "impute")
      },
      data = rows(c(1, 9, 9, 1)), other = rows(c(9, 9, 9, 1)), exact = 0, reach = 4 * far * 4,
      rest = 1e-5,
      number = function(result) {
        sum(result$release[[2]] * c(1, -1), result$release[[3]] * c(1, 0, 0, -1))
      }
    )
  )),
  audits = quote(list(
    dpTree = list(
      make = function(excess) {
        dpTree("numeric", "x", 4, 2, c(0, 10), globalEps = 2.5 * excess, missing = "impute")
      },
      data = list(rows(c(1, 9, 9, 1)), rows(c(9, 9, 9, 1))),
      evidence = laplace_evidence(c(2, 2, 2, 0, 0, 2), c(1, 3, 1, 0, 0, 3)),
      draws = 62000
    ),
    `dpTree, Gaussian` = gaussian_case(1, ends, c(-1, 1, -1, 0, 0, 1), function(...) {
      dpTree(variable = "x", n = 4, depth = 2, rng = c(0, 10), missing = "impute", ...)
    })
  )),
  random = quote(list(
    `dpTree, Gaussian` = function() {
      c(column("numeric"), list(depth = whole(1, 4)), concentrated(), gaps())
    },
    dpTree = function() {
      depth <- whole(1, 4)
      c(column("numeric"), list(depth = depth), tree_loss(depth))
    },
    `dpTree, dropping` = function() {
      depth <- whole(1, 4)
      c(column("numeric"), list(depth = depth, missing = "drop"), tree_loss(depth))
    }
  )),
  covers = quote(list(
    dpTree = way(
      dpTree("numeric", "x", 50, 2, c(0, 100), globalEps = 1, missing = "impute"),
      function(result) abs(result$release[[3]][[1]] - sum(data$x < 25)) <= result$accuracy[[2]]
    )
  ))
)
