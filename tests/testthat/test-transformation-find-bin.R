test_that("a row that equals an edge is in the bin above", {
  bins <- rows_of("f64") |> then_find_bin(c(-1, 0, 2.5))
  expect_identical(bins(arg = c(-Inf, -1, -0.5, -0, 2.4, 2.5, Inf)), c(0, 1, 1, 2, 2, 3, 3))
  expect_identical(bins(arg = NaN), 3)
  expect_identical(toString(bins("output_domain")), "VectorDomain(AtomDomain(T=usize))")
})

test_that("without edges there is one bin", {
  expect_identical((rows_of("i32") |> then_find_bin(integer()))(arg = c(-5L, 5L)), c(0, 0))
})

test_that("bins agree with findInterval()", {
  edges <- c(-7L, -3L, 0L, 4L, 5L, 20L)
  rows <- -30:30
  bins <- rows_of("i32") |> then_find_bin(edges)
  expect_identical(bins(arg = rows), as.double(findInterval(rows, edges)))
})

test_that("invalid edges and rows raise errors before data are read", {
  floats <- rows_of("f64")
  for (edges in list(c(2, 1), c(1, 1), c(0, NaN), NaN, c(-0, 0))) {
    expect_error(floats |> then_find_bin(edges), class = "dp_error_make_transformation")
  }
  for (edges in list(1:2, "a", factor(1), TRUE)) {
    expect_error(floats |> then_find_bin(edges), class = "dp_error_failed_cast")
  }
  expect_error(rows_of("String") |> then_find_bin("a"), class = "dp_error_type")
  expect_error(rows_of("f64", discrete_distance()) |> then_find_bin(1), class = "dp_error_type")
})
