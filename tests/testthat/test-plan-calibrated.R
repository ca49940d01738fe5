# Calibrated noise is minimal. For every statistic that calibrates, the value is within the loss and
# the values just below it are not, by the measurement's own map.

# Calls of calibrated() while `code` ran: their arguments and results.
calibrations_in <- function(code) {
  seen <- list()
  honest <- calibrated
  put <- function(f) {
    package <- asNamespace("PSIlence")
    rlang::env_binding_unlock(package, "calibrated")
    assign("calibrated", f, package)
    rlang::env_binding_lock(package, "calibrated")
  }
  withr::defer(put(honest))
  put(function(step, lhs, ..., d_in, loss) {
    made <- honest(step, lhs, ..., d_in = d_in, loss = loss)
    asked <- list(
      step = step, lhs = lhs, args = list(...), d_in = d_in, loss = as.list(loss), made = made
    )
    # A statistic drops the plan of objects that it keeps.
    asked$value <- value_of(made, free_argument(asked))
    seen[[length(seen) + 1]] <<- asked
    made
  })
  force(code)
  seen
}

is_free <- function(asked) vapply(asked$args, inherits, NA, "dp_least")

free_argument <- function(asked) {
  names <- catalogue()[[asked$step]]$arguments
  if (!is.null(asked$lhs)) names <- names[-(1:2)]
  names[is_free(asked)]
}

# The step with a different value of the calibrated argument, or NULL if there is none.
at_value <- function(asked, value) {
  args <- asked$args
  args[is_free(asked)] <- list(value)
  tryCatch(
    if (is.null(asked$lhs)) {
      do.call(build, c(list(asked$step), args))
    } else {
      do.call(build_after, c(list(asked$step, asked$lhs), args))
    },
    dp_error_make_measurement = function(error) NULL
  )
}

# Whether the map allows the loss in each part. A map that raises an error allows nothing.
is_within <- function(measurement, asked) {
  if (is.null(measurement)) {
    return(FALSE)
  }
  allows <- if (length(asked$loss) == 1) {
    function() measurement(d_in = asked$d_in, d_out = asked$loss[[1]])
  } else {
    function() all(unlist(measurement(d_in = asked$d_in)) <= unlist(asked$loss))
  }
  tryCatch(allows(),
    dp_error_failed_map = function(error) FALSE, dp_error_overflow = function(error) FALSE
  )
}

# The three values just below the calibrated one.
values_below <- function(asked) {
  value <- asked$value
  if (free_argument(asked) == "threshold") {
    below <- value - 1:3
  } else {
    below <- previous_double(value)
    for (i in 2:3) below[[i]] <- previous_double(below[[i - 1]])
  }
  below[below >= 0]
}

mistakes_of <- function(asked) {
  at <- at_value(asked, asked$value)
  smaller <- lapply(values_below(asked), function(value) at_value(asked, value))
  c(
    if (!is_within(asked$made, asked)) "what is made is not within",
    if (!identical(asked$made(d_in = asked$d_in), at(d_in = asked$d_in))) "it has another map",
    if (any(vapply(smaller, is_within, NA, asked))) "a smaller value is within, too"
  )
}

test_that("every kind of statistic uses the least noise within its loss", {
  withr::local_seed(31)
  # Values that this process remembers would not be searched again.
  known <- environment(gaussian_mechanism_scale)$known
  rm(list = ls(known), envir = known)
  steps <- character()
  for (name in rep(names(random_arguments), 4)) {
    asked <- calibrations_in(random_statistic(name))
    with_features(c("contrib", "honest-but-curious"), {
      for (each in asked) expect_identical(mistakes_of(each), NULL, info = paste(name, each$step))
    })
    steps <- union(steps, vapply(asked, `[[`, "", "step"))
  }
  expect_setequal(setdiff(steps, c("trimmed_sum", "winsorized_mean")), c(
    "approximate_gaussian", "gaussian_moments", "joint_quantiles_of_cells", "make_gaussian",
    "make_laplace", "make_laplace_threshold", "make_noisy_max", "make_noisy_top_k",
    "make_private_quantile", "private_quantile_of_cells", "stable_top_k"
  ))
})

test_that("trimmed and winsorized means also use the least noise", {
  for (overlap in c(1, 3)) {
    numbers <- list(lower = 0, upper = 1000, sensitivity = 1000, exponent = -3, numSubsets = 40,
      overlap = overlap)
    options <- list(gridPoints = 20, reach = 2, trim = 0.1)
    for (epsilon in c(0.013, 0.7, 5)) {
      asked <- calibrations_in(with_features("contrib", {
        trimmed_aggregator(numbers, epsilon, options)
        winsorized_aggregator(numbers, epsilon, options)
      }))
      expect_identical(vapply(asked, `[[`, "", "step"), c("trimmed_sum", "winsorized_mean"))
      for (each in asked) expect_identical(mistakes_of(each), NULL)
    }
  }
})

test_that("the Gaussian noise of a mechanism is the least for its epsilon and delta", {
  asked <- calibrations_in(gaussianGetAccuracy(3, 0.37, 1e-7))
  expect_length(asked, 1)
  expect_identical(mistakes_of(asked[[1]]), NULL)
})

test_that("a calibrated step has the plan of the plain step", {
  enable_features("contrib")
  number <- c(atom_domain(.T = "i32"), absolute_distance(.T = "i32"))
  found <- calibrated("make_laplace", number, least, NULL, "MaxDivergence", d_in = 3L, loss = 0.5)
  plain <- number |> then_laplace(scale = 6)
  expect_identical(value_of(found, "scale"), 6)
  expect_identical(plan_hash(found), plan_hash(plain))
  after <- c(vector_domain(atom_domain(bounds = c(0L, 9L))), symmetric_distance()) |> then_sum()
  found <- calibrated("make_laplace", after, least, NULL, "MaxDivergence", d_in = 1L, loss = 0.5)
  expect_identical(plan_hash(found), plan_hash(after |> then_laplace(scale = 18)))
  expect_identical(to_json(found), to_json(after |> then_laplace(scale = 18)))
  expect_identical(from_json(to_json(found))(d_in = 1L), 0.5)
})

test_that("a loss that no noise can meet raises an error that names it", {
  enable_features("contrib")
  number <- c(atom_domain(.T = "i32"), absolute_distance(.T = "i32"))
  noisy <- function(loss) {
    calibrated("make_laplace", number, least, NULL, "MaxDivergence", d_in = 1L, loss = loss)
  }
  expect_error(noisy(0), "no finite `scale` has a loss of 0.0 or less", class = "dp_error_search")
  for (loss in c(Inf, NaN, -1)) {
    expect_error(noisy(loss), "`scale` cannot be found for a loss",
      class = "dp_error_invalid_distance"
    )
  }
  expect_error(noisy(list(1, 0.1)), "not of the form of \\(1.0, 0.1\\)",
    class = "dp_error_invalid_distance"
  )
  expect_error(
    calibrated("make_laplace", number, 1, least, "MaxDivergence", d_in = 1L, loss = 1),
    "cannot be calibrated by its `k`",
    class = "dp_error_type"
  )
})
