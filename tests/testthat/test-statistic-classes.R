cells_at <- function(u) c((1 - u)^2 / 4, (1 - u^2) / 2, (1 + u)^2 / 4)

shape_of <- function(columns, classes, of_class) {
  list(columns = columns, classes = classes, of_class = of_class)
}

test_that("consistent cells are the least-squares solution", {
  withr::local_seed(3)
  for (of_class in 3:4) {
    cells <- matrix(stats::rnorm(2 * (2 * of_class + 1)), ncol = 2)
    found <- consistent_cells(cells, 5, of_class)
    # Columns agree on the numbers of rows per class and in no class, and add up to n.
    sides <- rep(1:3, c(of_class, of_class, 1))
    constraint <- rbind(
      t(vapply(1:3, function(k) c(sides == k, -(sides == k)), numeric(length(cells)))),
      c(rep(1, nrow(cells)), numeric(nrow(cells)))
    )
    target <- c(0, 0, 0, 5)
    y <- as.vector(cells)
    exact <- y + t(constraint) %*% solve(tcrossprod(constraint), target - constraint %*% y)
    expect_equal(as.vector(found), as.vector(exact))
  }
})

test_that("the noise of consistent cells follows from making them consistent", {
  withr::local_seed(4)
  for (shape in list(shape_of(1, 2, 3), shape_of(3, 2, 4), shape_of(2, 5, 3))) {
    rows <- shape$classes * shape$of_class + 1
    weights <- stats::rnorm(shape$of_class)
    all <- matrix(0, rows, shape$columns)
    all[seq_along(weights), 1] <- weights
    all <- consistent_cells(all, 0, shape$of_class)
    found <- noise_that_agrees(weights, shape)
    expect_equal(found$laplace, all[seq_along(weights), 1])
    expect_equal(found$normal, sum(all^2) - sum(found$laplace^2))
  }
})

test_that("moments of a class are the moments of its rows, with their noise", {
  fields <- list(epsilon = 1e9, n = 900, alpha = 0.05)
  withr::local_seed(5)
  u <- stats::runif(900, -1, 1)
  moment <- class_moment(rowSums(vapply(u, cells_at, numeric(3))), shape_of(1, 1, 3), fields)
  expect_equal(moment$count, 900)
  expect_equal(moment$mean, mean(u))
  expect_equal(moment$variance, stats::var(u))
  expect_true(moment$enough)
  # Noise of the mean, once per cell: its weights are a derivative.
  step <- 1e-5
  cells <- rowSums(vapply(u, cells_at, numeric(3)))
  moved <- vapply(1:3, function(k) {
    ends <- lapply(c(-step, step), function(by) replace(cells, k, cells[[k]] + by))
    means <- vapply(ends, function(x) (x[[3]] - x[[1]]) / sum(x), 0)
    diff(means) / (2 * step)
  }, 0)
  expect_equal(moment$weights / cell_deviation(1, 1e9), moved, tolerance = 1e-6)
})

test_that("few rows are reported as few, without numbers", {
  fields <- list(epsilon = 1, n = 100, alpha = 0.05)
  few <- class_moment(cells_at(0.5) * 3, shape_of(1, 2, 3), fields)
  expect_false(few$enough)
  expect_true(is.na(few$mean))
})

test_that("a row's class is its text or number, whatever else the column holds", {
  codes <- function(column, levels) {
    data <- structure(list(y = column), class = "data.frame", row.names = seq_along(column))
    class_codes_of(data, "y", levels)[[1]]
  }
  bytes <- "\xff"
  Encoding(bytes) <- "bytes"
  latin <- "\xe9"
  Encoding(latin) <- "latin1"
  expect_identical(codes(c("a", NA, "b", bytes, latin, "\xff"), c("b", "\u00e9")),
    c(NA, NA, 1, NA, 2, NA))
  odd <- structure(c(1L, 3L, NA, 0L, -1L, 2L), levels = c("a", "b"), class = "factor")
  expect_identical(codes(odd, c("b", "a")), c(2, NA, NA, NA, NA, 1))
  expect_identical(codes(c(TRUE, NA, FALSE), c(0, 1)), c(2, NA, 1))
  expect_identical(codes(c(1, NaN, 1.5, Inf), c(1, 0)), c(1, NA, NA, NA))
  for (wrong in list(1:2, list("a", "b"), as.Date("2020-01-01") + 0:1)) {
    expect_refused(codes(wrong, c("a", "b")), "data")
  }
  for (wrong in list(c("a", "b"), factor(c("a", "b")), as.Date("2020-01-01") + 0:1)) {
    expect_refused(codes(wrong, c(1, 2)), "data")
  }
})
