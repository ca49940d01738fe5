# From the list form of a query to a measurement: the basis of R's verbs.

field <- function(name, type, ...) list(name = name, type = type, ...)

column <- function(name) list(op = "column", name = name)

visits_query <- function(...) {
  query <- list(
    source = list(
      columns = list(
        field("patient", "text"),
        field("ward", "levels", levels = c("A", "B", "C"), whole = FALSE),
        field("cost", "real", lower = 0, upper = 100, missing = "drop")
      ),
      unit = list(kind = "id", id = "patient", count = 1L)
    ),
    steps = list(
      list(step = "truncate", by = "ward", groups = 2L, rows_per_group = 3L, keep = "random")
    ),
    by = "ward",
    keys = list(kind = "declared"),
    aggregates = list(
      list(name = "n", fun = "count"),
      list(name = "m", fun = "mean", of = column("cost"))
    ),
    outputs = list(list(name = "n", value = column("n")), list(name = "m", value = column("m")))
  )
  utils::modifyList(query, list(...))
}

visits <- data.frame(
  patient = c("a", "a", "b", "c", "c"),
  ward = c("A", "A", "A", "C", "X"),
  cost = c(10, 20, 60, NA, 5)
)

test_that("a query is compiled to a measurement with its loss, preview and events", {
  compiled <- core_query_compile(visits_query(), list(epsilon = 1), 0.05)
  expect_s3_class(compiled$measurement, "measurement")
  expect_lte(compiled$loss$epsilon, 1)
  expect_gt(compiled$loss$epsilon, 1 - 1e-9)
  expect_identical(compiled$measurement(d_in = 1L), compiled$loss$epsilon)
  expect_gt(compiled$measurement(d_in = 2L), compiled$loss$epsilon)
  expect_identical(compiled$preview$column, c("n", "m", "m"))
  expect_equal(compiled$preview$share, c(0.5, 0.25, 0.25))
  expect_equal(compiled$preview$scale, c(12, 6 * 50 * 4, 24), tolerance = 1e-9)
  expect_identical(compiled$events$l1, c(6, 6, 6))
})

test_that("a release converges to the truth as the loss grows", {
  compiled <- core_query_compile(visits_query(), list(rho = 1e20), 0.05)
  release <- compiled$measurement(arg = visits)
  expect_identical(release[[1]][[1]], c("A", "B", "C"))
  expect_equal(release[[2]][[1]], c(3, 0, 1))
  expect_equal(release[[2]][[2]], c(30, 50, 50), tolerance = 1e-4)
  expect_equal(release[[4]][[1]], release[[2]][[1]])
})

test_that("private groups are released by a threshold or a selection", {
  for (kind in c("threshold", "select")) {
    query <- visits_query(keys = list(kind = kind, weight = 1))
    many <- data.frame(patient = as.character(1:500), ward = "B", cost = 1)
    compiled <- core_query_compile(query, list(epsilon = 2, delta = 1e-12), 0.05)
    expect_lte(compiled$loss$delta, 1e-12)
    expect_identical(compiled$measurement(arg = rbind(many, visits))[[1]][[1]], "B")
    expect_error(core_query_compile(query, list(epsilon = 2), 0.05), class = "dp_error_keys")
  }
})

test_that("the fields of a query state what one person can change", {
  fields <- core_query_fields(visits_query())
  expect_identical(vapply(fields$fields, `[[`, "", "name"), c("patient", "ward", "cost"))
  expect_identical(fields$bound, c(l0 = 2, l1 = 6, linf = 3))
  expect_identical(fields$missing_cap, "")
  expect_null(core_query_fields(visits_query(steps = NULL))$bound)
  expect_identical(core_query_fields(visits_query(steps = NULL))$missing_cap, "rows")
})

test_that("the loss for a given accuracy is found", {
  loss <- core_query_solve(visits_query(), list(rho = 1), c(n = 20), 0.05)$loss
  preview <- core_query_compile(visits_query(), loss, 0.05)$preview
  expect_lte(preview$accuracy[[1]], 20)
  expect_gt(preview$accuracy[[1]], 18)
})

test_that("each missing part of a query has its own error class", {
  refuse <- function(query, class, loss = list(epsilon = 1)) {
    expect_error(core_query_compile(query, loss, 0.05), class = class)
  }
  refuse(visits_query(steps = NULL), "dp_error_unbounded")
  refuse(visits_query(), "dp_error_budget", list(epsilon = 1, rho = 1))
  refuse(visits_query(), "dp_error_budget", list(epsilon = 0))
  refuse(visits_query(by = "patient"), "dp_error_keys")
  refuse(visits_query(by = "cost"), "dp_error_unsupported")
  unbounded <- visits_query()
  unbounded$source$columns[[3]] <- field("cost", "real")
  refuse(unbounded, "dp_error_domain")
  unknown <- visits_query()
  unknown$aggregates[[1]]$fun <- "mode"
  refuse(unknown, "dp_error_failed_cast")
})

test_that("only a data frame with the declared columns is released", {
  compiled <- core_query_compile(visits_query(), list(epsilon = 1), 0.05)
  expect_error(compiled$measurement(arg = 1:3), class = "dp_error")
  expect_error(compiled$measurement(arg = visits[c("patient", "ward")]), class = "dp_error")
})
