# dpHistogram() and dp_histogram() count the same cells: [a, b), the last one closed. Values outside
# are missing.

edge_ages <- data.frame(age = rep(c(17, 18, 19), c(100, 200, 300)))
edge_values <- function(...) {
  released <- small(exactly(dpHistogram(
    variable = "age", n = 600, epsilon = 1e6, bins = c(0, 18, 65, 120), ...
  ))$release(edge_ages))
  round(unlist(released$release))
}

test_that("an edge of a histogram begins the cell above it", {
  expect_identical(unname(edge_values()), c(100, 500, 0, 0))
  expect_identical(names(edge_values()), c("[0,18)", "[18,65)", "[65,120]", "NA"))
  expect_identical(unname(edge_values(varType = "integer")), c(100, 500, 0, 0))
  expect_identical(unname(edge_values(missing = "impute")), c(100, 500, 0))
})

test_that("cells are those of queries for values at, between and beyond all edges", {
  x <- c(-Inf, -1e300, -0.5, -1e-300, 0, -0, 1e-300, 17.999, 18, 65, 119.9, 120, 120.0001,
    1e300, Inf, NA, NaN
  )
  rows <- data.frame(x = rep(x, seq_along(x) * 100))
  edges <- c(0, 18, 65, 120)
  for (type in c("numeric", "integer")) {
    released <- small(exactly(dpHistogram(type, "x", nrow(rows), 1e6, bins = edges))$release(rows))
    used <- if (type == "integer") round(rows$x) else rows$x
    cell <- cut(used, edges, right = FALSE, include.lowest = TRUE)
    expect_identical(
      round(as.double(unlist(released$release))), as.double(table(cell, useNA = "always"))
    )
  }
  local_verbs()
  domain <- dp_domain(x = dp_num(0, 120))
  table <- dp_tbl(dp_session(dp_epsilon(1e4)), rows, dp_unit(rows = 1), domain)
  query <- summarise(table, cells = dp_histogram(x, breaks = edges))
  cells <- small(release(query, epsilon = 5000))$cells[[1]]
  cell <- cut(rows$x, edges, right = FALSE, include.lowest = TRUE)
  expect_identical(round(as.double(cells)), as.double(table(cell)))
})

test_that("equal cells over a range leave values outside to the cell of missing ones", {
  released <- small(exactly(dpHistogram(
    variable = "age", n = 600, epsilon = 1e6, rng = c(18, 20), nBins = 2
  ))$release(edge_ages))
  expect_identical(round(as.double(unlist(released$release))), c(200, 300, 100))
})

test_that("cells that are closed on the right are asked for, and are those of earlier plans", {
  expect_identical(unname(edge_values(closed = "right")), c(300, 300, 0, 0))
  expect_identical(names(edge_values(closed = "right")), c("[0,18]", "(18,65]", "(65,120]", "NA"))
  asked <- dpHistogram(variable = "age", n = 600, epsilon = 1, bins = c(0, 18, 65),
    closed = "right"
  )
  # The hash of a version without the argument.
  hash <- "7bc0e1826dee2a3e100ea73e2bff9ea98e5d199d9e5f3362fd3d7353b7c8964b"
  expect_identical(plan_hash(asked), hash)
  expect_null(asked$closed)
  new <- dpHistogram(variable = "age", n = 600, epsilon = 1, bins = c(0, 18, 65))
  expect_identical(new$closed, "left")
  expect_false(plan_hash(asked) == plan_hash(new))
})

test_that("the side of a cell must be one of two", {
  expect_error(
    dpHistogram(variable = "age", n = 600, epsilon = 1, bins = c(0, 18, 65), closed = "both"),
    "`closed` must be one of \"left\", \"right\"", fixed = TRUE, class = "dp_error_invalid_argument"
  )
})
