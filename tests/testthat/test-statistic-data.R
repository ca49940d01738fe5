refusal <- function(data, variable = "x") {
  tryCatch(mean_of(variable = variable, n = 2)$release(data), error = identity)
}

test_that("D_R_2 plain columns of three types are read from any data frame", {
  columns <- list(c(1, 0), c(1L, 0L), c(TRUE, FALSE))
  for (column in columns) {
    data <- data.frame(x = column)
    expect_equal(exact_mean(data, rng = c(0, 1)), 0.5, tolerance = 1e-6)
    class(data) <- c("tbl_df", "tbl", "data.frame")
    expect_equal(exact_mean(data, rng = c(0, 1)), 0.5, tolerance = 1e-6)
  }
  expect_equal(exact_mean(data.frame(x = structure(c(1, 0), names = c("a", "b"))), rng = c(0, 1)),
    0.5,
    tolerance = 1e-6
  )
})

# Columns that are not numbers, by their name in the error: two of each kind, with different values.
unusable_columns <- list(
  text = list(c("1", "2"), c("a", NA)),
  `a factor` = list(factor(1:2), factor(c("b", NA), ordered = TRUE)),
  `a Date` = list(Sys.Date() + 0:1, structure(c(NA, 7L), class = "Date")),
  `a POSIXct` = list(Sys.time() + 0:1, as.POSIXct(c(NA, "2020-01-01"), tz = "UTC")),
  `a difftime` = list(as.difftime(1:2, units = "hours"), as.difftime(c(NA, 3), units = "secs")),
  `an integer64` = list(structure(c(1, 2), class = "integer64"), bit64::as.integer64(3:4)),
  labelled = list(
    structure(c(1, 2), labels = c(yes = 1), class = c("haven_labelled", "vctrs_vctr", "double")),
    structure(3:4, labels = c(no = 3), class = c("haven_labelled", "vctrs_vctr", "integer")),
    structure(1:2, class = c("labelled", "integer"))
  ),
  `a list` = list(list(1, 2), list(NULL, "a")),
  `a matrix or an array` = list(matrix(1:4, 2), matrix(c(0.5, NA), 2)),
  `a data frame` = list(data.frame(a = 1:2), data.frame(b = c("a", NA))),
  `of type complex` = list(c(1i, 2i), c(NA, 1i)),
  `of type raw` = list(as.raw(1:2), as.raw(3:4)),
  `of class AsIs` = list(I(1:2), I(c(NA, 1))),
  `of a class that is not known here` = list(
    structure(1:2, class = "age"), structure(c(NA, 3), class = "{income}")
  )
)

test_that("D_DOM_4 a non-numeric column raises an error that names its kind, not its values", {
  with_column <- function(x) structure(list(x = x), class = "data.frame", row.names = 1:2)
  messages <- vapply(names(unusable_columns), function(kind) {
    errors <- lapply(unusable_columns[[kind]], function(x) refusal(with_column(x)))
    for (error in errors) {
      expect_s3_class(error, "dp_error_invalid_argument")
      expect_identical(unclass(error), unclass(errors[[1]]), label = kind)
    }
    expect_null(conditionCall(errors[[1]]))
    conditionMessage(errors[[1]])
  }, "")
  start <- "^`data` needs one column `x` that is a plain logical, integer or double vector, "
  expect_match(messages, start)
  expect_true(all(startsWith(sub(start, "", messages), paste("not", names(messages)))))
  expect_identical(anyDuplicated(messages), 0L)
})

test_that("D_DOM_4 a column that is not text raises an error by kind, and factors are read", {
  statistic <- small(dpHistogram(
    varType = "character", variable = "x", n = 2, bins = c("a", "b"), epsilon = 1
  ))
  release <- function(x) {
    data <- structure(list(x = x), class = "data.frame", row.names = 1:2)
    tryCatch(statistic$release(data), error = conditionMessage)
  }
  for (x in unusable_columns$text) expect_s3_class(release(x), "dp_result")
  for (x in unusable_columns$`a factor`) expect_s3_class(release(x), "dp_result")
  for (kind in setdiff(names(unusable_columns), c("text", "a factor"))) {
    for (x in unusable_columns[[kind]]) {
      expect_match(release(x), paste0("text or a factor, not ", kind))
    }
  }
  expect_match(release(c(1, 2)), "not a numeric vector")
  expect_match(release(c(TRUE, NA)), "not a logical vector")
})

test_that("missing and duplicate columns, and other objects, raise different errors", {
  message <- function(data) conditionMessage(refusal(data))
  for (data in list(data.frame(), data.frame(y = 1:2), data.frame(xy = 1:2))) {
    expect_match(message(data), "one column `x`.*, but it has none[.]$")
  }
  twice <- data.frame(x = 1:2, x = 3:4, check.names = FALSE)
  expect_match(message(twice), ", but it has several[.]$")
  unnamed <- structure(list(1:2), class = "data.frame", row.names = 1:2)
  expect_match(message(unnamed), ", but it has none[.]$")
  expect_match(message(NULL), "must be a data frame, not NULL")
  expect_match(message(list(x = 1:2)), "must be a data frame, not a list")
  expect_match(message(c(3, 4)), "must be a data frame, not a numeric vector[.]$")
  expect_match(message(matrix(1:2)), "must be a data frame, not a matrix or an array")
})

statistics_with <- function(n_check) {
  lapply(names(valid_arguments), build_with, argument = "n_check", value = n_check)
}

# Rows 1 to `rows` of each column that the statistics of `valid_arguments` read.
rows_of_all <- function(statistic, rows) {
  texts <- statistic$varType %in% c("character", "factor")
  x <- if (texts) rep_len(c("a", "b"), rows) else seq_len(rows) / 20
  data.frame(x = x, y = rep(0.5, rows), z = rep(1, rows))
}

test_that("D_DOM_4 data with a wrong number of rows raise one error without a number", {
  errors <- unlist(recursive = FALSE, lapply(statistics_with("error"), function(statistic) {
    lapply(c(0, 1, 9, 11, 200), function(rows) {
      error <- tryCatch(statistic$release(rows_of_all(statistic, rows)), error = identity)
      expect_null(statistic$result)
      error
    })
  }))
  for (error in errors) {
    expect_s3_class(error, "dp_error_rows")
    expect_identical(unclass(error), unclass(errors[[1]]))
  }
  expect_no_match(conditionMessage(errors[[1]]), "[0-9]")
  expect_identical(errors[[1]]$argument, "data")
})

test_that("a plan that resizes reads any number of rows, at the same loss", {
  Map(function(refuses, resizes) {
    expect_identical(refuses$n_check, "error")
    expect_identical(resizes$n_check, "resize")
    expect_identical(reported_loss(resizes), reported_loss(refuses))
    for (rows in c(9, 10, 11)) {
      expect_s3_class(resizes$release(rows_of_all(resizes, rows)), "dp_result")
    }
    expect_s3_class(refuses$release(rows_of_all(refuses, 10)), "dp_result")
    expect_match(format(resizes), "n_check +resize", all = FALSE)
    expect_no_match(format(refuses), "n_check")
  }, statistics_with("error"), statistics_with("resize"))
})

test_that("the former name of the first check makes the same plan", {
  Map(function(now, then, resizes) {
    expect_identical(then$n_check, "error")
    expect_identical(plan_hash(then), plan_hash(now))
    expect_false(identical(plan_hash(resizes), plan_hash(now)))
  }, statistics_with("error"), statistics_with("refuse"), statistics_with("resize"))
})

test_that("a frame whose columns have different lengths does not have `n` rows", {
  statistic <- build_with("dpCovariance", character(), NULL)
  data <- structure(list(x = 1:10 / 10, y = 1:9 / 10), class = "data.frame", row.names = 1:10)
  expect_error(statistic$release(data), class = "dp_error_rows")
})

test_that("if rows may be added or removed, their number is not checked", {
  arguments <- c(valid_arguments$dpSampleAndAggregate, list(scheme = "labels"))
  for (n_check in c("error", "resize")) {
    statistic <- do.call(dpSampleAndAggregate, c(arguments, n_check = n_check))
    expect_null(statistic$n_check)
    for (rows in c(0, 5, 10, 15)) {
      expect_s3_class(statistic$release(rows_of_all(statistic, rows)), "dp_result")
    }
  }
})

test_that("D_R_2 names are matched exactly, never partially", {
  data <- data.frame(age = c(1, 1), age2 = c(0, 0))
  expect_s3_class(refusal(data, "ag"), "dp_error_invalid_argument")
  expect_equal(exact_mean(data, variable = "age", rng = c(0, 1)), 1, tolerance = 1e-6)
})

test_that("D_R_1 data are evaluated once", {
  count <- 0
  data <- function() {
    count <<- count + 1
    data.frame(x = c(1, 2))
  }
  mean_of(variable = "x", n = 2)$release(data())
  expect_equal(count, 1)
})

# Results of `use` for a column, for the same numbers as doubles, and with names.
each_storage <- function(column, use) {
  named <- stats::setNames(as.double(column), seq_along(column))
  frames <- lapply(list(column, as.double(column), named), function(x) list2DF(list(x = x)))
  lapply(frames, use)
}

test_that("integers, logical values and doubles of equal value give equal results", {
  mean_with_gaps <- function(missing) {
    function(data) {
      exactly(mean_of(
        variable = "x", n = nrow(data), epsilon = exact_epsilon, missing = missing
      ))$release(data)$release
    }
  }
  tree <- function(data) {
    round(unlist(exactly(tree_of(
      variable = "x", n = nrow(data), rng = c(0, 100), depth = 3, globalEps = 1e8,
      missing = "drop"
    ))$release(data)$release))
  }
  pair <- function(data) {
    both <- list2DF(list(x = data$x, y = rev(data$x)))
    exact_covariance(both, columns = c("x", "y"), rng = list(c(0, 100), c(0, 100)))
  }
  cov_of <- function(x, y) stats::cov(cbind(x, y))
  for (column in list(c(NA, 0:98), rep(c(NA, TRUE, FALSE), 40))) {
    full <- column[!is.na(column)]
    for (value in each_storage(full, mean_with_gaps("impute"))) {
      expect_equal(value, mean(full), tolerance = 1e-9)
    }
    for (value in each_storage(column, mean_with_gaps("drop"))) {
      expect_equal(value, mean(full), tolerance = 1e-9)
    }
    counts <- each_storage(column, tree)
    expect_identical(counts[[1]][[1]], as.double(length(full)))
    expect_identical(counts[-1], counts[c(1, 1)])
    # The noise is below 1e-11, the entries are at least 0.2.
    for (result in each_storage(full, pair)) {
      expect_equal(as.matrix(result$release), cov_of(full, rev(full)), tolerance = 1e-6)
    }
  }
})

test_that("a column is not copied before the core reads it", {
  for (column in list(1:3 + 0L, c(TRUE, NA), c(1, NaN), c(a = 1, b = 2))) {
    data <- list2DF(list(x = column))
    kept <- rlang::obj_address(.subset2(data, "x"))
    expect_identical(rlang::obj_address(column_of(data, "x")[[1]]), kept)
    expect_identical(rlang::obj_address(.subset2(columns_of(data, "x"), "x")[[1]]), kept)
  }
})

test_that("the core also rejects invalid values in a statistic's column", {
  count <- c(vector_domain(atom_domain(.T = "f64")), symmetric_distance()) |> then_count()
  column <- function(x) structure(list(x), class = "dp_numbers")
  expect_identical(count(arg = column(c(1L, NA))), 2L)
  frames <- make_create_dataframe("x")
  selected <- c(frames("output_domain"), frames("output_metric")) |>
    then_select_column("x", "f64") |>
    then_count()
  in_frame <- function(x) {
    structure(list(x = column(x)), class = "data.frame", row.names = .set_row_names(2L))
  }
  expect_identical(selected(arg = in_frame(c(TRUE, NA))), 2L)
  matrices <- list(matrix(1L, 1, 2), matrix(NA, 1, 2))
  for (bad in c(list(factor(c("a", "b")), "a", list(1), NULL, quote(x)), matrices)) {
    expect_error(count(arg = column(bad)), class = "dp_error_failed_cast")
    expect_error(selected(arg = in_frame(bad)), class = "dp_error_failed_cast")
  }
  expect_error(count(arg = structure(list(), class = "dp_numbers")), class = "dp_error_failed_cast")
  # Columns of different lengths do not form a frame.
  expect_error(selected(arg = in_frame(1:3)), class = "dp_error_failed_function")
})

test_that("grouped data are refused before any loss is charged", {
  data <- data.frame(sex = rep(0:1, 5), age = 1:10)
  grouped <- dplyr::group_by(data, sex)
  by_row <- dplyr::rowwise(data)
  statistics <- list(
    mean_of(n = 10),
    small(dpHistogram(variable = "sex", n = 10, bins = c("0", "1"), epsilon = 0.1)),
    small(dpCovariance(
      columns = c("sex", "age"), n = 10, rng = list(c(0, 1), c(0, 10)), epsilon = 1
    ))
  )
  for (statistic in statistics) {
    for (data in list(grouped, by_row)) {
      error <- expect_error(statistic$release(data), class = "dp_error_invalid_argument")
      expect_match(conditionMessage(error), "must not be grouped")
      expect_identical(error$argument, "data")
    }
    expect_null(statistic$result)
  }
})
