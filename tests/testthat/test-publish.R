# Tables for publication: each number keeps its interval, its mark and its notes.

skip_if_not_installed("dplyr", "1.0.10")

published_query <- function() {
  data <- data.frame(ward = rep(c("North", "South"), c(3000, 3)), age = rep_len(18:57, 3003))
  table <- dp_tbl(plenty(), data, dp_unit(rows = 1), dp_domain(
    ward = dp_levels("North", "South", "East"), age = dp_int(0, 120)
  ))
  table |>
    dplyr::group_by(ward) |>
    dplyr::summarise(
      n = dp_count(), age = dp_mean(age), h = dp_histogram(age, c(0, 30, 120))
    ) |>
    release(epsilon = 4)
}

test_that("each cell of a published query has its interval and mark, with notes", {
  released <- published_query()
  table <- dp_publish(released, c("n", "age"))
  expect_s3_class(table, c("dp_published", "data.frame"), exact = TRUE)
  expect_named(table, c("ward", "n", "age"))
  tidy <- generics::tidy(released)
  for (term in c("n", "age")) {
    lines <- tidy[tidy$term == term, ]
    has_interval <- grepl("^-?[0-9.]+ \\[-?[0-9.]+; -?[0-9.]+\\]", table[[term]])
    expect_identical(has_interval, is.finite(lines$conf.low))
    expect_identical(grepl(" [*?~^]$", table[[term]]), lines$mark != "")
  }
  notes <- attr(table, "notes")
  expect_match(notes[[1]], "Differentially private: epsilon 4 for 1 row", fixed = TRUE)
  expect_match(notes, "95% intervals of the noise", fixed = TRUE, all = FALSE)
  expect_output(print(table), "unit: 1 row; loss: epsilon 4", fixed = TRUE)
  expect_match(knitr::knit_print(table), "loss: epsilon 4", fixed = TRUE)
  cells <- dp_publish(released, "h")
  expect_named(cells, c("ward", "cell", "h"))
  expect_identical(nrow(cells), 6L)
})

test_that("incomplete requests and unknown columns raise errors", {
  released <- published_query()
  expect_error(dp_publish(released), "`what`", class = "dp_error_invalid_argument")
  expect_error(dp_publish(released, "other"), class = "dp_error_invalid_argument")
  expect_error(dp_publish(released, "n", rows = 0), class = "dp_error_invalid_argument")
  expect_error(dp_publish(data.frame(x = 1)), class = "dp_error_invalid_argument")
  expect_error(dp_publish(mean_of()), class = "dp_error_invalid_argument")
  expect_error(dp_publish(released(mean_of()), "age"), class = "dp_error_invalid_argument")
})

test_that("rows of a published table are an ordinary data frame", {
  table <- dp_publish(published_query(), "n")
  expect_identical(class(table[1, ]), "data.frame")
  expect_null(attr(table[1, ], "notes"))
  more <- dp_publish(published_query(), "n", rows = 2)
  expect_identical(nrow(more), 2L)
  expect_identical(attr(more, "notes")[[1]], "And 1 more rows.")
})

test_that("kable() of a published table keeps intervals and marks", {
  table <- dp_publish(published_query(), c("n", "age"))
  lines <- as.character(knitr::kable(table, format = "pipe"))
  for (cell in unlist(unclass(table)[c("n", "age")])) {
    expect_match(lines, cell, fixed = TRUE, all = FALSE)
  }
})

test_that("flextables of releases have intervals, marks and notes", {
  skip_if_not_installed("flextable")
  released <- published_query()
  statistic <- released(mean_of())
  for (case in list(
    list(drawn = flextable::as_flextable(released, what = "n"), of = dp_publish(released, "n")),
    list(drawn = flextable::as_flextable(statistic), of = dp_publish(statistic))
  )) {
    expect_s3_class(case$drawn, "flextable")
    expect_identical(unname(as.list(case$drawn$body$dataset)), unname(as.list(unclass(case$of))),
      ignore_attr = TRUE
    )
    expect_identical(case$drawn$footer$dataset[[1]], attr(case$of, "notes"))
  }
})

test_that("a published statistic says what its intervals are for", {
  result <- released(mean_of())
  table <- dp_publish(result)
  expect_named(table, c("term", "estimate", "conf.low", "conf.high"))
  expect_match(attr(table, "notes"), paste0("95% intervals are for ", main_target(result), "."),
    fixed = TRUE, all = FALSE
  )
  expect_match(knitr::knit_print(result), "95% intervals are for", fixed = TRUE)
})

test_that("a wide release prints in blocks that repeat the groups", {
  withr::local_options(width = 60)
  released <- published_query()
  lines <- format(released)
  rows <- grep("^  (ward|North|South|East) ", lines, value = TRUE)
  expect_true(all(nchar(rows) <= 60))
  narrow <- withr::with_options(list(width = 30), format(released))
  expect_length(grep("^  ward +(n|age)", narrow), 2)
  wide <- withr::with_options(list(width = 200), format(released))
  expect_length(grep("^  ward +n .*age", wide), 1)
})

test_that("numbers that noise rounds to 0 have no sign", {
  lines <- data.frame(estimate = -3, conf.low = -13, conf.high = 7)
  expect_identical(show_alike(lines$estimate, "noise", lines), "0")
})
