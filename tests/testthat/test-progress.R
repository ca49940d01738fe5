withr::defer(show_progress(1))

test_that("a progress bar appears if requested, advances, and is removed", {
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

test_that("nothing appears unless requested", {
  for (wanted in list(FALSE, NULL, NA, "yes")) {
    withr::local_options(PSIlence.progress = wanted, rlang_interactive = FALSE)
    expect_silent(show_progress(0.5))
    expect_silent(show_progress(1))
    expect_null(progress$bar)
  }
})

test_that("a started bar is removed, even if progress is switched off meanwhile", {
  withr::local_options(PSIlence.progress = TRUE)
  suppressMessages(show_progress(0.5))
  withr::local_options(PSIlence.progress = FALSE)
  suppressMessages(show_progress(1))
  expect_null(progress$bar)
})

# Output of a bar of unknown length when it ends.
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

test_that("a pass of unknown length shows that it continues, but no number of rows", {
  said <- shown_of_stream(40)
  expect_match(said, "Reading rows")
  expect_null(progress$bar)
  # Seconds are the only numbers, whatever the data.
  expect_no_match(gsub("\\[[0-9.]+m?s\\]", "", said), "[0-9%]")
})

test_that("waiting for an engine shows a message that names it, only while it runs", {
  withr::local_options(PSIlence.progress = TRUE, cli.dynamic = FALSE)
  said <- testthat::capture_messages(value <- while_waiting("DuckDB", 7))
  expect_identical(value, 7)
  expect_match(paste(said, collapse = ""), "DuckDB is counting")
  expect_silent(expect_identical(while_waiting(NULL, 7), 7))
  withr::local_options(PSIlence.progress = FALSE)
  expect_silent(expect_identical(while_waiting("DuckDB", 7), 7))
})
