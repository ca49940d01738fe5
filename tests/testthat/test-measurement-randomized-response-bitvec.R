space <- c(bitvector_domain(max_weight = 4L), discrete_distance())

bits_of <- function(releases) vapply(releases, \(bytes) as.integer(rawToBits(bytes)), integer(16))

test_that("D-EPS-4: every bit of every byte is flipped at its rate", {
  data <- as.raw(c(0x85, 0x20))
  for (constant_time in c(FALSE, TRUE)) {
    noisy <- space |> then_randomized_response_bitvec(f = 0.5, constant_time = constant_time)
    flips <- rowSums(bits_of(draw_many(noisy, data, 2e4)) != as.integer(rawToBits(data)))
    expect_true(all(abs(flips / 2e4 - 0.25) < 6 * sqrt(0.25 * 0.75 / 2e4)))
  }
})

test_that("lengths stay, and at rates near 0 so do bits", {
  noisy <- space |> then_randomized_response_bitvec(f = 1e-15)
  expect_identical(noisy(arg = as.raw(c(1, 2, 255))), as.raw(c(1, 2, 255)))
  expect_identical(noisy(arg = raw()), raw())
})

test_that("what has no loss is refused in the published words", {
  expect_snapshot(error = TRUE, {
    c(bitvector_domain(), discrete_distance()) |> then_randomized_response_bitvec(f = 0.5)
    space |> then_randomized_response_bitvec(f = 0)
    space |> then_randomized_response_bitvec(f = 1.5)
    (space |> then_randomized_response_bitvec(f = 0.5))(d_in = 2L)
    (space |> then_randomized_response_bitvec(f = 0.5))(arg = 1L)
  })
})
