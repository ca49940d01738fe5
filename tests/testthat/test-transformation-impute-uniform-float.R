test_that("NaN becomes a draw from the bounds, and other rows stay", {
  for (type in c("f32", "f64")) {
    imputed <- rows_of(type) |> then_impute_uniform_float(c(2, 3))
    out <- imputed(arg = c(-50, rep(NaN, 1000), 50))
    expect_identical(out[c(1, 1002)], c(-50, 50))
    drawn <- out[2:1001]
    expect_true(all(drawn >= 2 & drawn < 3))
    expect_gt(length(unique(drawn)), 990)
    # Uniform draws have the variance 1 / 12.
    expect_lt(abs(mean(drawn) - 2.5), mean_reach(1000, 1 / 12, 0.5 / 3))
  }
})

test_that("the upper bound is not drawn, however close the bounds", {
  imputed <- rows_of("f64") |> then_impute_uniform_float(c(1, 1 + 2^-52))
  expect_identical(imputed(arg = rep(NaN, 100)), rep(1, 100))
})

test_that("every draw is new, and R's generator does not change", {
  imputed <- rows_of("f64") |> then_impute_uniform_float(c(0, 1))
  before <- globalenv()$.Random.seed
  draws <- replicate(50, imputed(arg = c(NaN, NaN)))
  expect_identical(anyDuplicated(as.vector(draws)), 0L)
  expect_identical(globalenv()$.Random.seed, before)
})

test_that("bounds must be finite, ordered and distinct", {
  for (bounds in list(
    c(1, 0), c(2, 2), c(0, Inf), c(-Inf, 0), c(NaN, 1), c(NA, 1), c(-1e308, 1e308)
  )) {
    expect_error(rows_of("f64") |> then_impute_uniform_float(bounds),
      class = "dp_error_make_transformation"
    )
  }
  for (bounds in list(0:1, "a", 1, c(0, 1, 2), NULL)) {
    expect_error(rows_of("f64") |> then_impute_uniform_float(bounds),
      class = "dp_error_failed_cast"
    )
  }
})

test_that("rows must be floats", {
  optional <- c(vector_domain(option_domain(atom_domain(.T = "i32"))), symmetric_distance())
  expect_error(optional |> then_impute_uniform_float(c(0, 1)), class = "dp_error_type")
  expect_error(rows_of("i32") |> then_impute_uniform_float(c(0L, 1L)), class = "dp_error_type")
})
