test_that("features are enabled and disabled as sets", {
  withr::local_options(opendp_features = NULL)
  enable_features("contrib", "honest-but-curious")
  enable_features("contrib", c("contrib", "my-own"))
  expect_setequal(getOption("opendp_features"), c("contrib", "honest-but-curious", "my-own"))
  disable_features("honest-but-curious", "never-enabled")
  expect_identical(enabled_features(), c("contrib", "my-own"))
  expect_identical(expect_invisible(disable_features("contrib", "my-own")), character())
  expect_identical(expect_invisible(enable_features()), character())
})

test_that("a missing feature raises the published error without a call", {
  withr::local_options(opendp_features = NULL)
  make <- function() assert_features("contrib", "honest-but-curious")
  error <- tryCatch(make(), error = identity)
  expect_s3_class(error, "dp_error_missing_feature")
  expect_identical(
    conditionMessage(error),
    paste0(
      "Attempted to use function that requires contrib but contrib is not enabled. ",
      'See ?enable_features, then call enable_features("contrib")'
    )
  )
  expect_null(conditionCall(error))
  expect_identical(error$feature, "contrib")
  enable_features("contrib")
  expect_match(tryCatch(make(), error = conditionMessage), 'enable_features("honest-but-curious")',
    fixed = TRUE
  )
  enable_features("honest-but-curious")
  expect_no_error(make())
})

test_that("features set through the option count, even as a list", {
  withr::local_options(opendp_features = list("contrib"))
  expect_no_error(assert_features("contrib"))
})

test_that("the old name of idealized-numerics works everywhere, with a warning", {
  withr::local_options(opendp_features = NULL)
  text <- '"floating-point" is deprecated. Use "idealized-numerics" instead.'
  expect_warning(enable_features("floating-point"), text, fixed = TRUE)
  expect_identical(enabled_features(), "idealized-numerics")
  expect_warning(assert_features("floating-point"), text, fixed = TRUE)
  expect_warning(disable_features("floating-point"), text, fixed = TRUE)
  expect_identical(enabled_features(), character())
  expect_warning(
    expect_error(assert_features("floating-point"), class = "dp_error_missing_feature"),
    text,
    fixed = TRUE
  )
})

test_that("only strings are features", {
  withr::local_options(opendp_features = "contrib")
  for (x in list(1, TRUE, NA_character_, sum, list(1, "a"))) {
    expect_error(enable_features(x), class = "dp_error_invalid_argument")
  }
  expect_identical(enabled_features(), "contrib")
})

test_that("with_features() enables for one expression only, even if it fails", {
  withr::local_options(opendp_features = "mine")
  inside <- with_features("contrib", {
    assert_features("contrib", "mine")
    enabled_features()
  })
  expect_identical(inside, c("mine", "contrib"))
  expect_identical(enabled_features(), "mine")
  expect_error(with_features(c("contrib", "honest-but-curious"), stop("inner")), "inner")
  expect_identical(enabled_features(), "mine")
})

test_that("enable_features() and disable_features() have the published formals", {
  expect_identical(formals(enable_features), published_formals("enable_features"))
  expect_identical(formals(disable_features), published_formals("disable_features"))
})
