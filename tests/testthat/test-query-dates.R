visits <- function(session = plenty()) {
  days <- as.Date("2026-01-01") + c(0, 10, 20, 30, 40)
  dp_tbl(session, data.frame(day = days, ward = c("a", "a", "a", "b", "b")),
    unit = dp_unit(rows = 1), domain = dp_domain(
      day = dp_date(as.Date("2025-01-01"), as.Date("2026-12-31")), ward = dp_levels("a", "b")
    )
  )
}

near <- function(x, y) expect_lte(max(abs(as.numeric(x - as.Date(y)))), 1)

test_that("means and quantiles of dates are dates, with and without groups", {
  local_verbs()
  released <- visits() |>
    group_by(ward) |>
    summarise(
      n = dp_count(), mean = dp_mean(day),
      median = dp_median(day, at = as.Date("2026-01-01") + 0:60)
    ) |>
    exact_release()
  expect_s3_class(released$mean, "Date")
  expect_s3_class(released$median, "Date")
  expect_type(released$n, "double")
  near(released$mean, c("2026-01-11", "2026-02-05"))
  near(released$median[[1]], "2026-01-11")
  expect_true(any(grepl("2026-01-1", format(released))))
})

test_that("several quantiles and bounds are dates too", {
  local_verbs()
  released <- visits() |>
    summarise(
      q = dp_quantile(day, c(0.3, 0.7), at = as.Date("2026-01-01") + 0:60),
      late = dp_mean(day, bounds = as.Date(c("2026-01-21", "2026-02-28"))),
      h = dp_histogram(day, as.Date(c("2026-01-01", "2026-01-15", "2026-03-01")))
    ) |>
    exact_release()
  expect_s3_class(released$q[[1]], "Date")
  near(released$q[[1]], c("2026-01-11", "2026-01-31"))
  near(released$late, "2026-01-27")
  expect_named(released$h[[1]], c("2026-01-01 to 2026-01-15", "2026-01-15 to 2026-03-01"))
  shown <- paste(format(released), collapse = " ")
  days <- "2026-01-11 ~  2026-01-31 ~  2026-01-27 [2026-01-27; 2026-01-27]"
  expect_match(shown, days, fixed = TRUE)
  table <- generics::tidy(released)
  expect_type(table$estimate, "double")
})

test_that("values computed from dates are numbers, and dates have no sum", {
  local_verbs()
  released <- visits() |>
    summarise(sd = dp_sd(day), year = dp_mean(day) / 365.25 + 1970, n = dp_n_distinct(day)) |>
    exact_release()
  expect_equal(released$sd, stats::sd(c(0, 10, 20, 30, 40)), tolerance = 0.2)
  expect_equal(released$year, 2026, tolerance = 1e-3)
  expect_error(summarise(visits(), dp_sum(day)), "`day` has dates", class = "dp_error_unsupported")
})

test_that("date groups are shown as dates", {
  local_verbs()
  released <- visits() |> count(day) |> dp_keys(data.frame(day = as.Date("2026-01-11"))) |>
    exact_release()
  expect_match(paste(format(released), collapse = " "), "2026-01-11", fixed = TRUE)
  expect_match(paste(knitr::knit_print(released), collapse = " "), "2026-01-11", fixed = TRUE)
})

test_that("dates are plotted on a date axis", {
  local_verbs()
  released <- visits() |> group_by(ward) |> summarise(day = dp_mean(day)) |> release(epsilon = 100)
  drawn <- ggplot2::autoplot(released)
  expect_s3_class(drawn$data$estimate, "Date")
  expect_s3_class(ggplot2::layer_scales(drawn)$x, "ScaleContinuousDate")
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  expect_invisible(plot(released))
})
