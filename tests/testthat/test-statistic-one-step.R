# Errors of generalized linear models, from a second stage of their release.

one_step_of <- function(..., n = 10000, epsilon = 1) {
  args <- list(
    mechanism = "mechanismObjective", varType = "numeric", n = n,
    rng = list(c(0, 1), c(18, 93), c(1, 16)), formula = married ~ age + educ, objective = "logit",
    epsilon = epsilon
  )
  changed <- list(...)
  args[names(changed)] <- changed
  do.call(dpGLM, args)
}

test_that("without noise the errors equal R's", {
  data <- PUMS5extract10000
  exact <- function(...) exactly(one_step_of(epsilon = 1e9, ...))$release(data)
  for (objective in c("logit", "probit")) {
    model <- stats::glm(married ~ age + educ, stats::binomial(objective), data)
    result <- exact(objective = objective)
    expect_coefficients(coef(result), model)
    expect_errors(result, stats::vcov(model), 0.01)
    apart <- confint(result, level = 0.9) - stats::confint.default(model, level = 0.9)
    expect_lt(max(abs(apart) / sqrt(diag(stats::vcov(model)))), 0.01)
    expect_identical(result$status, "ok")
  }
  counts <- stats::glm(educ ~ age + sex, stats::poisson(), data)
  found <- exact(objective = "poisson", formula = educ ~ age + sex,
    rng = list(c(0, 40), c(18, 93), c(0, 1)))
  expect_coefficients(coef(found), counts)
  expect_errors(found, stats::vcov(counts))
  line <- stats::lm(income ~ age + sex, data)
  found <- exact(objective = "ols", formula = income ~ age + sex,
    rng = list(c(-10000, 713000), c(18, 93), c(0, 1)))
  expect_errors(found, stats::vcov(line))
  expect_equal(found$release["variance", ], summary(line)$sigma^2, tolerance = 1e-4)
  expect_identical(is.na(found$summary$`Std. Error`), c(FALSE, FALSE, FALSE, TRUE))
})

# White (1982), for a model of R.
sandwich_of <- function(model, scores) {
  bread <- summary(model)$cov.unscaled
  bread %*% crossprod(scores) %*% bread
}

test_that("without noise a sandwich equals the one from R's scores", {
  data <- PUMS5extract10000
  exact <- function(...) {
    result <- exactly(one_step_of(epsilon = 1e9, vcov = "sandwich", ...))$release(data)
    unname(sqrt(diag(vcov(result))))
  }
  model <- stats::glm(married ~ age + educ, stats::binomial(), data)
  scores <- stats::model.matrix(model) * stats::residuals(model, "response")
  expect_equal(exact(), unname(sqrt(diag(sandwich_of(model, scores)))), tolerance = 1e-3)
  counts <- stats::glm(educ ~ age + sex, stats::poisson(), data)
  scores <- stats::model.matrix(counts) * stats::residuals(counts, "response")
  theirs <- sqrt(diag(sandwich_of(counts, scores)))
  # These errors differ from the errors of a Poisson law.
  expect_gt(max(abs(theirs / sqrt(diag(stats::vcov(counts))) - 1)), 0.03)
  ours <- exact(objective = "poisson", formula = educ ~ age + sex,
    rng = list(c(0, 40), c(18, 93), c(0, 1)))
  expect_equal(ours / unname(theirs), rep(1, 3), tolerance = 0.01)
})

test_that("models through the origin and rows with gaps have errors too", {
  data <- PUMS5extract10000
  data$educ[seq(1, 10000, by = 10)] <- NA
  model <- stats::glm(married ~ age + educ - 1, stats::binomial(), data)
  found <- exactly(one_step_of(epsilon = 1e9, formula = married ~ age + educ - 1,
    missing = "drop"))$release(data)
  expect_equal(unname(coef(found)), unname(stats::coef(model)), tolerance = 1e-3)
  expect_errors(found, stats::vcov(model), 0.01)
  line <- stats::lm(age ~ educ, data)
  found <- exactly(one_step_of(epsilon = 1e9, formula = age ~ educ, objective = "ols",
    rng = list(c(18, 93), c(1, 16)), missing = "drop"))$release(data)
  expect_equal(found$nPresent, 9000, tolerance = 1e-6)
  expect_errors(found, stats::vcov(line))
})

test_that("the bias of a ridge is removed", {
  data <- PUMS5extract10000
  model <- stats::coef(stats::glm(married ~ age + educ, stats::binomial(), data))
  result <- exactly(one_step_of(epsilon = 1e9, lambda = 0.02))$release(data)
  off <- function(x) abs(unname(x) - unname(model))
  expect_true(all(off(coef(result)) < off(result$raw) / 4))
  expect_identical(names(result$raw), names(coef(result)))
})

test_that("if there is only noise, errors are unknown", {
  withr::local_seed(5)
  # In one of 8000 releases, pure noise looks like a curvature.
  results <- replicate(3, released(small(one_step_of(epsilon = 0.002))), simplify = FALSE)
  is_noise <- vapply(results, function(result) result$status == "noise", NA)
  expect_true(any(is_noise))
  result <- results[[which(is_noise)[[1]]]]
  expect_identical(unname(result$raw), result$release$estimate)
  expect_true(all(is.na(confint(result))) && all(is.na(vcov(result))))
  expect_true(all(is.finite(coef(result))))
  expect_match(format(result), "noise", all = FALSE)
  fit <- anywhere(predict(result, data.frame(age = 1, educ = 2), interval = "confidence"))
  expect_identical(unname(is.na(fit[1, ])), c(FALSE, TRUE, TRUE))
})

test_that("the loss is the measurement's map, and the plan says that it has two stages", {
  for (share in c(0.1, 0.2, 0.75)) {
    plan <- one_step_of(epsilon = 0.3, inferenceShare = share, vcov = "sandwich")
    expect_identical(plan$epsilon, 0.3)
    expect_identical(plan$measurement(d_in = 1L), 0.3)
    expect_identical(plan$measurement(d_in = 2L), 0.6)
  }
  node <- plan_of(plan)
  expect_identical(node$args[c("inference", "inferenceShare", "vcov")],
    list(inference = "onestep", inferenceShare = 0.75, vcov = "sandwich"))
  expect_identical(plan$inference, "onestep")
  expect_identical(plan$inferenceShare, 0.75)
  expect_identical(one_step_of()$inferenceShare, 0.2)
  expect_identical(one_step_of()$vcov, "classical")
  copy <- from_json(to_json(plan))
  expect_identical(plan_hash(copy), plan_hash(plan))
})

test_that("a model has one step by default, and a separate plan for each law", {
  expect_identical(one_step_of()$inference, "onestep")
  expect_identical(one_step_of(nBoot = 4)$inference, "parts")
  hash <- function(...) plan_hash(one_step_of(...))
  expect_identical(hash(), hash(inference = "onestep"))
  expect_identical(hash(inference = NULL), hash(inference = "none"))
  expect_identical(hash(nBoot = 4), hash(nBoot = 4, inference = NULL))
  expect_identical(hash(nBoot = 4), hash(nBoot = 4, inference = "parts"))
  expect_length(unique(c(hash(), hash(inference = "none"), hash(nBoot = 4))), 3)
  # The second stage leaves 0.8 of epsilon to the coefficients, so their noise grows.
  expect_lt(one_step_of(inference = "none")$lambda, one_step_of()$lambda)
})

test_that("a plan without `inference` keeps its old meaning", {
  without_inference <- function(text) {
    old <- sub(',"inference":null', "", sub(',"inference":"onestep"', "", text, fixed = TRUE),
      fixed = TRUE)
    expect_no_match(old, '"inference"', fixed = TRUE)
    old
  }
  for (nBoot in list(NULL, 4)) {
    plan <- one_step_of(inference = NULL, nBoot = nBoot)
    expect_match(to_json(plan), '"inference":null', fixed = TRUE)
    for (text in c(to_json(plan), without_inference(to_json(plan)))) {
      copy <- from_json(text)
      expect_identical(copy$inference, plan$inference)
      expect_identical(plan_hash(copy), plan_hash(plan))
    }
    # Loading a saved plan rebuilds its measurement.
    node <- plan_of(plan)
    node$args$inference <- NULL
    expect_identical(remade(node)$inference, plan$inference)
  }
  # The default does not replace an argument that the text omits.
  expect_identical(from_json(without_inference(to_json(one_step_of())))$inference, "none")
  expect_identical(from_json(to_json(one_step_of()))$inference, "onestep")
})

test_that("conflicting arguments raise errors", {
  expect_refused(one_step_of(inference = "onestep", nBoot = 4), "inference")
  expect_refused(one_step_of(inference = "none", nBoot = 4), "inference")
  expect_refused(one_step_of(inference = "parts"), "inference")
  for (wrong in list("bootstrap", NA, 1, c("onestep", "none"), c("none", "onestep", "parts"))) {
    expect_refused(one_step_of(inference = wrong), "inference")
  }
  expect_refused(one_step_of(nBoot = 4, inferenceShare = 0.3), "inferenceShare")
  for (share in list(0, 1, -1, NA, "a")) {
    expect_refused(one_step_of(inferenceShare = share), "inferenceShare")
  }
  expect_refused(one_step_of(inference = NULL, inferenceShare = 0.3), "inferenceShare")
  expect_refused(one_step_of(inference = NULL, vcov = "sandwich"), "vcov")
  expect_refused(one_step_of(vcov = "robust"), "vcov")
})

test_that("methods of models work", {
  withr::local_seed(6)
  result <- released(one_step_of())
  table <- generics::tidy(result)
  expect_named(table,
    c("term", "estimate", "std.error", "conf.low", "conf.high", "mark", "covers")
  )
  expect_equal(summary(result), table[names(table) != "mark"])
  expect_equal(confint(result), as.matrix(result$summary[3:4]), ignore_attr = TRUE)
  expect_equal(table$estimate, unname(coef(result)))
  expect_identical(dimnames(attr(vcov(result), "noise")), dimnames(vcov(result)))
  expect_true(all(diag(attr(vcov(result), "noise")) < diag(vcov(result))))
  share <- predict(result, data.frame(age = 40, educ = 9:10), "response", "confidence")
  expect_true(all(share >= 0 & share <= 1))
  expect_true(all(share[, "lwr"] < share[, "fit"] & share[, "fit"] < share[, "upr"]))
  expect_identical(family(result)$link, "logit")
})

# S1 of 10,000 people. Each run draws the response again.
covered_marriages <- function(epsilon, runs, ...) {
  withr::local_seed(1)
  n <- 10000
  age <- sample(18:90, n, TRUE)
  educ <- sample(1:16, n, TRUE, prob = stats::dnorm(1:16, 10, 3.4))
  truth <- c(-1, 0.02, 0.03)
  plan <- one_step_of(epsilon = epsilon, ...)
  runs <- replicate(runs, {
    married <- stats::rbinom(n, 1, stats::plogis(drop(cbind(1, age, educ) %*% truth)))
    result <- plan$release(data.frame(married, age, educ))
    ends <- result$summary[3:4]
    fit <- stats::glm.fit(cbind(1, age, educ), married, family = stats::binomial())
    # A release without known errors covers nothing.
    covers <- result$status != "noise" & ends[, 1] <= truth & truth <= ends[, 2]
    rbind(covers, coef(result) - fit$coefficients, result$raw - fit$coefficients)
  })
  list(covers = rowMeans(runs[1, , ]), bias = rowMeans(runs[2, , ]), raw = rowMeans(runs[3, , ]))
}

test_that("intervals cover the population's coefficients without bias", {
  runs <- in_tier(40, 300)
  # For 300 runs, nine in ten is far below chance at 95%. Fewer runs vary more.
  least <- in_tier(least_of(40, 0.95, 3) / 40, 0.9)
  for (epsilon in c(0.25, 1)) {
    found <- covered_marriages(epsilon, runs)
    expect_true(all(found$covers >= least), info = paste(epsilon, toString(found$covers)))
    expect_lt(abs(found$bias[["age"]]), in_tier(0.002, 0.001))
  }
  found <- covered_marriages(1, runs, vcov = "sandwich")
  expect_true(all(found$covers >= least), info = toString(found$covers))
})

test_that("the check detects a claim of half the errors", {
  # The check above rejects these runs if intervals have half the length.
  withr::local_seed(2)
  plan <- one_step_of(formula = y ~ x, n = 2000, rng = list(c(0, 1), c(-1, 1)), epsilon = 1)
  covers <- replicate(300, {
    x <- stats::runif(2000, -1, 1)
    result <- plan$release(data.frame(x, y = stats::rbinom(2000, 1, stats::plogis(x))))
    ends <- confint(result, "x")
    half <- mean(ends) + c(-1, 1) * diff(range(ends)) / 4
    c(ends[[1]] <= 1 && 1 <= ends[[2]], half[[1]] <= 1 && 1 <= half[[2]])
  })
  expect_gte(sum(covers[1, ]), least_of(300, 0.95))
  expect_lt(sum(covers[2, ]), least_of(300, 0.95))
  expect_lt(sum(covers[2, ]), sum(covers[1, ]))
})

test_that("five predictors have intervals that cover, or none", {
  withr::local_seed(7)
  n <- 10000
  x <- matrix(stats::runif(5 * n, -1, 1), n, dimnames = list(NULL, letters[1:5]))
  truth <- c(-0.3, 0.8, -0.5, 0.3, 0, 0.6)
  t <- drop(cbind(1, x) %*% truth)
  draw <- list(
    logit = function() stats::rbinom(n, 1, stats::plogis(t)),
    probit = function() stats::rbinom(n, 1, stats::pnorm(t)),
    poisson = function() pmin(stats::rpois(n, exp(t)), 15)
  )
  runs <- in_tier(16, 60)
  hits <- NULL
  for (objective in names(draw)) {
    top <- if (objective == "poisson") 15 else 1
    for (epsilon in c(0.5, 2)) {
      plan <- small(dpGLM("mechanismObjective", "numeric", n, c(list(c(0, top)),
        rep(list(c(-1, 1)), 5)), y ~ a + b + c + d + e, objective, epsilon))
      found <- replicate(runs, {
        result <- plan$release(data.frame(y = draw[[objective]](), x))
        ends <- result$summary[3:4]
        rbind(ends[, 1] <= truth & truth <= ends[, 2], coef(result) - truth)
      })
      info <- paste(objective, epsilon)
      known <- !is.na(found[1, 1, ])
      # Curvatures of counts far below 15 are below their noise, and results say so.
      if (objective == "poisson" && epsilon == 0.5) expect_lt(mean(known), 0.5, label = info)
      if (objective != "poisson") expect_true(any(known), info = info)
      if (objective != "poisson" && epsilon == 2) expect_true(all(known), info = info)
      hits <- c(hits, found[1, , known])
      if (sum(known) < in_tier(5, 30)) next
      expect_gt(mean(found[1, , known]), in_tier(0.8, 0.9), label = info)
      biases <- rowMeans(found[2, , known, drop = FALSE], dims = 2)
      expect_lt(max(abs(biases)), in_tier(0.3, 0.05), label = info)
    }
  }
  expect_gt(mean(hits), in_tier(0.8, 0.9))
})

test_that("counts can be far below the largest declared bound", {
  # With bounds up to 100, their means would be a thirtieth, and below the noise.
  withr::local_seed(9)
  n <- 6000
  x <- matrix(stats::runif(2 * n, -1, 1), n, dimnames = list(NULL, c("a", "b")))
  truth <- c(1, 0.4, -0.3)
  plan <- dpGLM(n = n, rng = list(c(0, 100), c(-1, 1), c(-1, 1)), formula = y ~ a + b,
    objective = "poisson", epsilon = 1)
  hits <- replicate(8, {
    y <- stats::rpois(n, exp(drop(cbind(1, x) %*% truth)))
    result <- plan$release(data.frame(y, x))
    expect_identical(result$status, "ok")
    ends <- result$summary[3:4]
    ends[, 1] <= truth & truth <= ends[, 2]
  })
  expect_gt(mean(hits), 0.5)
})

test_that("intervals of a predictor that hardly varies are rarely wrong", {
  withr::local_seed(8)
  n <- 2500
  plan <- small(dpGLM(n = n, rng = list(c(0, 1), c(-1, 1), c(-1, 1)), formula = y ~ a + b,
    objective = "logit", epsilon = 2))
  budget <- core_glm_budget(list(objective = "logit", intercept = TRUE, n = n, parts = 1,
    lambda = 0, epsilon = 2, inference_share = 0.2, sandwich = FALSE), 3)
  plan$.__enclos_env__$private$.plan$describe <- function(release, fields) list(release = release)
  releases_of <- function(half) {
    replicate(300, {
      a <- stats::runif(n, -1, 1)
      b <- stats::runif(n, -half, half)
      y <- stats::rbinom(n, 1, stats::plogis(-0.3 + 0.8 * a + b))
      plan$release(data.frame(y, a, b))$release
    })
  }
  # Uses only the interval of b.
  of_all <- reach_of_draws
  local_replaced("reach_of_draws", function(curvature, rows, excess, alpha) {
    c(NA, NA, of_all(curvature, rows[3, , drop = FALSE], excess, alpha))
  })
  ends_of <- function(releases) {
    apply(releases, 2, function(release) {
      unlist(glm_result(budget)(release, plan$getFields())$summary["b", 3:4])
    })
  }
  mislead <- function(ends) sum(1 < ends[1, ] | ends[2, ] < 1, na.rm = TRUE)
  most <- most_of(300, 0.065)
  expect_lte(mislead(ends_of(releases_of(0.1))), most)
  twentieth <- releases_of(0.05)
  ends <- ends_of(twentieth)
  expect_lte(mislead(ends), most)
  # If withheld intervals were shown too, intervals without the curvature's noise would be wrong in
  # 28 more of 300, plus or minus 5.
  local_replaced("noise_norm", function(size) 0.01)
  withheld <- is.na(ends[1, ])
  ends[, withheld] <- ends_of(twentieth[, withheld, drop = FALSE])
  with_noise <- mislead(ends)
  local_replaced("square_draws", no_noise_of_squares)
  without_noise <- mislead(ends_of(twentieth))
  expect_gt(without_noise, with_noise)
})

test_that("coefficients without errors are plotted as points, without a warning", {
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  noise <- released(small(one_step_of(epsilon = 0.002)))
  line <- released(one_step_of(formula = age ~ educ, objective = "ols",
    rng = list(c(18, 93), c(1, 16))))
  for (result in list(noise, line)) {
    expect_no_warning(plot(result))
    if (requireNamespace("ggplot2", quietly = TRUE)) {
      expect_no_warning(print(ggplot2::autoplot(result)))
    }
  }
})
