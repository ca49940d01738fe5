curve <- (number_of("i32") |> then_laplace(scale = 1) |> then_pureDP_to_RDP())(d_in = 1L)
none <- (number_of("i32") |> then_laplace(scale = 1) |> then_pureDP_to_RDP())(d_in = 0L)

test_that("a curve answers at each order, up to the pure loss", {
  expect_equal(curve(alpha = 2), log((sinh(2) - sinh(1)) / sinh(1)), tolerance = 1e-14)
  expect_identical(curve(alpha = 2L), curve(alpha = 2))
  expect_identical(curve(arg = 2), curve(alpha = 2))
  expect_identical(curve$epsilon(2), curve(alpha = 2))
  expect_identical(curve$eval(2), curve(alpha = 2))
  expect_identical(curve(alpha = Inf), 1)
  expect_false(is.unsorted(vapply(c(1.01, 2, 50, 1e6), \(a) curve(alpha = a), 0)))
})

test_that("an order is one number above 1", {
  for (alpha in list(1, 0.5, -2, NaN, NA, "a", NULL, c(2, 3))) {
    expect_error(curve(alpha = alpha), "`alpha` must be", class = "dp_error_invalid_argument")
  }
  expect_error(curve(arg = 1), class = "dp_error_invalid_distance")
  expect_error(plot(curve, alpha = c(2, 1)), "`alpha` must be", class = "dp_error_invalid_argument")
})

test_that("a curve answers one request per call and prints without its values", {
  expect_snapshot(error = TRUE, {
    curve()
    curve(alpha = 2, arg = 2)
    curve("nothing")
    curve$nothing
  })
  expect_output(print(curve), "^RenyiCurve$")
  expect_identical(format(curve), "RenyiCurve")
  expect_s3_class(curve, c("renyi_curve", "opendp_function"), exact = TRUE)
})

test_that("a curve is written, saved and read back", {
  again <- list(
    from_json(to_json(curve)), from_json(curve$json), unserialize(serialize(curve, NULL))
  )
  for (copy in again) {
    expect_s3_class(copy, "renyi_curve")
    expect_identical(copy(alpha = 3), curve(alpha = 3))
  }
})

test_that("a curve is plotted, and its points are returned", {
  withr::local_pdf(NULL)
  points <- plot(curve)
  expect_named(points, c("alpha", "epsilon"))
  expect_equal(range(points$alpha), c(1.05, 256))
  expect_identical(points$epsilon, vapply(points$alpha, \(a) curve(alpha = a), 0))
  expect_identical(plot(curve, alpha = 2:4)$alpha, 2:4)
  expect_identical(unique(plot(none)$epsilon), 0)
})

test_that("autoplot() draws the same points", {
  expect_true(requireNamespace("ggplot2", quietly = TRUE))
  drawn <- ggplot2::autoplot(curve, alpha = c(2, 8))
  expect_identical(drawn$data$alpha, c(2, 8))
  expect_identical(drawn$data$epsilon, vapply(c(2, 8), \(a) curve(alpha = a), 0))
  built <- ggplot2::layer_data(drawn)
  expect_equal(built$x, log10(c(2, 8)))
  expect_equal(built$y, log10(drawn$data$epsilon))
  expect_identical(unique(ggplot2::layer_data(ggplot2::autoplot(none))$y), 0)
})
