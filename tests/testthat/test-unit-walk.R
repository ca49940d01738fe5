# No sequence of public calls without a promise gives a receipt that states a unit which its
# measurement does not protect.

skip_if_not_installed("dplyr")
options(opendp_features = c("contrib", "honest-but-curious"))

test_that("D_UNIT_1: no receipt of a random walk states a unit that is not protected", {
  steps <- in_tier(quick = 2000, long = 1e5)
  found <- walk_over_units(steps)
  expect_identical(found[["false"]], 0)
  # At least one step of 36 releases a statistic on the ledger of one replaced row. So fewer than 10
  # of 2000 have a chance below 1e-11.
  expect_gt(found[["receipts"]], steps / 200)
  expect_gt(found[["refused"]], steps / 20)
})

test_that("D_UNIT_1: the same walk notices if units are not compared", {
  local_replaced("is_protected", function(...) TRUE)
  expect_gt(walk_over_units(100)[["false"]], 10)
})

test_that("D_UNIT_1: the same walk notices if only numbers of units are compared", {
  local_replaced("protects", function(released, owed) released$count >= owed$count)
  # About half of the steps: ten of 100 have a chance below 1e-16.
  expect_gt(walk_over_units(100)[["false"]], 10)
})
