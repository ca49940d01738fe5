optional <- c(vector_domain(option_domain(atom_domain(.T = "f64"))), symmetric_distance())

test_that("missing rows become the constant", {
  cast <- rows_of("f64") |> then_cast("i32") |> then_impute_constant(-1L)
  expect_identical(cast(arg = c(NaN, 2)), c(-1L, 2L))
  floats <- rows_of("f64") |> then_impute_constant(0.5)
  expect_identical(floats(arg = c(1, NaN, NA, Inf)), c(1, 0.5, 0.5, Inf))
  words <- c(vector_domain(option_domain(atom_domain(.T = "String"))), symmetric_distance()) |>
    then_impute_constant("none")
  expect_identical(words(arg = c("a", NA)), c("a", "none"))
})

test_that("NaN within an option is also replaced", {
  imputed <- optional |> then_impute_constant(0)
  expect_identical(imputed(arg = c(NaN, 1)), c(0, 1))
  expect_identical(toString(imputed("output_domain")), "VectorDomain(AtomDomain(T=f64))")
})

test_that("the constant must be a valid row, and some row must be possibly missing", {
  expect_error(optional |> then_impute_constant(NaN), class = "dp_error_make_transformation")
  expect_error(optional |> then_impute_constant(0L), class = "dp_error_failed_cast")
  expect_error(optional |> then_impute_constant(c(0, 1)), class = "dp_error_failed_cast")
  expect_error(rows_of("i32") |> then_impute_constant(0L), class = "dp_error_type")
})
