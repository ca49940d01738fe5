bits <- function(size) c(bitvector_domain(max_weight = 4L, size = size), discrete_distance())
space <- bits(16)

bits_of <- function(releases) vapply(releases, \(bytes) as.integer(rawToBits(bytes)), integer(16))

test_that("D-EPS-4: every bit of every byte is flipped at its rate", {
  data <- as.raw(c(0x85, 0x20))
  for (constant_time in c(FALSE, TRUE)) {
    noisy <- space |> then_randomized_response_bitvec(f = 0.5, constant_time = constant_time)
    flipped <- bits_of(draw_many(noisy, data, 2e4)) != as.integer(rawToBits(data))
    expect_true(can_occur(rowSums(flipped), 2e4, 0.25))
    # Each bit has an independent coin, so the number of flips varies like a binomial number.
    expect_lt(abs(stats::var(colSums(flipped)) / (16 * 0.25 * 0.75) - 1), mean_reach(2e4, 2, 2))
  }
})

test_that("lengths stay the same, and at rates near 0 so do bits", {
  for (data in list(as.raw(c(1, 2, 17)), raw())) {
    noisy <- bits(8 * length(data)) |> then_randomized_response_bitvec(f = 1e-15)
    expect_identical(noisy(arg = data), data)
  }
})

test_that("D-DOM-4: a vector with a wrong size or weight raises one fixed error", {
  noisy <- space |> then_randomized_response_bitvec(f = 0.5)
  expect_length(noisy(arg = as.raw(c(3, 3))), 2)
  for (data in list(raw(), raw(1), raw(3), raw(1000), as.raw(c(3, 7)), as.raw(c(255, 255)))) {
    expect_false(space[[1]](member = data))
    expect_error(noisy(arg = data), "arg must be a member of the input domain",
      fixed = TRUE, class = "dp_error_failed_function"
    )
  }
})

test_that("no more bits differ than exist", {
  loss <- function(size) (bits(size) |> then_randomized_response_bitvec(f = 0.5))(d_in = 1L)
  expect_identical(loss(16), loss(8))
  expect_identical(loss(0), 0)
  wide <- c(bitvector_domain(max_weight = 9L, size = 16), discrete_distance()) |>
    then_randomized_response_bitvec(f = 0.5)
  expect_equal(wide(d_in = 1L), 16 * log(3), tolerance = 1e-12)
})

test_that("responses with infinite loss raise the published errors", {
  expect_snapshot(error = TRUE, {
    c(bitvector_domain(max_weight = 4L), discrete_distance()) |>
      then_randomized_response_bitvec(f = 0.5)
    c(bitvector_domain(size = 8), discrete_distance()) |> then_randomized_response_bitvec(f = 0.5)
    space |> then_randomized_response_bitvec(f = 0)
    space |> then_randomized_response_bitvec(f = 1.5)
    (space |> then_randomized_response_bitvec(f = 0.5))(d_in = 2L)
    (space |> then_randomized_response_bitvec(f = 0.5))(arg = 1L)
  })
})
