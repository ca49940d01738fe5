# What follows from the declaration of a statistic.

generators <- function() mget(exported_statistics(), asNamespace("PSIlence"))

test_that("every statistic is declared, with fields, a plan and arguments of its own", {
  expect_gte(length(generators()), 10)
  for (name in exported_statistics()) {
    generator <- get(name, asNamespace("PSIlence"))
    declared <- declaration_of(generator)
    expect_identical(deparse(declared$call), paste0(name, "()"))
    named <- c(declared$required, unlist(declared$or), names(declared$or))
    expect_identical(setdiff(named, names(formals(generator))), character())
    expect_identical(formals(generator), formals(class_of(generator)$public_methods$initialize))
    expect_true(all(c("measurement", "epsilon") %in% names(class_of(generator)$active)))
  }
})

test_that("a shared argument is refused by its name in every statistic that has it", {
  wrong <- list(
    mechanism = "mechanismNone", varType = "complex", variable = 1, n = 0.5, n_check = "guess",
    alpha = 2
  )
  expect_setequal(names(wrong), names(shared_parameters))
  for (name in names(valid_arguments)) {
    arguments <- names(formals(generator_of(name)))
    for (argument in intersect(names(wrong), arguments)) {
      expect_refused(build_with(name, argument, wrong[[argument]]), argument)
    }
  }
})

test_that("one call checks a shared argument once, in its canonical form", {
  declared <- declaration_of(dpVariance)
  checked <- check_shared(list(varType = "DOUBLE", alpha = 0.1, n = 5, rng = "kept"), declared)
  expect_identical(checked, list(varType = "numeric", alpha = 0.1, n = 5, rng = "kept"))
  expect_identical(check_shared(list(mechanism = NULL), declaration_of(dpHistogram)),
    list(mechanism = NULL))
})

test_that("a saved statistic takes along nothing of how its class is made", {
  for (name in c("dpMean", "dpHistogram")) {
    statistic <- build_with(name, character(), NULL)
    expect_identical(environment(class_of(generator_of(name))$public_methods$initialize),
      asNamespace("PSIlence"))
    expect_identical(parent.env(statistic$.__enclos_env__), asNamespace("PSIlence"))
  }
})
