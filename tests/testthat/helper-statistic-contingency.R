# Facts about dpContingency() for tests, see helper-statistic-facts.R.

tested_contingency <- list(
  arguments = quote(list(
    dpContingency = list(
      variables = c("x", "y"), levels = list(c("a", "b"), c(0, 1)), n = 10, epsilon = 1
    ),
    `dpContingency, margins` = list(
      variables = c("x", "y"), levels = list(c("a", "b"), c(0, 1)), margins = list("x", "y"),
      n = 10, epsilon = 1
    )
  )),
  examples = quote(list(
    contingency = form(
      dpContingency(c("sex", "educ"), list(educ = 1:16, sex = c(0, 1)), n = 10000, epsilon = 1,
        missing = "impute"), 32,
      c("tiles", "counts")
    ),
    present_contingency = form(
      dpContingency(c("sex", "married", "job"), list(c(0, 1), c(0, 1), jobs[-1]),
        n = 10000, epsilon = 1, missing = "drop"), 27, "counts"
    ),
    summed_margins = form(
      dpContingency(c("sex", "married"), list(c(0, 1), c(0, 1)), list("sex", "married"), 10000, 1,
        missing = "impute"), 4, c("sex", "married")
    ),
    margins = form(
      dpContingency(c("sex", "educ", "job"), list(c(0, 1), 1:6, jobs[1:2]),
        list(c("sex", "educ"), c("sex", "job")), 10000, 1, missing = "impute", other = TRUE), 30,
      c("sex:educ", "sex:job")
    )
  )),
  guarantees = quote(list(
    dpContingency = list(
      build = function(epsilon) {
        dpContingency(c("x", "y"), list(c(0, 1), c(0, 1)), n = 3, epsilon = epsilon,
          missing = "impute")
      },
      data = rows(c(1, 0, 1), y = c(0, 0, 1)), other = rows(c(0, 0, 1), y = c(1, 0, 1)), exact = 1,
      reach = 2 * far * 2, rest = 1e-5,
      number = function(result) sum(result$release$count * c(0, 1, -1, 0))
    ),
    `dpContingency, margins` = list(
      build = function(epsilon) {
        dpContingency(c("x", "y", "z"), list(0:9, 0:9, 0:9), list("x", "y"), 3, epsilon,
          missing = "impute")
      },
      data = rows(c(1, 0, 1), y = c(0, 0, 1), z = 0),
      other = rows(c(0, 0, 1), y = c(1, 0, 1), z = 0), exact = 1, reach = 8 * far * 2, rest = 1e-5,
      number = function(result) {
        result$release$x$count[[2]] - result$release$y$count[[2]]
      }
    )
  )),
  audits = quote(list(
    dpContingency = list(
      make = function(excess) {
        small(dpContingency(c("x", "y"), list(c(0, 1), c(0, 1)), n = 3, epsilon = 2 * excess,
          missing = "impute"))
      },
      data = list(rows(c(0, 1, 1), y = c(0, 1, 1)), rows(c(1, 1, 1), y = c(0, 1, 1))),
      evidence = laplace_evidence(c(1, 0, 0, 2), c(0, 1, 0, 2)), draws = 17000
    ),
    # A row that moves two counts in both margins.
    `dpContingency, margins` = list(
      make = function(excess) {
        small(dpContingency(c("x", "y"), list(0:4, 0:4), list("x", "y"), 3, 2 * excess,
          missing = "impute"))
      },
      data = list(rows(c(0, 1, 1), y = c(0, 1, 1)), rows(c(2, 1, 1), y = c(2, 1, 1))),
      evidence = laplace_evidence(
        rep(c(1, 2, 0, 0, 0), 2), rep(c(0, 2, 1, 0, 0), 2)
      ), draws = 65000
    )
  )),
  random = quote(list(
    dpContingency = function() {
      sizes <- c(whole(2, 9), whole(2, 9), whole(2, 9))
      c(
        list(
          variables = c("a", "b", "y"), levels = lapply(sizes, function(size) seq_len(size) / 8),
          margins = one_of(
            NULL, list("a", "b"), list(c("a", "b"), c("b", "y")), list(c("a", "b", "y"), "y")
          ), n = whole(1, 5000), epsilon = epsilon()
        ),
        one_of(list(missing = "impute"), list(missing = "drop"), list(other = TRUE))
      )
    }
  )),
  covers = quote(list(
    dpContingency = way(
      small(dpContingency(c("kind", "y"), list(c("a", "b", "c"), c(0, 10, 30, 50, 90)), n = 50,
        epsilon = 0.5, missing = "impute")),
      function(result) {
        row <- as.data.frame(result)[2, ]
        within(sum(data$kind == "b" & data$y == 0), c(row$conf.low, row$conf.high))
      }
    ),
    `dpContingency, margins` = way(
      small(dpContingency(c("kind", "y"), list(c("a", "b", "c"), c(0, 10, 30, 50, 90)),
        list("kind", "y"), 50, 0.5, missing = "drop")),
      function(result) {
        stopifnot(result$design == "margins")
        row <- as.data.frame(result)[1, ]
        within(sum(data$kind == "a"), c(row$conf.low, row$conf.high))
      }
    ),
    `dpContingency, sums` = way(
      small(dpContingency(c("x", "kind"), list(data$x[1:2], c("a", "b", "c")),
        list("x", "kind", c("x", "kind")), 50, 0.5, missing = "drop")),
      function(result) {
        stopifnot(result$design == "table")
        row <- as.data.frame(result)[5, ]
        within(sum(data$kind == "b"), c(row$conf.low, row$conf.high))
      }
    )
  ))
)
