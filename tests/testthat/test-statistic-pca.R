columns <- c("income", "educ", "age")

components_of <- function(..., epsilon = 1e16) {
  small(exactly(dpPCA(columns, n = 10000, rng = pums_ranges, epsilon = epsilon, ...)))
}

test_that("without noise it is R's own, in units of the columns and of their ranges", {
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

# The plane of the test: 1 - |E'V|^2 / 2, E and V bases of two planes.
plane_loss <- function(found, plane) 1 - sum((t(as.matrix(found)) %*% plane)^2) / 2

test_that("eight columns have the loss of a plane that is published, and less than noise apart", {
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
  # Each is a mean of positive numbers that are a twentieth of their bound here.
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

test_that("components that noise alone may have made are said to be", {
  plan <- dpPCA(c("x", "y"), 2, 2000, list(c(0, 1), c(0, 1)), epsilon = 1)
  data <- data.frame(x = rep(c(0, 1), 1000), y = 0.5)
  status <- replicate(30, plan$release(data)$status)
  expect_gt(sum(status == "noise"), 15)
  first <- dpPCA(c("x", "y"), 1, 2000, list(c(0, 1), c(0, 1)), epsilon = 1)
  expect_identical(unique(replicate(30, first$release(data)$status)), "ok")
})

test_that("rows with gaps are dropped and counted, and few are said to be", {
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

test_that("there are no more components than columns", {
  of <- function(k) dpPCA(c("x", "y"), k, 10, list(c(0, 1), c(0, 1)), 1)
  expect_refused(of(3), "k")
  expect_refused(of(0), "k")
  expect_refused(of("1"), "k")
})
