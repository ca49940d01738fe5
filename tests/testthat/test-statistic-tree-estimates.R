test_that("estimates are the generalised least squares", {
  counts <- list(20, c(13, 5), c(9, 2, 4, 3))
  variances <- c(0, 2, 7)
  # Leaves are unknowns. The root's exact count is a constraint.
  design <- rbind(c(1, 1, 1, 1), c(1, 1, 0, 0), c(0, 0, 1, 1), diag(4))
  weights <- 1 / c(1e-7, 2, 2, 7, 7, 7, 7)
  leaves <- solve(t(design) %*% (weights * design), t(design) %*% (weights * unlist(counts)))
  found <- consistent_tree(counts, variances)
  expect_equal(found[[3]], drop(leaves), tolerance = 1e-6)
  expect_equal(found[[2]], c(sum(found[[3]][1:2]), sum(found[[3]][3:4])))
  expect_equal(found[[1]], 20)
})

# The normal equations give the same: list(estimates of leaves, their covariance).
least_squares <- function(counts, variances, branching) {
  leaves <- length(counts[[length(counts)]])
  design <- do.call(rbind, lapply(counts, function(level) {
    kronecker(diag(length(level)), t(rep(1, leaves / length(level))))
  }))
  weights <- 1 / rep(pmax(variances, 1e-9), lengths(counts))
  covariance <- solve(t(design) %*% (weights * design))
  list(
    leaves = drop(covariance %*% t(design) %*% (weights * unlist(counts))), covariance = covariance
  )
}

test_that("estimates and the noise below each edge are least squares, for any branching", {
  for (branching in 2:5) {
    for (root in c(0, 3)) {
      variances <- c(root, 2, 7, 4)[1:(if (branching < 4) 4 else 3)]
      widths <- branching^(seq_along(variances) - 1)
      counts <- lapply(widths, function(width) seq(9, 1, length.out = width)^2 %% 7)
      wanted <- least_squares(counts, variances, branching)
      found <- consistent_tree(counts, variances)
      expect_equal(found[[length(found)]], wanted$leaves, tolerance = 1e-5)
      noise <- edge_noise(variances, branching)
      below <- rbind(0, lower.tri(wanted$covariance, diag = TRUE) + 0)
      of_edges <- below %*% wanted$covariance %*% t(below)
      expect_equal(noise$left, diag(of_edges), tolerance = 1e-6)
      if (root == 0) {
        # Exact for the count, and nearly exact in the comparison.
        expect_identical(unique(c(noise$left_root, noise$root)), 0)
        expect_lt(max(of_edges[, ncol(of_edges)]), 1e-8)
      } else {
        expect_equal(noise$left_root, of_edges[, ncol(of_edges)], tolerance = 1e-6)
        expect_equal(noise$root, sum(wanted$covariance), tolerance = 1e-6)
      }
    }
  }
})

test_that("UTIL-010, UTIL-011 and UTIL-013: a consistent tree does not change", {
  counts <- list(10, c(6, 4), c(3, 3, 1, 3))
  for (root in c(0, 1)) expect_equal(consistent_tree(counts, c(root, 1, 1)), counts)
})

test_that("UTIL-012: weights from above treat the root as exact", {
  expect_equal(tree_variances(c(0, 1, 1), 2)$above, c(0, 2 / 5, 7 / 12))
  expect_equal(tree_variances(c(1, 1, 1), 2)$above, c(1, 5 / 8, 13 / 21))
})

test_that("UTIL-014: the variance of a node is its noise variance", {
  epsilon <- tree_of(depth = 1, globalEps = 1)$getFields()$epsilon
  expect_equal(node_variances(epsilon, drops = FALSE), c(0, 8))
  # The root of two levels with equal noise is the mean of their counts.
  expect_equal(node_variances(c(1, 1), drops = TRUE), c(4, 8, 8))
})

test_that("UTIL-015 to UTIL-020: distribution function, quantiles and mean", {
  edges <- c(0, 2, 4, 6, 8)
  cdf <- distribution_function(c(3, 3, 1, 3), 10)
  expect_equal(cdf, c(0, 0.3, 0.6, 0.7, 1))
  expect_equal(invert_cdf(edges, cdf, 0.5), 2 + 2 * 2 / 3)
  expect_equal(invert_cdf(edges, distribution_function(c(2, 3, 3, 2), 10), 0.5), 4)
  expect_equal(invert_cdf(edges, cdf, c(0, 1)), c(0, 8))
  expect_equal(invert_cdf(edges, c(0, 0.5, 0.5, 0.5, 1), 0.5), 4)
  fields <- tree_of(depth = 2, rng = c(0, 8))$getFields()
  expect_equal(tree_result(list(c(6, 4), c(3, 3, 1, 3)), fields)$mean, 3.8)
})

test_that("increasing numbers are the isotonic regression", {
  withr::local_seed(1)
  for (count in c(1, 2, 7, 300)) {
    for (noise in c(0, 1, 30)) {
      x <- seq_len(count) + noise * round(stats::rnorm(count), 1)
      expect_equal(rising(x), stats::isoreg(x)$yf)
    }
  }
  expect_identical(rising(c(2, 2, 2)), c(2, 2, 2))
})

test_that("a distribution function rises from 0 to 1, whatever the noise", {
  for (leaves in list(c(-3, 5, 2, 9), c(20, -9, -1, 0), c(-1, -1, -1, -1))) {
    cdf <- distribution_function(leaves, 10)
    expect_false(is.unsorted(cdf))
    expect_equal(range(cdf), c(0, 1))
    expect_true(all(is.finite(invert_cdf(0:4, cdf, c(0, 0.1, 0.5, 0.9, 1)))))
  }
})
