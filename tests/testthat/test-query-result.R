released_counts <- function() {
  data <- data.frame(region = rep(c("North", "South"), c(3000, 1000)), age = rep(18:57, 100))
  table <- dp_tbl(dp_session(dp_epsilon(10)), data, dp_unit(rows = 1), dp_domain(
    region = dp_levels("North", "South"), age = dp_int(0, 120)
  ))
  table |>
    dplyr::group_by(region) |>
    dplyr::summarise(
      n = dp_count(), age = dp_mean(age), q = dp_quantile(age, c(0.25, 0.75), at = 0:120)
    ) |>
    release(epsilon = 5)
}

test_that("a release is a tibble with what is known of its noise", {
  out <- released_counts()
  expect_identical(out$region, c("North", "South"))
  expect_identical(lengths(out$q), c(2L, 2L))
  tidy <- generics::tidy(out)
  expect_identical(
    names(tidy), c("region", "term", "estimate", "std.error", "conf.low", "conf.high")
  )
  expect_identical(nrow(tidy), 8L)
  expect_true(all(tidy$conf.low <= tidy$estimate & tidy$estimate <= tidy$conf.high, na.rm = TRUE))
  expect_false(anyNA(tidy$conf.low[tidy$term == "n"]))
  expect_identical(tidy$estimate[tidy$term == "n"], out$n)
  glance <- generics::glance(out)
  expect_equal(glance$epsilon, 5)
  expect_identical(glance$unit, "1 row")
  expect_match(glance$plan, "^[0-9a-f]{64}$")
})

test_that("what verbs make of a release is an ordinary tibble", {
  out <- released_counts()
  for (plain in list(
    dplyr::filter(out, n > 0), dplyr::arrange(out, n), dplyr::mutate(out, half = n / 2), out[1, ],
    dplyr::select(out, n)
  )) {
    expect_false(inherits(plain, "dp_released"))
    expect_null(attr(plain, "released"))
    expect_s3_class(plain, "tbl_df")
  }
  expect_identical(out$n, out[["n"]])
})

test_that("a release prints the loss and the unit", {
  lines <- format(released_counts())
  expect_match(lines[[1]], "epsilon 5 for 1 row", fixed = TRUE)
  expect_length(lines, 4)
  expect_output(print(summary(released_counts())), "loss    epsilon 5 for 1 row", fixed = TRUE)
  shown <- knitr::knit_print(released_counts())
  expect_match(shown, "Differentially private: epsilon 5 for 1 row.", fixed = TRUE)
})

test_that("all columns of a release are drawn", {
  out <- released_counts()
  withr::local_pdf(withr::local_tempfile(fileext = ".pdf"))
  for (what in c("n", "age", "q")) {
    expect_identical(plot(out, what), out)
    expect_s3_class(ggplot2::autoplot(out, what), "ggplot")
  }
  expect_error(plot(out, "other"), class = "dp_error_invalid_argument")
})
