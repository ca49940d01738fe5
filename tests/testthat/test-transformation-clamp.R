test_that("rows are moved to the nearest bound", {
  clamp <- rows_of("i32") |> then_clamp(c(-1L, 1L))
  expect_identical(clamp(arg = c(-10L, 0L, 10L)), c(-1L, 0L, 1L))
  floats <- c(vector_domain(atom_domain(.T = "f64", nan = FALSE)), symmetric_distance()) |>
    then_clamp(c(0, 1))
  expect_identical(floats(arg = c(-Inf, 0.5, Inf)), c(0, 0.5, 1))
  expect_identical(1 / floats(arg = -0), -Inf)
})

test_that("the bounds replace earlier ones, and a size is kept", {
  clamp <- bounded_rows(c(3L, 4L), size = 7) |> then_clamp(c(0L, 10L))
  expect_identical(
    toString(clamp("output_domain")), "VectorDomain(AtomDomain(bounds=[0, 10], T=i32), size=7)"
  )
})

test_that("all four distances between datasets are supported", {
  for (metric in list(symmetric_distance(), insert_delete_distance(), change_one_distance(),
    hamming_distance())) {
    clamp <- rows_of("i32", metric, size = 3) |> then_clamp(c(0L, 1L))
    expect_identical(toString(clamp("output_metric")), toString(metric))
    expect_identical(clamp(d_in = 2L), 2)
  }
})

test_that("invalid bounds and NaN domains raise errors before data are read", {
  expect_error(rows_of("f64") |> then_clamp(c(0, 1)), class = "dp_error_failed_function")
  expect_error(rows_of("i32") |> then_clamp(c(1L, 0L)), class = "dp_error_make_domain")
  expect_error(rows_of("i32") |> then_clamp(c(0, 1)), class = "dp_error_failed_cast")
  expect_error(rows_of("i32") |> then_clamp(c(NA, 1L)), class = "dp_error_failed_cast")
  expect_error(rows_of("String") |> then_clamp(c("a", "b")), class = "dp_error_type")
})

test_that("a NaN outside the domain raises one fixed error", {
  floats <- c(vector_domain(atom_domain(.T = "f64", nan = FALSE)), symmetric_distance())
  expect_error((floats |> then_clamp(c(0, 1)))(arg = c(1, NaN)), class = "dp_error_failed_function")
})
