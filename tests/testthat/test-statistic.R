statistics <- function() {
  lapply(names(valid_arguments), build_with, argument = character(), value = NULL)
}

# Rows that suit all statistics.
rows_for <- function(statistic) {
  texts <- statistic$varType %in% c("character", "factor")
  classes <- rep(0:1, 5)
  data.frame(x = if (texts) rep(c("a", "b"), 5) else (1:10) / 10, y = classes, z = classes)
}

test_that("D_R_4 no field of a statistic can be changed", {
  for (statistic in statistics()) {
    fields <- statistic$getFields()
    for (name in names(fields)) {
      # An expectation for each would take three times as long.
      errors <- lapply(list(1e-9, 1e9, NA), function(value) {
        condition_of(do.call(`$<-`, list(statistic, name, value)))
      })
      for (error in errors) if (!inherits(error, "dp_error_invalid_argument")) fail(name)
      expect_identical(lapply(errors, `[[`, "argument"), list(name, name, name))
    }
    expect_error(statistic$something <- 1)
    expect_error(statistic$release <- identity)
    after <- statistic$getFields()
    same <- setdiff(names(fields), c("measurement", "input_metric"))
    expect_identical(after[same], fields[same])
  }
})

test_that("getFields() has every field, including NULL ones", {
  fields <- mean_of()$getFields()
  expect_true(all(c(common_fields, "nBoot", "result") %in% names(fields)))
  expect_true("result" %in% names(fields))
  expect_null(fields$result)
  for (statistic in statistics()) {
    fields <- statistic$getFields()
    expect_true(all(names(fields) %in% names(statistic)))
    expect_identical(anyDuplicated(names(fields)), 0L)
    expect_null(fields$result)
    required <- c("mechanism", "name", "variable", "varType", "n", "epsilon", "delta", "rng",
      "rngFormat", "alpha", "accuracy", "imputeRng", "input_metric", "d_in", "measurement")
    expect_identical(setdiff(required, names(fields)), character())
    for (name in c("mechanism", "name", "varType", "n", "epsilon", "delta", "alpha")) {
      expect_identical(statistic[[name]], fields[[name]])
      expect_false(is.null(fields[[name]]), label = paste(class(statistic)[[1]], name))
    }
    result <- statistic$release(rows_for(statistic))
    released <- statistic$getFields()
    expect_identical(names(released), names(fields))
    expect_identical(released$result, result)
    same <- setdiff(names(fields), c("result", "measurement", "input_metric"))
    expect_identical(released[same], fields[same])
  }
})

test_that("release() visibly returns the result that it keeps", {
  for (statistic in statistics()) {
    expect_null(statistic$result)
    released <- withVisible(statistic$release(rows_for(statistic)))
    expect_true(released$visible)
    expect_s3_class(released$value, "dp_result")
    expect_identical(released$value, statistic$result)
    expect_true(all(c("release", "variable", "accuracy", "epsilon") %in% names(released$value)))
  }
  for (statistic in list(mean_of(), aggregate_of())) {
    result <- statistic$release(PUMS5extract10000)
    expect_named(result, c("release", "variable", "accuracy", "epsilon", "interval"))
    expect_type(result$release, "double")
  }
})

test_that("two releases are two draws", {
  statistic <- mean_of()
  first <- statistic$release(PUMS5extract10000)
  second <- statistic$release(PUMS5extract10000)
  expect_false(first$release == second$release)
  expect_identical(attributes(first), attributes(second))
})

test_that("copy() gives another object with the same plan and result", {
  for (statistic in statistics()) {
    result <- statistic$release(rows_for(statistic))
    other <- statistic$copy()
    expect_identical(other$getFields(), statistic$getFields())
    expect_identical(class(other), class(statistic))
    again <- other$release(rows_for(statistic))
    expect_identical(other$result, again)
    expect_identical(statistic$result, result)
  }
  statistic <- mean_of()
  first <- statistic$release(PUMS5extract10000)
  other <- statistic$copy()
  expect_false(identical(other$release(PUMS5extract10000), first))
})

test_that("D_R_5 an object from a file prints its class and releases again", {
  file <- withr::local_tempfile(fileext = ".rds")
  statistic <- mean_of()
  result <- statistic$release(PUMS5extract10000)
  saveRDS(statistic, file)
  loaded <- readRDS(file)
  expect_equal(loaded$epsilon, 0.1)
  expect_identical(loaded$result, result)
  expect_false(loaded$release(PUMS5extract10000)$release == result$release)
  expect_identical(statistic$result, result)
})

# Traces of a canary: its bytes in either order, and its decimal digits.
canary <- 7417.339117533921
traces_in <- function(object) {
  bytes <- serialize(object, NULL, xdr = TRUE)
  contains <- function(pattern, fixed = TRUE) length(grepRaw(pattern, bytes, fixed = fixed)) > 0
  c(
    contains(writeBin(canary, raw(), endian = "big")),
    contains(writeBin(canary, raw(), endian = "little")),
    # A few digits often occur within longer random numbers and hashes, so match them only as a
    # whole.
    vapply(c("7417", "7417[.]3", "7417[.]34"), function(digits) {
      contains(sprintf("(^|[^0-9a-f.])%s([^0-9a-f.]|$)", digits), fixed = FALSE)
    }, NA),
    vapply(7:17, function(digits) {
      contains(charToRaw(format(signif(canary, digits), digits = digits)))
    }, NA)
  )
}

test_that("D_R_3 only the release remembers the data", {
  data <- data.frame(x = c(canary, NA, 3), y = c(0, NA, 1), other = "zq9_canary")
  for (text in c("7417", "is 7417.3", "7417.34,", "17417.339")) expect_true(any(traces_in(text)))
  expect_true(any(traces_in(data)))
  expect_true(any(traces_in(utils::capture.output(utils::str(data)))))
  expect_false(any(traces_in("0.7417 and 7417.4 and a7417b and 17417.3 and 7417.312")))
  local_untried()
  loud <- function(x) {
    warning(toString(x))
    stop(toString(x))
  }
  # A closure made here would capture `data` in its environment, and this file in its source
  # reference.
  loud <- utils::removeSource(loud)
  environment(loud) <- baseenv()
  before <- options()
  build <- small(list(
    mean_of(variable = "x", n = 3, rng = c(0, 1e4)),
    mean_of(variable = "x", n = 2, rng = c(0, 1e4)),
    mean_of(variable = "other", n = 3),
    variance_of(variable = "x", n = 3, rng = c(0, 1e4)),
    histogram_of(variable = "x", n = 3, rng = c(0, 1e4), nBins = 2),
    histogram_of(varType = "character", variable = "other", n = 3, bins = c("a", "b")),
    histogram_of(variable = "x", n = 3, binWidth = 10),
    dpMedian(varType = "numeric", variable = "x", n = 3, rng = c(0, 1e4), epsilon = 1),
    dpTree("numeric", "x", 3, 2, c(0, 1e4), globalEps = 1),
    dpCovariance("mechanismLaplace", "numeric", 3, c("x", "y"), list(c(0, 1e4), c(0, 1)),
      globalEps = 1),
    dpGLM("mechanismObjective", "numeric", 3, list(c(0, 1e4), c(0, 1)), x ~ y, "ols", epsilon = 1),
    aggregate_of(variable = "x", n = 3, numSubsets = 2, rng = c(0, 1e4)),
    aggregate_of(
      variable = "x", n = 3, numSubsets = 2, rng = c(0, 1e4), innerFun = loud, outputRange = c(0, 1)
    )
  ))
  for (statistic in build) {
    outcomes <- list(
      tryCatch(statistic$release(data), condition = identity),
      tryCatch(do.call(statistic$release, list(data)), condition = identity)
    )
    expect_false(any(traces_in(outcomes)))
    output <- utils::capture.output(
      print(statistic), print(statistic$result), print(summary(statistic)), utils::str(statistic),
      if (!is.null(statistic$result)) cat(knit_print.dp_result(statistic$result))
    )
    expect_false(any(traces_in(output)))
    expect_false(any(grepl("zq9_canary", output, fixed = TRUE)))
    expect_false(any(traces_in(statistic)))
  }
  # All statistics have released, except two that reject such data.
  refused <- which(vapply(build, function(statistic) is.null(statistic$result), NA))
  expect_identical(refused, 2:3)
  changed <- options()
  changed <- changed[!vapply(names(changed), function(x) identical(changed[[x]], before[[x]]), NA)]
  expect_false(any(traces_in(changed)))
})
