optional <- function(type) {
  c(vector_domain(option_domain(atom_domain(.T = type))), symmetric_distance())
}

test_that("missing rows become draws between the bounds, and other rows stay", {
  floats <- rows_of("f64") |> then_impute_uniform(c(2, 3))
  out <- floats(arg = c(-50, rep(NaN, 1000), 50))
  expect_identical(out[c(1, 1002)], c(-50, 50))
  drawn <- out[2:1001]
  expect_true(all(drawn >= 2 & drawn <= 3))
  expect_gt(length(unique(drawn)), 990)
  # Uniform draws have the variance 1 / 12.
  expect_lt(abs(mean(drawn) - 2.5), mean_reach(1000, 1 / 12, 0.5 / 3))
})

test_that("integers and bools are drawn from the values between the bounds", {
  ints <- optional("i32") |> then_impute_uniform(c(1L, 3L))
  expect_setequal(ints(arg = c(7L, rep(NA, 200))), c(7L, 1:3))
  bools <- optional("bool") |> then_impute_uniform(c(0, 1))
  expect_setequal(bools(arg = rep(NA, 100)), c(TRUE, FALSE))
})

test_that("every draw is new", {
  floats <- rows_of("f64") |> then_impute_uniform(c(0, 1))
  draws <- replicate(50, floats(arg = c(NaN, NaN)))
  expect_identical(anyDuplicated(as.vector(draws)), 0L)
})

test_that("invalid bounds raise errors", {
  build <- function(bounds) rows_of("f64") |> then_impute_uniform(bounds)
  for (bounds in list(c(1, 0), c(0, Inf), c(NaN, 1), c(-Inf, 0), c(NA, 1))) {
    expect_error(build(bounds), class = "dp_error_make_transformation")
  }
  expect_error(build("a"), class = "dp_error_failed_cast")
  expect_error(optional("i32") |> then_impute_uniform(c(0.2, 0.8)),
    class = "dp_error_make_transformation"
  )
  expect_error(rows_of("i32") |> then_impute_uniform(c(0, 1)), class = "dp_error_type")
  expect_error(optional("String") |> then_impute_uniform(c(0, 1)), class = "dp_error_type")
})
