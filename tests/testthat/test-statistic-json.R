test_that("JSON-001 and JSON-002: descriptors name mechanisms, types and fields", {
  mean <- jsonlite::parse_json(meanGetJSON())
  expect_equal(mean$mechanisms, list("Laplace", "Snapping", "Gaussian"))
  expect_equal(mean$variableTypes$numeric$rTypes, list("numeric", "integer"))
  expect_named(mean$variableTypes$numeric$fields, c("n", "range"))
  expect_equal(mean$variableTypes$categorical$rTypes, list("logical"))
  histogram <- jsonlite::parse_json(histogramGetJSON())
  expect_equal(histogram$mechanisms, list("Laplace", "Snapping", "Gaussian", "Stability"))
  expect_named(histogram$variableTypes$categorical$fields, c("n", "bins"))
})

test_that("JSON-004: releases name their statistic and their cost", {
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
  expect_equal(entries[[2]]$statistic, "variance")
  expect_equal(entries[[2]]$variables, list("age"))
  expect_identical(
    entries[[3]]$privacyLoss, list(name = "approx dp", epsilon = 1L, delta = third$delta)
  )
  expect_lte(third$delta, 1e-3)
  expect_equal(entries[[1]]$algorithmInfo$argument$constraint,
    list(lowerbound = 0L, upperbound = 100L))
  expect_equal(entries[[1]]$algorithmInfo$argument$n_check, "refuse")
  expect_named(entries[[1]], c(
    "statistic", "variables", "releaseInfo", "privacyLoss", "accuracy", "batch", "nodeId",
    "algorithmInfo", "postprocess"
  ))
  named <- jsonlite::parse_json(release2json(first, "years"))
  expect_equal(named[["dp-releases"]][[1]]$variables, list("years"))
})

test_that("an unreleased statistic has no JSON", {
  expect_refused(release2json(mean_of()), "release")
  expect_refused(release2json(list(1)), "release")
  statistic <- mean_of()
  released(statistic)
  expect_refused(release2json(statistic, c("a", "b")), "namesList")
})

test_that("a descriptor lists exactly the mechanisms that can release the statistic", {
  for (name in names(valid_arguments)) {
    statistic <- sub("[, ].*", "", name)
    refusal <- message_of(build_with(name, "mechanism", "none"))
    named <- regmatches(refusal, gregexpr('"mechanism[A-Za-z]+"', refusal))
    shown <- jsonlite::parse_json(json_text(descriptor(statistic)))$mechanisms
    expect_identical(gsub('"mechanism|"', "", named[[1]]), unlist(shown), label = name)
  }
})

test_that("JSON-003: every statistic of one or several columns has its descriptor", {
  found <- jsonlite::parse_json(createJSON())
  names <- vapply(found, `[[`, "", "statistic")
  expect_setequal(names, vapply(sub("^dp", "", exported_statistics()), json_name, ""))
  for (entry in found) {
    expect_named(entry, c("statistic", "description", "mechanisms", "variableTypes"))
    for (kind in entry$variableTypes) expect_false(any(vapply(kind$fields, is.null, NA)))
  }
})

# Places where parsed JSON violates a schema, for the keywords that the package's schema uses.
schema_faults <- function(x, schema, at = "$") {
  is_object <- is.list(x) && (!is.null(names(x)) || length(x) == 0)
  is_array <- is.list(x) && is.null(names(x))
  is_a <- list(
    null = is.null(x), object = is_object, array = is_array, string = is.character(x),
    number = is.numeric(x), integer = is.numeric(x) && x == floor(x)
  )
  known <- c(
    "type", "const", "enum", "oneOf", "pattern", "format", "minimum", "maximum", "exclusiveMinimum",
    "exclusiveMaximum", "required", "additionalProperties", "properties", "items", "$schema", "$id",
    "title"
  )
  stopifnot(names(schema) %in% known)
  holds <- function(key, test) is.null(schema[[key]]) || isTRUE(test(schema[[key]]))
  alone <- c(
    holds("type", function(types) any(unlist(is_a[unlist(types)]))),
    holds("const", function(value) identical(x, value)),
    holds("enum", function(values) any(vapply(values, identical, NA, x))),
    holds("oneOf", function(options) {
      sum(lengths(lapply(options, schema_faults, x = x)) == 0) == 1
    }),
    holds("pattern", function(pattern) grepl(pattern, x)),
    holds("minimum", function(least) x >= least), holds("maximum", function(most) x <= most),
    holds("exclusiveMinimum", function(least) x > least),
    holds("exclusiveMaximum", function(most) x < most),
    holds("required", function(names) all(unlist(names) %in% names(x))),
    is.null(schema$additionalProperties) || all(names(x) %in% names(schema$properties))
  )
  inner <- intersect(names(schema$properties), names(x))
  c(
    if (!all(alone)) at,
    unlist(lapply(inner, function(name) {
      schema_faults(x[[name]], schema$properties[[name]], paste(at, name))
    })),
    if (!is.null(schema$items)) unlist(lapply(x, schema_faults, schema$items, paste(at, "[]")))
  )
}

release_schema <- function() {
  jsonlite::read_json(system.file("schema", "release.json", package = "PSIlence"))
}

test_that("releases of every statistic follow the schema", {
  statistics <- lapply(result_forms(), `[[`, "statistic")
  about <- list(
    description = "Ten thousand adults", unitOfAnalysis = "person", structure = "wide",
    dataSource = list(name = "sample", type = "File", format = "csv", filesize = "1 MB")
  )
  for (dataset in list(list(), about)) {
    found <- jsonlite::parse_json(release2json(statistics, dataset = dataset))
    expect_length(schema_faults(found, release_schema()), 0)
  }
  expect_equal(found$dataset$unitOfAnalysis, "person")
  told <- lapply(found$`dp-releases`, `[[`, "statistic")
  expect_setequal(told, lapply(sub("^dp", "", exported_statistics()), json_name))
  told <- lapply(found$`dp-releases`, function(entry) entry$algorithmInfo$argument$n_check)
  expect_identical(told, unname(lapply(statistics, function(x) {
    if (identical(x$n_check, "error")) "refuse" else x$n_check
  })))
  told <- vapply(found$`dp-releases`, function(entry) entry$algorithmInfo$plan, "")
  expect_identical(told, unname(vapply(statistics, plan_hash, "")))
})

test_that("the schema rejects invalid documents", {
  statistic <- mean_of()
  released(statistic)
  right <- jsonlite::parse_json(release2json(statistic))
  faults <- function(change) schema_faults(change(right), release_schema())
  expect_length(faults(identity), 0)
  loss <- function(x, value) {
    x$`dp-releases`[[1]]$privacyLoss <- value
    x
  }
  expect_length(faults(function(x) loss(x, list(name = "pure", epsilon = 0))), 1)
  expect_length(faults(function(x) loss(x, list(name = "pure"))), 1)
  expect_length(faults(function(x) loss(x, list(name = "concentrated dp", rho = 1))), 0)
  expect_length(faults(function(x) x[-1]), 1)
  expect_length(faults(function(x) {
    x$`dp-releases`[[1]]$algorithmInfo$argument$n_check <- "ignore"
    x
  }), 1)
  expect_length(faults(function(x) {
    x$dataset$structure <- "deep"
    x
  }), 1)
  expect_refused(release2json(statistic, dataset = list(size = 1)), "dataset")
})
