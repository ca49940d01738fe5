columns <- c("income", "educ", "age")

components_of <- function(..., epsilon = 1e16) {
  small(exactly(dpPCA(columns, n = 10000, rng = pums_ranges, epsilon = epsilon, ...)))
}

test_that("without noise it equals R's, in units of the columns and of their ranges", {
  half <- vapply(pums_ranges, diff, 0) / 2
  for (scale in c("none", "public")) {
    result <- released(components_of(k = 3, scale = scale))
    unit <- if (scale == "public") half else FALSE
    exact <- stats::prcomp(PUMS5extract10000[columns], scale. = unit)
    # The largest weight of a component is positive.
    top <- apply(abs(exact$rotation), 2, which.max)
    turned <- sweep(exact$rotation, 2, sign(exact$rotation[cbind(top, 1:3)]), "*")
    expect_equal(unname(as.matrix(result$release)), unname(turned), tolerance = 1e-5)
    expect_equal(unname(result$variance) / exact$sdev^2, rep(1, 3), tolerance = 1e-4)
    expect_equal(result$means, colMeans(PUMS5extract10000[columns]), tolerance = 1e-6)
    expect_identical(result$status, "ok")
    largest <- vapply(result$release, function(x) x[[which.max(abs(x))]], 0)
    expect_true(all(largest > 0))
  }
  expect_named(released(components_of(k = 2))$release, c("PC1", "PC2"))
})

# Loss of a plane: 1 - |E'V|^2 / 2, where E and V are bases of two planes.
plane_loss <- function(found, plane) 1 - sum((t(as.matrix(found)) %*% plane)^2) / 2

test_that("eight columns reach the published plane loss, with less noise than separately", {
  withr::local_seed(16)
  n <- 1e4
  plane <- qr.Q(qr(matrix(sin(1:16), 8)))
  rows <- matrix(stats::rnorm(2 * n), n) %*% diag(c(0.6, 0.45)) %*% t(plane) +
    0.1 * matrix(stats::rnorm(8 * n), n)
  data <- as.data.frame(pmin(pmax(rows, -1), 1))
  names <- paste0("x", 1:8)
  names(data) <- names
  exact <- stats::prcomp(data)$rotation[, 1:2]
  loss <- function(epsilon, times) {
    plan <- small(exactly(dpPCA(names, 2, n, rep(list(c(-1, 1)), 8), epsilon)))
    mean(replicate(times, plane_loss(plan$release(data)$release, exact)))
  }
  # Each is a mean of positive numbers, here a twentieth of their bound.
  expect_lt(loss(0.5, 40), 0.03)
  expect_lt(loss(1, 40), 0.008)
  expect_lt(loss(5, 20), 0.0004)
})

test_that("the first component of the census extract is found at epsilon 1", {
  exact <- stats::prcomp(PUMS5extract10000[c("educ", "age")],
    scale. = c(7.5, 37.5))$rotation[, 1]
  plan <- dpPCA(c("educ", "age"), 1, 10000, pums_ranges[2:3], 1, scale = "public")
  cosines <- replicate(50, abs(sum(released(plan)$release$PC1 * exact)))
  expect_gt(stats::median(cosines), 0.998)
})

test_that("components that may be pure noise are reported", {
  plan <- dpPCA(c("x", "y"), 2, 2000, list(c(0, 1), c(0, 1)), epsilon = 1)
  data <- data.frame(x = rep(c(0, 1), 1000), y = 0.5)
  status <- replicate(30, plan$release(data)$status)
  expect_gt(sum(status == "noise"), 15)
  first <- dpPCA(c("x", "y"), 1, 2000, list(c(0, 1), c(0, 1)), epsilon = 1)
  expect_identical(unique(replicate(30, first$release(data)$status)), "ok")
})

test_that("rows with gaps are dropped and counted, and too few are reported", {
  data <- transform(PUMS5extract10000, educ = ifelse(age > 60, NA, educ))
  result <- components_of(k = 1, scale = "public", missing = "drop")$release(data)
  complete <- data[!is.na(data$educ), columns]
  half <- vapply(pums_ranges, diff, 0) / 2
  exact <- stats::prcomp(complete, scale. = half)
  expect_equal(abs(result$release$PC1), abs(unname(exact$rotation[, 1])), tolerance = 1e-5)
  expect_equal(result$nPresent, nrow(complete), tolerance = 1e-9)
  few <- small(dpPCA(c("x", "y"), 1, 40, list(c(0, 1), c(0, 1)), 1, missing = "drop"))
  results <- replicate(20, few$release(data.frame(x = rep(NA, 40), y = 1)), simplify = FALSE)
  few <- Filter(function(result) result$status == "few", results)
  expect_gt(length(few), 0)
  expect_true(all(is.na(unlist(few[[1]][c("release", "variance", "means")]))))
  expect_refused(plot(few[[1]]), "x")
})

test_that("there are at most as many components as columns", {
  of <- function(k) dpPCA(c("x", "y"), k, 10, list(c(0, 1), c(0, 1)), 1)
  expect_refused(of(3), "k")
  expect_refused(of(0), "k")
  expect_refused(of("1"), "k")
})

test_that("intervals cover where noise dominates, and where variances are next to each other", {
  withr::local_seed(4)
  releases <- in_tier(60, 1000)
  columns <- letters[1:5]
  draw <- function() {
    rows <- as.data.frame(matrix(stats::rnorm(5000), 1000, dimnames = list(NULL, columns)))
    replace(rows, "a", list(rows$a * sqrt(2)))
  }
  # The first misses 0.15 of these without a bound for all vectors, the second a third.
  for (epsilon in c(1, 50)) {
    plan <- exactly(small(dpPCA(columns, 2, 1000, rep(list(c(-5, 5)), 5), epsilon = epsilon,
      law = "normal")))
    ends <- replicate(releases, plan$release(draw())$intervals)
    hits <- rowSums(ends[, 1, ] <= c(2, 1) & c(2, 1) <= ends[, 2, ])
    expect_true(all(hits >= least_of(releases, 0.95, bounds = 4)), info = toString(hits))
  }
})

test_that("the norm of the noise of a matrix seldom exceeds its bound", {
  withr::local_seed(5)
  draws <- in_tier(2000, 20000)
  rows <- rbind(c(0.3, 0.1, 0.9), diag(3)) * rep(c(1, 2, 0.5), each = 4)
  deviations <- outer(1:4, 1:4)
  spread <- noise_spread(rows, deviations)
  for (normal in c(TRUE, FALSE)) {
    norms <- replicate(draws, {
      laplace <- stats::rexp(16) * sample(c(-1, 1), 16, TRUE) / sqrt(2)
      noise <- deviations * if (normal) stats::rnorm(16) else laplace
      noise[lower.tri(noise)] <- t(noise)[lower.tri(noise)]
      max(abs(eigen(crossprod(rows, noise %*% rows), TRUE, TRUE)$values))
    })
    for (alpha in c(0.3, 0.05)) {
      reach <- norm_reach(spread, normal, alpha)
      expect_lte(sum(norms > reach), most_of(draws, alpha, bounds = 4))
      expect_gt(sum(norms > reach / 4), most_of(draws, alpha, bounds = 4))
    }
  }
})

test_that("eigenvalues are no farther off than the norm of the noise and its part along v allow", {
  withr::local_seed(6)
  for (round in seq_len(300)) {
    size <- sample(2:6, 1)
    symmetric <- function() {
      x <- matrix(stats::rnorm(size^2), size)
      x + t(x)
    }
    rows <- symmetric() * 10^stats::runif(1, -1, 1)
    noise <- symmetric()
    norm <- max(abs(eigen(noise, TRUE)$values))
    of_rows <- eigen(rows, TRUE)
    released <- eigen(rows + noise, TRUE)
    along <- colSums(of_rows$vectors * (noise %*% of_rows$vectors))
    gaps <- c(Inf, -diff(released$values), Inf)
    off <- released$values - of_rows$values - along
    for (j in seq_len(size)) {
      slack <- 1e-9 * (norm + max(abs(rows)))
      # The released one is too large by what lies above the vector, too small by what lies below.
      expect_lte(off[[j]], beyond_first_order(norm, gaps[[j + 1]]) + slack)
      expect_gte(off[[j]], -beyond_first_order(norm, gaps[[j]]) - slack)
      cosine <- abs(sum(of_rows$vectors[, j] * released$vectors[, j]))
      expect_lte(sqrt(max(1 - cosine^2, 0)),
        sine_between(norm, min(gaps[[j]], gaps[[j + 1]])) + 1e-6)
    }
  }
})
