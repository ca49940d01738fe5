noisy <- number_of("i32") |> then_laplace(scale = 0)

test_that("a postprocessor is a function of a release without loss", {
  doubled <- noisy |> then_postprocess(\(x) 2 * x)
  expect_identical(doubled(arg = 21L), 42)
  expect_identical(
    (number_of("i32") |> then_laplace(2) |> then_postprocess(\(x) "a"))(d_in = 1L), 0.5
  )
})

test_that("its result has the declared type", {
  expect_identical((noisy |> then_postprocess(\(x) x + 1L, .TO = "i32"))(arg = 1L), 2L)
  expect_identical((noisy |> then_postprocess(\(x) c(x, 1), .TO = "Vec<f64>"))(arg = 1L), c(1, 1))
  opaque <- noisy |> then_postprocess(\(x) list(x, letters))
  expect_identical(opaque(arg = 1L), list(1L, letters))
  wrong <- noisy |> then_postprocess(\(x) "one", .TO = "i32")
  expect_error(wrong(arg = 1L), class = "dp_error_failed_function")
  expect_error(new_function(\(x) "one", .TO = "i32")(arg = 1L), class = "dp_error_failed_function")
  expect_error(new_function(\(x) 1:2, .TO = "i32")(arg = 1L), class = "dp_error_failed_function")
})

test_that("a failing postprocessor reports its error, because a release is public", {
  fails <- noisy |> then_postprocess(\(x) stop("no ", x))
  expect_error(fails(arg = 7L), "no 7", class = "dp_error_failed_function")
})

test_that("postprocessors can be chained", {
  twice <- noisy |> then_postprocess(\(x) 2 * x) |> then_postprocess(\(x) x + 1)
  expect_identical(twice(arg = 3L), 7)
})

test_that("a transformation after a measurement contributes only its function", {
  space <- number_of("i32")
  plus_one <- make_user_transformation(
    space[[1]], space[[2]], space[[1]], space[[2]], \(x) x + 1L, \(d_in) 1000L
  )
  chained <- make_chain_pm(plus_one, noisy)
  expect_identical(chained(arg = 1L), 2L)
  expect_identical(chain(number_of("i32") |> then_laplace(2), plus_one)(d_in = 1L), 0.5)
})

test_that("a function can be evaluated, printed and queried", {
  f <- new_function(\(x) x + 1, .TO = "ExtrinsicObject")
  expect_identical(f(arg = 1), 2)
  expect_identical(f$eval(1), 2)
  expect_identical(function_eval(f, 1), 2)
  total <- transformation_function(bounded_rows(c(0L, 10L)) |> then_sum())
  expect_identical(function_eval(total, 7L, TI = "Vec<i32>"), 7L)
  expect_error(function_eval(total, 7, TI = "Vec<i32>"), class = "dp_error_failed_cast")
  expect_identical(format(f), "Function")
  expect_output(print(f), "^Function$")
  expect_error(f(), "expected exactly one of attr or arg", class = "dp_error_invalid_argument")
  expect_error(f("nothing"), "unrecognized attribute", class = "dp_error_invalid_argument")
  expect_error(f$nothing, class = "dp_error_invalid_argument")
})

test_that("a postprocessor must be a function, and is gated", {
  expect_error(new_function(3, "i32"), class = "dp_error_invalid_argument")
  withr::local_options(opendp_features = "contrib")
  expect_error(new_function(identity, "i32"), class = "dp_error_missing_feature")
  expect_error(noisy |> then_postprocess(identity), class = "dp_error_missing_feature")
})

test_that("a release of the wrong type raises an error, and is never reinterpreted", {
  rows <- c(vector_domain(number_of("i32")[[1]]), l1_distance("i32")) |> then_laplace(scale = 0)
  floats <- c(vector_domain(number_of("f64")[[1]]), symmetric_distance()) |> then_clamp(c(0, 9))
  expect_error(make_chain_pm(floats, rows)(arg = 1:3), class = "dp_error_failed_cast")
  expect_error(floats("function")(arg = 1:3), class = "dp_error_failed_cast")
  expect_error(rows("function")(arg = c(1, 2)), class = "dp_error_failed_cast")
  again <- saved_and_loaded(make_chain_pm(floats, rows))
  expect_error(again(arg = 1:3), class = "dp_error_failed_cast")
  ints <- rows_of("i32") |> then_clamp(c(0L, 2L))
  expect_identical(make_chain_pm(ints, rows)(arg = 1:3), c(1L, 2L, 2L))
})

test_that("an object's function takes the same data as the object", {
  label <- rows_of("usize") |> then_index(c("a", "b"), "none")
  expect_identical(label("function")(arg = c(1L, 0L, 5L)), c("b", "a", "none"))
  expect_identical(label("function")(arg = 1L), "b")
  filled <- (rows_of("String") |> then_cast("i32"))("output_domain")
  filled <- make_impute_constant(filled, symmetric_distance(), 7L)
  expect_identical(filled("function")(arg = c(1L, NA)), c(1L, 7L))
  places <- rows_of("i32", linf_distance("i32")) |> then_noisy_top_k(max_divergence(), 2L, 0)
  best <- make_chain_pm(rows_of("usize") |> then_index(c("x", "y", "z"), "none"), places)
  expect_identical(best(arg = c(1L, 9L, 5L)), c("y", "z"))
})
