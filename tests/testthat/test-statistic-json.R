test_that("JSON-001 and JSON-002: descriptors name mechanisms, types and fields", {
  mean <- jsonlite::parse_json(meanGetJSON())
  expect_equal(mean$mechanisms, list("Laplace"))
  expect_equal(mean$variableTypes$numeric$rTypes, list("numeric", "integer"))
  expect_named(mean$variableTypes$numeric$fields, c("n", "range"))
  expect_equal(mean$variableTypes$categorical$rTypes, list("logical"))
  histogram <- jsonlite::parse_json(histogramGetJSON())
  expect_equal(histogram$mechanisms, list("Laplace", "Stability"))
  expect_named(histogram$variableTypes$categorical$fields, c("n", "bins"))
})

test_that("JSON-004: releases say what they are and what they cost", {
  first <- mean_of()
  second <- variance_of()
  third <- suppressWarnings(histogram_of(varType = "character", variable = "x", n = 100,
    epsilon = 1, delta = 1e-3))
  released(first)
  released(second)
  third$release(data.frame(x = rep("a", 100)))
  found <- jsonlite::parse_json(release2json(list(first, second, third)))
  entries <- found[["dp-releases"]]
  expect_length(entries, 3)
  expect_equal(entries[[1]]$releaseInfo$releaseValue, first$result$release, tolerance = 1e-13)
  expect_equal(entries[[1]]$privacyLoss, list(name = "pure", epsilon = 0.1))
  expect_equal(entries[[2]]$statistic, "Variance")
  expect_equal(entries[[2]]$variables, list("age"))
  expect_equal(entries[[3]]$privacyLoss, list(name = "approx dp", epsilon = 1, delta = 1e-3))
  expect_equal(entries[[1]]$algorithmInfo$argument$constraint,
    list(lowerbound = 0L, upperbound = 100L))
  expect_named(entries[[1]], c(
    "statistic", "variables", "releaseInfo", "privacyLoss", "accuracy", "batch", "nodeId",
    "algorithmInfo", "postprocess"
  ))
  named <- jsonlite::parse_json(release2json(first, "years"))
  expect_equal(named[["dp-releases"]][[1]]$variables, list("years"))
})

test_that("what has not been released has no JSON", {
  expect_refused(release2json(mean_of()), "release")
  expect_refused(release2json(list(1)), "release")
  statistic <- mean_of()
  released(statistic)
  expect_refused(release2json(statistic, c("a", "b")), "namesList")
})

test_that("JSON-003: every statistic of a column or of several has its descriptor", {
  found <- jsonlite::parse_json(createJSON())
  names <- vapply(found, `[[`, "", "statistic")
  for (name in paste0("dp", names)) expect_s3_class(get(name), "dp_generator")
  expect_true(all(c("Covariance", "Tree", "Quantile", "HeavyHitters") %in% names))
  for (entry in found) {
    expect_named(entry, c("statistic", "description", "mechanisms", "variableTypes"))
    for (kind in entry$variableTypes) expect_false(any(vapply(kind$fields, is.null, NA)))
  }
})
