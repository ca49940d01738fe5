counted <- rows_of("i32") |> then_count()
floats <- number_of("f64")

json_of <- function(...) jsonlite::parse_json(privacy_events(..., json = TRUE))

test_that("discrete noise is an event with its sensitivity", {
  events <- privacy_events(counted |> then_laplace(scale = 4), d_in = 3L)
  expect_identical(events$event, "DiscreteLaplaceDpEvent")
  expect_identical(events$parameters, "noise_parameter = 0.25, sensitivity = 3")
  expect_identical(events$mechanism, "laplace")
  event <- json_of(counted |> then_gaussian(scale = 4), d_in = 2L)
  expect_identical(event[c("module_name", "class_name")],
    list(module_name = "dp_accounting.dp_event", class_name = "DiscreteGaussianDpEvent"))
  expect_equal(event[c("sigma", "sensitivity")], list(sigma = 4, sensitivity = 2))
})

test_that("noise on floating-point numbers has the multiplier of its map", {
  laplace <- floats |> then_laplace(scale = 25)
  gaussian <- floats |> then_gaussian(scale = 25)
  expect_lte(json_of(laplace, d_in = 10)$noise_multiplier, 1 / laplace(d_in = 10))
  expect_equal(json_of(laplace, d_in = 10)$noise_multiplier, 2.5, tolerance = 1e-9)
  expect_equal(json_of(gaussian, d_in = 10)$noise_multiplier, 2.5, tolerance = 1e-9)
  # A user's grid has no density.
  expect_identical(
    privacy_events(floats |> then_laplace(scale = 25, k = 0L), d_in = 10)$event,
    "EpsilonDeltaDpEvent"
  )
})

test_that("responses, selections and map-only bounds have separate events", {
  coin <- make_randomized_response_bool(prob = 0.75)
  expect_equal(json_of(coin, d_in = 1L)$noise_parameter, 0.5)
  die <- make_randomized_response(c("a", "b", "c"), prob = 0.8)
  expect_equal(json_of(die, d_in = 1L)[c("noise_parameter", "num_buckets")],
    list(noise_parameter = 0.3, num_buckets = 3L), tolerance = 1e-12)
  cast <- counted |> then_gaussian(scale = 2) |> then_zCDP_to_approxDP() |>
    then_fix_delta(delta = 1e-6)
  expect_identical(privacy_events(cast, d_in = 1L)$event, "DiscreteGaussianDpEvent")
  mine <- rows_of("i32") |> then_user_measurement(max_divergence(), length, \(d) d / 2)
  expect_equal(json_of(mine, d_in = 1L)[c("epsilon", "delta")], list(epsilon = 0.5, delta = 0L))
  rho <- rows_of("i32") |>
    then_user_measurement(zero_concentrated_divergence(), length, \(d) d / 2)
  expect_equal(json_of(rho, d_in = 1L)$rho, 0.5)
})

test_that("samples contain the events of their releases, and equal releases are counted", {
  noisy <- counted |> then_gaussian(scale = 4)
  three <- make_composition(list(noisy, noisy, counted |> then_gaussian(scale = 8)))
  sampled <- three |> then_poisson_subsample(rate = 0.25)
  events <- privacy_events(sampled, d_in = 1L)
  expect_identical(events$times, c(2, 1))
  expect_identical(unique(events$sampling), "PoissonSampledDpEvent: sampling_probability = 0.25")
  event <- json_of(sampled, d_in = 1L)
  expect_identical(event$class_name, "PoissonSampledDpEvent")
  expect_identical(event$sampling_probability, 0.25)
  expect_identical(event$event$class_name, "ComposedDpEvent")
  expect_identical(event$event$events[[1]]$count, 2L)
  expect_identical(event$event$events[[1]]$event$class_name, "DiscreteGaussianDpEvent")
  amplified <- bounded_rows(c(0L, 1L), change_one_distance(), size = 10L) |>
    then_metric_unbounded() |>
    then_sum() |>
    then_laplace(scale = 1) |>
    then_population_amplification(population_size = 100L)
  event <- json_of(amplified, d_in = 1L)
  expect_identical(event$class_name, "SampledWithoutReplacementDpEvent")
  expect_equal(event[c("source_dataset_size", "sample_size")],
    list(source_dataset_size = 100, sample_size = 10))
})

test_that("every statistic has events, and JSON of them", {
  for (statistic in example_statistics()) {
    events <- privacy_events(statistic)
    expect_gt(nrow(events), 0)
    expect_true(all(grepl("DpEvent$", events$event)))
    expect_true(all(nzchar(events$mechanism)))
    expect_match(privacy_events(statistic, json = TRUE), "dp_accounting.dp_event", fixed = TRUE)
  }
})

test_that("the loss of events is at least the plan's loss", {
  mean_age <- dpMean("mechanismLaplace", "numeric", "age", 1000, c(18, 93), epsilon = 0.5,
    missing = "impute")
  event <- json_of(mean_age)
  loss <- if (event$class_name == "DiscreteLaplaceDpEvent") {
    event$noise_parameter * event$sensitivity
  } else {
    1 / event$noise_multiplier
  }
  expect_gte(loss, 0.4999999)
  expect_lte(mean_age$measurement(d_in = mean_age$d_in), loss)
})

test_that("only measurements have events", {
  expect_error(privacy_events(counted, d_in = 1L), class = "dp_error_invalid_argument")
  expect_error(privacy_events(counted |> then_laplace(1)), class = "dp_error_invalid_argument")
})

test_that("events print as a table", {
  events <- privacy_events(counted |> then_laplace(1), d_in = 1L)
  expect_output(print(events), "DiscreteLaplaceDpEvent")
})

test_that("a loss that only the map knows is an event of the map", {
  scored <- rows_of("i32") |>
    then_user_measurement(max_divergence(), \(x) c(0, 1), \(d) d / 2)
  best <- make_select_private_candidate(scored, stop_probability = 0.5, threshold = 2)
  expect_gte(json_of(best, d_in = 1L)$epsilon, best(d_in = 1L))
  sampled <- counted |> then_laplace(scale = 1) |> then_poisson_subsample(rate = 0.5)
  expect_identical(json_of(sampled, d_in = 1L)$sampling_probability, 0.5)
  expect_gte(json_of(sampled, d_in = 2L)$epsilon, sampled(d_in = 2L))
  drawn <- bounded_rows(c(0L, 1L), change_one_distance(), size = 4L) |>
    then_metric_unbounded() |>
    then_sum() |>
    then_laplace(scale = 1) |>
    then_subsample_without_replacement(size = 4L, population = 9L)
  event <- json_of(drawn, d_in = 1L)
  expect_identical(event$class_name, "SampledWithoutReplacementDpEvent")
  expect_identical(c(event$source_dataset_size, event$sample_size), c(9L, 4L))
  expect_gte(json_of(drawn, d_in = 2L)$epsilon, drawn(d_in = 2L))
})
