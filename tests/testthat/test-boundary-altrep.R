# R computes the elements of ALTREP vectors on demand, so the core reads them in pieces. If the core
# asked for a data pointer, R would allocate all elements, and then report the vector as expanded.
expect_compact <- function(x) {
  shown <- utils::capture.output(.Internal(inspect(x)))[[1]]
  expect_match(shown, "(compact)", fixed = TRUE)
}

test_that("sequences are read without allocating their elements", {
  withr::defer(set_threads(NULL))
  whole <- 1:2000000
  real <- 2^31:(2^31 + 1999999)
  plain <- 2^31 + 0:1999999 # the same, but each element in memory
  integers <- rows_of("i32")
  sum_of_doubles <- rows_of("f64") |>
    then_impute_constant(2^31) |>
    then_clamp(c(2^31, 2^31 + 10)) |>
    then_lattice_sum()
  for (threads in c(1, 3)) {
    set_threads(threads)
    expect_identical((integers |> then_count())(arg = whole), 2000000L)
    clamped <- integers |> then_clamp(c(0L, 1000L))
    expect_identical(as.numeric((clamped |> then_lattice_sum())(arg = whole)), 1999500500)
    expect_identical((integers |> then_count_distinct())(arg = whole), 2000000L)
    by_category <- integers |> then_count_by_categories(c(7L, 1e6L, 0L))
    expect_identical(by_category(arg = whole), c(1L, 1L, 0L, 1999998L))
    expect_identical(sum_of_doubles(arg = real), sum_of_doubles(arg = plain))
  }
  expect_compact(whole)
  expect_compact(real)
})

test_that("strings that R computes from numbers on demand are read element by element", {
  numbers <- 1:600000
  text <- as.character(numbers)
  count <- rows_of("String") |> then_count_distinct()
  expect_identical(count(arg = text), 600000L)
  expect_match(utils::capture.output(.Internal(inspect(text)))[[1]], "deferred string")
  expect_compact(numbers)
})
