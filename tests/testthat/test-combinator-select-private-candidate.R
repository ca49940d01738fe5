space <- number_of("i32")
laplace <- function(scale) space |> then_laplace(scale = scale)
pair <- make_composition(list(laplace(1), laplace(1)))

# The score is `score` of a release.
scoring <- function(score) laplace(1) |> then_postprocess(function(x) list(score(x), 1L))

test_that("the map matches the row of the oracle", {
  row <- privacy_map_rows("make_select_private_candidate")
  args <- parse_json(row$args_json)
  best <- laplace(1 / args$inner_epsilon) |>
    then_select_private_candidate(
      stop_probability = args$stop_probability, threshold = args$threshold
    )
  expect_identical(best(d_in = as.integer(row$d_in)), as.numeric(row$d_out))
})

test_that("it releases the first pair that is good enough", {
  best <- make_select_private_candidate(pair, stop_probability = 0, threshold = 5)
  for (i in 1:50) {
    release <- best(arg = 4L)
    expect_length(release, 2)
    expect_gte(release[[1]], 5L)
  }
})

test_that("a pair from an R function counts, with any number as its score", {
  for (score in list(\(x) 3L, \(x) 3.5, \(x) Inf)) {
    best <- make_select_private_candidate(scoring(score), 0, threshold = 3)
    expect_identical(best(arg = 0L), list(score(0), 1L))
  }
})

test_that("a release that is not a pair, or whose score is not a number, falls short", {
  for (score in list(\(x) NaN, \(x) NA, \(x) NA_integer_, \(x) "9", \(x) TRUE, \(x) c(9, 9))) {
    never <- make_select_private_candidate(scoring(score), 0.9, threshold = 0)
    expect_null(never(arg = 0L))
  }
  for (release in list(\(x) 9, \(x) list(9), \(x) list(9, 1, 1), \(x) NULL)) {
    never <- make_select_private_candidate(laplace(1) |> then_postprocess(release), 0.9, 0)
    expect_null(never(arg = 0L))
  }
})

test_that("NaN is the lowest score, and ends the runs if it reaches the threshold", {
  lowest <- -.Machine$double.xmax
  for (score in list(\(x) NaN, \(x) -Inf, \(x) lowest)) {
    best <- make_select_private_candidate(scoring(score), 0, threshold = lowest)
    expect_identical(best(arg = 0L)[[2]], 1L)
    never <- make_select_private_candidate(scoring(score), 0.9, threshold = lowest / 2)
    expect_null(never(arg = 0L))
  }
})

test_that("the number of runs is geometric with the given probability", {
  runs <- call_counter()
  never <- laplace(1) |> then_postprocess(function(x) {
    runs$note()
    list(0, 0)
  })
  never <- make_select_private_candidate(never, stop_probability = 0.25, threshold = 1)
  for (i in 1:2000) never(arg = 0L)
  # It runs four times on average. The reference runs once.
  more <- runs$count() - 2000
  expect_gte(more, stats::qnbinom(rare / 2, 2000, 0.25))
  expect_lte(more, stats::qnbinom(rare / 2, 2000, 0.25, lower.tail = FALSE))
})

test_that("it runs until it is interrupted", {
  runs <- call_counter()
  endless <- laplace(1) |> then_postprocess(function(x) {
    runs$note()
    if (runs$count() == 100) rlang::interrupt()
    list(0, 0)
  })
  never <- make_select_private_candidate(endless, stop_probability = 0, threshold = 1)
  expect_identical(tryCatch(never(arg = 0L), interrupt = \(condition) "interrupted"), "interrupted")
  expect_identical(runs$count(), 100)
})

test_that("invalid arguments raise errors", {
  for (probability in c(-0.1, 1, NaN, Inf)) {
    expect_error(make_select_private_candidate(pair, probability, 1), class = "dp_error")
  }
  expect_error(make_select_private_candidate(pair, 1, 1), "stop_probability must be in [0, 1)",
    fixed = TRUE, class = "dp_error_make_measurement"
  )
  expect_error(make_select_private_candidate(pair, 0.5, Inf), "threshold must be finite",
    class = "dp_error_make_measurement"
  )
  expect_error(make_select_private_candidate(space |> then_gaussian(1), 0.5, 1),
    class = "dp_error_type"
  )
})
