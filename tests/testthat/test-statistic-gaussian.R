# Gaussian noise of statistics: the amount from the theorem, at the loss of the map.

# Each statistic with Gaussian noise, and the L2 distance that one replaced row moves the value its
# `sigma` applies to.
gaussian_statistics <- local({
  rng <- c(0, 10)
  pair <- list(rng, rng)
  list(
    dpMean = list(
      build = \(...) dpMean(variable = "x", n = 100, rng = rng, missing = "impute", ...),
      moves = 0.1
    ),
    `dpMean, dropping` = list(
      build = \(...) dpMean(variable = "x", n = 100, rng = rng, missing = "drop", ...), moves = 2
    ),
    `dpMean, sampled` = list(
      build = \(...) {
        dpMean(variable = "x", n = 100, rng = rng, missing = "impute", interval = "population", ...)
      },
      moves = 2
    ),
    dpVariance = list(
      build = \(...) dpVariance(variable = "x", n = 100, rng = rng, missing = "impute", ...),
      moves = 1
    ),
    `dpVariance, dropping` = list(
      build = \(...) dpVariance(variable = "x", n = 100, rng = rng, missing = "drop", ...),
      moves = 2
    ),
    dpHistogram = list(
      build = \(...) {
        dpHistogram(variable = "x", n = 100, rng = rng, nBins = 5, mechanism = "mechanismGaussian",
          ...)
      },
      moves = sqrt(2)
    ),
    dpTree = list(
      build = \(...) dpTree(variable = "x", n = 100, rng = rng, depth = 3, ...), moves = sqrt(6)
    ),
    dpCovariance = list(
      build = \(...) dpCovariance(n = 100, columns = c("x", "y"), rng = pair, ...), moves = 3
    ),
    `dpCovariance, dropping` = list(
      build = \(...) {
        dpCovariance(n = 100, columns = c("x", "y"), rng = pair, missing = "drop", ...)
      },
      moves = 3
    ),
    dpLM = list(build = \(...) dpLM(y ~ x, 100, pair, ...), moves = 3),
    dpPCA = list(build = \(...) dpPCA(c("x", "y"), 1, 100, pair, ...), moves = 3),
    dpHeavyHitters = list(
      build = \(...) {
        dpHeavyHitters("mechanismGaussian", variable = "kind", n = 100, k = 2,
          bins = c("a", "b", "c"), ...)
      },
      moves = sqrt(2)
    ),
    dpSampleAndAggregate = list(
      build = \(...) {
        dpSampleAndAggregate("mean", variable = "x", n = 100, numSubsets = 10, rng = rng,
          missing = "impute", ...)
      },
      moves = 0.1
    )
  )
})

built_with <- function(name, ...) {
  suppressMessages(small(gaussian_statistics[[name]]$build(...)), classes = "dp_message_chosen")
}

rows <- data.frame(
  x = rep(c(0, 3, 5, 6, 10), 20), y = rep(c(1, 2, 6, 5, 9), 20),
  kind = rep(c("a", "b", "a", "c"), 25)
)

# Canonne, Kamath and Steinke (2020), Proposition 7, solved for epsilon.
converted_rho <- function(rho, delta) {
  at <- function(alpha) {
    alpha * rho + log1p(-1 / alpha) - (log(delta) + log(alpha)) / (alpha - 1)
  }
  stats::optimize(at, c(1 + 1e-9, 1e4), tol = 1e-10)$objective
}

test_that("D_SEN_1 rho follows the theorem, and equals the map of the measurement", {
  for (name in names(gaussian_statistics)) {
    for (rho in c(0.02, 0.5)) {
      statistic <- built_with(name, rho = rho)
      moves <- gaussian_statistics[[name]]$moves
      expect_equal(statistic$sigma, rep(moves / sqrt(2 * rho), length(statistic$sigma)),
        tolerance = 1e-12, label = name)
      expect_identical(statistic$rho, statistic$measurement(d_in = 1L), label = name)
      expect_true(statistic$rho <= rho && statistic$rho >= rho * (1 - 1e-12), label = name)
      expect_identical(
        toString(statistic$measurement("output_measure")), "ZeroConcentratedDivergence"
      )
      expect_identical(statistic$mechanism, "mechanismGaussian")
      expect_identical(c(statistic$epsilon, statistic$delta), c(NA, 0), label = name)
    }
  }
})

test_that("epsilon and delta are the conversion of the same noise", {
  rho <- stats::uniroot(function(rho) converted_rho(rho, 1e-6) - 1, c(1e-4, 1), tol = 1e-14)$root
  for (name in names(gaussian_statistics)) {
    statistic <- built_with(name, epsilon = 1, delta = 1e-6)
    moves <- gaussian_statistics[[name]]$moves
    expect_equal(unique(statistic$sigma), moves / sqrt(2 * rho), tolerance = 1e-6, label = name)
    epsilon <- statistic$getFields()$globalEps %||% statistic$epsilon
    expect_identical(list(epsilon, 1e-6), unname(as.list(statistic$measurement(d_in = 1L))))
    expect_true(epsilon <= 1 && epsilon >= 1 - 1e-9, label = name)
    expect_identical(statistic$delta, 1e-6)
    expect_null(statistic$rho)
  }
})

test_that("half of the noise loses four times as much by the same map", {
  columns <- column_specs(c("x", "y"), list(c(0, 1), c(0, 1)), list(c(0, 1), c(0, 1)), "numeric")
  moments <- function(scale) build("gaussian_moments", columns, FALSE, scale, 100)(d_in = 1L)
  sigma <- built_with("dpCovariance", rho = 0.5)$sigma
  expect_equal(moments(sigma), 0.5)
  expect_equal(moments(sigma / 2), 2)
})

# Arguments of a case whose mechanism has this name, or no name.
update_mechanism <- function(name, mechanism) {
  if (name %in% c("dpHistogram", "dpHeavyHitters")) {
    return(built_with(name, rho = 0.5))
  }
  built_with(name, rho = 0.5, mechanism = mechanism)
}

test_that("rho or delta selects the mechanism, and the plan equals the explicit one", {
  for (name in names(gaussian_statistics)) {
    expect_identical(
      plan_hash(built_with(name, rho = 0.5)),
      plan_hash(update_mechanism(name, "mechanismGaussian")), label = name
    )
  }
})

test_that("only rho selects Gaussian counts, because delta selects another mechanism", {
  histogram <- function(...) {
    small(dpHistogram(variable = "x", n = 100, rng = c(0, 10), nBins = 5, ...))
  }
  named <- histogram(rho = 0.1, mechanism = "mechanismGaussian")
  expect_identical(plan_hash(histogram(rho = 0.1)), plan_hash(named))
  expect_warning(statistic <- histogram(epsilon = 1, delta = 1e-6), class = "dp_warning_delta")
  expect_identical(statistic$mechanism, "mechanismLaplace")
  hitters <- function(...) {
    small(dpHeavyHitters(variable = "kind", n = 100, k = 1, bins = c("a", "b", "c"), ...))
  }
  expect_identical(hitters(rho = 0.1)$mechanism, "mechanismGaussian")
})

test_that("conflicting arguments raise errors that name them", {
  mean <- function(...) small(dpMean(variable = "x", n = 100, rng = c(0, 10), ...))
  expect_refused(mean(rho = 0.1, epsilon = 1), "epsilon")
  expect_refused(mean(rho = 0.1, delta = 1e-6), "delta")
  expect_refused(mean(rho = 0.1, accuracy = 1), "accuracy")
  expect_refused(mean(rho = 0.1, mechanism = "mechanismSnapping", missing = "impute"), "rho")
  expect_refused(mean(epsilon = 1, mechanism = "mechanismGaussian"), "delta")
  expect_refused(mean(delta = 1e-6, accuracy = 1), "accuracy")
  expect_refused(mean(epsilon = 1, delta = 0.01), "delta")
  expect_warning(mean(epsilon = 1, delta = 0.001), class = "dp_warning_delta")
  expect_warning(mean(rho = 4.5), class = "dp_warning_large_epsilon")
  for (rho in list(0, -1, "1", Inf, c(1, 1), TRUE)) expect_refused(mean(rho = rho), "rho")
  for (delta in list(0, -1, "1", 1, c(1e-9, 1e-9))) {
    expect_refused(mean(epsilon = 1, delta = delta), "delta")
  }
  expect_refused(built_with("dpLM", rho = 0.1, vcov = "sandwich"), "vcov")
  expect_refused(built_with("dpCovariance", rho = 0.1, epsilonDist = rep(1 / 3, 3)), "epsilonDist")
  expect_refused(built_with("dpTree", epsilon = c(1, 1, 1), delta = 1e-6), "epsilon")
  for (other in list(
    list(aggregationFun = "Median"), list(rangeMode = "loose", aggregationFun = "Mean"),
    list(intervalShare = 0.1), list(interval = "population")
  )) {
    refused <- do.call(built_with, c("dpSampleAndAggregate", rho = 0.1, other)) |>
      tryCatch(dp_error_invalid_argument = identity)
    expect_s3_class(refused, "dp_error_invalid_argument")
  }
})

test_that("results report their privacy measure, and print, plot, encode and reload", {
  for (name in names(gaussian_statistics)) {
    for (loss in list(list(rho = 2), list(epsilon = 2, delta = 1e-6))) {
      statistic <- do.call(built_with, c(name, loss))
      result <- statistic$release(rows)
      if (is.null(loss$rho)) {
        expect_identical(result$delta, 1e-6)
        expect_null(result$rho)
        expect_identical(generics::glance(result)$epsilon,
          statistic$getFields()$globalEps %||% statistic$epsilon)
      } else {
        expect_identical(result$rho, statistic$rho)
        expect_null(result$epsilon)
        expect_identical(generics::glance(result)$rho, statistic$rho)
        expect_match(format(statistic), "rho", all = FALSE)
      }
      expect_false(any(grepl("NULL|epsilon +NA", c(format(statistic), format(result)))))
      expect_s3_class(as.data.frame(result), "data.frame")
      written <- jsonlite::fromJSON(release2json(statistic), simplifyVector = FALSE)
      expect_identical(
        written$`dp-releases`[[1]]$privacyLoss$name, if (is.null(loss$rho)) "approx dp" else "zCDP"
      )
      expect_identical(plan_hash(from_json(to_json(statistic))), plan_hash(statistic))
      expect_identical(nrow(summary(statistic)), 1L)
    }
  }
})

test_that("a ledger charges rho as rho, and a pair as a pair", {
  ledger_of <- function(loss) {
    where <- file.path(withr::local_tempdir(.local_envir = parent.frame(2)), "a.ledger")
    dp_ledger_create(where, "rows", dp_unit(changes = 1), loss, version = "1")
  }
  in_rho <- ledger_of(dp_zcdp(1))
  statistic <- built_with("dpCovariance", rho = 0.25)
  with_ledger(in_rho, statistic$release(rows))
  expect_identical(unname(dp_spent(in_rho)[["rho"]]), statistic$rho)
  expect_identical(dp_receipt(statistic)$measure, "ZeroConcentratedDivergence")
  in_epsilon <- ledger_of(dp_epsilon(2, 1e-5))
  expect_error(with_ledger(in_epsilon, statistic$copy()$release(rows)), class = "dp_error_budget")
  pair <- built_with("dpMean", epsilon = 1, delta = 1e-6)
  with_ledger(in_epsilon, pair$release(rows))
  expect_equal(unname(dp_spent(in_epsilon)), c(pair$epsilon, 1e-6))
})

test_that("a loaded statistic loses no more than it states", {
  file <- withr::local_tempfile()
  statistic <- built_with("dpMean", rho = 0.5)
  saveRDS(statistic, file)
  loaded <- readRDS(file)
  expect_identical(loaded$measurement(d_in = 1L), statistic$rho)
  expect_type(loaded$release(rows)$release, "double")
})

test_that("noise stays within the accuracy at the stated rate", {
  exact <- list(
    dpMean = mean(rows$x), dpVariance = stats::var(rows$x), dpSampleAndAggregate = mean(rows$x)
  )
  for (name in names(exact)) {
    statistic <- built_with(name, rho = 0.5)
    hits <- replicate(400, {
      abs(statistic$release(rows)$release - exact[[name]]) <= statistic$accuracy
    })
    expect_true(can_occur(sum(hits), 400, 0.95))
  }
  # Integer noise: the least bound among integers.
  reach <- whole_gaussian_reach(c(0.3, 2, 50), 0.05)
  for (i in 1:3) {
    sigma <- c(0.3, 2, 50)[[i]]
    x <- seq(-ceiling(20 * sigma) - 1, ceiling(20 * sigma) + 1)
    law <- exp(-x^2 / (2 * sigma^2)) / sum(exp(-x^2 / (2 * sigma^2)))
    expect_lte(sum(law[abs(x) > reach[[i]]]), 0.05)
    if (reach[[i]] > 0) expect_gt(sum(law[abs(x) > reach[[i]] - 1]), 0.05)
  }
})

test_that("intervals of moments cover the values of the rows", {
  gappy <- transform(rows, x = replace(x, 1:10, NA))
  present <- gappy$x[!is.na(gappy$x)]
  dropping <- built_with("dpMean, dropping", rho = 0.5)
  spread <- built_with("dpVariance, dropping", rho = 0.5)
  covariance <- built_with("dpCovariance", rho = 2)
  hits <- replicate(300, {
    of_mean <- dropping$release(gappy)
    of_variance <- spread$release(gappy)$interval
    entries <- covariance$release(rows)
    c(
      mean(present) >= of_mean$interval[[1]] && mean(present) <= of_mean$interval[[2]],
      stats::var(present) >= of_variance[[1]] && stats::var(present) <= of_variance[[2]],
      abs(entries$release["x", "y"] - stats::cov(rows$x, rows$y)) <= entries$accuracy[[2]]
    )
  })
  expect_true(all(rowSums(hits) >= least_of(300, 0.95, 3)))
})

test_that("population intervals cover the population's value, whatever its spread", {
  withr::local_seed(12)
  draws <- list(
    function(n) stats::rbeta(n, 2, 8), function(n) rep(0.5, n), function(n) stats::runif(n)
  )
  truth <- c(0.2, 0.5, 0.5)
  for (rho in c(0.005, 0.5)) {
    mean <- small(
      dpMean(variable = "x", n = 200, rng = c(0, 1), rho = rho, interval = "population",
        missing = "impute")
    )
    for (i in seq_along(draws)) {
      hits <- replicate(300, {
        ends <- mean$release(data.frame(x = draws[[i]](200)))$populationInterval
        truth[[i]] >= ends[[1]] && truth[[i]] <= ends[[2]]
      })
      expect_gte(sum(hits), least_of(300, 0.94))
    }
  }
})

test_that("the interval of a proportion inverts its law, and those of a line are normal", {
  share <- small(dpMean(varType = "logical", variable = "x", n = 40, rho = 0.5,
    interval = "population", missing = "impute"))
  fields <- share$getFields()
  ends <- population_of_share(0.3, fields)$populationInterval
  noise <- 40 * fields$sigma
  tail <- function(p, sign) {
    sum(stats::dbinom(0:40, 40, p) * stats::pnorm(sign * (0:40 - 12) / noise))
  }
  expect_equal(c(tail(ends[[1]], 1), tail(ends[[2]], -1)), c(0.025, 0.025), tolerance = 1e-6)
  line <- exactly(built_with("dpLM", rho = 50))$release(rows)
  errors <- attr(line$summary, "errors")
  expect_true(errors$normal)
  deviation <- sqrt(diag(errors$sampling) * (stats::qt(0.025, errors$df) / stats::qnorm(0.025))^2 +
    rowSums(errors$noise^2))
  expect_equal(unname(confint(line)[, 2] - coef(line)), deviation * stats::qnorm(0.975))
})

test_that("several results of blocks share rho", {
  statistic <- function(...) {
    small(dpSampleAndAggregate(function(x) range(x), "Mean", numSubsets = 10, variable = "x",
      n = 100, rng = c(0, 10), outputRange = rbind(c(0, 10), c(0, 20)), rho = 0.5, ...))
  }
  one <- statistic()
  expect_equal(one$sigma, c(10, 20) * sqrt(2) / 10)
  expect_true(one$rho <= 0.5 && one$rho > 0.5 * (1 - 1e-12))
  expect_identical(one$rho, one$measurement(d_in = 1L))
  overlapping <- statistic(scheme = "resampled", overlap = 2)
  expect_equal(overlapping$sigma, 2 * one$sigma)
  expect_length(one$release(rows)$release, 2)
})
