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
