sized <- function(n, type = "f64", metric = symmetric_distance()) {
  c(vector_domain(atom_domain(bounds = c(0, 10), .T = type), size = n), metric)
}

test_that("squared deviations are summed", {
  deviations <- sized(4) |> then_sum_of_squared_deviations()
  expect_identical(deviations(arg = c(1, 1, 3, 3)), 4)
  expect_identical((sized(1) |> then_sum_of_squared_deviations())(arg = 5), 0)
})

test_that("the order of additions can be chosen, in the type of the rows", {
  pairwise <- sized(9) |> then_sum_of_squared_deviations()
  sequential <- sized(9) |> then_sum_of_squared_deviations(.S = "Sequential<.T>")
  expect_identical(pairwise(d_in = 2L), 88.88888888889043)
  expect_identical(sequential(d_in = 2L), 88.88888888889328)
  single <- sized(9, "f32") |> then_sum_of_squared_deviations()
  expect_identical(single(d_in = 2L), 88.88972473144531)
  expect_error(
    sized(9) |> then_sum_of_squared_deviations(.S = "Pairwise<f32>"),
    class = "dp_error_failed_cast"
  )
  expect_error(sized(9) |> then_sum_of_squared_deviations(.S = "Kahan<f64>"), class = "dp_error")
})

test_that("D-SEN-1: no replaced row moves the sum further than the map says, and one comes close", {
  grid <- expand.grid(0:10, 0:10, 0:10) / 1
  deviations <- sized(3) |> then_sum_of_squared_deviations()
  sums <- array(apply(grid, 1, function(rows) deviations(arg = rows)), c(11, 11, 11))
  moves <- apply(sums, c(2, 3), function(of_one_row) diff(range(of_one_row)))
  expect_lte(max(moves), deviations(d_in = 2L))
  expect_gte(max(moves), deviations(d_in = 2L) * 0.99)
})

test_that("it needs a size, bounds, and the symmetric distance", {
  unsized <- bounded_rows(c(0, 10))
  expect_error(unsized |> then_sum_of_squared_deviations(), class = "dp_error_make_transformation")
  expect_error(sized(0) |> then_sum_of_squared_deviations(), class = "dp_error_make_transformation")
  floats <- atom_domain(.T = "f64", nan = FALSE)
  unbounded <- c(vector_domain(floats, size = 3), symmetric_distance())
  expect_error(
    unbounded |> then_sum_of_squared_deviations(), class = "dp_error_make_transformation"
  )
  ordered <- sized(3, metric = insert_delete_distance())
  expect_error(ordered |> then_sum_of_squared_deviations(), class = "dp_error_type")
  ints <- bounded_rows(c(0L, 10L), size = 3)
  expect_error(ints |> then_sum_of_squared_deviations(), class = "dp_error")
})
