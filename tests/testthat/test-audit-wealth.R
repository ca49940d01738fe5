# All rules for three outcomes: each one is named as the first neighbour, the second or not at all.
all_rules <- as.matrix(expand.grid(0:2, 0:2, 0:2))

# Largest expected factor of one draw over all rules and bets, for two neighbours with these laws.
largest_factor <- function(laws, epsilon, delta, factors_of = log_factors) {
  used <- apply(all_rules, 1, function(rule) mean(1:2 %in% rule))
  found <- lapply(which(used > 0), function(i) {
    rule <- all_rules[i, ]
    factors <- factors_of(epsilon, delta, used[[i]])
    right <- sum(laws[[1]][rule == 1], laws[[2]][rule == 2]) / 2
    wrong <- sum(laws[[2]][rule == 1], laws[[1]][rule == 2]) / 2
    right * exp(factors$right) + wrong * exp(factors$wrong) +
      (1 - right - wrong) * exp(factors$abstained)
  })
  max(unlist(found))
}

# Laws whose loss is exactly (epsilon, delta): randomized response, and an outcome that only one
# neighbour has.
tight_laws <- function(epsilon, delta) {
  share <- stats::plogis(epsilon) * (1 - delta)
  list(
    list(c(share, 1 - delta - share, delta), c(1 - delta - share, share, delta)),
    list(c(delta, share, 1 - delta - share), c(0, (1 - delta - share), share + delta))
  )
}

test_that("D_AUD_1 no rule and no bet has a factor above 1 under the claim, by enumeration", {
  for (epsilon in c(0, 0.1, 1, 4)) {
    for (delta in c(0, 0.01, 0.3)) {
      for (laws in tight_laws(epsilon, delta)) {
        expect_lte(largest_factor(laws, epsilon, delta), 1 + 1e-12)
      }
    }
  }
})

test_that("mutants that count delta too little, or the loss, have a factor above 1", {
  laws <- tight_laws(1, 0.3)[[2]]
  half <- function(ladder, delta, used) log_factors(ladder, delta, used / 2)
  expect_gt(largest_factor(laws, 1, 0.3, half), 1.001)
  less <- function(ladder, delta, used) log_factors(ladder * 0.99, delta, used)
  expect_gt(largest_factor(tight_laws(1, 0)[[1]], 1, 0, less), 1.001)
})

test_that("wealth is the product of the factors of all draws", {
  draws <- c("right", "wrong", "abstained")[c(1, 1, 2, 3, 1, 2, 3, 3, 1)]
  for (epsilon in c(0, 1, 3)) {
    for (delta in c(0, 0.1)) {
      bets <- audit_bets / (exp(epsilon) + delta)
      value <- c(right = 1 - delta, wrong = -exp(epsilon) - delta, abstained = -delta)
      direct <- vapply(bets, function(bet) prod(1 + bet * value[draws]), 0)
      counts <- as.vector(table(factor(draws, names(value))))
      growth <- log_growth(counts, log_factors(epsilon, delta, 1))
      expect_equal(as.vector(growth), log(direct))
      expect_equal(log_mean_exp(growth), log(mean(direct)))
    }
  }
  expect_equal(log_mean_exp(cbind(c(1000, -1000), c(1000, -1000))), c(1000, -1000))
})

test_that("a bound is an unbroken run of refuted losses", {
  expect_identical(unbroken_run(c(TRUE, TRUE, FALSE, TRUE)), 2)
  expect_identical(unbroken_run(c(FALSE, TRUE)), 0)
  expect_identical(unbroken_run(c(TRUE, TRUE)), 2)
})

test_that("the best split names cells in the order of their likelihood ratio", {
  first <- c(1, 50, 10)
  second <- c(50, 1, 10)
  expect_identical(best_split(first, second, function(right, wrong, used) right - 2 * wrong),
    c(2L, 1L, 0L))
  # A split that names nothing is never chosen, even if every name is a loss.
  expect_gt(sum(best_split(10, 10, function(right, wrong, used) -right) > 0), 0)
})

test_that("cells of a score separate missing, infinite and unknown values", {
  cells <- cells_of_score(c(1, 2, NA, Inf, 2))
  expect_identical(length(unique(cells$of(c(1, 2, NA, Inf)))), 4L)
  many <- cells_of_score(as.double(1:1000))
  expect_lte(many$count, audit_cells + 2)
  texts <- cells_of_score(c("a", "b"))
  expect_identical(texts$of(c("b", "c", "a")), c(2L, 3L, 1L))
})

test_that("the lowest bit of every double is exact", {
  exponents <- c(-1074:-1060, -1023, -1022, -60:60, 1000:1023)
  expect_identical(lowest_bit(2^exponents), as.integer(exponents))
  expect_identical(lowest_bit(-3 * 2^(-1070:1000)), -1070:1000)
  expect_identical(lowest_bit(1 + 2^-(1:52)), -(1:52))
  expect_identical(lowest_bit(c(2^53 - 1, .Machine$double.xmax)), c(0L, 971L))
  expect_identical(lowest_bit(c(0, NA, NaN, Inf)), rep(NA_integer_, 4))
})
