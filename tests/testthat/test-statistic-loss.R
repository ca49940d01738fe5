# Loss by construction: a statistic reports the map of the measurement that runs. Comparisons here
# have no tolerance. The long tier has 1e5 random statistics.

test_that("the random statistics include every exported one", {
  expect_setequal(unique(sub("[, ].*", "", names(random_arguments))), exported_statistics())
})

# Calls `check` on each of about `count` random statistics, always the same ones. Keeps the results,
# not the statistics, because the long tier has many.
of_random_statistics <- function(count, check) {
  withr::local_seed(20)
  names <- rep_len(names(random_arguments), count)
  results <- lapply(names, function(name) {
    drawn <- random_statistic(name)
    if (!is.null(drawn)) list(check(drawn))
  })
  unlist(results, recursive = FALSE)
}

test_that("random statistics report their map as their loss, and parts fit in it", {
  count <- in_tier(360, 1e5)
  classes <- character()
  mistakes <- of_random_statistics(count, function(drawn) {
    classes <<- unique(c(classes, class(drawn$statistic)[[1]]))
    loss_mistakes(drawn$statistic, drawn$asked)
  })
  expect_gt(length(mistakes), count * 5 / 6)
  # No class is always rejected.
  expect_setequal(classes, exported_statistics())
  expect_identical(unlist(mistakes), NULL)
})

test_that("a filter of exactly that budget accepts each, and a slightly smaller one refuses", {
  with_features(c("contrib", "honest-but-curious"), {
    accepted <- unlist(of_random_statistics(in_tier(72, 1000), function(drawn) {
      is_budget_of(drawn$statistic)
    }))
  })
  expect_gt(length(accepted), 60)
  expect_identical(all(accepted), TRUE)
})

test_that("the check detects sums rounded to nearest, which were once reported", {
  drawn <- of_random_statistics(in_tier(300, 1000), identity)
  # Gaussian noise has one loss.
  whole <- Filter(function(each) {
    fields <- each$statistic$getFields()
    !is.null(fields$globalEps) && fields$mechanism != "mechanismGaussian"
  }, drawn)
  found <- lapply(whole, function(each) {
    fields <- each$statistic$getFields()
    reported <- list(epsilon = sum(fields$epsilon, fields$meanEpsilon), delta = 0)
    loss_mistakes(each$statistic, list(), reported)
  })
  expect_gt(sum(lengths(found) > 0), length(whole) / 10)
})

test_that("a number one double below the map is detected, and is not a budget", {
  statistic <- mean_of()
  low <- list(epsilon = previous_double(statistic$epsilon), delta = 0)
  expect_length(loss_mistakes(statistic, list(), low), 1)
  with_features("contrib", expect_false(is_budget_of(statistic, low)))
})

test_that("exact_sign() sees differences that rounding hides", {
  expect_identical(exact_sign(c(1, 2^-60, -1)), 1)
  expect_identical(exact_sign(c(2^-60, 1, -1, -2^-60)), 0)
  expect_identical(exact_sign(c(0.1, 0.2, -0.3)), 1)
  expect_identical(exact_sign(c(0.1, 0.1, 0.1, -0.3)), 1)
  expect_identical(exact_sign(numeric()), 0)
})

test_that("any shares of a budget compose within it", {
  withr::local_seed(21)
  for (i in seq_len(300)) {
    weights <- stats::rexp(1 + i %% 40)
    budget <- exp(stats::runif(1, -7, 3))
    parts <- distributeEpsilon(budget, epsilonDist = weights / sum(weights))
    expect_lte(exact_sign(c(parts, -budget)), 0)
    expect_gt(sum(parts), budget * (1 - 1e-13))
  }
})

test_that("results of mechanisms report the map of the measurement that ran", {
  mechanisms <- list(
    mechanismLaplace(epsilon = 0.3, varType = "numeric", rng = c(0, 7)),
    mechanismGaussian(epsilon = 0.7, varType = "numeric", rng = c(0, 7)),
    mechanismSnapping(epsilon = 0.3, varType = "numeric", rng = c(0, 7), minB = 100),
    mechanismExponential(epsilon = 0.3, varType = "character", bins = c("a", "b", "c")),
    mechanismStability(epsilon = 0.3, varType = "character", n = 3)
  )
  for (mechanism in mechanisms) {
    private <- mechanism$.__enclos_env__$private
    measured <- NULL
    evaluate <- private$.law$evaluate
    private$.law$evaluate <- function(...) {
      released <- evaluate(...)
      measured <<- released$measurement(d_in = 1L)
      released
    }
    texts <- mechanism$varType == "character"
    fun <- switch(class(mechanism)[[1]],
      mechanismExponential = table, mechanismStability = identity, sum
    )
    result <- mechanism$evaluate(fun, if (texts) c("a", "b", "a") else c(1, 2, 7), sens = 2)
    expect_identical(c(list(result$epsilon), result$delta), as.list(measured))
    expect_lte(result$epsilon, mechanism$epsilon)
  }
})

test_that("a loss prints rounded upwards, and JSON has all its digits", {
  expect_identical(show_loss(c(1 / 3, 2 / 3, 0.1, 1, 0, NA), 3), c(
    "0.334", "0.667", "0.1", "1", "0", "NA"
  ))
  withr::local_seed(22)
  losses <- exp(stats::runif(2000, -30, 5))
  for (digits in c(3, 7)) expect_true(all(as.double(show_loss(losses, digits)) >= losses))
  expect_false(all(as.double(show_number(losses, 7)) >= losses))
  statistic <- mean_of(epsilon = 1 / 3)
  expect_match(format(statistic), "epsilon +0.3333334", all = FALSE)
  statistic$release(PUMS5extract10000)
  told <- jsonlite::fromJSON(release2json(statistic), simplifyVector = FALSE)
  expect_identical(told$`dp-releases`[[1]]$privacyLoss$epsilon, statistic$epsilon)
})
