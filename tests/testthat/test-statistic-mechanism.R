numbers <- c(0, 1, 2, 3, 4)

mechanism_of <- function(.mechanism, ...) {
  args <- list(epsilon = 1, varType = "numeric", rng = c(0, 5), rngFormat = "vector")
  do.call(.mechanism, utils::modifyList(args, list(...)))
}

choice_of <- function(...) {
  mechanism_of(mechanismExponential, varType = "character", rng = NULL, bins = c("a", "b"), ...)
}

test_behaviours("mechanismLaplace", list(
  `LAP-001` = function() {
    result <- mechanism_of(mechanismLaplace)$evaluate(identity, numbers, sens = 0)
    expect_equal(result$release, numbers)
  },
  `LAP-002` = function() {
    result <- mechanism_of(mechanismLaplace, rng = c(0, 3))$evaluate(identity, numbers, sens = 0)
    expect_equal(result$release, c(0, 1, 2, 3, 3))
  },
  `LAP-003` = function() {
    laplace <- mechanism_of(mechanismLaplace, varType = "integer")
    release <- laplace$evaluate(identity, c(0L, 1L, NA, 3L, 4L), sens = 0)$release
    expect_equal(release[-3], c(0, 1, 3, 4))
    expect_true(release[[3]] %in% 0:5)
  }
))

test_behaviours("mechanismGaussian", list(
  `GAU-001` = function() {
    expect_refused(mechanism_of(mechanismGaussian, delta = 1), "delta")
    gaussian <- mechanism_of(mechanismGaussian, delta = 1e-6)
    expect_equal(gaussian$evaluate(identity, numbers, 0)$release, numbers)
  },
  # The noise is smaller than the classical formula's, and sufficient.
  `GAU-002` = function() {
    gaussian <- mechanism_of(mechanismGaussian, delta = 1e-6)
    scale <- gaussian$getAccuracy(sens = 0.1) / stats::qnorm(0.975)
    expect_lt(scale, 0.52988)
    expect_gt(scale, gaussianAnalyticSigma(0.1, 1, 1e-6))
    expect_lt(gaussianAchievedDelta(0.1, 1, scale), 1e-6)
    draws <- gaussian$evaluate(function(x) rep(x[[1]], 2000), numbers, 0.1)$release
    expect_lt(abs(stats::var(draws) / scale^2 - 1), mean_reach(1999, 2, 2))
  }
))

test_behaviours("mechanism", list(
  `MECH-001` = function() {
    derived <- R6::R6Class("mechanismTest", inherit = class_of(dpMechanism))
    test <- derived$new(mechanism = "test", epsilon = 0.1, delta = 0.4)
    expect_equal(test$mechanism, "test")
    expect_equal(test$epsilon, 0.1)
    expect_equal(test$getFields()$delta, 0.4)
    expect_equal(mechanism(epsilon = 0.1)$getFields()$epsilon, 0.1)
  },
  `MECH-002` = function() {
    expect_named(mechanism()$getFields(), c(mechanism_fields, "result"))
    expect_named(mechanism_of(mechanismLaplace)$getFields(), c(mechanism_fields, "result"))
    expect_null(mechanism_of(mechanismLaplace)$getFields()$variable)
  }
))

test_behaviours("mechanismExponential", list(
  # Absent values can be released, and the size of the gap does not show.
  `EXP-001` = function() {
    choice <- choice_of()
    answer <- function(fun) choice$evaluate(fun, rep("a", 2), sens = 1)$release
    # Each answer keeps the values that its function uses. table() itself keeps many.
    counts <- function(x) table(x)
    found <- c(answer(table), replicate(499, answer(counts)))
    expect_setequal(found, c("a", "b"))
    # Permute-and-flip releases "b" if it comes first and its coin falls, with probability exp(-1).
    expect_true(has_law(tally(found, c("a", "b")), c(1 - exp(-1) / 2, exp(-1) / 2)))
  }
))

test_that("both styles of construction are equal, and fields cannot be changed", {
  expect_identical(mechanismLaplace$new, mechanismLaplace)
  laplace <- mechanism_of(mechanismLaplace)
  expect_refused(laplace$epsilon <- 7, "epsilon")
  copy <- laplace$copy()
  copy$evaluate(sum, numbers, sens = 5)
  expect_null(laplace$result)
  expect_s3_class(copy$result, "dp_result")
  expect_match(format(copy), "mechanismLaplace", all = FALSE)
})

test_that("accuracy and loss are inverse functions, for every mechanism", {
  others <- list(n = 100, sens = 2)
  for (new in list(mechanismLaplace, mechanismGaussian, mechanismSnapping)) {
    built <- do.call(mechanism_of, c(new, others))
    expect_equal(built$accuracy, built$getAccuracy())
    expect_equal(built$getEpsilon(), 1, tolerance = 1e-6)
    args <- list(new, epsilon = NULL, accuracy = built$accuracy)
    again <- do.call(mechanism_of, c(args, others))
    expect_equal(again$epsilon, 1, tolerance = 1e-6)
  }
  expect_equal(choice_of(sens = 1)$getEpsilon(), 1)
  texts <- list(varType = "character", rng = NULL, sens = 2)
  stable <- do.call(mechanism_of, c(mechanismStability, texts))
  expect_equal(stable$getEpsilon(), 1)
})

test_that("the answer lies within the accuracy at the promised rate", {
  exact <- sum(numbers)
  snapping <- list(minB = 25)
  for (new in c(mechanismLaplace, mechanismGaussian, mechanismSnapping)) {
    built <- do.call(mechanism_of, c(new, if (identical(new, mechanismSnapping)) snapping))
    # Noise for each of many numbers has the law of noise for one.
    many <- function(x) rep(sum(x), 2000)
    off <- abs(built$evaluate(many, numbers, sens = 5)$release - exact)
    expect_lte(sum(off > built$getAccuracy(sens = 5)), most_of(2000, 0.05))
  }
})

test_that("a failing function gives its answer to public data", {
  laplace <- mechanism_of(mechanismLaplace)
  fails <- function(x) if (any(x == 4)) stop("secret") else sum(x)
  expect_silent(result <- laplace$evaluate(fails, numbers, sens = 0))
  expect_equal(result$release, 12.5)
  longer <- function(x) if (any(x == 4)) 1:2 else sum(x)
  expect_equal(laplace$evaluate(longer, numbers, sens = 0)$release, 12.5)
  infinite <- function(x) if (any(x == 4)) NaN else sum(x)
  expect_equal(laplace$evaluate(infinite, numbers, sens = 0)$release, 12.5)
})

test_that("arguments go to the function, and texts arrive as a factor of the bins", {
  laplace <- mechanism_of(mechanismLaplace)
  expect_equal(laplace$evaluate(quantile, numbers, sens = 0, probs = c(0, 1))$release, c(0, 4))
  texts <- mechanism_of(mechanismLaplace, varType = "character", rng = NULL, bins = c("a", "b"))
  expect_equal(texts$evaluate(table, c("b", "?", NA, "b"), sens = 0)$release, c(2, 2))
})

test_that("a wrong number of values costs accuracy, not privacy", {
  laplace <- mechanism_of(mechanismLaplace, n = 3)
  expect_equal(laplace$evaluate(length, numbers, sens = 0)$release, 3)
  expect_equal(laplace$evaluate(length, 1, sens = 0)$release, 3)
})

test_that("counts of texts are released only above a threshold", {
  stable <- mechanism_of(mechanismStability, varType = "character", rng = NULL, delta = 1e-10)
  result <- stable$evaluate(toupper, rep(c("a", "b"), c(199, 1)), sens = 2)
  expect_named(result$release, "A")
  # The next lower threshold would multiply delta by exp(1 / 2).
  expect_lte(result$delta, 1e-10)
  expect_gt(result$delta, 1e-10 * exp(-1 / 2) * (1 - 1e-4))
})

test_that("invalid fields, data and answers raise errors", {
  expect_refused(mechanism_of(mechanismLaplace, epsilom = 1), "epsilom")
  expect_refused(mechanismLaplace(1), "...")
  expect_refused(mechanism_of(mechanismLaplace, epsilon = NULL), "epsilon")
  expect_refused(mechanism_of(mechanismLaplace, epsilon = NULL, accuracy = 1), "sens")
  expect_refused(mechanism_of(mechanismLaplace, rng = NULL), "rng")
  expect_refused(mechanism_of(mechanismExponential), "bins")
  expect_refused(mechanism_of(mechanismStability), "varType")
  laplace <- mechanism_of(mechanismLaplace)
  expect_refused(laplace$evaluate(sum, c("1", "2"), sens = 1), "x")
  expect_refused(laplace$evaluate("sum", numbers, sens = 1), "fun")
  expect_refused(laplace$evaluate(sum, numbers, sens = -1), "sens")
  expect_refused(laplace$evaluate(function(x) "a", numbers, sens = 1), "fun")
  expect_refused(choice_of()$evaluate(length, "a", sens = 1), "fun")
  expect_refused(mechanism_of(mechanismSnapping)$evaluate(sum, numbers, sens = 1), "minB")
  expect_warning(mechanism_of(mechanismLaplace, delta = 1e-6), class = "dp_warning_delta")
})

# Releases of a sum, which one row moves by 5. Many copies have independent noise with the
# sensitivity of one.
sums_with <- function(built) {
  list(evidence = function(which, n) {
    built$evaluate(function(x) rep(sum(x), n), list(c(0, 0), c(0, 5))[[which]], sens = 5)$release
  })
}

test_that("D_EPS_1 neighbours are as hard to distinguish as promised", {
  audit <- function(build, excess, claim, draws) {
    of <- function(epsilon) proven(sums_with(exactly(build(epsilon))), claim, draws)
    expect_lte(of(1), claim[[1]])
    expect_gt(of(excess), claim[[1]])
  }
  audit(\(epsilon) mechanism_of(mechanismLaplace, epsilon = epsilon), least_excess, c(1, 0), 25000)
  snapping <- \(epsilon) mechanism_of(mechanismSnapping, minB = 10, epsilon = epsilon)
  audit(snapping, least_excess, c(1, 0), 45000)
  # Converting to a delta costs more than the noise does, so the claim is the cost of its deviation.
  gaussian <- \(epsilon) mechanism_of(mechanismGaussian, delta = 0.1, epsilon = epsilon)
  cost <- function(epsilon) {
    deviation <- gaussian(epsilon)$getAccuracy(sens = 5) / stats::qnorm(0.975)
    root <- function(f) stats::uniroot(f, c(0.01, 5), tol = 1e-9)$root
    root(function(exact) gaussianAnalyticSigma(5, exact, 0.1) - deviation)
  }
  worse <- stats::uniroot(function(epsilon) cost(epsilon) - least_excess * cost(1), c(1, 2.9))$root
  expect_lte(cost(1), 1)
  audit(gaussian, worse, c(cost(1), 0.1), 80000)
})

test_that("results of mechanisms name the promise that their loss relies on", {
  laplace <- mechanismLaplace(epsilon = 1, varType = "numeric", rng = c(0, 5))
  result <- laplace$evaluate(sum, c(1, 2), sens = 5)
  expect_identical(result$unverified, "sens")
  expect_match(format(result), "unverified +sens +an unchecked promise", all = FALSE)
  stable <- mechanismStability(epsilon = 1, varType = "character", n = 2)
  expect_null(stable$evaluate(identity, c("a", "b"), sens = 2)$unverified)
})
