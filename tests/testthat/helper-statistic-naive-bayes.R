# Facts about dpNaiveBayes() for tests, see helper-statistic-facts.R.

tested_naive_bayes <- list(
  arguments = quote(list(
    dpNaiveBayes = c(pairs[-1], list(formula = "z ~ x + y", levels = c(0, 1), epsilon = 1))
  )),
  examples = quote(list(
    classifier = form(
      dpNaiveBayes(married ~ age + educ, c(0, 1), 10000, pums_ranges[3:2], epsilon = 1,
        missing = "impute"), 4, c("means", "rows")
    ),
    present_classifier = form(
      dpNaiveBayes(job ~ age, jobs, 10000, list(c(18, 93)), epsilon = 1, missing = "drop"), 3,
      c("means", "rows")
    )
  )),
  guarantees = quote(list(
    dpNaiveBayes = with_build(
      utils::modifyList(groups, list(exact = 0.75, number = function(result) {
        result$release$mean[[1]]
      })),
      function(epsilon) {
        dpNaiveBayes(y ~ x, c(0, 1), 6, list(c(0, 1)), epsilon = epsilon, missing = "impute")
      }
    )
  )),
  audits = quote(list(
    dpNaiveBayes = list(
      make = function(excess) {
        dpNaiveBayes(z ~ x + y, c(0, 1), 3, list(c(0, 1), c(0, 1)), epsilon = 2.5 * excess,
          missing = "impute")
      },
      data = list(
        rows(c(0, 1, 1), y = c(0, 1, 1), z = c(0, 1, 1)),
        rows(c(0, 1, 1), y = c(0, 1, 1), z = c(1, 1, 1))
      ),
      evidence = laplace_evidence(
        rep(c(1, 0, 0, 0, 0, 2, 0), 2), rep(c(0, 0, 0, 1, 0, 2, 0), 2)
      ), draws = 65000
    )
  )),
  random = quote(list(
    dpNaiveBayes = function() {
      list(
        formula = "y ~ a + b", levels = c(0.25, 0.5, 1)[seq_len(whole(2, 3))],
        n = whole(2, 5000), rng = ranges(2), epsilon = epsilon(),
        missing = one_of("impute", "drop")
      )
    }
  ))
)
