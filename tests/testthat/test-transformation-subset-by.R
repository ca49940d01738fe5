frame <- data.frame(
  keep = c(TRUE, FALSE, TRUE, TRUE), x = c(1.5, 2, NA, 4), name = c("a", "b", "c", "d"),
  group = factor(c("g", "h", "h", "g")), list = I(list(1, 2, 3, 4))
)

test_that("the selected rows of the named columns stay", {
  kept <- make_subset_by("keep", c("x", "name"))
  expect_identical(kept(arg = frame), data.frame(x = c(1.5, NA, 4), name = c("a", "c", "d")))
  expect_identical(make_subset_by("keep", "keep")(arg = frame), data.frame(keep = rep(TRUE, 3)))
  expect_identical(
    make_subset_by("keep", "name")(arg = frame[0, ]), data.frame(name = character())
  )
  expect_identical(kept(d_in = 4L), 4)
})

test_that("a column can still be read in all its types", {
  kept <- make_subset_by("keep", "group")
  expect_identical((kept |> then_select_column("group", "String"))(arg = frame), c("g", "h", "g"))
  expect_identical((kept |> then_select_column("group", "usize"))(arg = frame), c(0, 1, 0))
})

test_that("missing columns and wrong types raise errors when they are used", {
  expect_error(make_subset_by("no", "x")(arg = frame), class = "dp_error_failed_function")
  expect_error(make_subset_by("keep", "no")(arg = frame), class = "dp_error_failed_function")
  expect_error(make_subset_by("x", "x")(arg = frame), class = "dp_error_failed_cast")
  lists <- make_subset_by("keep", c("x", "list"))
  expect_error(lists(arg = frame), class = "dp_error_failed_cast")
  expect_identical((lists |> then_select_column("x", "f64"))(arg = frame), c(1.5, NA, 4))
  missing <- transform(frame, keep = c(TRUE, NA, TRUE, TRUE))
  expect_error(make_subset_by("keep", "x")(arg = missing), class = "dp_error_failed_function")
  expect_error(make_subset_by("keep", 1L), class = "dp_error_failed_cast")
  expect_error(make_subset_by(1.5, 2.5), class = "dp_error_type")
})
