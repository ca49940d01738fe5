space <- number_of("i32")
laplace <- function(scale) space |> then_laplace(scale = scale)
odometer <- space |> then_fully_adaptive_composition(max_divergence())

test_that("calls, `$` and functions return the parts of an odometer", {
  parts <- c("input_domain", "input_metric", "output_measure")
  shown <- c("AtomDomain(T=i32)", "AbsoluteDistance(i32)", "MaxDivergence")
  expect_s3_class(odometer, "odometer", exact = TRUE)
  expect_identical(vapply(parts, \(part) toString(odometer(part)), "", USE.NAMES = FALSE), shown)
  by_function <- vapply(
    parts, \(part) toString(get(paste0("odometer_", part))(odometer)), "", USE.NAMES = FALSE
  )
  expect_identical(by_function, shown)
  expect_identical(toString(odometer$output_measure), shown[[3]])
  expect_identical(odometer_input_carrier_type(odometer), "i32")
  expect_identical(typeof(odometer("ptr")), "externalptr")
})

test_that("it releases a queryable that answers measurements and reports their loss", {
  for (queryable in list(odometer(arg = 5L), odometer$invoke(5L), odometer_invoke(odometer, 5L))) {
    expect_s3_class(queryable, "odometer_queryable", exact = TRUE)
    expect_identical(queryable(d_in = 1L), 0)
    expect_type(queryable(query = laplace(2)), "integer")
    expect_type(queryable$invoke(laplace(4)), "integer")
    expect_type(odometer_queryable_invoke(queryable, laplace(4)), "integer")
    expect_identical(queryable(d_in = 1L), 1)
    expect_identical(queryable$privacy_loss(3L), 3)
    expect_identical(odometer_queryable_privacy_loss(queryable, 0L), 0)
  }
  expect_identical(odometer_queryable_invoke_type(queryable), "AnyMeasurement")
  expect_identical(odometer_queryable_privacy_loss_type(queryable), "i32")
})

test_that("an odometer and its queryable answer one request per call, with the published errors", {
  queryable <- odometer(arg = 5L)
  expect_snapshot(error = TRUE, {
    odometer()
    odometer("input_domain", arg = 5L)
    odometer(5L)
    odometer("d_in")
    odometer$map
    queryable()
    queryable(query = laplace(1), d_in = 1L)
    queryable(1L)
    queryable("nothing")
    queryable$eval
  })
  expect_error(odometer(d_in = 1L), "has no argument `d_in`", class = "dp_error_invalid_argument")
  expect_error(odometer_invoke(queryable, 5L), class = "dp_error_invalid_argument")
  expect_error(odometer_queryable_invoke(odometer, laplace(1)), class = "dp_error_invalid_argument")
})

test_that("an odometer prints in the published form, its queryable without its contents", {
  queryable <- odometer(arg = 7417L)
  expect_snapshot({
    odometer
    queryable
  })
  for (object in list(odometer, queryable)) {
    expect_identical(format(object), toString(object))
    expect_identical(print_silently(object), object)
  }
})

test_that("data of the wrong type raise errors", {
  for (data in list(5, "5", NULL)) {
    expect_error(odometer(arg = data), class = "dp_error_failed_cast")
  }
  for (data in list(1:2, NA_integer_)) {
    expect_error(odometer(arg = data), class = "dp_error_failed_function")
  }
})

test_that("an odometer can be saved, its queryable cannot", {
  path <- withr::local_tempfile()
  queryable <- odometer(arg = 5L)
  saveRDS(queryable, path)
  copy <- readRDS(path)
  expect_error(copy(query = laplace(1)), class = "dp_error_stale_object")
  expect_error(copy(d_in = 1L), class = "dp_error_stale_object")
})

if (has_fork()) {
  test_that("D-LED-3: a forked process gets no answer, not even the loss", {
    queryable <- odometer(arg = 5L)
    ask <- function(i) {
      c(
        class(condition_of(queryable(query = laplace(1))))[[1]],
        class(condition_of(queryable(d_in = 1L)))[[1]]
      )
    }
    answers <- in_forks(1:2, ask, 2)
    expect_identical(unlist(answers), rep("dp_error_stale_object", 4))
  })
}
