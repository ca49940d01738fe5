sized <- bounded_rows(c(-10L, 10L), size = 3) |> then_sum()

# Plots to a device without output.
plot_silently <- function(...) {
  pdf(NULL)
  withr::defer(dev.off())
  withVisible(plot(...))
}

test_that("the plot of a map invisibly returns the points that it drew", {
  drawn <- plot_silently(sized, d_in = 0:9)
  expect_false(drawn$visible)
  expect_identical(
    drawn$value,
    data.frame(d_in = 0:9, d_out = c(0L, 0L, 20L, 20L, 40L, 40L, 60L, 60L, 80L, 80L))
  )
})

test_that("privacy maps can be plotted too", {
  noisy <- sized |> then_laplace(scale = 40)
  expect_identical(plot_silently(noisy, d_in = c(0, 2, 4))$value$d_out, c(0, 0.5, 1))
})

test_that("labels and type can be chosen", {
  expect_no_error(plot_silently(sized, xlab = "rows", ylab = "sum", main = "", type = "l", col = 2))
})

test_that("only maps to single numbers can be plotted", {
  pairs <- sized |> then_laplace(1) |> then_approximate()
  expect_error(plot_silently(pairs), "single numbers", class = "dp_error_invalid_argument")
  profiles <- sized |> then_gaussian(1) |> then_zCDP_to_approxDP()
  expect_error(plot_silently(profiles), class = "dp_error_invalid_argument")
})

test_that("an error of the map is the error of the plot", {
  expect_error(plot_silently(sized, d_in = c(0, 1.5)), class = "dp_error_failed_cast")
})

test_that("axis labels say in words what distances count", {
  expect_identical(axis_label("Input distance", symmetric_distance()),
    "Input distance: rows added or removed"
  )
  expect_identical(axis_label("Privacy loss", max_divergence()), "Privacy loss: epsilon")
  expect_identical(axis_label("Output distance", absolute_distance(.T = "f64")),
    "Output distance: absolute difference"
  )
})
