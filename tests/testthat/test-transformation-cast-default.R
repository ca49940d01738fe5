cast <- function(from, to) rows_of(from) |> then_cast_default(to)

test_that("the worked casts give the published results", {
  expect_identical(cast("String", "u8")(arg = c("2", "3", "a", "")), c(2L, 3L, 0L, 0L))
  expect_identical(cast("String", "bool")(arg = c("1", "", "1")), c(TRUE, FALSE, TRUE))
  expect_identical(cast("f64", "String")(arg = c(NaN, -Inf, Inf)), c("NaN", "-inf", "inf"))
  expect_identical(
    cast("String", "f64")(arg = c("1e+2", "1.e+02", "1.0E+00002", "01.E+02")), rep(100, 4)
  )
  expect_identical(is.nan(cast("String", "f64")(arg = c("nan", "x"))), c(TRUE, FALSE))
})

test_that("the output domain allows NaN only for floats", {
  expect_identical(
    toString(cast("String", "f64")("output_domain")), "VectorDomain(AtomDomain(nan=true, T=f64))"
  )
  expect_identical(toString(cast("f64", "i32")("output_domain")), "VectorDomain(AtomDomain(T=i32))")
})
