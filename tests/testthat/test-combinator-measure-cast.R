laplace <- number_of("i32") |> then_laplace(scale = 2)
gaussian <- number_of("i32") |> then_gaussian(scale = 2)

test_that("losses are converted, rounded up", {
  expect_identical((laplace |> then_approximate())(d_in = 1L), list(0.5, 0))
  expect_identical((gaussian |> then_approximate())(d_in = 1L), list(0.125, 0))
  expect_identical((laplace |> then_pureDP_to_zCDP())(d_in = 1L), 0.125)
  step <- (laplace |> then_approximate() |> then_fixed_approxDP_to_approxDP())(d_in = 1L)
  expect_identical(step(epsilon = 0.4999), 1)
  expect_identical(step(epsilon = 0.5), 0)
  expect_identical(step(delta = 1e-7), 0.5)
})

test_that("the release does not change", {
  plain <- number_of("i32") |> then_laplace(scale = 0)
  casts <- list(make_approximate(plain), make_pureDP_to_zCDP(plain))
  for (cast in casts) {
    expect_identical(cast(arg = 7L), 7L)
    expect_identical(toString(cast("input_metric")), "AbsoluteDistance(i32)")
  }
})

test_that("the measures are the named ones", {
  measures <- vapply(list(
    make_approximate(laplace), make_approximate(gaussian), make_pureDP_to_zCDP(laplace),
    make_zCDP_to_approxDP(gaussian), make_zCDP_to_approxDP(make_approximate(gaussian)),
    make_fixed_approxDP_to_approxDP(make_approximate(laplace))
  ), \(cast) toString(cast("output_measure")), "")
  expect_identical(measures, c(
    "Approximate(MaxDivergence)", "Approximate(ZeroConcentratedDivergence)",
    "ZeroConcentratedDivergence", "SmoothedMaxDivergence", "Approximate(SmoothedMaxDivergence)",
    "SmoothedMaxDivergence"
  ))
})

test_that("a different measure raises an error", {
  expect_error(make_pureDP_to_zCDP(gaussian), class = "dp_error_type")
  expect_error(make_zCDP_to_approxDP(laplace), class = "dp_error_type")
  expect_error(make_fixed_approxDP_to_approxDP(laplace), class = "dp_error_type")
  expect_error(make_pureDP_to_RDP(gaussian), class = "dp_error_type")
  expect_error(make_zCDP_to_RDP(laplace), class = "dp_error_type")
  expect_error(make_RDP_to_approxDP(laplace), class = "dp_error_type")
  expect_error(make_approximate(make_approximate(laplace)), class = "dp_error_type")
  expect_error(make_approximate(3), "`measurement` must be an object of class measurement",
    class = "dp_error_invalid_argument"
  )
})

test_that("Renyi curves follow their formulas and add up", {
  pure <- laplace |> then_pureDP_to_RDP()
  concentrated <- gaussian |> then_zCDP_to_RDP()
  for (measurement in list(pure, concentrated)) {
    expect_identical(toString(measurement("output_measure")), "RenyiDivergence")
    expect_identical(measurement(d_in = 0L)(alpha = 2), 0)
  }
  both <- make_composition(list(pure, concentrated))
  for (alpha in c(1.5, 4, 100)) {
    of_pure <- log((sinh(alpha / 2) - sinh((alpha - 1) / 2)) / sinh(1 / 2)) / (alpha - 1)
    found <- pure(d_in = 1L)(alpha = alpha)
    expect_equal(found, of_pure, tolerance = 1e-13)
    expect_identical(concentrated(d_in = 1L)(alpha = alpha), alpha / 8)
    expect_gte(both(d_in = 1L)(alpha = alpha), found + alpha / 8)
    expect_equal(both(d_in = 1L)(alpha = alpha), found + alpha / 8, tolerance = 1e-15)
  }
})

test_that("a profile of a curve is never below the profile of the loss distribution", {
  ten <- make_composition(rep(list(
    laplace |> then_pureDP_to_RDP(), gaussian |> then_zCDP_to_RDP()
  ), 5))
  converted <- (ten |> then_RDP_to_approxDP())(d_in = 1L)
  exact <- compose_pld(ten, d_in = 1L)
  plain <- compose_pld(list(laplace, gaussian), d_in = 1L, times = c(5, 5))
  for (epsilon in c(0, 0.5, 2, 4)) {
    expect_lte(exact(epsilon = epsilon), converted(epsilon = epsilon))
    expect_equal(exact(epsilon = epsilon), plain(epsilon = epsilon), tolerance = 1e-6)
  }
  rho <- (gaussian |> then_zCDP_to_approxDP())(d_in = 1L)
  by_curve <- (gaussian |> then_zCDP_to_RDP() |> then_RDP_to_approxDP())(d_in = 1L)
  expect_equal(by_curve(delta = 1e-6), rho(delta = 1e-6), tolerance = 1e-9)
  fixed <- gaussian |> then_zCDP_to_RDP() |> then_RDP_to_approxDP() |> then_fix_delta(delta = 1e-6)
  expect_identical(fixed(d_in = 1L), list(by_curve(delta = 1e-6), 1e-6))
})

test_that("a user's curve is converted, and evaluated only at orders that it accepts", {
  space <- number_of("i32")
  of <- function(curve) {
    make_user_measurement(space[[1]], space[[2]], renyi_divergence(), identity, \(d_in) curve)
  }
  asked <- of(\(alpha) if (alpha < 1000) alpha / 8 else stop("too far"))
  rho <- (gaussian |> then_zCDP_to_approxDP())(d_in = 1L)
  found <- make_RDP_to_approxDP(asked)(d_in = 1L)
  expect_equal(found(epsilon = 2), rho(epsilon = 2), tolerance = 1e-9)
  worthless <- make_RDP_to_approxDP(of(\(alpha) Inf))(d_in = 1L)
  expect_identical(worthless(epsilon = 2), 1)
  expect_error(make_RDP_to_approxDP(of(\(alpha) -1))(d_in = 1L)(epsilon = 1),
    class = "dp_error_failed_map"
  )
})

test_that("an infinite epsilon has no square", {
  worthless <- number_of("i32") |> then_laplace(scale = 0) |> then_pureDP_to_zCDP()
  expect_error(worthless(d_in = 1L), class = "dp_error_overflow")
})

test_that("after a transformation the measurement is an argument", {
  chained <- bounded_rows(c(0L, 10L)) |> then_sum() |> then_approximate(laplace)
  expect_identical(chained(d_in = 1L), list(5, 0))
  space <- number_of("i32") |> then_approximate(laplace)
  expect_identical(toString(space), toString(make_approximate(laplace)))
})
