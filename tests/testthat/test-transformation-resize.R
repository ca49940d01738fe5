test_that("too few rows are padded, too many are cut", {
  three <- rows_of("String") |> then_resize(3, "x")
  expect_identical(sort(three(arg = c("A", "A"))), c("A", "A", "x"))
  expect_identical(three(arg = rep("A", 4)), rep("A", 3))
  expect_identical(three(arg = character()), rep("x", 3))
})

test_that("the rows that stay are a new uniform draw each time", {
  one <- rows_of("i32") |> then_resize(1, 0L)
  counts <- tabulate(replicate(1000, one(arg = 1:4)), 4)
  expect_true(can_occur(counts, 1000, 1 / 4))
})

test_that("ordered data keep their first rows", {
  first <- rows_of("i32", insert_delete_distance()) |>
    then_resize(3, 0L, .MO = "InsertDeleteDistance")
  expect_identical(first(arg = 1:10), 1:3)
  expect_identical(first(arg = 1:2), c(1L, 2L, 0L))
})

test_that("the result has a known size and keeps its bounds", {
  three <- bounded_rows(c(0L, 10L)) |> then_resize(size = 3L, constant = 5L)
  expect_identical(
    toString(three("output_domain")), "VectorDomain(AtomDomain(bounds=[0, 10], T=i32), size=3)"
  )
  expect_identical((three |> then_sum())(d_in = 1L), 10L)
})

test_that("rows that may be null can be padded with nulls", {
  three <- c(vector_domain(option_domain(atom_domain(.T = i32))), symmetric_distance()) |>
    then_resize(3, NULL)
  expect_identical(sort(three(arg = 4L), na.last = TRUE), c(4L, NA, NA))
  expect_error(rows_of("i32") |> then_resize(3, NULL), class = "dp_error")
})

test_that("a constant outside the domain and invalid sizes raise errors", {
  build <- function(...) bounded_rows(c(0L, 10L)) |> then_resize(...)
  expect_error(build(3, 11L), class = "dp_error_make_transformation")
  expect_error(build(0, 1L), class = "dp_error_make_transformation")
  expect_error(build(3, 1), class = "dp_error_failed_cast")
  for (size in list(-1, 1.5, NA, "3", NULL, c(1, 2), Inf)) {
    expect_error(build(size, 1L), "`size` must be", class = "dp_error_invalid_argument")
  }
  expect_error(build(3, 1L, .MO = "HammingDistance"), class = "dp_error_type")
  expect_error(build(3, 1L, .MO = "Nothing"), class = "dp_error_type_parse")
})
