# Whether the dispatcher built the same sum as `published`, by their distinguishing features.
as_published <- function(sum, published) {
  expect_identical(toString(sum), toString(published))
  expect_identical(sum(d_in = 2L), published(d_in = 2L))
}

test_that("integers use the sum that fits", {
  big <- c(-2000000L, 2000000L)
  as_published(
    bounded_rows(c(0L, 10L), size = 9) |> then_sum(),
    make_sized_bounded_int_checked_sum(9, c(0L, 10L))
  )
  as_published(
    bounded_rows(big, size = 2000) |> then_sum(), make_sized_bounded_int_split_sum(2000, big)
  )
  as_published(
    bounded_rows(big, insert_delete_distance(), size = 2000) |> then_sum(),
    make_sized_bounded_int_ordered_sum(2000, big)
  )
  as_published(
    bounded_rows(c(1L, 10L), insert_delete_distance()) |> then_sum(),
    make_bounded_int_ordered_sum(c(1L, 10L))
  )
})

test_that("the split sum ignores order, the ordered sum does not", {
  largest <- .Machine$integer.max
  orders <- list(c(largest, largest, -largest), c(largest, -largest, largest))
  split <- bounded_rows(c(-largest, largest)) |> then_sum()
  expect_identical(split(arg = orders[[1]]), split(arg = orders[[2]]))
  ordered <- bounded_rows(c(-largest, largest), insert_delete_distance()) |> then_sum()
  expect_false(ordered(arg = orders[[1]]) == ordered(arg = orders[[2]]))
})

test_that("the input metric is the given one, whatever steps come first", {
  for (metric in list(symmetric_distance(), insert_delete_distance())) {
    for (bounds in list(c(0, 1), c(0, 1e304), c(0L, 10L))) {
      sum <- bounded_rows(bounds, metric) |> then_sum()
      expect_identical(toString(sum("input_metric")), toString(metric))
    }
  }
})

test_that("a bounded float domain excludes NaN without a flag", {
  nan <- vector_domain(atom_domain(bounds = c(0, 1), nan = TRUE), size = 3)
  for (metric in list(symmetric_distance(), insert_delete_distance())) {
    sum <- make_sum(nan, metric)
    expect_identical(
      toString(sum("input_domain")), "VectorDomain(AtomDomain(bounds=[0.0, 1.0], T=f64), size=3)"
    )
  }
})

test_that("the stability map covers every pair of neighbours, tightly", {
  sum_two <- bounded_rows(c(-2L, 3L), size = 2) |> then_sum()
  rows <- expand.grid(first = -2:3, second = -2:3)
  sums <- apply(rows, 1, \(row) sum_two(arg = as.integer(row)))
  differs <- \(x) outer(x, x, `!=`)
  neighbours <- differs(rows$first) + differs(rows$second) <= 1
  gaps <- abs(outer(sums, sums, `-`))
  expect_identical(max(gaps[neighbours]), sum_two(d_in = 2L))
})

test_that("rows without bounds, texts and other metrics raise errors", {
  expect_error(rows_of("i32") |> then_sum(), class = "dp_error_make_transformation")
  expect_error(rows_of("bool") |> then_sum(), class = "dp_error_type")
  expect_error(bounded_rows(c(0L, 1L), hamming_distance(), size = 3) |> then_sum(),
    class = "dp_error_type"
  )
})
