# The share of the loss, its former name, and names of columns among public arguments.

# Each aggregate, with `weight`.
weighted_calls <- function() {
  expression(
    dp_count(weight = w), dp_n_missing(age, weight = w), dp_n_distinct(age, weight = w),
    dp_sum(age, weight = w), dp_mean(age, weight = w), dp_var(age, weight = w),
    dp_sd(age, weight = w), dp_quantile(age, weight = w), dp_median(age, weight = w),
    dp_histogram(age, breaks = c(0, 60, 120), weight = w)
  )
}

summarised_as <- function(table, expr) {
  eval(bquote(dplyr::summarise(.(table), value = .(expr))), parent.frame())
}

shares_in <- function(query) vapply(form_of_query(query)$aggregates, `[[`, 0, "weight")

test_that("a column as `weight` is refused, whatever the workspace holds", {
  w <- 2
  table <- people_to_plan(w = dp_num(0, 5))
  for (expr in as.list(weighted_calls())) {
    expect_error(summarised_as(table, expr), "former name of `share`.*weights = ",
      class = "dp_error_invalid_argument"
    )
  }
  expect_error(dplyr::summarise(table, m = dp_mean(age, weight = 1 / w)), "`share`",
    class = "dp_error_invalid_argument"
  )
})

test_that("a name that is not declared raises a classed error as `weight`", {
  expect_error(
    dplyr::summarise(people_to_plan(), m = dp_mean(age, weight = nowhere)), "former name",
    class = "dp_error_invalid_argument"
  )
})

test_that("a number as `weight` means `share`, with a warning", {
  w <- 2
  for (expr in as.list(weighted_calls())) {
    expect_warning(query <- summarised_as(people_to_plan(), expr), "`share`",
      class = "dp_warning_deprecated"
    )
    expect_identical(shares_in(query), 2)
  }
  expect_warning(
    keys <- dp_keys(dplyr::count(people_to_plan(), region), "declared", weight = 2),
    class = "dp_warning_deprecated"
  )
  expect_identical(form_of_query(keys)$keys$weight, 2)
  expect_no_warning(dplyr::summarise(people_to_plan(), m = dp_mean(age, share = 2)))
})

test_that("`share` and `weight` together are refused", {
  expect_error(
    dplyr::summarise(people_to_plan(), m = dp_mean(age, share = 2, weight = 2)),
    class = "dp_error_invalid_argument"
  )
  expect_error(dp_keys(dplyr::count(people_to_plan(), region), "declared", 2, weight = 2),
    class = "dp_error_invalid_argument"
  )
})

test_that("public arguments that name a column are refused, even if a variable has the name", {
  region <- 60
  table <- people_to_plan()
  refused <- function(expr) expect_error(expr, "region", class = "dp_error_invalid_argument")
  refused(dplyr::summarise(table, m = dp_mean(age, bounds = c(0, region))))
  refused(dplyr::summarise(table, m = dp_mean(age, share = region)))
  refused(dplyr::summarise(table, n = dp_count(scale = region)))
  refused(dplyr::summarise(table, q = dp_quantile(age, at = c(0, region))))
  refused(dplyr::summarise(table, h = dp_histogram(age, breaks = c(0, region))))
  summary_of <- function(share) dplyr::summarise(table, m = dp_mean(age, share = {{ share }}))
  refused(summary_of(region))
  expect_identical(shares_in(summary_of(2)), 2)
  query <- dplyr::summarise(table, m = dp_mean(age, bounds = c(0, .env$region), share = !!region))
  expect_identical(form_of_query(query)$aggregates[[1]]$bounds, c(0, 60))
  expect_identical(shares_in(query), 60)
})
