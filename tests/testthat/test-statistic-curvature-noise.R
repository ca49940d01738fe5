# Errors of a one-step estimate if its curvature has noise.

# A curvature as one_step() describes it, for two strongly dependent coefficients.
described <- function(...) {
  curvature <- list(
    squares = c(40, 12, 30), scale = 3, bound = 0.25, ridge = c(0.4, -1.1), moved = c(0.05, -0.1),
    deviation = 2, dispersion = 1.7, slopes = NULL, back = diag(2)
  )
  changed <- list(...)
  curvature[names(changed)] <- changed
  curvature
}

# Random errors from the law in the comment above the code, with one column per draw that leaves a
# curvature.
drawn_errors <- function(curvature, count = 4e5) {
  laplace <- function(scale) (stats::rexp(count) - stats::rexp(count)) * scale * curvature$scale
  h11 <- curvature$bound * (curvature$squares[[1]] - laplace(2))
  h12 <- curvature$bound * (curvature$squares[[2]] - laplace(1))
  h22 <- curvature$bound * (curvature$squares[[3]] - laplace(2))
  rate <- 2 / curvature$deviation # sqrt((size + 1) (size + 2) / 3) is 2 of two
  radius <- stats::rgamma(count, 3, rate)
  z <- matrix(stats::rnorm(2 * count), 2)
  slopes <- curvature$slopes
  g <- if (is.null(slopes)) {
    root <- sqrt(pmax(curvature$dispersion * h11, 0))
    below <- curvature$dispersion * h12 / root
    last <- sqrt(pmax(curvature$dispersion * h22 - below^2, 0))
    rbind(root * z[1, ], below * z[1, ] + last * z[2, ])
  } else {
    crossprod(chol(slopes), z)
  }
  pull <- curvature$ridge + rbind(radius, radius) * stats::runif(2 * count, -1, 1) + g
  determinant <- h11 * h22 - h12^2
  errors <- rbind(
    (h22 * pull[1, ] - h12 * pull[2, ]) / determinant, (h11 * pull[2, ] - h12 * pull[1, ]) /
      determinant
  ) - curvature$moved
  curvature$back %*% errors[, h11 > 0 & determinant > 0]
}

test_that("errors have the size that their law states", {
  withr::local_seed(3)
  cases <- list(
    described(), described(scale = 0), described(squares = c(40, 12, 14)),
    described(slopes = rbind(c(9, -2), c(-2, 5))),
    described(back = rbind(c(1, -0.7), c(0, 0.2)))
  )
  combinations <- rbind(c(1, 0), c(0, 1), c(1, -2))
  for (curvature in cases) {
    errors <- drawn_errors(curvature)
    for (level in c(0.5, 0.9, 0.99)) {
      reach <- reach_of_draws(curvature, combinations, 1, 1 - level)
      within <- rowMeans(abs(combinations %*% errors) <= reach)
      # 2000 draws are as good as independent ones.
      expect_lt(max(abs(within - level)), 3 * sqrt(level * (1 - level) / 2000))
    }
  }
})

test_that("without curvature noise, errors are those of b plus a normal vector", {
  withr::local_seed(7)
  for (size in c(1, 4)) {
    rate <- 2
    root <- matrix(stats::rnorm(size^2), size)
    h <- root %*% t(root) + diag(size)
    theta <- stats::rnorm(size)
    # Density exp(-rate max|b|): a gamma radius times a point on the cube.
    radius <- stats::rgamma(4e5, size + 1, rate)
    b <- matrix(stats::runif(4e5 * size, -1, 1) * radius, ncol = size)
    g <- sqrt(0.3) * matrix(stats::rnorm(4e5 * size), ncol = size) %*% chol(h)
    off <- ((b + g) %*% solve(h))[, 1]
    line <- one_step(theta, h[lower.tri(h, TRUE)], NULL,
      list(curvature_scale = 0, curvature_bound = 1, rate = rate), 2, 0.3, Inf, 1)
    expect_equal(line$estimate, drop(theta + 2 * solve(h, theta)))
    expect_equal(covariance_of_errors(line, NULL)[[1, 1]], mean(off^2), tolerance = 0.02)
    first <- matrix(c(1, rep(0, size - 1)), 1)
    for (level in c(0.5, 0.9, 0.95, 0.99)) {
      reach <- reach_of_errors(line, first, level)
      expect_equal(mean(abs(off) <= reach), level, tolerance = 0.012)
    }
  }
})

test_that("degrees of freedom lengthen only the sampling error", {
  curvature <- described(scale = 0, deviation = 0, ridge = c(0, 0), moved = c(0, 0))
  h <- 0.25 * weighted_matrix(curvature$squares, 2)
  for (excess in c(1, 1.4)) {
    expect_equal(reach_of_draws(curvature, rbind(c(1, 0)), excess, 0.05),
      stats::qnorm(0.975) * excess * sqrt(1.7 * solve(h)[[1, 1]]))
  }
  noise <- described(dispersion = 0)
  expect_identical(reach_of_draws(noise, rbind(c(1, 0)), 1, 0.05),
    reach_of_draws(noise, rbind(c(1, 0)), 2, 0.05))
})

test_that("each combination has its own answer, whatever their number", {
  rows <- cbind(1, seq(-1, 1, length.out = 150))
  all <- reach_of_draws(described(), rows, 1, 0.05)
  some <- c(1, 64, 65, 150)
  expect_equal(all[some], reach_of_draws(described(), rows[some, ], 1, 0.05), tolerance = 1e-8)
  expect_identical(reach_of_draws(described(), rows[0, ], 1, 0.05), numeric())
  rows <- rbind(c(NA, 1), c(0, 0), c(1, 1))
  expect_identical(is.na(reach_of_draws(described(), rows, 1, 0.05)), c(TRUE, FALSE, FALSE))
  expect_lt(reach_of_draws(described(), rows, 1, 0.05)[[2]], 1e-300)
})

test_that("positive definite matrices are inverted, and other matrices left out", {
  withr::local_seed(4)
  for (size in c(1, 2, 5)) {
    matrices <- array(0, c(60, size, size))
    for (i in 1:60) {
      root <- matrix(stats::rnorm(size^2), size)
      signs <- if (i %% 3 == 0) c(rep(1, size - 1), -1) else rep(1, size)
      matrices[i, , ] <- root %*% (t(root) * signs)
    }
    found <- inverted(matrices)
    expect_identical(found$kept, setdiff(1:60, seq(3, 60, by = 3)))
    for (k in seq_along(found$kept)) {
      product <- matrix(matrices[found$kept[[k]], , ], size) %*% matrix(found$matrices[k, , ], size)
      expect_equal(product, diag(size), tolerance = 1e-6)
    }
  }
  nothing <- inverted(array(0, c(2, 1, 1)))
  expect_length(nothing$kept, 0)
  inverses <- found$matrices
  middle <- crossprod(matrix(stats::rnorm(25), 5))
  products <- between(inverses, middle)
  for (k in c(1, 40)) {
    expect_equal(products[k, , ], inverses[k, , ] %*% middle %*% inverses[k, , ])
  }
})

test_that("the reach of normal laws is the root of their tail", {
  withr::local_seed(5)
  laws <- list(
    rbind(stats::rcauchy(500), stats::rnorm(500)), rbind(1:500, rep(0, 500)) * 1e150
  )
  for (mean in laws) {
    deviation <- abs(mean[, 500:1]) + 1e-3
    for (alpha in c(0.5, 0.05, 1e-4)) {
      reach <- reach_of_normals(mean, deviation, alpha)
      tail <- rowMeans(stats::pnorm(-reach, mean, deviation) +
        stats::pnorm(reach, mean, deviation, lower.tail = FALSE))
      expect_equal(tail, rep(alpha, 2), tolerance = 1e-6)
    }
  }
  # With zero deviation it is a quantile. Without any term it is zero.
  steps <- reach_of_normals(rbind(1:100, 0), matrix(0, 2, 100), 0.1)
  expect_equal(steps[[1]], 90, tolerance = 1e-6)
  expect_lt(steps[[2]], 1e-300)
})

test_that("draws have the laws that they represent", {
  for (size in c(1, 3, 12)) {
    cube <- cube_draws(size)
    squares <- square_draws(size)
    pairs <- triangle(size)
    expect_identical(dim(cube), c(2000L, as.integer(size)))
    expect_identical(dim(squares), c(2000L, nrow(pairs)))
    all <- cbind(cube, squares / sqrt(2) / rep(1 + (pairs$first == pairs$second), each = 2000))
    # As accurate as 2000 independent draws.
    expect_lt(max(abs(crossprod(all) / 2000 - diag(ncol(all)))), 6 * sqrt(5 / 2000))
    expect_lt(max(abs(colMeans(all))), 6 / sqrt(2000))
  }
})

test_that("the stated median norm of noise is the median of drawn noise", {
  withr::local_seed(4)
  for (size in c(1, 3, 8)) {
    pairs <- triangle(size)
    norms <- replicate(2000, {
      noise <- stats::rexp(nrow(pairs)) * sample(c(-1, 1), nrow(pairs), TRUE)
      matrix <- weighted_matrix(noise * (1 + (pairs$first == pairs$second)), size)
      max(abs(eigen(matrix, TRUE, only.values = TRUE)$values))
    })
    expect_equal(noise_norm(size), stats::median(norms), tolerance = 0.1)
  }
})

# First-order simulation of one step. Returns how many of `runs` results with errors have an
# interval that covers the coefficient. `share` is the curvature relative to the least curvature
# that gives a result errors.
covered_when_shown <- function(share, runs) {
  budget <- list(curvature_scale = 10, curvature_bound = 1 / 4, rate = 0.1)
  beta <- c(0.5, -1)
  ridge <- 20
  needed <- budget$curvature_scale * noise_norm(2)
  sums <- c(400, 0, share * needed)
  h <- budget$curvature_bound * weighted_matrix(sums, 2)
  sum(replicate(runs, {
    repeat {
      noise <- (stats::rexp(3) - stats::rexp(3)) * c(2, 1, 2) * budget$curvature_scale
      least <- min(eigen(weighted_matrix(sums + noise, 2), TRUE)$values)
      if (least >= needed) break
    }
    b <- stats::rgamma(1, 3, budget$rate) * stats::runif(2, -1, 1)
    g <- drop(crossprod(chol(h), stats::rnorm(2)))
    theta <- drop(solve(h + diag(ridge, 2), h %*% beta - b - g))
    line <- one_step(theta, sums + noise, NULL, budget, ridge, 1, Inf, 1)
    reach <- reach_of_errors(line, rbind(c(0, 1)), 0.95)
    abs(line$estimate[[2]] - beta[[2]]) <= reach
  }))
}

test_that("intervals shown in few releases still cover, if they count curvature noise", {
  withr::local_seed(6)
  runs <- 400
  least <- stats::qbinom(1e-7, runs, 0.95)
  for (share in c(0.2, 1)) expect_gte(covered_when_shown(share, runs), least)
  local_replaced("square_draws", no_noise_of_squares)
  expect_lt(covered_when_shown(0.2, runs), least)
})
