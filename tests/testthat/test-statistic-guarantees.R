# Guarantees of every statistic: with little noise it equals the exact statistic, and it hides one
# row as well as it claims (helper-audited-statistics.R). Each class, and each way to release it, is
# a row of this table (helper-statistic-*.R). A class without a row fails.
#
# `build(epsilon)` makes the statistic for `data`. `other` differs in its first row. `number` is a
# number of a result, and `exact` its value for `data` without noise. Releases miss it by at most
# `reach / epsilon + rest`, except once in 1e11 times. `rest` is the error of the answer grid. If a
# neighbour has the same statistic, `apart` has a different one.
guarantees <- facts_of_statistics("guarantees")

test_that("every exported statistic has a row", {
  expect_setequal(sub(",.*", "", names(guarantees)), exported_statistics())
  for (name in names(guarantees)) {
    expect_s3_class(small(guarantees[[name]]$build(1)), sub(",.*", "", name))
  }
})

misses <- function(row, number, epsilon) {
  abs(number - row$exact) > row$reach / epsilon + row$rest
}

for (name in names(guarantees)) {
  row <- guarantees[[name]]

  test_that(paste(name, "converges to the exact statistic as epsilon grows"), {
    for (epsilon in 10^c(3, 6, 9)) {
      statistic <- small(exactly(row$build(epsilon)))
      for (i in 1:5) {
        expect_false(misses(row, row$number(statistic$release(row$data)), epsilon))
      }
    }
    # Releases converge to these data: releases of other data converge elsewhere.
    other <- statistic$release(row$apart %||% row$other)
    expect_true(misses(row, row$number(other), epsilon))
  })
}

test_that("every exported statistic is audited", {
  expect_setequal(sub(",.*", "", names(statistic_audits())), exported_statistics())
})

test_audits(statistic_audits())
