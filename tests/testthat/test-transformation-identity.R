test_that("any space goes through unchanged", {
  domain <- user_domain("mine", \(x) TRUE)
  same <- c(domain, user_distance("mine")) |> then_identity()
  thing <- list(1, letters, mean)
  expect_identical(same(arg = thing), thing)
  expect_identical(same(d_in = thing), thing)
  expect_identical((number_of("f64") |> then_identity())(d_in = 2.5), 2.5)
})
