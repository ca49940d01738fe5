usize <- rows_of("usize")

test_that("positions become their categories, in the categories' type", {
  expect_identical((usize |> then_index(c(5L, 7L), 0L))(arg = c(1L, 0L, 9L)), c(7L, 5L, 0L))
  expect_identical((usize |> then_index(c(0.5, NaN), -1))(arg = 0:2), c(0.5, NaN, -1))
  expect_identical((usize |> then_index(c(TRUE, TRUE), FALSE))(arg = 1:2), c(TRUE, FALSE))
  expect_identical((usize |> then_index(list("a", "b"), "c"))(arg = 1L), "b")
  expect_identical((usize |> then_index(c(1, 2), 0, .TOA = "f32"))(arg = 1L), 2)
})

test_that("without categories every row becomes the null value, in its type", {
  for (none in list(NULL, character())) {
    expect_identical((usize |> then_index(none, "?"))(arg = 0:1), c("?", "?"))
  }
})

test_that("it inverts make_find()", {
  letters_back <- rows_of("String") |>
    then_find(letters) |>
    then_impute_constant(26) |>
    then_index(letters, "?")
  expect_identical(letters_back(arg = c("z", "a", "Z")), c("z", "a", "?"))
  expect_identical(letters_back(d_in = 3L), 3)
})

test_that("arguments of the wrong type raise errors", {
  expect_error(rows_of("i32") |> then_index("a", "b"), class = "dp_error_type")
  expect_error(usize |> then_index("a", 1L), class = "dp_error_failed_cast")
  expect_error(usize |> then_index(1:2, 0L, .TOA = "f64"), class = "dp_error_failed_cast")
  expect_error(usize |> then_index(factor("a"), "b"), class = "dp_error")
  expect_error(usize |> then_index("a", NULL), class = "dp_error_failed_cast")
})
