test_that("releases have the type and the length of the data", {
  many <- c(vector_domain(atom_domain(.T = "i32")), l2_distance("f64")) |> then_gaussian(scale = 1)
  for (n in c(0:17, 63:65)) {
    release <- many(arg = rep(1L, n))
    expect_type(release, "integer")
    expect_length(release, n)
  }
})

test_that("D-EPS-4: every coordinate has independent noise", {
  many <- c(vector_domain(atom_domain(.T = "f64", nan = FALSE)), l2_distance("f64")) |>
    then_gaussian(scale = 1)
  for (n in c(1:17, 63:65)) {
    noise <- many(arg = rep(0, n))
    expect_true(all(noise != 0))
    expect_identical(anyDuplicated(noise), 0L)
  }
})

test_that("noise approximately has the promised law", {
  noisy <- number_of("i32") |> then_gaussian(scale = 10)
  draws <- replicate(4000, noisy(arg = 0L))
  expect_lt(abs(mean(draws)), mean_reach(4000, 100, 0))
  expect_lt(abs(mean(draws^2) / 100 - 1), mean_reach(4000, 2, 2))
})

test_that("it has its own measure and norm", {
  noisy <- number_of("i32") |> then_gaussian(scale = 10)
  expect_identical(toString(noisy("output_measure")), "ZeroConcentratedDivergence")
  expect_error(number_of("i32") |> then_gaussian(1, .MO = "MaxDivergence"), class = "dp_error_type")
  expect_error(
    c(vector_domain(atom_domain(.T = "i32")), l1_distance("i32")) |> then_gaussian(1),
    class = "dp_error_type"
  )
  expect_error(number_of("i32") |> then_gaussian(-1), class = "dp_error_make_measurement")
  expect_error(number_of("i32") |> then_gaussian(Inf), class = "dp_error_make_transformation")
})
