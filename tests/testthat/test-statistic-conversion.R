# How numbers become values of a whole or logical column.

converted_rows <- data.frame(
  half = rep(c(0.5, 1.5, 2.5, 3.5), 100), code = rep(1:2, c(300, 100)), real = rep(c(1, 2), 200),
  flag = rep(c(TRUE, FALSE), c(100, 300)), group = rep(1:2, 200)
)
sharply <- function(generator, ..., data = converted_rows) {
  small(exactly(generator(..., n = nrow(data))))$release(data)
}

test_that("statistics of whole numbers round, and ties go to the even number", {
  whole <- function(generator, ...) {
    sharply(generator, varType = "integer", variable = "half", rng = c(0, 10), ...)
  }
  rounded <- rep(c(0, 2, 2, 4), 100)
  expect_equal(whole(dpMean, epsilon = 1e8)$release, 2, tolerance = 1e-4)
  expect_equal(whole(dpMean, epsilon = 1e8, missing = "impute")$release, 2, tolerance = 1e-4)
  expect_equal(whole(dpVariance, epsilon = 1e8)$release, stats::var(rounded), tolerance = 1e-4)
  expect_identical(whole(dpQuantile, epsilon = 1e8, prob = 0.9)$release, 4)
  cells <- whole(dpHistogram, epsilon = 1e8, nBins = 10)$release
  expect_equal(as.double(unlist(cells)), c(100, 0, 200, 0, 100, rep(0, 6)), tolerance = 1e-4)
})

test_that("they round as queries do", {
  local_verbs()
  session <- dp_session(dp_epsilon(1e6))
  table <- dp_tbl(session, converted_rows, dp_unit(rows = 1), dp_domain(half = dp_int(0, 10)))
  query <- release(summarise(table, mean = dp_mean(half)), epsilon = 1e5)
  expect_equal(as.double(query$mean), 2, tolerance = 1e-3)
})

test_that("numbers other than 0 and 1 are missing in a logical column", {
  for (name in c("code", "real")) {
    mean <- sharply(dpMean, varType = "logical", variable = name, epsilon = 1e8)
    ones <- sum(converted_rows[[name]] == 1)
    expect_equal(mean$release, 1, tolerance = 1e-6)
    expect_equal(mean$nPresent, ones, tolerance = 1e-6)
    expect_equal(mean$share_missing, 1 - ones / 400, tolerance = 1e-6)
    cells <- sharply(dpHistogram, varType = "logical", variable = name, epsilon = 1e8)$release
    expect_equal(as.double(unlist(cells)), c(0, ones, 400 - ones), tolerance = 1e-6)
  }
  flags <- sharply(dpMean, varType = "logical", variable = "flag", epsilon = 1e8)
  expect_equal(flags$release, 0.25, tolerance = 1e-6)
})

test_that("codes of groups are not converted", {
  found <- sharply(dpMeanDifference, varType = "logical", variable = "flag", group = "group",
    groups = c(1, 2), epsilon = 1e8, missing = "drop"
  )
  expect_equal(found$release, 0, tolerance = 1e-3)
})

test_that("plans that truncate are those of earlier versions, with their hashes", {
  plan <- function(...) {
    dpMean(varType = "integer", variable = "half", n = 400, rng = c(0, 10), epsilon = 1, ...)
  }
  # The hash of a version without the argument.
  hash <- "d8682e512679a5d84acb34459fbfad45b8fa9f7b3321f6a8f3c03ef9825fbe40"
  expect_identical(plan_hash(plan(conversion = "truncate")), hash)
  expect_false(plan_hash(plan()) == hash)
  expect_identical(plan_hash(from_json(to_json(plan()))), plan_hash(plan()))
  old <- sharply(dpMean, varType = "integer", variable = "half", rng = c(0, 10), epsilon = 1e8,
    conversion = "truncate"
  )
  expect_equal(old$release, 1.5, tolerance = 1e-4)
  numeric <- function(...) dpMean(variable = "half", n = 400, rng = c(0, 10), epsilon = 1, ...)
  expect_identical(plan_hash(numeric()), plan_hash(numeric(conversion = "truncate")))
  expect_error(plan(conversion = "floor"), "`conversion` must be one of", fixed = TRUE,
    class = "dp_error_invalid_argument"
  )
})

test_that("a plan that was written and read keeps how it converts", {
  for (conversion in c("round", "truncate")) {
    plan <- exactly(dpMean(varType = "integer", variable = "half", n = 400, rng = c(0, 10),
      epsilon = 1e8, conversion = conversion
    ))
    again <- exactly(from_json(to_json(plan)))
    expected <- if (conversion == "round") 2 else 1.5
    expect_equal(again$release(converted_rows)$release, expected, tolerance = 1e-4)
    file <- withr::local_tempfile()
    saveRDS(plan, file)
    expect_equal(readRDS(file)$release(converted_rows)$release, expected, tolerance = 1e-4)
  }
})

test_that("a tree of whole numbers has the mean and the quantiles of whole numbers", {
  k <- data.frame(k = rep(c(0, 1, 2, 3), c(450, 350, 150, 50)))
  tree <- function(...) {
    sharply(dpTree, varType = "integer", variable = "k", globalEps = 1e8,
      percentiles = c(0.25, 0.75, 0.9), ..., data = k
    )
  }
  for (missing in c("drop", "impute")) {
    found <- tree(rng = c(0, 15), missing = missing)
    expect_equal(found$mean, mean(k$k), tolerance = 1e-4)
    expect_identical(found$median, 1)
    expect_identical(found$percentiles$value, c(0, 1, 2))
  }
  # Leaves of several whole numbers, and the last one with its upper edge.
  wide <- tree(rng = c(0, 7), depth = 1)
  expect_equal(wide$mean, (0 + 1 + 2 + 3) / 4, tolerance = 1e-4)
  ends <- sharply(dpTree, varType = "integer", variable = "k", globalEps = 1e8, rng = c(0, 3),
    depth = 1, percentiles = 1, data = k
  )
  expect_identical(ends$percentiles$value, 3)
})
