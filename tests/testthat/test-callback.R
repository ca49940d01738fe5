# User functions inside the core: errors, conditions, re-entry.

space <- rows_of("i32")

user <- function(function_, stability_map = identity) {
  make_user_transformation(space[[1]], space[[2]], space[[1]], space[[2]], function_, stability_map)
}

test_that("an error in a function of private data is reported without its message", {
  fails <- user(\(x) stop("saw ", x[[1]]))
  error <- condition_of(fails(arg = c(7417L, 1L)))
  expect_s3_class(error, "dp_error_failed_function")
  expect_identical(
    conditionMessage(error), "[FailedFunction] : Exception in user-defined function"
  )
})

test_that("an error in a map is reported with its message, because distances are public", {
  fails <- user(identity, \(d_in) stop("no map at ", d_in))
  expect_error(fails(d_in = 3L), "no map at 3", class = "dp_error_failed_function")
})

test_that("results must have the declared type", {
  expect_error(user(\(x) "a")(arg = 1:2), class = "dp_error_failed_function")
  expect_error(user(\(x) x + 0.5)(arg = 1:2), class = "dp_error_failed_function")
  expect_error(user(\(x) NULL)(arg = 1:2), class = "dp_error_failed_function")
  expect_error(user(identity, \(d_in) "a")(d_in = 1L), class = "dp_error_failed_function")
  expect_error(user(identity, \(d_in) -1)(d_in = 1L), class = "dp_error_failed_function")
  expect_error(user(identity, \(d_in) NULL)(d_in = 1L), class = "dp_error_failed_function")
})

test_that("a function may call the package again", {
  inner <- space |> then_clamp(c(0L, 10L))
  outer <- user(\(x) inner(arg = x), \(d_in) inner(d_in = d_in))
  expect_identical(outer(arg = c(-1L, 50L)), c(0L, 10L))
  expect_identical(outer(d_in = 3L), 3)
  failing <- user(\(x) (space |> then_resize(0, 1L))(arg = x))
  expect_error(failing(arg = 1L), class = "dp_error_failed_function")
  expect_identical(outer(arg = 1L), 1L)
})


test_that("functions live as long as the objects that call them", {
  make <- function() {
    offset <- 5L
    user(\(x) x + offset) |> then_clamp(c(0L, 100L))
  }
  chained <- make()
  gc()
  expect_identical(chained(arg = 1:3), 6:8)
})

test_that("a function that exits by a jump does no harm", {
  leaves <- user(\(x) invokeRestart("out", 42))
  expect_error(
    withRestarts(leaves(arg = 1L), out = \(value) value), class = "dp_error_failed_function"
  )
  expect_identical(user(identity)(arg = 1L), 1L)
})
