withr::defer(set_threads(NULL))

test_that("the previous number of threads is returned invisibly", {
  expect_invisible(set_threads(2))
  expect_identical(set_threads(3L), 3L)
})

test_that("a number of threads is a positive integer", {
  for (count in list(0, -1, 1.5, NA, "2", c(1, 2), Inf, list(), 1e6)) {
    expect_error(set_threads(count), class = "dp_error_invalid_argument")
  }
})

test_that("the default is two threads, or one on a single core", {
  expect_identical(at_most_two(64L), 2L)
  expect_identical(at_most_two(1L), 1L)
  expect_identical(at_most_two(NA_integer_), 2L)
  withr::local_options(PSIlence.threads = NULL)
  expect_identical(set_threads(NULL), default_threads())
})

test_that("an option sets the default", {
  withr::local_options(PSIlence.threads = 3L)
  expect_identical(set_threads(NULL), 3L)
  expect_silent(set_threads_at_load())
})

test_that("an invalid option raises an error, but not at load", {
  for (asked in list("many", 0, NA, 1:2, list())) {
    withr::local_options(PSIlence.threads = asked)
    expect_error(set_threads(NULL), "`PSIlence.threads`", class = "dp_error_invalid_argument")
    expect_warning(set_threads_at_load(), "PSIlence.threads", class = "dp_warning_threads")
  }
})

if (has_fork()) {
  test_that("forked children start their own threads, whatever the parent had", {
    data <- rep(c(0.25, -3, 9), length.out = 2^20)
    sum <- rows_of("f64") |>
      then_impute_constant(0) |>
      then_clamp(c(-10, 10)) |>
      then_lattice_sum()
    set_threads(4)
    expected <- sum(arg = data)
    sums <- in_forks(1:4, \(child) sum(arg = data), 2)
    expect_identical(sums, rep(list(expected), 4))
  })
}

test_that("D-FLT-2: results do not depend on the number of threads", {
  data <- rep(c(0.1, -3.7, 1e-9, 9.99, -10), length.out = 2e6)
  floats <- rows_of("f64") |>
    then_impute_constant(0) |>
    then_clamp(c(-10, 10))
  sums <- list(
    floats |> then_lattice_sum(),
    floats |> then_resize(2e6, 0) |> then_sum(),
    floats |> then_count()
  )
  for (sum in sums) {
    results <- lapply(c(1, 2, 4, 7), function(threads) {
      set_threads(threads)
      sum(arg = data)
    })
    expect_length(unique(results), 1)
  }
})
