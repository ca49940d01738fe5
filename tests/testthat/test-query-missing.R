test_that("drop_na() filters each column", {
  local_verbs()
  table <- people_to_plan()
  expect_identical(
    steps_of_table(tidyr::drop_na(table, age)), steps_of_table(filter(table, !is.na(age)))
  )
  expect_identical(
    steps_of_table(tidyr::drop_na(table)),
    steps_of_table(filter(table, !is.na(age), !is.na(region), !is.na(name)))
  )
  expect_identical(
    steps_of_table(tidyr::drop_na(table, dplyr::starts_with("r"))),
    steps_of_table(filter(table, !is.na(region)))
  )
  expect_error(tidyr::drop_na(table, agee), "agee", class = "dp_error_domain")
})

test_that("replace_na() mutates each column", {
  local_verbs()
  table <- people_to_plan()
  expect_identical(
    steps_of_table(tidyr::replace_na(table, list(age = 0L, region = "North"))),
    steps_of_table(mutate(table, age = coalesce(age, 0L), region = coalesce(region, "North")))
  )
  expect_identical(steps_of_table(tidyr::replace_na(table)), steps_of_table(table))
  expect_error(tidyr::replace_na(table, 0), class = "dp_error_invalid_argument")
  expect_error(tidyr::replace_na(table, list(0)), class = "dp_error_invalid_argument")
  expect_error(tidyr::replace_na(table, list(agee = 0)), "agee", class = "dp_error_domain")
  expect_error(tidyr::replace_na(table, list(age = 1:2)), class = "dp_error_unsupported")
})

test_that("both compute the same as tidyr, up to noise", {
  local_verbs()
  data <- data.frame(x = c(1, NA, 3, 4), g = c("a", "b", NA, "b"))
  table <- dp_tbl(plenty(), data,
    unit = dp_unit(rows = 1), domain = dp_domain(x = dp_num(0, 10), g = dp_levels("a", "b"))
  )
  released <- table |> tidyr::drop_na() |> summarise(n = dp_count(), x = dp_sum(x)) |>
    exact_release()
  expect_equal(c(released$n, released$x), c(2, 5), tolerance = 1e-3)
  filled <- table |> tidyr::replace_na(list(x = 10, g = "none")) |> group_by(g) |>
    summarise(x = dp_sum(x)) |> exact_release()
  expect_identical(filled$g, c("a", "b", "none"))
  expect_equal(filled$x, c(1, 14, 3), tolerance = 1e-3)
})
