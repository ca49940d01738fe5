# Facts about dpKMeans() for tests, see helper-statistic-facts.R.

tested_kmeans <- list(
  arguments = quote(list(
    dpKMeans = c(pairs[-1], list(columns = c("x", "y"), k = 2, epsilon = 1))
  )),
  examples = quote(list(
    clusters = form(
      dpKMeans(c("age", "educ"), 3, 10000, pums_ranges[3:2], epsilon = 1), 6, c("centres", "sizes")
    ),
    clusters_of_three = form(
      dpKMeans(c("age", "educ", "sex"), 2, 10000, c(pums_ranges[3:2], list(c(0, 1))), epsilon = 1,
        iterations = 3, varType = "integer", conversion = "truncate"), 6, c("centres", "sizes")
    )
  )),
  guarantees = quote(list(
    # A row of the cluster with larger values, whose mean is released.
    dpKMeans = list(
      build = function(epsilon) {
        dpKMeans(c("x", "y"), 2, 6, list(c(0, 1), c(0, 1)), epsilon, iterations = 2)
      },
      data = rows(c(1, 0.9, 0.8, 0.2, 0.1, 0), y = c(1, 0.9, 0.8, 0.2, 0.1, 0)),
      other = rows(c(0, 0.9, 0.8, 0.2, 0.1, 0), y = c(0, 0.9, 0.8, 0.2, 0.1, 0)), exact = 0.9,
      reach = far * 40, rest = 1e-5, number = function(result) max(result$release$x)
    )
  )),
  audits = quote(list(
    # A row moves to the farthest corner, and so to a different cluster.
    dpKMeans = clusters_case(1, 2.5, c(0, 0), c(1, 1)),
    # The second of two rounds uses the centres of the first. A gap moves half of the cells.
    `dpKMeans, rounds` = clusters_case(2, 5, c(0, 0), c(NA, 0), claim = c(2.5, 0))
  )),
  random = quote(list(
    dpKMeans = function() {
      c(joint_columns()[1:4], list(k = whole(1, 6), iterations = one_of(NULL, 1, 3, 7)))
    }
  ))
)
