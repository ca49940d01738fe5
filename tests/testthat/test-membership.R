# Data outside a declared domain raise one fixed error, whatever is wrong with them, before noise is
# drawn.

bounded <- function(type, ...) vector_domain(atom_domain(bounds = c(0, 10), .T = type), ...)

expect_nonmember <- function(object, arg) {
  error <- expect_error(object(arg = arg), class = "dp_error_failed_function")
  expect_match(conditionMessage(error), "arg must be a member of the input domain.", fixed = TRUE)
}

test_that("D-DOM-4: each step of bounded rows rejects out-of-bounds rows and NaN", {
  floats <- c(bounded("f64", size = 3), symmetric_distance())
  steps <- list(
    then_sum, then_mean, then_variance, then_sum_of_squared_deviations, then_count,
    then_identity, function(lhs) then_sum(lhs) |> then_laplace(1)
  )
  for (step in steps) {
    object <- step(floats)
    expect_no_error(object(arg = c(0, 5, 10)))
    for (data in list(c(0, 5, 10.5), c(-1e-300, 5, 1), c(0, NaN, 1), c(Inf, 0, 0), c(0, 10))) {
      expect_nonmember(object, data)
    }
  }
  whole <- c(vector_domain(atom_domain(bounds = c(0L, 10L))), symmetric_distance()) |> then_sum()
  expect_identical(whole(arg = c(0L, 10L)), 10L)
  for (data in list(11L, c(5L, -1L), c(5L, NA))) expect_nonmember(whole, data)
})

test_that("D-DOM-4: rules of a domain for numbers hold in nullable rows, pairs and maps", {
  nullable <- vector_domain(option_domain(atom_domain(bounds = c(0L, 10L)))) |>
    make_impute_constant(symmetric_distance(), 0L)
  expect_identical(nullable(arg = c(1L, NA, 10L)), c(1L, 0L, 10L))
  expect_nonmember(nullable, c(1L, NA, 11L))
  covariance <- make_sized_bounded_covariance(3, c(0, 10), c(0, 1), 1L)
  expect_no_error(covariance(arg = data.frame(x = c(0, 5, 10), y = c(0, 1, 1))))
  expect_nonmember(covariance, data.frame(x = c(0, 5, 10), y = c(0, 1, 1.5)))
  expect_nonmember(covariance, data.frame(x = c(0, 5, 11), y = c(0, 1, 1)))
  counts <- map_domain(atom_domain(.T = "String"), atom_domain(.T = "f64", nan = FALSE))
  noisy <- make_laplace_threshold(counts, l01inf_distance(absolute_distance("f64")), 1, 100)
  expect_no_error(noisy(arg = c(a = 1, b = 2)))
  expect_nonmember(noisy, c(a = 1, b = NaN))
})

test_that("D-DOM-4: the function of an object rejects the same data as the object", {
  total <- c(bounded("f64"), symmetric_distance()) |> then_sum()
  expect_error(
    function_eval(transformation_function(total), c(1, 11)), class = "dp_error_failed_function"
  )
  both <- make_composition(list(
    c(bounded("f64"), symmetric_distance()) |> then_sum() |> then_laplace(1),
    c(bounded("f64"), symmetric_distance()) |> then_sum() |> then_laplace(1)
  ))
  expect_nonmember(both, c(1, 11))
})
