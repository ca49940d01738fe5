test_that("a tree without noise gives its leaves", {
  for (b in 2:4) {
    leaves <- c(5L, 0L, 2L, 7L, 7L, 1L)
    tree <- rows_of("i32", l1_distance("i32")) |> then_b_ary_tree(6, b)
    expect_equal(make_consistent_b_ary_tree(b)(arg = tree(arg = leaves)), as.double(leaves))
  }
})

test_that("the leaves are the least-squares solution", {
  # Each leaf is an unknown, and each node a noisy sum of some leaves.
  sums <- rbind(c(1, 1, 1, 1), c(1, 1, 0, 0), c(0, 0, 1, 1), diag(4))
  noisy <- c(10L, 6L, 3L, 2L, 4L, 1L, 1L)
  fitted <- qr.solve(sums, noisy)
  expect_equal(make_consistent_b_ary_tree(2)(arg = noisy), fitted, tolerance = 1e-12)
})

test_that("it can follow noise on a tree, and keeps the type", {
  space <- rows_of("i32", l1_distance("i32"))
  noisy <- space |> then_b_ary_tree(4, 2) |> then_laplace(0) |> then_consistent_b_ary_tree(2)
  expect_equal(noisy(arg = c(1L, 2L, 3L, 4L)), c(1, 2, 3, 4))
  wide <- rows_of("i64", l1_distance("i64")) |> then_b_ary_tree(4, 2) |> then_laplace(0)
  expect_equal((wide |> then_consistent_b_ary_tree(2, "i64"))(arg = 1:4), c(1, 2, 3, 4))
  expect_error((wide |> then_consistent_b_ary_tree(2))(arg = 1:4), class = "dp_error_failed_cast")
})

test_that("a tree of one node is its leaf", {
  expect_identical(make_consistent_b_ary_tree(2)(arg = 5L), 5)
})

test_that("invalid arguments and nodes raise errors", {
  expect_error(make_consistent_b_ary_tree(1), class = "dp_error_make_transformation")
  expect_error(make_consistent_b_ary_tree(2, .TIA = "f64"), class = "dp_error_type")
  expect_error(make_consistent_b_ary_tree(2, .TOA = "i32"), class = "dp_error_type")
  leaves <- make_consistent_b_ary_tree(2)
  expect_error(leaves(arg = integer()), class = "dp_error_failed_function")
  expect_error(leaves(arg = c(1, 2)), class = "dp_error_failed_cast")
})
