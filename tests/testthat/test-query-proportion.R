people_by_two <- function() {
  data <- data.frame(
    sex = rep(c("f", "m"), c(6000, 4000)),
    town = rep(c("A", "B", "A", "B"), c(4500, 1500, 1000, 3000))
  )
  dp_tbl(dp_session(dp_epsilon(1000)), data, dp_unit(rows = 1), dp_domain(
    sex = dp_levels("f", "m"), town = dp_levels("A", "B")
  ))
}

test_that("percentages add up to 100 across groups and within them", {
  out <- people_by_two() |>
    dplyr::count(sex, town) |>
    release(epsilon = 1)
  all <- dp_prop(out)
  expect_identical(names(all), c(
    "sex", "town", "n", "percent", "conf.low", "conf.high", "percent_of"
  ))
  expect_equal(sum(all$percent), 100)
  expect_equal(all$percent, 100 * out$n / sum(out$n))
  within <- dp_prop(out, by = "sex")
  expect_equal(as.vector(tapply(within$percent, within$sex, sum)), c(100, 100))
  # Off by more than 1 with a probability below 1e-40.
  expect_equal(within$percent, c(75, 25, 25, 75), tolerance = 0.02)
  expect_true(all(within$conf.low < within$percent & within$percent < within$conf.high))
  expect_true(all(within$conf.high - within$conf.low < 0.5))
})

test_that("intervals of percentages cover, and shorter ones do not", {
  query <- dplyr::count(people_by_two(), sex, town)
  truth <- c(45, 15, 10, 30)
  releases <- in_tier(200, 2000)
  found <- lapply(seq_len(releases), function(i) dp_prop(release(query, epsilon = 0.1)))
  covered <- vapply(found, function(x) x$conf.low <= truth & truth <= x$conf.high, logical(4))
  half <- vapply(found, function(x) {
    abs(x$percent - truth) <= (x$conf.high - x$conf.low) / 4
  }, logical(4))
  # Fewer than the 1e-9 quantile of hits at 0.94.
  least <- stats::qbinom(1e-9, releases, 0.94)
  expect_true(all(rowSums(covered) >= least))
  expect_true(all(rowSums(half) < 0.9 * releases))
})

test_that("percentages of a total that may be 0 are missing, and others are refused", {
  empty <- dp_tbl(dp_session(dp_epsilon(100)), data.frame(sex = character()), dp_unit(rows = 1),
    dp_domain(sex = dp_levels("f", "m"))
  )
  out <- release(dplyr::count(empty, sex), epsilon = 40)
  expect_true(all(is.na(dp_prop(out)$percent)))
  expect_false(any(is.nan(unlist(dp_prop(out)[c("percent", "conf.low", "conf.high")]))))
  means <- release(dplyr::summarise(people_by_two(), n = dp_mean(sex == "f")), epsilon = 1)
  expect_error(dp_prop(means), class = "dp_error_invalid_argument")
  expect_error(dp_prop(out, by = "town"), class = "dp_error_invalid_argument")
  expect_error(dp_prop(data.frame(n = 1)), class = "dp_error")
})

test_that("`by` takes bare names and strings", {
  out <- release(dplyr::count(people_by_two(), town, sex), epsilon = 10)
  key <- "town"
  for (table in list(dp_prop(out, by = town), dp_prop(out, by = !!key))) {
    expect_identical(table, dp_prop(out, by = "town"))
  }
  expect_identical(dp_prop(out, by = c(town, sex)), dp_prop(out, by = c("town", "sex")))
})

test_that("percentages name the rows that they are of", {
  table <- people_by_two()
  of <- function(query, ...) unique(dp_prop(release(query, epsilon = 10, ...))$percent_of)
  expect_identical(of(dplyr::count(table, town)), "rows in a group")
  hidden <- dp_keys(dplyr::count(table, town), "declared", suppress = 100)
  expect_identical(of(hidden), "rows in the groups shown")
  whole <- dp_tbl(dp_session(dp_epsilon(100)), data.frame(town = rep("A", 9)), dp_unit(rows = 1),
    dp_domain(town = dp_levels("A", "other", missing = "other"))
  )
  expect_identical(of(dplyr::count(whole, town)), "all rows")
})

test_that("percentages of weights and people say so, and unknown ones are missing", {
  rows <- data.frame(id = 1:40, town = rep(c("A", "B"), 20), w = 2)
  declared <- dp_schema(town = dp_levels("A", "B"), w = dp_num(0, 3))
  table <- dp_tbl(dp_session(dp_epsilon(1e4)), rows, dp_unit(id = id), declared)
  table <- dplyr::group_by(dp_truncate(table, max_rows = 1), town)
  percent_of <- function(count) {
    query <- dplyr::summarise(table, n = !!count)
    unique(dp_prop(small(release(query, epsilon = 100)))$percent_of)
  }
  expect_identical(percent_of(quote(dp_count(weights = w))), "weights in a group")
  expect_identical(percent_of(quote(dp_n_ids())), "people in a group")
  noisy <- dp_prop(small(release(dplyr::summarise(table, n = dp_count()), epsilon = 1e-6)))
  expect_false(any(is.nan(noisy$percent)))
})
