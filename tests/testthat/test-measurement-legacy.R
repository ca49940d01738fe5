quietly <- function(object) suppressWarnings(object, classes = "deprecatedWarning")

build_loudly <- function(name) {
  example <- constructor_examples()[[name]]
  do.call(name, c(example$space, example$args), quote = TRUE)
}

test_that("each former name warns and calls its replacement", {
  former <- grep("^make_base_", getNamespaceExports("PSIlence"), value = TRUE)
  expect_length(former, 9)
  for (name in former) {
    expect_warning(build_loudly(name), paste0(name, "() is deprecated. Use make_"),
      fixed = TRUE, class = "deprecatedWarning"
    )
  }
})

test_that("the catalogue's example loses 4", {
  twice <- rows_of("i32") |> then_clamp(c(1L, 2L))
  doubled <- make_user_transformation(
    twice("input_domain"), symmetric_distance(), twice("input_domain"), symmetric_distance(),
    \(x) c(x, x), \(d_in) 2 * d_in
  )
  noisy <- quietly(doubled |> then_clamp(c(1L, 2L)) |> then_sum() |> then_base_discrete_laplace(1))
  expect_identical(noisy(d_in = 1L), 4)
})

test_that("a grid finer than the type's counts as the finest", {
  noisy <- quietly(number_of("f32") |> then_base_laplace(scale = 1))
  expect_identical(noisy(d_in = 1), 1)
  coarse <- quietly(number_of("f32") |> then_base_gaussian(scale = 0, k = 2))
  expect_identical(coarse(arg = 5), 4)
})

test_that("thresholds no longer accept a plain L1 distance", {
  counts <- map_domain(atom_domain(.T = "String"), number_of("f64")[[1]])
  expect_error(
    quietly(make_base_laplace_threshold(counts, l1_distance("f64"), 1, 10)),
    class = "dp_error_type"
  )
})
