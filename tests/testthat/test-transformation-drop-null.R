optional <- function(type, ...) {
  c(vector_domain(option_domain(atom_domain(.T = type)), ...), symmetric_distance())
}

test_that("nulls and NaN are dropped, and other rows keep their order", {
  expect_identical((rows_of("f64") |> then_drop_null())(arg = c(3, NaN, 1, NA)), c(3, 1))
  expect_identical((optional("String") |> then_drop_null())(arg = c("b", NA, "a")), c("b", "a"))
  expect_identical((optional("bool") |> then_drop_null())(arg = NA), logical())
  expect_identical((optional("i32") |> then_drop_null())(arg = integer()), integer())
})

test_that("the number of remaining rows is not public", {
  dropped <- optional("i32", size = 3) |> then_drop_null()
  expect_identical(toString(dropped("output_domain")), "VectorDomain(AtomDomain(T=i32))")
  expect_identical(dropped(d_in = 4L), 4)
})

test_that("rows that cannot be missing, and metrics that need a size, raise errors", {
  expect_error(rows_of("i32") |> then_drop_null(), class = "dp_error_type")
  for (metric in list(change_one_distance(), hamming_distance())) {
    expect_error(rows_of("f64", metric, size = 3) |> then_drop_null(),
      class = "dp_error_metric_space"
    )
  }
})
