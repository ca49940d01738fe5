clamped <- rows_of("i32") |> then_clamp(c(0L, 10L))
noisy <- number_of("i32") |> then_laplace(scale = 5)

test_that("chained maps and functions apply the parts one after another", {
  counted <- clamped |> then_resize(size = 3, constant = 1L) |> then_sum()
  expect_identical(counted(arg = c(5L, 500L)), 16L)
  for (d in 0:5) expect_identical(counted(d_in = d), d * 10L)
  all <- counted |> then_laplace(scale = 5)
  for (d in 0:5) expect_identical(all(d_in = d), noisy(d_in = counted(d_in = d)))
})

test_that("chains can be joined in any order", {
  counted <- make_sum(clamped("output_domain"), clamped("output_metric"))
  left <- make_chain_mt(noisy, make_chain_tt(counted, clamped))
  right <- make_chain_mt(make_chain_mt(noisy, counted), clamped)
  expect_identical(toString(left), toString(right))
  expect_identical(left(d_in = 3L), right(d_in = 3L))
})

test_that("a mismatch prints both sides, domains first", {
  expect_snapshot(error = TRUE, {
    clamped |> then_bounded_int_split_sum(c(0L, 11L))
    clamped |> then_bounded_int_ordered_sum(c(0L, 10L))
    rows_of("i64") |> then_sized_bounded_int_checked_sum(3, c(0L, 1L))
    make_chain_mt(noisy, clamped)
  })
  expect_error(
    clamped |> then_bounded_int_split_sum(c(0L, 11L)), class = "dp_error_domain_mismatch"
  )
  expect_error(clamped |> then_bounded_int_ordered_sum(c(0L, 10L)),
    class = "dp_error_metric_mismatch"
  )
})

test_that("a mismatch in unprinted fields says so", {
  domain <- user_domain("mine", \(x) TRUE)
  one <- make_identity(domain, user_distance("same"))
  other <- make_identity(user_domain("other", \(x) TRUE), user_distance("same"))
  expect_error(make_chain_tt(other, one), class = "dp_error_domain_mismatch")
  expect_s3_class(
    make_chain_tt(make_identity(domain, user_distance("same")), one), "transformation"
  )
})

test_that("equality is exact: type, bounds, size and metric count", {
  chains <- function(a, b) inherits(condition_of(make_chain_tt(b, a)), "transformation")
  same <- function(...) make_identity(vector_domain(...), symmetric_distance())
  atom <- \(...) atom_domain(...)
  expect_true(chains(same(atom(.T = "i32")), same(atom(.T = "int"))))
  expect_false(chains(same(atom(.T = "i32")), same(atom(.T = "i64"))))
  expect_false(chains(same(atom(bounds = c(0L, 1L))), same(atom(.T = "i32"))))
  expect_false(chains(same(atom(.T = "i32")), same(atom(.T = "i32"), size = 3)))
  expect_false(chains(same(atom(bounds = c(0, 1), nan = TRUE)), same(atom(bounds = c(0, 1)))))
  expect_true(chains(same(atom(bounds = c(-0, 1))), same(atom(bounds = c(0, 1)))))
  expect_false(chains(
    same(atom(.T = "i32")), make_identity(vector_domain(atom(.T = "i32")), insert_delete_distance())
  ))
})

test_that("objects that cannot be chained raise errors", {
  expect_error(chain(noisy, noisy), "cannot chain lhs and rhs: measurement, measurement",
    class = "dp_error_invalid_argument"
  )
  expect_error(chain(clamped, mean), "cannot chain lhs and rhs: transformation, function",
    class = "dp_error_invalid_argument"
  )
  expect_error(make_chain_tt(clamped, noisy), class = "dp_error_invalid_argument")
  expect_error(make_chain_mt(clamped, noisy), class = "dp_error_invalid_argument")
  expect_error(make_chain_pm(noisy, clamped), class = "dp_error_invalid_argument")
})

test_that("a constructor with a fixed space must start at the given one", {
  space <- bounded_rows(c(0L, 10L))
  expect_s3_class(space |> then_bounded_int_split_sum(c(0L, 10L)), "transformation")
  expect_error(space |> then_bounded_int_split_sum(c(0L, 11L)), class = "dp_error_domain_mismatch")
  expect_error(space |> then_bounded_int_ordered_sum(c(0L, 10L)),
    class = "dp_error_metric_mismatch"
  )
})
