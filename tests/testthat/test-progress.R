withr::defer(show_progress(1))

test_that("a bar is shown when it is wanted, moves on, and goes away", {
  withr::local_options(PSIlence.progress = TRUE, cli.dynamic = FALSE)
  suppressMessages({
    show_progress(0.25)
    expect_false(is.null(progress$bar))
    bar <- progress$bar
    show_progress(0.5)
    expect_identical(progress$bar, bar)
    show_progress(1)
  })
  expect_null(progress$bar)
})

test_that("nothing is shown when nobody wants it", {
  for (wanted in list(FALSE, NULL, NA, "yes")) {
    withr::local_options(PSIlence.progress = wanted, rlang_interactive = FALSE)
    expect_silent(show_progress(0.5))
    expect_silent(show_progress(1))
    expect_null(progress$bar)
  }
})

test_that("a bar that was begun goes away, also when it is not wanted any more", {
  withr::local_options(PSIlence.progress = TRUE)
  suppressMessages(show_progress(0.5))
  withr::local_options(PSIlence.progress = FALSE)
  suppressMessages(show_progress(1))
  expect_null(progress$bar)
})

# What a bar, whose length is not known, has written when it ends.
shown_of_stream <- function(times) {
  withr::local_options(
    PSIlence.progress = TRUE, cli.dynamic = TRUE, cli.ansi = FALSE, cli.num_colors = 1L
  )
  said <- testthat::capture_messages({
    for (i in seq_len(times)) show_progress(NA_real_)
    show_progress(1)
  })
  paste(said, collapse = "")
}

test_that("a pass whose length nobody knows shows that it goes on, and no number of rows", {
  said <- shown_of_stream(40)
  expect_match(said, "Reading rows")
  expect_null(progress$bar)
  # Seconds are the only numbers, whatever has come.
  expect_no_match(gsub("\\[[0-9.]+m?s\\]", "", said), "[0-9%]")
})

test_that("who waits for an engine is told for which, while it takes and no longer", {
  withr::local_options(PSIlence.progress = TRUE, cli.dynamic = FALSE)
  said <- testthat::capture_messages(value <- while_waiting("DuckDB", 7))
  expect_identical(value, 7)
  expect_match(paste(said, collapse = ""), "DuckDB is counting")
  expect_silent(expect_identical(while_waiting(NULL, 7), 7))
  withr::local_options(PSIlence.progress = FALSE)
  expect_silent(expect_identical(while_waiting("DuckDB", 7), 7))
})
