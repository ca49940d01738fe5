test_that("a replacement is a removal and an addition", {
  bounded <- rows_of("i32", size = 3) |> then_metric_bounded()
  expect_identical(vapply(0:5, \(d) bounded(d_in = d), 0), c(0, 0, 1, 1, 2, 2))
  unbounded <- rows_of("i32", hamming_distance(), size = 3) |> then_metric_unbounded()
  expect_identical(vapply(0:3, \(d) unbounded(d_in = d), 0), c(0, 2, 4, 6))
  expect_identical(unbounded(arg = 3:1), 3:1)
  expect_error(unbounded(d_in = 2^31), class = "dp_error_overflow")
})

# Sequences of n rows, their insert-delete distance, and the number of positions that differ.
insert_delete <- function(x, y) {
  common <- matrix(0, length(x) + 1, length(y) + 1)
  for (i in seq_along(x)) {
    for (j in seq_along(y)) {
      common[i + 1, j + 1] <- if (x[[i]] == y[[j]]) {
        common[i, j] + 1
      } else {
        max(common[i, j + 1], common[i + 1, j])
      }
    }
  }
  length(x) + length(y) - 2 * common[length(x) + 1, length(y) + 1]
}

test_that("the map of sequences is tight for every pair: moving one row replaces all", {
  bounded <- rows_of("i32", insert_delete_distance(), size = 3) |> then_metric_bounded()
  rows <- as.matrix(expand.grid(1:3, 1:3, 1:3))
  worst <- c(0, 0, 0, 0, 0, 0, 0)
  for (i in seq_len(nrow(rows))) {
    for (j in seq_len(nrow(rows))) {
      d_in <- insert_delete(rows[i, ], rows[j, ])
      worst[d_in + 1] <- max(worst[d_in + 1], sum(rows[i, ] != rows[j, ]))
    }
  }
  expect_identical(vapply(0:6, \(d) bounded(d_in = d), 0), cummax(worst))
})

test_that("the size must be known, and the metric must match", {
  expect_error(rows_of("i32") |> then_metric_bounded(), class = "dp_error_failed_function")
  expect_error(rows_of("i32", size = 3) |> then_metric_unbounded(), class = "dp_error_type")
})
