test_that("a summary lists the steps from the data to the release", {
  noisy <- rows_of("i32") |> then_clamp(c(0L, 10L)) |> then_sum() |> then_laplace(20)
  summary <- summary(noisy)
  expect_identical(summary$steps$step, c("input", "clamp", "sum", "laplace"))
  expect_identical(summary$steps$arguments, c(
    "VectorDomain(AtomDomain(T=i32)), SymmetricDistance()", "bounds = 0, 10", "",
    "scale = 20, MO = MaxDivergence"
  ))
  expect_identical(summary$hash, plan_hash(noisy))
  expect_output(print(summary), substr(plan_hash(noisy), 1, 16), fixed = TRUE)
  expect_output(print(summary), "clamp +bounds = 0, 10")
})

test_that("written-out and piped code have the same steps", {
  clamp <- make_clamp(rows_of("i32")[[1]], symmetric_distance(), c(0L, 10L))
  written <- make_chain_tt(make_sum(clamp$output_domain, clamp$output_metric), clamp)
  piped <- rows_of("i32") |> then_clamp(c(0L, 10L)) |> then_sum()
  expect_identical(summary(written)$steps, summary(piped)$steps)
})

test_that("postprocessors, list members and functions appear in the steps", {
  laplace <- number_of("i32") |> then_laplace(2)
  expect_identical(
    summary(laplace |> then_postprocess(\(x) -x))$steps$step, c("input", "laplace", "new_function")
  )
  both <- summary(make_composition(list(laplace, laplace)))$steps
  expect_identical(both$arguments, "measurements = 2 measurements")
  odometer <- make_fully_adaptive_composition(
    atom_domain(.T = "i32"), absolute_distance("i32"), max_divergence()
  )
  expect_identical(summary(odometer)$steps$step, c("input", "fully_adaptive_composition"))
})

test_that("every example has a summary that prints, and a long chain has all its steps", {
  for (object in Filter(\(x) inherits(x, c("transformation", "measurement")), built_examples())) {
    expect_output(print(summary(object)), "^Plan [0-9a-f]{16}\n  1  ")
  }
  chain <- rows_of("i32")
  for (i in 1:300) chain <- chain |> then_clamp(c(0L, 10L))
  expect_identical(nrow(summary(chain)$steps), 301L)
})

test_that("only framework objects have a hash", {
  for (x in list(1, NULL, mean, "plan")) {
    expect_error(plan_hash(x), class = "dp_error_invalid_argument")
  }
})
