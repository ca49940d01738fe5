withr::defer(set_threads(NULL))

test_that("the number of threads is given back, invisibly", {
  expect_invisible(set_threads(2))
  expect_identical(set_threads(3L), 3L)
  expect_identical(set_threads(NULL), default_threads())
})

test_that("a number of threads is a whole number above 0", {
  for (count in list(0, -1, 1.5, NA, "2", c(1, 2), Inf, list(), 1e6)) {
    expect_error(set_threads(count), class = "dp_error_invalid_argument")
  }
})

test_that("a check may use two cores", {
  withr::local_envvar("_R_CHECK_LIMIT_CORES_" = "TRUE")
  expect_lte(default_threads(), 2)
  withr::local_envvar("_R_CHECK_LIMIT_CORES_" = "false")
  expect_identical(default_threads(), max(1L, parallel::detectCores(), na.rm = TRUE))
})

test_that("an option says how many there are from the start", {
  withr::local_options(PSIlence.threads = 3L)
  expect_identical(threads_at_load(), 3L)
  withr::local_options(PSIlence.threads = NULL)
  expect_identical(threads_at_load(), default_threads())
})

test_that("forked children start threads of their own, whatever their parent had", {
  data <- rep(c(0.25, -3, 9), length.out = 2^20)
  sum <- rows_of("f64") |>
    then_impute_constant(0) |>
    then_clamp(c(-10, 10)) |>
    then_lattice_sum()
  set_threads(4)
  expected <- sum(arg = data)
  sums <- parallel::mclapply(1:4, \(child) sum(arg = data), mc.cores = 2)
  expect_identical(sums, rep(list(expected), 4))
})

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
