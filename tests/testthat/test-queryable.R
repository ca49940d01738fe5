space <- number_of("i32")
costing <- function(epsilon) space |> then_laplace(scale = 1 / epsilon)

compositor <- function(d_mids = c(1, 1)) {
  space |> then_adaptive_composition(max_divergence(), d_in = 1L, d_mids = d_mids)
}

counter <- function(...) {
  asked <- 0L
  new_queryable(function(query) {
    asked <<- asked + query
    asked
  }, ...)
}

test_that("a queryable answers and remembers", {
  queryable <- counter()
  expect_s3_class(queryable, "queryable", exact = TRUE)
  expect_identical(queryable(query = 2L), 2L)
  expect_identical(queryable$eval(3L), 5L)
  expect_identical(queryable_eval(queryable, 4L), 9L)
  other_name <- queryable
  expect_identical(other_name(query = 1L), 10L)
  expect_identical(queryable(query = 0L), 10L)
})

test_that("queries and answers of any kind keep their R form", {
  echo <- new_queryable(identity)
  queries <- list(
    NULL, NA, NA_integer_, 1:3, c(a = 1), "x", list(1, "b"), mean, quote(x + y), factor("a"),
    symmetric_distance(), as.raw(1:3), character(), costing(1)
  )
  for (query in queries) expect_identical(echo(query = query), query)
})

test_that("declared types are kept", {
  typed <- counter(.Q = "i32", .A = "i32")
  expect_identical(queryable_query_type(typed), "i32")
  expect_identical(typed(query = 2L), 2L)
  for (query in list(1.5, "a", NULL, NA_integer_, 1:2)) {
    expect_error(typed(query = query), class = "dp_error_failed_cast")
  }
  expect_identical(typed(query = 3L), 5L)
  lying <- new_queryable(function(query) "text", .A = f64)
  expect_error(lying(query = 1), class = "dp_error_failed_function")
  expect_error(new_queryable(identity, .Q = "Vec<"), class = "dp_error_type_parse")
  expect_error(new_queryable(1), class = "dp_error_invalid_argument")
})

test_that("a transition with two arguments learns that no query is internal", {
  curious <- new_queryable(function(query, is_internal) is_internal)
  expect_false(curious(query = 1))
})

test_that("a queryable answers one request per call, with the published errors", {
  queryable <- counter()
  expect_snapshot(error = TRUE, {
    queryable()
    queryable("ptr", query = 1L)
    queryable(1L)
    queryable("nothing")
    queryable$nothing
    queryable_eval(3, 1L)
  })
  expect_identical(typeof(queryable("ptr")), "externalptr")
})

test_that("printing shows the supported queries, and no contents", {
  secret <- 7417L
  queryable <- new_queryable(function(query) secret + query, .Q = "i32")
  expect_snapshot({
    queryable
    compositor()(arg = 7417L)
  })
  expect_identical(format(queryable), toString(queryable))
  expect_identical(print_silently(queryable), queryable)
})

test_that("the feature is required first", {
  withr::local_options(opendp_features = NULL)
  expect_error(new_queryable(), class = "dp_error_missing_feature")
})

# Who may ask, and when ------------------------------------------------------------------------

test_that("a queryable cannot be queried while it is answering", {
  self <- new_queryable(function(query) self(query = query))
  expect_error(self(query = 1), "a queryable may only execute one query at a time",
    class = "dp_error_failed_function"
  )
  # It is usable afterwards.
  once <- TRUE
  other <- new_queryable(function(query) {
    if (once) {
      once <<- FALSE
      other(query = query)
    }
    query
  })
  expect_error(other(query = 1), class = "dp_error_failed_function")
  expect_identical(other(query = 2), 2)
})

test_that("D-CMP-2: a function that queries its own compositor fails and stays charged", {
  queryable <- compositor(c(1, 1))(arg = 5L)
  greedy <- costing(1) |> then_postprocess(\(x) queryable(query = costing(1)))
  expect_error(queryable(query = greedy), "one query at a time",
    class = "dp_error_failed_function"
  )
  expect_type(queryable(query = costing(1)), "integer")
  expect_error(queryable(query = costing(1)), "out of queries", class = "dp_error_failed_function")
})

test_that("an error in a transition keeps its message only if it comes from the package", {
  talks <- new_queryable(function(query) stop("saw 7417"))
  error <- condition_of(talks(query = 1))
  expect_s3_class(error, "dp_error_failed_function")
  expect_no_match(conditionMessage(error), "7417")
  inner <- compositor(1)(arg = 5L)
  relay <- new_queryable(function(query) inner(query = query))
  expect_type(relay(query = costing(1)), "integer")
  expect_error(relay(query = costing(1)), "out of queries", class = "dp_error_failed_function")
})

test_that("a queryable in front of another accepts its measurements, typed or not", {
  for (type in c("ExtrinsicObject", "AnyMeasurement")) {
    inner <- compositor(c(1, 1))(arg = 5L)
    front <- new_queryable(function(query) inner(query = query), .Q = type)
    expect_type(front(query = costing(1)), "integer")
  }
  expect_error(front(query = 1), class = "dp_error_failed_cast")
})

test_that("a postprocessor can wrap a compositor in another interface", {
  counted <- compositor(c(1, 1)) |> then_postprocess(function(queryable) {
    new_queryable(function(query) queryable(query = costing(query)))
  })
  expect_identical(counted(d_in = 1L), 2)
  queryable <- counted(arg = 5L)
  expect_type(queryable(query = 0.5), "integer")
  expect_error(queryable(query = 2), "insufficient budget for query: 2.0 > 1.0")
})

# One state, in one process -----------------------------------------------------------------------

test_that("D-LED-3, D-R-5: a saved and loaded queryable is stale, and the original continues", {
  queryable <- compositor(c(1, 1))(arg = 5L)
  path <- withr::local_tempfile()
  saveRDS(queryable, path)
  copy <- readRDS(path)
  expect_error(copy(query = costing(1)), "stale object", class = "dp_error_stale_object")
  expect_type(queryable(query = costing(1)), "integer")
  expect_error(copy(query = costing(1)), class = "dp_error_stale_object")
  expect_type(queryable(query = costing(1)), "integer")
  expect_error(queryable(query = costing(1)), "out of queries")
})

test_that("a saved and loaded measurement can be queried, and is charged like any other", {
  path <- withr::local_tempfile()
  saveRDS(costing(1), path)
  queryable <- compositor(1)(arg = 5L)
  expect_type(queryable(query = readRDS(path)), "integer")
  expect_error(queryable(query = readRDS(path)), "out of queries")
})

test_that("D-R-3: a saved queryable holds no data", {
  queryable <- compositor()(arg = 741733L)
  needle <- writeBin(741733L, raw())
  bytes <- serialize(queryable, NULL)
  for (pattern in list(needle, rev(needle))) {
    expect_length(grepRaw(pattern, bytes, fixed = TRUE), 0)
  }
})

if (has_fork()) {
  test_that("D-LED-3: a forked process gets no answers", {
    queryable <- compositor(1)(arg = 5L)
    ask <- function(i) class(condition_of(queryable(query = costing(1))))[[1]]
    answers <- in_forks(1:4, ask, 4)
    expect_identical(unlist(answers), rep("dp_error_stale_object", 4))
    expect_type(queryable(query = costing(1)), "integer")
  })
}

test_that("D-LED-3: copies by assignment and by environment share one budget", {
  queryable <- compositor(c(1, 1, 1))(arg = 5L)
  copies <- list(queryable, queryable)
  environment(copies[[2]]) <- list2env(as.list(environment(queryable)), parent = topenv())
  for (each in c(copies, queryable)) expect_type(each(query = costing(1)), "integer")
  for (each in c(copies, queryable)) expect_error(each(query = costing(1)), "out of queries")
})

test_that("D-LED-7: an interrupt between charge and answer leaves the charge", {
  queryable <- compositor(c(1, 1))(arg = 5L)
  interrupts <- costing(1) |> then_postprocess(\(x) rlang::interrupt())
  outcome <- tryCatch(queryable(query = interrupts), interrupt = \(condition) "interrupted")
  expect_identical(outcome, "interrupted")
  expect_type(queryable(query = costing(1)), "integer")
  expect_error(queryable(query = costing(1)), "out of queries")
})

test_that("D-LED-7: a restart that jumps out fails and leaves the charge", {
  queryable <- compositor(c(1, 1))(arg = 5L)
  leaves <- costing(1) |> then_postprocess(\(x) invokeRestart("out", "left"))
  expect_error(
    withRestarts(queryable(query = leaves), out = identity),
    class = "dp_error_failed_function"
  )
  expect_type(queryable(query = costing(1)), "integer")
  expect_error(queryable(query = costing(1)), "out of queries")
})
