aggregates_in <- function(...) {
  form_of_query(dplyr::summarise(people_to_plan(), ...))$aggregates
}

test_that("aggregates hold the fields that the core reads", {
  mean_age <- aggregates_in(m = dp_mean(pmin(age, 90L), bounds = c(0, 90), share = 2))[[1]]
  expect_identical(mean_age[c("name", "fun", "bounds", "weight")], list(
    name = "m", fun = "mean", bounds = c(0, 90), weight = 2
  ))
  expect_identical(mean_age$of, value_of_column(x = pmin(age, 90L)))
  kinds <- vapply(aggregates_in(
    a = dp_count(), b = dp_n_missing(age), c = dp_n_distinct(age), d = dp_sum(age),
    e = dp_var(age), f = dp_sd(age), g = dp_quantile(age, c(0.1, 0.9)),
    h = dp_median(age, at = 0:9),
    i = dp_histogram(age, breaks = c(0, 60, 120))
  ), `[[`, "", "fun")
  expect_identical(kinds, c(
    "count", "missing", "distinct", "sum", "variance", "deviation", "quantiles", "quantiles",
    "histogram"
  ))
  quantiles <- aggregates_in(q = dp_quantile(age, c(0.1, 0.9), at = 0:9, method = "tree"))[[1]]
  expect_identical(
    quantiles[c("probabilities", "grid", "method")],
    list(probabilities = c(0.1, 0.9), grid = as.double(0:9), method = "tree")
  )
  expect_identical(aggregates_in(n = dp_count(scale = 3))[[1]]$scale, 3)
  expect_identical(aggregates_in(n = dp_count(accuracy = 20))[[1]]$accuracy, 20)
})

test_that("duplicate aggregates are measured once, and arithmetic uses released values", {
  query <- dplyr::summarise(people_to_plan(),
    n = dp_count(), ratio = dp_sum(age) / dp_count(), twice = (2 * n) - dp_sum(age),
    again = dp_count()
  )
  expect_identical(names(query$aggregates), c("n", "ratio.1"))
  column <- function(name) list(op = "column", name = name)
  names <- c("n", "ratio", "twice", "again")
  outputs <- stats::setNames(lapply(query$outputs, `[[`, "value"), names)
  expect_identical(outputs$ratio, list(op = "/", args = list(column("ratio.1"), column("n"))))
  expect_identical(outputs$again, column("n"))
  expect_identical(outputs$twice$args[[1]]$args[[2]], column("n"))
})

test_that("arguments of aggregates are the caller's values", {
  w <- 3
  limits <- c(1, 5)
  found <- aggregates_in(m = dp_mean(age, bounds = limits, share = w))[[1]]
  expect_identical(found[c("bounds", "weight")], list(bounds = limits, weight = 3))
  for (wrong in list(0, -1, NA, "2", Inf)) {
    expect_error(aggregates_in(n = dp_count(share = wrong)), class = "dp_error_invalid_argument")
    expect_error(aggregates_in(n = dp_count(scale = wrong)), class = "dp_error_invalid_argument")
  }
  refused <- function(expr) expect_error(expr, class = "dp_error_invalid_argument")
  refused(aggregates_in(n = dp_count(scale = 1, accuracy = 2)))
  refused(aggregates_in(q = dp_quantile(age, 2)))
  refused(aggregates_in(q = dp_median(age, at = c(3, 1))))
  refused(aggregates_in(h = dp_histogram(age)))
  refused(aggregates_in(m = dp_mean()))
  refused(aggregates_in(m = dp_mean(age, bounds = c(2, 1))))
})

test_that("functions that are not private raise an error with the private one", {
  local_verbs()
  table <- people_to_plan()
  expect_snapshot(error = TRUE, {
    summarise(table, m = mean(age))
    summarise(table, m = sum(age, na.rm = TRUE))
    summarise(table, n = n())
    summarise(table, m = age)
    summarise(table, m = dp_mean(age) + age)
    summarise(table, m = sqrt(dp_mean(age)))
    summarise(table, m = dp_mean(zip))
    summarise(table, m = dp_mean(mean(age)))
    summarise(table, m = weird(age))
    summarise(table, ids = dp_n_ids())
    summarise(table)
    summarise(group_by(table, region), region = dp_count())
  })
})

test_that("a dedicated aggregate counts distinct people", {
  local_verbs()
  table <- dp_tbl(dp_session(dp_epsilon(1)), NULL, dp_unit(id = patient),
    dp_domain(ward = dp_levels("A", "B"))
  )
  hint <- function(code) conditionMessage(expect_error(code, class = "dp_error_unsupported"))
  expect_match(hint(summarise(table, n = n_distinct(patient))), "mean `dp_n_ids()`", fixed = TRUE)
  expect_match(hint(summarise(table, n = n_distinct(ward))), "`dp_n_distinct(ward)`", fixed = TRUE)
})

test_that("outside summarise() aggregates raise an error, even on a data frame", {
  for (fun in list(dp_count, dp_n_ids)) expect_error(fun(), class = "dp_error_unsupported")
  for (fun in list(
    dp_n_missing, dp_n_distinct, dp_sum, dp_mean, dp_var, dp_sd, dp_quantile, dp_median
  )) {
    expect_error(fun(1:3), class = "dp_error_unsupported")
  }
  expect_error(dp_histogram(1:3, 0:4), class = "dp_error_unsupported")
  expect_error(dplyr::summarise(hospital(), m = dp_mean(cost)), "dp_tbl")
})

test_that("columns of results keep their names whatever the aggregates within them are called", {
  query <- dplyr::summarise(people_to_plan(),
    m = dp_sum(age) / dp_count(), m.1 = dp_mean(age), m.2 = m + dp_sum(age), n = dp_count()
  )
  expect_identical(names(query$aggregates), c("m.1", "m.2", "m.1.1"))
  expect_identical(vapply(query$outputs, `[[`, "", "name"), c("m", "m.1", "m.2", "n"))
  expect_identical(query$outputs[[4]]$value$name, "m.2")
  expect_s3_class(dp_preview(query, epsilon = 0.1), "dp_preview")
})

test_that("errors name an aggregate within an expression as it was written", {
  local_verbs()
  table <- dp_tbl(dp_session(dp_epsilon(1)), NULL, dp_unit(rows = 1),
    dp_schema(free = dp_num(), cost = dp_num(0, 9))
  )
  error <- expect_error(summarise(table, d = dp_mean(cost) - dp_mean(free)),
    class = "dp_error_domain"
  )
  expect_match(conditionMessage(error), "`dp_mean(free)` has no bounds", fixed = TRUE)
  expect_no_match(conditionMessage(error), "d.1|d.2")
  own <- expect_error(summarise(table, m = dp_mean(free)))
  expect_match(conditionMessage(own), "`m` has no bounds", fixed = TRUE)
})
