ints <- rows_of("i32")
twice <- make_user_transformation(
  ints[[1]], ints[[2]], ints[[1]], ints[[2]], \(x) c(x, x), \(d_in) 2 * d_in
)

test_that("the example of the catalogue gives its result", {
  total <- rows_of("String") |>
    then_cast_default("i32") |>
    make_chain_tt(twice, transformation0 = _) |>
    then_clamp(c(1L, 2L)) |>
    then_sum()
  expect_identical(total(arg = c("0", "1", "2", "3")), 12L)
  expect_identical(total(d_in = 1L), 4L)
  expect_identical((total |> then_laplace(1))(d_in = 1L), 4)
})

test_that("its then_ form repeats the input space and compares it", {
  clamped <- ints |> then_clamp(c(0L, 10L))
  space <- list(clamped("output_domain"), clamped("output_metric"))
  chained <- clamped |>
    then_user_transformation(space[[1]], space[[2]], ints[[1]], ints[[2]], \(x) x + 1L, identity)
  expect_identical(chained(arg = c(-5L, 5L)), c(1L, 6L))
  expect_error(
    clamped |>
      then_user_transformation(ints[[1]], ints[[2]], ints[[1]], ints[[2]], identity, identity),
    class = "dp_error_domain_mismatch"
  )
})

test_that("to_then() gives the pipe form to a constructor built on it", {
  make_twice <- function(input_domain, input_metric) {
    make_user_transformation(
      input_domain, input_metric, input_domain, input_metric, \(x) c(x, x), \(d_in) 2 * d_in
    )
  }
  then_twice <- to_then(make_twice)
  expect_identical((ints |> then_clamp(c(0L, 9L)) |> then_twice() |> then_sum())(d_in = 1L), 18L)
})

test_that("domains and metrics must match, and functions must be functions", {
  expect_error(
    make_user_transformation(
      ints[[1]], hamming_distance(), ints[[1]], ints[[2]], identity, identity
    ),
    class = "dp_error_metric_space"
  )
  expect_error(
    make_user_transformation(
      ints[[1]], ints[[2]], ints[[1]], hamming_distance(), identity, identity
    ),
    class = "dp_error_metric_space"
  )
  expect_error(
    make_user_transformation(ints[[1]], ints[[2]], ints[[1]], ints[[2]], 3, identity),
    "`function_` must be a function", class = "dp_error_invalid_argument"
  )
  expect_error(
    make_user_transformation(ints[[1]], ints[[2]], ints[[1]], ints[[2]], identity, "x"),
    "`stability_map` must be a function", class = "dp_error_invalid_argument"
  )
})

test_that("a result of the wrong type counts as a failed function", {
  returns <- function(result) {
    make_user_transformation(
      ints[[1]], ints[[2]], ints[[1]], ints[[2]], \(x) result, \(d_in) result
    )
  }
  for (wrong in list("a", 0.5, list(1L), mean)) {
    expect_error(returns(wrong)(arg = 1L), class = "dp_error_failed_function")
    expect_error(returns(wrong)(d_in = 1L), class = "dp_error_failed_function")
  }
  expect_no_match(conditionMessage(condition_of(returns("7417")(arg = 1L))), "7417")
})

test_that("user domains can hold any R object", {
  lists <- user_domain("lists", is.list)
  first <- make_user_transformation(
    lists, user_distance("mine"), atom_domain(.T = "f64", nan = FALSE), absolute_distance("f64"),
    \(x) x$a, \(d_in) d_in$most
  )
  expect_identical(first(arg = list(a = 2.5)), 2.5)
  expect_identical(first(d_in = list(most = 3)), 3)
})
