# What every user-facing function says about its arguments.

# Functions with alternative arguments, any of them optional.
may_be_left_out <- list(
  calibrate = c("d_in", "d_out"), compose_pld = "d_in", dry_run = "public_data",
  makeLogical = "values", privacy_events = "d_in", to_str.default = "depth",
  then_privacy_filter = "odometer", then_pureDP_to_zCDP = "measurement",
  then_zCDP_to_approxDP = "measurement", then_fixed_approxDP_to_approxDP = "measurement",
  then_fix_delta = "measurement", then_approximate = "measurement",
  then_population_amplification = "measurement", then_poisson_subsample = "measurement",
  then_select_private_candidate = "measurement", then_pureDP_to_RDP = "measurement",
  then_zCDP_to_RDP = "measurement", then_RDP_to_approxDP = "measurement",
  then_subsample_without_replacement = "measurement"
)

test_that("each function names all missing arguments at once", {
  home <- asNamespace("PSIlence")
  is_needed <- function(default) identical(default, rlang::missing_arg())
  checked <- 0
  for (name in getNamespaceExports(home)) {
    fun <- get(name, home)
    if (typeof(fun) != "closure" || inherits(fun, "dp_generator")) next
    needed <- names(Filter(is_needed, formals(fun)))
    needed <- setdiff(needed, c("...", may_be_left_out[[name]]))
    if (length(needed) == 0) next
    error <- tryCatch(fun(), error = identity)
    expect_s3_class(error, "dp_error_invalid_argument")
    expect_identical(error$argument, needed, label = name)
    expect_match(conditionMessage(error), "must be given, not left out", fixed = TRUE, label = name)
    checked <- checked + 1
  }
  expect_gt(checked, 200)
})

test_that("a missing argument is named together with the given ones", {
  expect_error(make_clamp(bounds = c(0, 1)), "`input_domain` and `input_metric` must be given",
    class = "dp_error_invalid_argument"
  )
  expect_error(dpTree("numeric", "x", 100), "`rng`", class = "dp_error_invalid_argument")
})

test_that("invalid strings raise an error before any data are read", {
  bad <- c("b\xe9", rawToChar(as.raw(c(98, 0xff))))
  Encoding(bad[[2]]) <- "bytes"
  for (name in bad) {
    expect_error(
      dpMean("mechanismLaplace", "numeric", name, n = 10, rng = c(0, 1), epsilon = 1),
      "`variable` must be of text",
      class = "dp_error_invalid_argument"
    )
    expect_error(
      dpHistogram("character", "x", n = 10, epsilon = 1, bins = c("a", name)),
      "`bins` must be of text",
      class = "dp_error_invalid_argument"
    )
  }
  latin <- "\xe9"
  Encoding(latin) <- "latin1"
  mean <- dpMean("mechanismLaplace", "numeric", latin, n = 1000, rng = c(0, 1), epsilon = 1)
  expect_match(format(mean), "\u00e9", all = FALSE)
})

test_that("a plan that exceeds memory raises an error", {
  expect_error(
    dpMean("mechanismLaplace", "numeric", "x", n = 2^40, rng = c(0, 1), epsilon = 1,
      n_check = "resize"
    ), "at most 2^36",
    fixed = TRUE, class = "dp_error_invalid_argument"
  )
  expect_error(
    dpSampleAndAggregate(
      innerFun = "mean", aggregationFun = "Mean", numSubsets = 2^39, mechanism = "mechanismLaplace",
      varType = "numeric", variable = "x", n = 2^40, rng = c(0, 1), epsilon = 1
    ), "`numSubsets` must be at most 1e+07",
    fixed = TRUE, class = "dp_error_invalid_argument"
  )
})
