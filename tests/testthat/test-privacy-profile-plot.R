test_that("a profile is plotted over its informative range, and the points are returned", {
  withr::local_pdf(NULL)
  exponential <- new_privacy_profile(\(epsilon) exp(-epsilon))
  points <- plot(exponential)
  expect_named(points, c("epsilon", "delta"))
  expect_equal(points$delta, exp(-points$epsilon))
  expect_equal(max(points$epsilon), -log(1e-10), tolerance = 1e-6)
  expect_identical(plot(exponential, epsilon = 0:3)$epsilon, 0:3)
})

test_that("profiles that are zero, or never small, can be plotted", {
  withr::local_pdf(NULL)
  expect_identical(unique(plot(new_privacy_profile(\(epsilon) 0))$delta), 0)
  expect_identical(max(plot(new_privacy_profile(\(epsilon) 0.5))$epsilon), 10)
})

test_that("a profile has a ggplot, and prints some of its points", {
  exponential <- new_privacy_profile(\(epsilon) exp(-epsilon))
  expect_output(print(exponential), "delta 1e-06: epsilon 13.82", fixed = TRUE)
  expect_identical(toString(exponential), "PrivacyProfile")
  expect_identical(format(new_privacy_profile(\(epsilon) stop("no"))), "PrivacyProfile")
  skip_if_not_installed("ggplot2")
  drawn <- ggplot2::layer_data(ggplot2::autoplot(exponential, epsilon = 0:3))
  expect_equal(drawn$y, log10(exp(-(0:3))))
  expect_s3_class(ggplot2::autoplot(new_privacy_profile(\(epsilon) 0)), "ggplot")
})
