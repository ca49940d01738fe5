constructors <- names(all_examples())
then_of <- function(constructor) sub("^make_", "then_", constructor)

# Constructor arguments that a then_ form keeps: all except the space from the pipe.
remaining_formals <- function(constructor, takes_space) {
  formals <- formals(constructor)
  c(formals(function(lhs) NULL), if (takes_space) formals[-(1:2)] else formals)
}

test_that("every constructor has an example, and every example has a constructor", {
  exported <- grep("^make_", getNamespaceExports("PSIlence"), value = TRUE)
  expect_setequal(exported, constructors)
})

test_that("constructors have the published arguments and defaults", {
  published <- read_fixture("r_api.csv")$name
  expect_gt(length(intersect(constructors, published)), 60)
  for (name in intersect(constructors, published)) {
    expect_identical(formals(name), expected_formals(name), info = name)
  }
})

test_that("every constructor has a then_ form, with the published arguments and defaults", {
  published <- read_fixture("r_api.csv")$name
  for (name in then_of(constructors)) {
    expect_true(name %in% getNamespaceExports("PSIlence"), info = name)
    if (name %in% published) {
      expect_identical(formals(name), expected_formals(name), info = name)
    }
  }
})

test_that("a then_ form has its constructor's remaining arguments", {
  examples <- all_examples()
  for (name in constructors) {
    expected <- remaining_formals(name, takes_space = !is.null(examples[[name]]$space))
    expect_identical(as.list(formals(then_of(name))), expected, info = name)
  }
})

test_that("a then_ form after a space builds the same object as its constructor", {
  examples <- constructor_examples()
  for (name in names(examples)) {
    example <- examples[[name]]
    built <- built_by(name, example)
    space <- if (is.null(example$space)) {
      c(built("input_domain"), built("input_metric"))
    } else {
      example$space
    }
    then <- suppressWarnings(
      do.call(then_of(name), c(list(space), example$args), quote = TRUE),
      classes = "deprecatedWarning"
    )
    expect_identical(toString(then), toString(built), info = name)
  }
})

test_that("a then_ form of a postprocessor chains after a measurement without extra loss", {
  counts <- rows_of("i32", l1_distance("i32")) |> then_laplace(scale = 2)
  for (name in setdiff(names(postprocessor_examples()), "make_cdf")) {
    args <- postprocessor_examples()[[name]]$args
    chained <- do.call(then_of(name), c(list(counts), args))
    expect_identical(chained(d_in = 1L), counts(d_in = 1L), info = name)
    expect_length(chained(arg = c(4000L, 2000L)), length(built_by(name)(arg = c(4000L, 2000L))))
  }
  shares <- rows_of("f64", l1_distance("f64"))
  shares <- c(vector_domain(atom_domain(.T = "f64", nan = FALSE)), shares[[2]]) |>
    then_laplace(scale = 0) |>
    then_cdf()
  expect_identical(shares(arg = c(2, 3, 5)), c(0.2, 0.5, 1))
})

test_that("a then_ form chains after a transformation", {
  clamped <- rows_of("i32") |> then_clamp(c(0L, 10L))
  total <- clamped |> then_sum()
  expect_identical(toString(total("input_domain")), "VectorDomain(AtomDomain(T=i32))")
  expect_identical(total(arg = c(5L, 50L)), 15L)
  noisy <- total |> then_laplace(scale = 5)
  expect_s3_class(noisy, "measurement")
  expect_identical(noisy(d_in = 1L), 2)
})

test_that("the left side must be a space or a transformation", {
  expect_error(then_sum(3), "expected a transformation or metric space. Got numeric",
    class = "dp_error_invalid_argument"
  )
  expect_error(then_sum(list(1, 2)), class = "dp_error_invalid_argument")
  noisy <- number_of("i32") |> then_laplace(scale = 5)
  expect_error(noisy |> then_laplace(scale = 5), "Got measurement",
    class = "dp_error_invalid_argument"
  )
})

test_that("to_then() gives a user's constructor the pipe form", {
  make_clamped_sum <- function(input_domain, input_metric, bounds, twice = FALSE) {
    c(input_domain, input_metric) |>
      then_clamp(if (twice) 2L * bounds else bounds) |>
      then_sum()
  }
  then_clamped_sum <- to_then(make_clamped_sum)
  expect_identical(as.list(formals(then_clamped_sum)), alist(lhs = , bounds = , twice = FALSE))
  clamped <- rows_of("String") |> then_cast_default("i32")
  total <- clamped |> then_clamped_sum(c(0L, 10L))
  expect_identical(total(arg = c("1", "200", "x")), 11L)
  expect_identical((clamped |> then_clamped_sum(c(0L, 10L), twice = TRUE))(d_in = 1L), 20L)
})

test_that("to_then() requires the input space as the first argument", {
  for (constructor in list(function() 1, function(x, input_metric) 1, function(input_domain) 1)) {
    expect_error(
      to_then(constructor),
      "the first two arguments of the constructor must be input_domain and input_metric",
      class = "dp_error_invalid_argument"
    )
  }
})
