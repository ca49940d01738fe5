# Weights of rows, as of surveys.

skip_if_not_installed("dplyr", "1.0.10")

surveyed <- function() {
  n <- 600
  data.frame(
    g = rep(c("a", "b", "c"), length.out = n),
    x = replace((seq_len(n) * 37) %% 101 / 4, c(3, 50), NA),
    w = replace((seq_len(n) * 53) %% 97 / 10, c(3, 60), NA)
  )
}

surveyed_in <- function(session, data = surveyed(), ...) {
  dp_tbl(session, data, dp_unit(rows = 1), dp_domain(
    g = dp_levels("a", "b", "c"), x = dp_num(0, 20), w = dp_num(0, 8)
  ), ...)
}

test_that("weights count rows as weighted.mean() does on clamped values", {
  local_verbs()
  data <- surveyed()
  data$x <- pmin(data$x, 20)
  data$w <- pmin(data$w, 8)
  released <- surveyed_in(plenty()) |>
    group_by(g) |>
    summarise(
      weight = dp_count(weights = w), sum = dp_sum(x, weights = w),
      mean = dp_mean(x, weights = w), half = dp_median(x, at = seq(0, 20, 0.25), weights = w),
      quartiles = dp_quantile(x, 1:3 / 4, at = seq(0, 20, 0.25), weights = w),
      plain = dp_mean(x)
    ) |>
    exact_release()
  for (i in 1:3) {
    group <- data[data$g == c("a", "b", "c")[[i]], ]
    both <- group[stats::complete.cases(group), ]
    expect_equal(released$weight[[i]], sum(group$w, na.rm = TRUE), tolerance = 1e-5)
    expect_equal(released$sum[[i]], sum(both$w * both$x), tolerance = 1e-5)
    expect_equal(released$mean[[i]], weighted.mean(both$x, both$w), tolerance = 1e-5)
    expect_equal(released$plain[[i]], mean(group$x, na.rm = TRUE), tolerance = 1e-5)
    below <- function(at) sum(both$w[both$x <= at]) / sum(both$w)
    expect_gte(below(released$half[[i]]) + 1e-6, 0.5)
    expect_lte(below(released$half[[i]] - 0.25) - 1e-6, 0.5)
    expect_lt(abs(below(released$quartiles[[i]][[3]]) - 0.75), 0.02)
  }
})

test_that("rows without a weight, or without a value, leave", {
  local_verbs()
  data <- data.frame(x = c(1, 2, NA), w = c(NA, 3, 5))
  table <- dp_tbl(plenty(), data, dp_unit(rows = 1), dp_domain(x = dp_num(0, 9), w = dp_num(0, 9)))
  released <- table |>
    summarise(n = dp_count(weights = w), s = dp_sum(x, weights = w), m = dp_mean(x, weights = w)) |>
    exact_release()
  expect_equal(unlist(as.data.frame(released)), c(n = 8, s = 6, m = 2))
})

test_that("weights must be columns with bounds of at least 0", {
  local_verbs()
  w <- 2
  table <- people_to_plan()
  refused <- function(expr, text) {
    expect_error(expr, text, class = "dp_error_invalid_argument")
  }
  refused(summarise(table, m = dp_mean(age, weights = 2)), "column")
  refused(summarise(table, m = dp_mean(age, weights = w)), "column")
  refused(summarise(table, m = dp_mean(age, weights = w * 2)), "column")
  expect_error(summarise(table, m = dp_mean(age, weights = nowhere)), "not declared",
    class = "dp_error_domain"
  )
  unbounded <- people_to_plan(w = dp_int())
  expect_error(
    dp_preview(summarise(unbounded, m = dp_mean(age, weights = w)), epsilon = 0.1), "no bounds",
    class = "dp_error_domain"
  )
  below <- people_to_plan(w = dp_num(-1, 5))
  expect_error(dp_preview(summarise(below, m = dp_mean(age, weights = w)), epsilon = 0.1),
    "at least 0",
    class = "dp_error_domain"
  )
  expect_error(summarise(people_to_plan(w = dp_num(0, 5)), v = dp_var(age, weights = w)), "weights",
    class = "dp_error_invalid_argument"
  )
})

test_that("a weighted query prints its weights, and has a different hash", {
  local_verbs()
  table <- people_to_plan(v = dp_num(0, 5), w = dp_num(0, 5))
  query <- summarise(table, m = dp_mean(age, weights = v + w))
  expect_output(print(query), "dp_mean(age, weights = v + w)", fixed = TRUE)
  hash <- function(query) text_of_form(given_fields(canonical_query(form_of_query(query))))
  expect_identical(hash(query), hash(summarise(table, m = dp_mean(age, weights = w + v))))
  expect_false(hash(query) == hash(summarise(table, m = dp_mean(age))))
  both <- summarise(table, m = dp_mean(age, weights = w), plain = dp_mean(age))
  expect_length(form_of_query(both)$aggregates, 2)
  expect_null(form_of_query(both)$aggregates[[2]]$weights)
})

test_that("weighted.mean() hints to dp_mean() with weights, which gives it", {
  local_verbs()
  table <- people_to_plan(w = dp_num(0, 5))
  hint <- function(expr) tryCatch(expr, error = conditionMessage)
  meant <- "dp_mean(age, weights = w)"
  expect_match(hint(summarise(table, m = weighted.mean(age, w))), meant, fixed = TRUE)
  expect_match(hint(summarise(table, m = weighted.mean(w = w, age))), meant, fixed = TRUE)
  expect_match(hint(summarise(table, m = weighted.mean(age, w * 2))), meant, fixed = TRUE)
  expect_match(hint(summarise(table, m = dp_mean(age, weight = w))), "weights = w", fixed = TRUE)
  expect_match(hint(count(table, wt = w)), "dp_count(weights = ", fixed = TRUE)
  expect_no_error(summarise(table, m = dp_mean(age, weights = w), n = dp_count(weights = w)))
})

test_that("weights are charged by their upper bound", {
  local_verbs()
  preview <- function(query) as.data.frame(dp_preview(query, epsilon = 1))
  table <- people_to_plan(w = dp_num(0, 8))
  found <- preview(summarise(table, m = dp_mean(age, weights = w)))
  expect_equal(found$sensitivity, c(8 * 60, 8))
  expect_identical(found$part, c("sum", "weights"))
  found <- preview(summarise(table, n = dp_count(weights = w), m = dp_mean(age, weights = w)))
  expect_equal(sort(found$sensitivity), c(8, 8, 8 * 60))
})

# Intervals of `releases` releases of groups of one size, with the true mean of each.
weighted_groups <- function(size, groups, releases, epsilon = NULL, rho = NULL) {
  rows <- size * groups
  data <- data.frame(
    g = rep(seq_len(groups), each = size), x = 5 + 10 * (seq_len(rows) %% 2),
    w = 1 + 2 * (seq_len(rows) %% 3 == 0)
  )
  mean <- vapply(split(data, data$g), function(group) weighted.mean(group$x, group$w), 0)
  session <- dp_session(if (is.null(rho)) dp_epsilon(1e6) else dp_zcdp(1e6))
  table <- dp_tbl(session, data, dp_unit(rows = 1), dp_domain(
    g = dp_int(1, groups), x = dp_num(0, 20), w = dp_num(0, 3)
  ))
  query <- table |>
    group_by(g) |>
    summarise(m = dp_mean(x, weights = w))
  found <- lapply(seq_len(releases), function(i) {
    tidied <- generics::tidy(release(query, epsilon = epsilon, rho = rho))
    data.frame(lower = tidied$conf.low, upper = tidied$conf.high, mean = unname(mean))
  })
  do.call(rbind, found)
}

# 1,000 releases of a cell in the long tier. At most 8% may be wrong. A group that may be empty has
# no interval, and claims nothing.
test_that("intervals of weighted means cover, in groups of any size", {
  local_verbs()
  for (loss in list(list(epsilon = 1), list(rho = 0.5))) {
    for (size in c(1, 5, 50, 5000)) {
      groups <- if (size == 5000) in_tier(20, 100) else 100
      found <- do.call(weighted_groups, c(list(size, groups, in_tier(1, 1000 / groups)), loss))
      wrong <- sum(found$lower > found$mean | found$upper < found$mean, na.rm = TRUE)
      most <- in_tier(most_of(nrow(found), 0.05), 0.08 * nrow(found))
      expect_lte(wrong, most, label = paste("wrong intervals of groups of", size))
    }
  }
})

test_that("the expected error of a weighted quantile is in the unit of its weights", {
  local_verbs()
  # Weights that are all in the middle of their bounds are as good as none, within the larger step
  # that one row takes.
  previewed <- surveyed_in(plenty()) |>
    summarise(
      plain = dp_median(x, at = seq(0, 20, 0.25)),
      weighted = dp_median(x, at = seq(0, 20, 0.25), weights = w)
    ) |>
    dp_preview(epsilon = 10, rows = 1000)
  of <- function(name) previewed$accuracy[previewed$column == name & previewed$rows %in% 1000]
  expect_gt(of("weighted"), of("plain"))
  expect_lt(of("weighted"), 4 * of("plain"))
})
