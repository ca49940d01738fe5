test_that("rows become category positions, and rows in no category become null", {
  places <- rows_of("String") |> then_find(c("b", "a"))
  expect_identical(places(arg = c("a", "b", "", "B")), c(1, 0, NA, NA))
  expect_identical((rows_of("bool") |> then_find(TRUE))(arg = c(TRUE, FALSE)), c(0, NA))
  expect_identical((rows_of("i64") |> then_find(c(2^40, 1)))(arg = 1:2), c(1, NA))
  expect_identical(
    toString(places("output_domain")), "VectorDomain(OptionDomain(AtomDomain(T=usize)))"
  )
})

test_that("categories are a public vector or list, possibly empty", {
  ints <- rows_of("i32")
  expect_identical((ints |> then_find(list(5L, 7L)))(arg = 7L), 1)
  expect_identical((ints |> then_find(NULL))(arg = 7L), NA_real_)
  expect_identical((ints |> then_find(integer()))(arg = c(7L, 8L)), c(NA_real_, NA_real_))
  regions <- factor(c("south", "north", "south"))
  named <- rows_of("String") |> then_find(levels(regions))
  expect_identical(named(arg = c("south", "north")), c(1, 0))
})

test_that("a size is kept, under each metric between datasets", {
  for (metric in list(symmetric_distance(), insert_delete_distance(), change_one_distance(),
    hamming_distance())) {
    places <- rows_of("i32", metric, size = 3) |> then_find(1:2)
    expect_identical(toString(places("output_metric")), toString(metric))
    expect_identical(places(d_in = 5L), 5)
    expect_match(toString(places("output_domain")), "size=3")
  }
})

test_that("invalid categories and rows raise errors before data are read", {
  ints <- rows_of("i32")
  expect_error(ints |> then_find(c(1L, 1L)), class = "dp_error_make_transformation")
  for (categories in list(c(1, 2), "a", c(1L, NA), factor(1:2), list(1L, "a"), mean)) {
    expect_error(ints |> then_find(categories), class = "dp_error_failed_cast")
  }
  expect_error(rows_of("f64") |> then_find(c(1, 2)), class = "dp_error_type")
  optional <- c(vector_domain(option_domain(atom_domain(.T = "i32"))), symmetric_distance())
  expect_error(optional |> then_find(1:2), class = "dp_error_failed_cast")
  expect_error(rows_of("i32", l1_distance("i32")) |> then_find(1:2), class = "dp_error_type")
})
