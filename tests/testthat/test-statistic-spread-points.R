# Points that represent a law, always the same.

test_that("primes are the first primes", {
  expect_identical(first_primes(6), c(2L, 3L, 5L, 7L, 11L, 13L))
  primes <- first_primes(2080)
  expect_length(primes, 2080)
  expect_identical(primes[[2080]], 18143L)
  expect_identical(first_primes(1), 2L)
})

test_that("spread points fill each box as evenly as a lattice does", {
  points <- spread_points(2000, 3)
  expect_true(all(points > 0 & points < 1))
  corners <- expand.grid(rep(list(seq(0.1, 1, by = 0.1)), 3))
  off <- apply(corners, 1, function(corner) {
    mean(colSums(t(points) <= corner) == 3) - prod(corner)
  })
  # 2000 independent points would be off by 0.04 somewhere.
  expect_lt(max(abs(off)), 0.01)
})

test_that("scattered points are even in each dimension, and uncorrelated in all", {
  for (dimensions in c(2, 60)) {
    points <- scattered_points(2000, dimensions)
    expect_identical(dim(points), c(2000L, as.integer(dimensions)))
    expect_equal(apply(points, 2, sort), matrix((1:2000 - 0.5) / 2000, 2000, dimensions))
    expect_lt(max(abs(stats::cor(points) - diag(dimensions))), 6 / sqrt(2000))
  }
})
