cast <- function(from, to) rows_of(from) |> then_cast(to)

test_that("the worked casts give the published results", {
  expect_identical(
    cast("f64", "i64")(arg = c(1, 1e10, 0.5, NaN, -Inf, Inf)),
    integer64_of(c("1", "10000000000", "0", NA, NA, NA))
  )
  expect_identical(cast("f64", "u8")(arg = c(-1, NaN, -Inf, Inf, -0.9)), c(NA, NA, NA, NA, 0L))
  expect_identical(
    cast("String", "i32")(arg = c("12", "+3", "-4", " 5", "1.0", "1e3", "0x10", "", "2147483648")),
    c(12L, 3L, -4L, NA, NA, NA, NA, NA, NA)
  )
  expect_identical(cast("i32", "bool")(arg = c(0L, 7L)), c(FALSE, TRUE))
  expect_identical(cast("bool", "String")(arg = c(TRUE, FALSE)), c("true", "false"))
  expect_identical(cast("String", "bool")(arg = c("", "false")), c(FALSE, TRUE))
  expect_identical(
    cast("f64", "String")(arg = c(1, 0.1, 1e21)), c("1", "0.1", "1000000000000000000000")
  )
})

test_that("every pair of types casts", {
  types <- c(
    "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "usize", "f32", "f64", "bool", "String"
  )
  for (from in types) {
    one <- switch(from, f32 = , f64 = 1, bool = TRUE, String = "1", 1L)
    for (to in types) {
      expected <- switch(to, bool = TRUE, String = if (from == "bool") "true" else "1", 1)
      out <- cast(from, to)(arg = rep(one, 3))
      # Text names of logical values cannot be cast to numbers.
      if (!anyNA(out)) expect_true(all(out == expected), info = paste(from, to))
      expect_false(anyNA(out))
    }
  }
})

test_that("casting never warns", {
  withr::local_options(warn = 2)
  expect_identical(cast("String", "f64")(arg = c("x", "1", NA_character_[0])), c(NA, 1))
})

test_that("bounds are dropped and a size is kept", {
  lost <- bounded_rows(c(0L, 1L), size = 3) |> then_cast("f64")
  expect_identical(
    toString(lost("output_domain")),
    "VectorDomain(OptionDomain(AtomDomain(nan=true, T=f64)), size=3)"
  )
})

test_that("types must exist", {
  expect_error(rows_of("i32") |> then_cast("i31"), class = "dp_error_type_parse")
  expect_error(rows_of("i32") |> then_cast(3), class = "dp_error_invalid_argument")
  expect_error(
    make_cast(vector_domain(option_domain(atom_domain(.T = i32))), symmetric_distance(), "f64"),
    class = "dp_error_failed_cast"
  )
})
