# Pictures of released queries: nothing is lost that the numbers need.

skip_if_not_installed("dplyr", "1.0.10")
skip_if_not_installed("ggplot2")

drawn_query <- function() {
  data <- data.frame(
    ward = rep(c("North", "South"), c(2000, 2)), sex = c("f", "m"), age = rep_len(18:57, 2002)
  )
  table <- dp_tbl(plenty(), data, dp_unit(rows = 1), dp_domain(
    ward = dp_levels("North", "South"), sex = dp_levels("f", "m"), age = dp_int(0, 120)
  ))
  table |>
    dplyr::group_by(ward, sex) |>
    dplyr::summarise(
      n = dp_count(), q = dp_quantile(age, c(0.25, 0.75)), h = dp_histogram(age, c(0, 30, 120))
    ) |>
    release(epsilon = 1)
}

test_that("all groups but the last have panels, and the axis one kind of name", {
  released <- drawn_query()
  counts <- ggplot2::ggplot_build(ggplot2::autoplot(released, "n"))
  expect_identical(as.character(counts$layout$layout$panel), c("North", "South"))
  expect_identical(counts$plot$labels$x, "sex")
  expect_identical(levels(counts$plot$data$term), c("f", "m"))
  for (case in list(c("q", "probability"), c("h", "cell"))) {
    built <- ggplot2::ggplot_build(ggplot2::autoplot(released, case[[1]]))
    expect_identical(as.character(built$layout$layout$panel),
      c("North, f", "North, m", "South, f", "South, m")
    )
    expect_true(case[[2]] %in% c(built$plot$labels$x, built$plot$labels$y))
  }
})

test_that("marks are drawn beside their numbers, which are hollow", {
  released <- drawn_query()
  tidy <- generics::tidy(released)
  rows <- tidy[tidy$term == "n", ]
  # Groups of one row: half of the interval, of 6 rows at epsilon 1/3, is longer than the number in
  # all but a small share of releases. The picture must agree with `tidy()` in all of them.
  plot <- ggplot2::autoplot(released, "n")
  bars <- ggplot2::layer_data(plot, 1)
  expect_identical(bars$fill == "white", rows$mark != "")
  signs <- ggplot2::layer_data(plot, 3)
  expect_identical(nzchar(signs$label), rows$mark != "")
  points <- ggplot2::layer_data(ggplot2::autoplot(released, "q"), 1)
  of_quantiles <- tidy[startsWith(tidy$term, "q["), ]
  expect_identical(points$shape == 1, of_quantiles$mark != "")
})

test_that("the notes of a picture are broken into lines that fit below it", {
  released <- drawn_query()
  longest <- function(note) max(nchar(strsplit(note, "\n", fixed = TRUE)[[1]]))
  note <- picture(released, "q", environment())$note
  expect_gt(longest(note), 110)
  caption <- ggplot2::autoplot(released, "q")$labels$caption
  expect_lte(longest(caption), 96)
  words <- function(text) strsplit(text, "[ \n]+")[[1]]
  expect_identical(words(caption), words(note))
})

test_that("a picture without `what` names the columns that it leaves out", {
  released <- drawn_query()
  expect_message(ggplot2::autoplot(released), "Choose `q` and `h` with `what`",
    class = "dp_message_drawn", fixed = TRUE
  )
  expect_no_message(ggplot2::autoplot(released, "n"))
})
