tree <- function(leaves, b, metric = l1_distance("i32")) {
  rows_of("i32", metric) |> then_b_ary_tree(leaves, b)
}

test_that("every node is the sum of its children", {
  nodes <- tree(8, 2)(arg = c(3L, 1L, 4L, 1L, 5L, 9L, 2L, 6L))
  for (i in 1:7) expect_identical(nodes[i], nodes[2 * i] + nodes[2 * i + 1])
  expect_length(nodes, 15)
})

test_that("sums saturate at the limits of the type", {
  most <- .Machine$integer.max
  expect_identical(tree(2, 2)(arg = c(most, 5L)), c(most, most, 5L))
})

test_that("the map is the number of layers, and larger in L2 with many leaves", {
  expect_identical(tree(7, 2)(d_in = 1L), 4L)
  expect_identical(tree(17, 4)(d_in = 2L), 8L)
  expect_identical(tree(7, 2, l2_distance("i32"))(d_in = 2L), 8L)
  # Moving all 16 leaves by one is a distance of 4. Their tree moves by sqrt(16 * (16 + 8 + 4 + 2 +
  # 1)).
  many <- tree(16, 2, l2_distance("i32"))
  moved <- many(arg = rep(1L, 16)) - many(arg = rep(0L, 16))
  expect_gte(many(d_in = 4L), sqrt(sum(moved^2)))
  expect_gt(sqrt(sum(moved^2)), 5 * 4)
})

test_that("bounds and size are dropped", {
  built <- bounded_rows(c(0L, 5L), l1_distance("i32"), size = 4) |> then_b_ary_tree(4, 2)
  expect_identical(toString(built("output_domain")), "VectorDomain(AtomDomain(T=i32))")
})

test_that("invalid shapes, rows and distances raise errors", {
  expect_error(tree(0, 2), class = "dp_error_make_transformation")
  expect_error(tree(7, 1), class = "dp_error_make_transformation")
  expect_error(tree(2^50, 2), class = "dp_error_make_transformation")
  for (bad in list(-1L, 1.5, NA, "7", NULL)) {
    expect_error(tree(bad, 2), class = "dp_error_failed_cast")
    expect_error(tree(7, bad), class = "dp_error_failed_cast")
  }
  expect_error(tree(7, 2)(d_in = -1L), class = "dp_error_failed_map")
  expect_error(tree(8, 2)(d_in = 2^29), class = "dp_error_overflow")
  expect_error(rows_of("f64", l1_distance("f64")) |> then_b_ary_tree(4, 2), class = "dp_error")
})

test_that("the best branching factor matches the table", {
  sizes <- c(2, 3, 4, 10, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 1e5, 1e6)
  factors <- c(2, 2, 4, 10, 50, 100, 39, 29, 26, 24, 23, 22, 20, 20)
  for (i in seq_along(sizes)) {
    expect_identical(choose_branching_factor(sizes[[i]]), as.integer(factors[[i]]))
  }
  expect_identical(choose_branching_factor(1L), 1L)
  for (bad in list(-1, 0.5, NA, "1", NULL, 2^32)) {
    expect_error(choose_branching_factor(bad), class = "dp_error_failed_cast")
  }
})
