test_that("a preview has the expected error of each column in groups of a public size", {
  query <- people_to_plan() |>
    dplyr::group_by(region) |>
    dplyr::summarise(
      n = dp_count(), age = dp_mean(age), q = dp_quantile(age, c(0.25, 0.5, 0.75)),
      half = n / 2
    )
  preview <- dp_preview(query, epsilon = 0.3, rows = c(5, 500, 50000))
  expect_identical(unique(preview$number), c("n", "age", "q[0.25]", "q[0.5]", "q[0.75]", "half"))
  age <- preview[preview$number == "age", ]
  expect_identical(age$rows, c(5, 500, 50000))
  expect_true(age$mark[[1]] %in% c("empty", "range"))
  # A hundred times the rows, a hundredth of the error.
  expect_equal(age$accuracy[[2]] / age$accuracy[[3]], 100, tolerance = 0.1)
  n <- preview[preview$number == "n", ]
  expect_identical(n$accuracy[[1]], n$accuracy[[3]])
  half <- preview[preview$number == "half", ]
  expect_equal(half$accuracy, n$accuracy / 2)
  expect_output(print(preview), "error of a group of this size is at most this", fixed = TRUE)
  expect_error(dp_preview(query, epsilon = 1, rows = 1.5), class = "dp_error_invalid_argument")
})

test_that("a preview of several quantiles has the error of their rank", {
  query <- dplyr::summarise(people_to_plan(), q = dp_quantile(age, c(0.25, 0.5, 0.75)))
  preview <- dp_preview(query, epsilon = 1)
  expect_true(is.finite(preview$accuracy) && preview$accuracy > 0)
  expect_output(print(preview), "accuracy of quantiles: rank error, in rows", fixed = TRUE)
})

test_that("a release warns before the charge if the noise is as large as the numbers", {
  session <- dp_session(dp_epsilon(10))
  data <- data.frame(age = 1:50, region = "North")
  table <- dp_tbl(session, data, dp_unit(rows = 1), dp_domain(
    age = dp_int(0, 120), region = dp_levels("North", "South")
  ))
  means <- dplyr::summarise(dplyr::group_by(table, region), m = dp_mean(age))
  condition <- tryCatch(release(means, epsilon = 0.01), warning = identity)
  expect_s3_class(condition, "dp_warning_noise")
  expect_match(conditionMessage(condition), "In groups of fewer than about [0-9]+ rows")
  expect_identical(dp_remaining(session)[["epsilon"]], 10)
  expect_no_warning(release(means, epsilon = 1))
  rows <- least_informative_rows(means, dp_epsilon(1), 0.05, quote(release()))
  expect_true(rows > 2 && rows < 100)
})

test_that("a preview has the names of the release", {
  local_verbs()
  table <- dp_tbl(plenty(), data.frame(x = 1:9, y = 9:1), dp_unit(rows = 1),
    dp_domain(x = dp_int(0, 9), y = dp_int(0, 9))
  )
  query <- summarise(table, d = dp_mean(x) - dp_mean(y), q = dp_quantile(x, c(0.25, 0.5)),
    h = dp_histogram(x, c(0, 5, 9)), r = dp_sum(x) / dp_count(), n = dp_count()
  )
  preview <- dp_preview(query, epsilon = 100)
  released <- small(release(query, epsilon = 100))
  expect_setequal(preview$column, names(released))
  expect_identical(preview$part[preview$column == "d"], c(
    "sum of dp_mean(x)", "rows with a value of dp_mean(x)", "sum of dp_mean(y)",
    "rows with a value of dp_mean(y)"
  ))
  expect_false(any(grepl("d.1", format(summary(released)), fixed = TRUE)))
  # A count is a count of the release. A difference of counts is not listed as one.
  expect_identical(preview$aggregate[preview$column == "n"], "count")
})
