# One class of results: statistics, queries and query batches share their methods.

skip_if_not_installed("dplyr", "1.0.10")

results_of_kinds <- function() {
  session <- plenty()
  table <- dp_tbl(session, hospital(), dp_unit(rows = 1), hospital_domain())
  wards <- dplyr::count(table, ward)
  days <- dplyr::summarise(table, d = dp_mean(days))
  mean <- dpMean(varType = "numeric", variable = "x", n = 100, rng = c(0, 9), epsilon = 1)
  list(
    statistic = mean$release(data.frame(x = rep(1:4, 25))),
    query = small(release(wards, epsilon = 100)),
    batch = small(release(dp_batch(session, wards = wards, days = days), epsilon = 100))
  )
}

test_that("no kind of result has its own methods for the common verbs", {
  methods <- getNamespaceInfo("PSIlence", "S3methods")
  verbs <- c("print", "format", "summary", "knit_print", "tidy", "glance", "as.data.frame",
    "confint", "plot", "autoplot", "as_flextable"
  )
  of_results <- methods[methods[, 1] %in% verbs, ]
  classes <- grep("result$|^dp_released(_batch)?$", of_results[, 2], value = TRUE)
  expect_identical(unique(classes), "dp_result")
  expect_identical(sort(of_results[of_results[, 2] == "dp_result", 1]), sort(verbs))
})

test_that("every kind of result supports the common verbs", {
  skip_if_not_installed("ggplot2")
  withr::local_pdf(NULL)
  for (x in results_of_kinds()) {
    expect_s3_class(x, "dp_result")
    tidy <- generics::tidy(x)
    columns <- c("term", "estimate", "conf.low", "conf.high", "mark", "covers")
    expect_identical(intersect(names(tidy), columns), columns)
    expect_type(tidy$mark, "character")
    expect_true("mark" %in% names(generics::tidy(x, conf.int = FALSE)))
    expect_false("conf.low" %in% names(generics::tidy(x, conf.int = FALSE)))
    expect_identical(generics::tidy(x, conf.level = 0.95), tidy)
    expect_error(generics::tidy(x, conf.level = 0.9), "other levels",
      class = "dp_error_invalid_argument"
    )
    expect_error(generics::tidy(x, exponentiate = TRUE), class = "dp_error_invalid_argument")
    expect_true(all(c("epsilon", "alpha", "notes") %in% names(generics::glance(x))))
    expect_identical(class(as.data.frame(x)), "data.frame")
    expect_identical(utils::capture.output(print(x)), format(x))
    expect_s3_class(suppressMessages(ggplot2::autoplot(x)), "ggplot")
    expect_identical(suppressMessages(plot(x)), x)
    expect_error(plot(x, "other"), "`what`", class = "dp_error_invalid_argument")
    expect_match(utils::capture.output(utils::write.csv(x)), "^\"\",", all = FALSE)
    expect_error(coef(x), class = "dp_error")
  }
})

test_that("a batch has the intervals, rows and plots of its queries", {
  batch <- results_of_kinds()$batch
  ends <- confint(batch)
  expect_identical(rownames(ends)[[1]], paste0("wards: ", rownames(confint(batch$wards))[[1]]))
  expect_identical(unname(ends[, 1]), generics::tidy(batch)$conf.low)
  expect_identical(attr(ends, "covers"), "the data as used")
  expect_identical(as.data.frame(batch), as.data.frame(generics::tidy(batch)))
  expect_identical(names(pictures(batch)), c("wards$n", "days$d"))
  expect_message(picture(batch, NULL, NULL), "Choose `days$d` with `what`",
    class = "dp_message_drawn", fixed = TRUE
  )
  expect_identical(picture(batch, "days$d", NULL), picture(batch$days, "d", NULL))
  expect_error(batch$ward, class = "dp_error_invalid_argument")
  expect_error(dp_publish(batch), "`$wards`", class = "dp_error_invalid_argument", fixed = TRUE)
})

test_that("columns of a query can have the names of elements of a statistic's result", {
  local_verbs()
  table <- dp_tbl(plenty(), hospital(), dp_unit(rows = 1), hospital_domain())
  out <- small(release(
    summarise(group_by(table, ward), bounds = dp_count(), status = dp_count(), N = dp_count(),
      n = dp_mean(days)
    ), epsilon = 100
  ))
  expect_identical(out$bounds, out[["bounds"]])
  expect_null(out$release)
  expect_identical(picture(out, "n", NULL)$title, "Private n by ward")
  expect_identical(picture(out, "N", NULL)$title, "Private N by ward")
  expect_false(inherits(dplyr::filter(out, n > 0), "dp_result"))
})
