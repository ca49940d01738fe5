scores <- function(candidates, alpha, ...) {
  rows_of("i32", ...) |> then_quantile_score_candidates(candidates, alpha)
}

test_that("the candidate that splits the rows at alpha scores lowest", {
  for (alpha in c(0.25, 0.5, 0.75)) {
    candidates <- seq(0L, 100L, by = 5L)
    best <- candidates[which.min(in_doubles(scores(candidates, alpha)(arg = 0:100)))]
    expect_identical(best, as.integer(100 * alpha))
  }
})

test_that("without rows all scores are zero, and rows equal to a candidate are on no side", {
  expect_identical(scores(1:3, 0.5)(arg = integer()), integer64_of(c(0, 0, 0)))
  expect_identical(scores(1:3, 0.5)(arg = c(2L, 2L)), integer64_of(c(2, 0, 2)))
})

test_that("the map depends on alpha, and a known size counts rows in pairs", {
  expect_identical(scores(1:2, 0.75)(d_in = 1L), 3)
  expect_identical(scores(1:2, 0.75, size = 100)(d_in = 3L), 4)
  metric <- linf_distance("u64")
  expect_identical(toString(scores(1:2, 0.5)("output_metric")), toString(metric))
  expect_identical(toString(scores(1:2, 0.5)("output_domain")),
    "VectorDomain(AtomDomain(T=u64), size=2)"
  )
})

test_that("D-SEN-1: no row moves a score further than the map says, and one that far", {
  score <- scores(c(2L, 5L), 0.7)
  data <- expand.grid(0:7, 0:7)
  moves <- apply(data, 1, function(rows) {
    max(abs(in_doubles(score(arg = rows)) - in_doubles(score(arg = rows[1]))))
  })
  expect_identical(max(moves), score(d_in = 1L))
})

test_that("invalid candidates, alphas and rows raise errors", {
  for (candidates in list(c(2L, 1L), c(1L, 1L), integer(), NULL)) {
    expect_error(scores(candidates, 0.5), class = "dp_error_make_transformation")
  }
  for (candidates in list(c(1, 2), "a", factor(1), c(1L, NA))) {
    expect_error(scores(candidates, 0.5), class = "dp_error_failed_cast")
  }
  for (alpha in list(-0.1, 1.1, NaN, Inf)) {
    expect_error(scores(1:2, alpha), class = "dp_error_make_transformation")
  }
  for (alpha in list("a", NULL, c(0.1, 0.2))) {
    expect_error(scores(1:2, alpha), class = "dp_error_failed_cast")
  }
  floats <- rows_of("f64")
  expect_error(floats |> then_quantile_score_candidates(c(1, 2), 0.5),
    class = "dp_error_make_transformation"
  )
  expect_error(scores(1:2, 0.5, size = 0), class = "dp_error_overflow")
  expect_error(scores(1:2, 0.5, metric = change_one_distance(), size = 3), class = "dp_error_type")
})
