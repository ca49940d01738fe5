total <- bounded_rows(c(0L, 10L)) |> then_sum()

test_that("an invalid object raises an error when it is built, not when it is used", {
  expect_error(atom_domain(bounds = c(5L, 1L)), class = "dp_error_make_domain")
  expect_error(absolute_distance(.T = "String"), class = "dp_error_type")
  expect_error(approximate(renyi_divergence()), class = "dp_error_type")
  expect_error(
    make_sized_bounded_int_checked_sum(2L^30, c(0L, 10L)), class = "dp_error_make_transformation"
  )
  expect_error(number_of("f64") |> then_laplace(-1), class = "dp_error_make_measurement")
})

test_that("objects are functions with the published classes", {
  noisy <- total |> then_laplace(1)
  objects <- list(
    domain = total("input_domain"), metric = total("input_metric"),
    measure = noisy("output_measure"), transformation = total, measurement = noisy,
    opendp_function = total("function"), privacy_profile = new_privacy_profile(\(e) exp(-e))
  )
  for (class in names(objects)) {
    expect_true(is.function(objects[[class]]), info = class)
    expect_s3_class(objects[[class]], class, exact = TRUE)
  }
})

test_that("D-R-5: a loaded object without a plan is stale and raises an error", {
  noisy <- total |> then_gaussian(1)
  profile <- (noisy |> then_zCDP_to_approxDP())(d_in = 1L)
  objects <- list(
    total = total, noisy = noisy, domain = total("input_domain"), profile = profile,
    metric = total("input_metric"), measure = noisy("output_measure"), f = total("function")
  )
  loaded <- saved_and_loaded(objects)
  for (object in loaded) keep_plan(object, NULL)
  expect_stale <- \(expr) expect_error(expr, "stale object", class = "dp_error_stale_object")
  expect_stale(loaded$total(arg = 1:3))
  expect_stale(loaded$total(d_in = 1L))
  expect_stale(loaded$total(d_in = 1L, d_out = 1L))
  expect_stale(loaded$total("input_domain"))
  expect_stale(toString(loaded$total))
  expect_stale(loaded$total |> then_laplace(1))
  expect_stale(loaded$noisy(arg = 1:3))
  expect_stale(loaded$noisy$map(1L))
  expect_stale(make_composition(list(loaded$noisy)))
  expect_stale(loaded$domain("debug"))
  expect_stale(loaded$domain(member = 1:3))
  expect_stale(make_sum(loaded$domain, symmetric_distance()))
  expect_stale(loaded$metric$debug)
  expect_stale(loaded$measure$debug)
  expect_stale(loaded$profile(epsilon = 1))
  expect_stale(loaded$f(arg = 1))
})

test_that("D-R-5: a handle of the wrong kind or an empty pointer raises an error", {
  around <- function(handle) new_transformation(handle)(d_in = 1L)
  expect_error(around(total("input_domain")("ptr")), class = "dp_error_failed_cast")
  expect_error(around(new("externalptr")), class = "dp_error")
  for (object in list(1, NULL, mean, total("ptr"), structure(1, class = "transformation"))) {
    expect_error(core_map(object, 1L), class = "dp_error_failed_cast")
    expect_error(core_describe(object), class = "dp_error_failed_cast")
    expect_error(core_part(object, "function"), class = "dp_error_failed_cast")
  }
})

test_that("an object of the wrong class raises an error that names it", {
  expect_error(
    make_clamp(total("input_metric"), total("input_metric"), c(0L, 1L)),
    "`input_domain` must be an object of class domain, not an object of class metric",
    class = "dp_error_invalid_argument"
  )
  expect_error(
    transformation_invoke(total("input_domain"), 1L), class = "dp_error_invalid_argument"
  )
  expect_error(domain_debug(total), class = "dp_error_invalid_argument")
})

test_that("`$` returns the same parts as calls, and lists them", {
  expect_identical(total$invoke(c(1L, 2L)), 3L)
  expect_identical(total$map(2L), 20L)
  expect_true(total$check(2L, 20L))
  expect_identical(toString(total$input_domain), toString(total("input_domain")))
  expect_identical(total$`function`$eval(c(1L, 2L)), 3L)
  expect_error(total$size, "has no `size`; it has `invoke`", class = "dp_error_invalid_argument")
})

test_that("`==` on objects raises R's own error, so no objects compare equal by accident", {
  expect_error(symmetric_distance() == symmetric_distance())
})
