# Faults found in other systems, each as a test here that names the systems. Other files test:
# optimal key selection (tests/cpp/query/key_selection_test.cpp), groups suppressed by their noisy
# size (test-query-keys.R), tables with one row per person and group (test-query-unit.R), privacy
# events in receipts (test-query-ledger.R), and sizes of errors (benchmarks/queries-accuracy.R).

people_of <- function(data, ..., unit = dp_unit(rows = 1), loss = dp_epsilon(1e20, 1e-6)) {
  dp_tbl(dp_session(loss), data, unit, dp_domain(...))
}

skip_if_not_installed("dplyr", "1.0.10")

test_that("PipelineDP, Qrlew: NaN and infinities neither spoil nor expose a sum", {
  local_verbs()
  data <- data.frame(x = c(rep(1, 1000), NaN, NA, Inf, -Inf), n = c(rep(1L, 1003), NA))
  table <- people_of(data, x = dp_num(0, 5), n = dp_int(0, 5, missing = 5))
  query <- summarise(table,
    x = dp_sum(x), m = dp_mean(x), v = dp_var(x), q = dp_median(x, at = 0:5), n = dp_sum(n)
  )
  exact <- exact_release(query)
  # Infinities are clamped to 5 and 0. NaN counts as missing.
  expect_equal(exact$x, 1005, tolerance = 1e-6)
  expect_equal(exact$m, 1005 / 1002, tolerance = 1e-6)
  expect_identical(exact$q, 1)
  expect_equal(exact$n, 1008, tolerance = 1e-6)
  noisy <- vapply(1:20, function(i) release(query, epsilon = 1)$x, 1)
  expect_true(all(is.finite(noisy)))
  expect_gt(length(unique(noisy)), 10)
  expect_gt(sd(noisy), 5)
})

test_that("SmartNoise: a text cell in a numeric column moves no mean", {
  local_verbs()
  for (column in list(c("1", "oops"), factor(c("1", "oops")))) {
    expect_error(people_of(data.frame(x = column), x = dp_num(0, 100)), "`x`",
      class = "dp_error_source"
    )
  }
})

test_that("SmartNoise: no release exceeds the budget", {
  local_verbs()
  query <- people_of(data.frame(x = 1:9), x = dp_int(0, 9), loss = dp_epsilon(1)) |>
    summarise(n = dp_count())
  for (i in 1:10) release(query, epsilon = 0.1)
  for (amount in c(0.1, 1e-9)) {
    expect_error(small(release(query, epsilon = amount)), class = "dp_error_budget")
  }
  expect_identical(nrow(dp_history(session_of(query))), 10L)
})

test_that("SmartNoise: undeclared levels are not shown, and private keys cost loss", {
  local_verbs()
  data <- data.frame(id = 1:500, ward = c(rep(c("A", "B"), 249), "canary7417", "canary7418"))
  levels <- people_of(data, ward = dp_levels("A", "B", "C"))
  shown <- exact_release(count(levels, ward))
  expect_identical(shown$ward, c("A", "B", "C"))
  expect_equal(shown$n, c(249, 249, 0), tolerance = 1e-6)
  text <- people_of(data, ward = dp_text(), unit = dp_unit(id = id)) |> dp_truncate(max_rows = 1)
  expect_error(release(count(text, ward), epsilon = 1), class = "dp_error_keys")
  for (rule in c("threshold", "select")) {
    for (i in 1:5) {
      found <- count(text, ward) |> dp_keys(rule) |> release(epsilon = 1, delta = 1e-12)
      expect_setequal(found$ward, c("A", "B"))
    }
  }
})

test_that("OpenDP: every way to cap groups releases, and keeps the stated number", {
  local_verbs()
  # Everyone is in all four wards, ordered by their days.
  data <- expand.grid(ward = c("D", "A", "C", "B"), id = 1:200, stringsAsFactors = FALSE)
  data$day <- match(data$ward, c("D", "A", "C", "B"))
  table <- people_of(data, ward = dp_levels("A", "B", "C", "D"), day = dp_int(1, 4),
    unit = dp_unit(id = id)
  )
  kept <- function(...) {
    dp_truncate(table, max_groups = 2, max_rows_per_group = 1, by = ward, ...) |>
      count(ward) |>
      exact_release() |>
      pull(n)
  }
  random <- kept()
  expect_equal(sum(random), 400, tolerance = 1e-6)
  expect_true(all(random > 50 & random < 150))
  expect_equal(sum(kept(keep = "first", order = day)), 400, tolerance = 1e-6)
  one <- dp_truncate(table, max_rows = 1, keep = "first", order = day) |> count(ward)
  expect_equal(exact_release(one)$n, c(0, 0, 0, 200), tolerance = 1e-6)
  last <- dp_truncate(table, max_rows = 1, keep = "last", order = day) |> count(ward)
  expect_equal(exact_release(last)$n, c(0, 200, 0, 0), tolerance = 1e-6)
})

test_that("D_QRY_3 OpenDP, Tumult, Qrlew: no cell stops a release or appears in messages", {
  local_verbs()
  data <- data.frame(
    id = 1:40, n = rep(c(.Machine$integer.max, -.Machine$integer.max, NA, 7417741L), 10),
    x = rep(c(1e308, -1e308, 5e-324, 741.7741), 10),
    name = rep(c("canary7417", "", NA, "0x10"), 10),
    day = as.Date("2026-01-01") + rep(c(1e9, -1e9, NA, 0), 10)
  )
  table <- people_of(data,
    n = dp_int(-2^51, 2^51), x = dp_num(-9e299, 9e299), name = dp_text(),
    day = dp_date(as.Date("0001-01-01"), as.Date("9999-12-31")), unit = dp_unit(id = id)
  ) |> dp_truncate(max_rows = 1)
  said <- character()
  run <- function(query) {
    withCallingHandlers(
      release(query, epsilon = 1),
      warning = function(w) said <<- c(said, conditionMessage(w)),
      message = function(m) said <<- c(said, conditionMessage(m))
    )
  }
  values <- list(
    table |> summarise(n = dp_sum(n), x = dp_sum(x), m = dp_mean(x), v = dp_var(n)),
    table |> mutate(q = n %/% 3L, r = n %% 7L, h = pmax(pmin(x, 1e9), -1e9) / n, p = abs(n) * 2L) |>
      summarise(q = dp_sum(q), r = dp_sum(r), h = dp_n_missing(h), p = dp_sum(p)),
    table |> mutate(y = dplyr::if_else(n > 0L, year(day), month(day))) |> summarise(y = dp_mean(y)),
    table |> filter(name == "canary7417", x > 1e300 | day > as.Date("2026-01-01")) |>
      summarise(n = dp_count()),
    table |> dp_per_unit(total = sum(n)) |> summarise(t = dp_sum(total, bounds = c(0, 10)))
  )
  for (query in values) expect_true(all(is.finite(unlist(run(query)))))
  expect_identical(said, character())
})

test_that("PipelineDP: a table without rows is released normally", {
  local_verbs()
  data <- data.frame(id = integer(), ward = character(), x = double())
  for (unit in list(dp_unit(rows = 1), dp_unit(id = id), dp_unit(changes = 1))) {
    table <- people_of(data, ward = dp_levels("A", "B"), x = dp_num(0, 1), unit = unit)
    if (unit$kind == "id") table <- dp_truncate(table, max_rows = 2)
    out <- table |> group_by(ward) |> summarise(n = dp_count(), m = dp_mean(x)) |>
      release(epsilon = 1)
    expect_identical(out$ward, c("A", "B"))
    expect_true(all(is.finite(out$n)) && all(out$m >= 0 & out$m <= 1))
  }
  text <- people_of(data, ward = dp_text(), unit = dp_unit(id = id)) |> dp_truncate(max_rows = 1)
  none <- count(text, ward) |> dp_keys("threshold") |> release(epsilon = 1, delta = 1e-9)
  expect_identical(nrow(none), 0L)
})

test_that("OpenDP, Tumult, PipelineDP: empty groups are finite and within bounds", {
  local_verbs()
  table <- people_of(data.frame(g = "A", x = 2), g = dp_levels("A", "B"), x = dp_num(1, 3))
  for (epsilon in c(1e-6, 1, 1e9)) {
    out <- table |> group_by(g) |> summarise(
      m = dp_mean(x), v = dp_var(x), s = dp_sd(x), q = dp_median(x, at = seq(1, 3, 0.5)),
      t = dp_quantile(x, c(0.1, 0.5, 0.9), at = seq(1, 3, 0.5))
    ) |> release(epsilon = epsilon) |> small()
    expect_true(all(out$m >= 1 & out$m <= 3 & out$q >= 1 & out$q <= 3))
    expect_true(all(out$v >= 0 & out$v <= 1 & out$s >= 0 & out$s <= 1))
    expect_true(all(unlist(out$t) >= 1 & unlist(out$t) <= 3))
  }
})

test_that("OpenDP: sums beyond 32 or 53 bits are released and raise no error", {
  local_verbs()
  data <- data.frame(x = rep(2^51, 5000), n = rep(.Machine$integer.max, 5000))
  out <- people_of(data, x = dp_int(0, 2^51), n = dp_int(0, 2^31)) |>
    summarise(x = dp_sum(x), n = dp_sum(n)) |>
    exact_release()
  expect_equal(out$x, 5000 * 2^51, tolerance = 1e-6)
  expect_equal(out$n, 5000 * (2^31 - 1), tolerance = 1e-6)
})

test_that("OpenDP: a product that may exceed 64 bits is rejected by its bounds", {
  local_verbs()
  table <- people_of(data.frame(n = c(741774177417, 2)), n = dp_int(-2^51, 2^51))
  error <- expect_error(mutate(table, p = n * n), class = "dp_error_unsupported")
  expect_no_match(conditionMessage(error), "7417")
  held <- mutate(table, n = pmax(0, pmin(n, 1e6)), p = n * pmin(n, 1e3)) |>
    summarise(p = dp_sum(p, c(0, 1e9)))
  expect_equal(exact_release(held)$p, 1e9 + 4, tolerance = 1e-6)
})

test_that("OpenDP, SmartNoise: a mean is centred and shares the count of its group", {
  local_verbs()
  domain <- list(g = dp_levels("A", "B"), x = dp_num(0, 200, missing = 100))
  table <- do.call(people_of, c(list(data.frame(g = "A", x = 2)), domain))
  parts <- dp_preview(summarise(group_by(table, g), n = dp_count(), m = dp_mean(x)), epsilon = 1)
  expect_identical(parts$part, c("rows", "sum"))
  expect_identical(parts$sensitivity, c(1, 100))
  expect_equal(sum(parts$loss), 1)
  # A value may be missing, so a count of present values is needed.
  table <- people_of(data.frame(g = "A", x = 2), g = dp_levels("A", "B"), x = dp_num(0, 200))
  parts <- dp_preview(summarise(group_by(table, g), n = dp_count(), m = dp_mean(x)), epsilon = 1)
  expect_identical(parts$part, c("rows", "sum", "rows with a value"))
})

test_that("Qrlew: no approximate formula widens the noise", {
  local_verbs()
  count <- function(loss) {
    summarise(people_of(data.frame(x = 1), x = dp_int(0, 1), loss = loss), n = dp_count())
  }
  gaussian <- dp_preview(count(dp_zcdp(1, 1e-9)), rho = 0.5 / 36)
  expect_identical(gaussian$mechanism, "discrete Gaussian")
  expect_gte(gaussian$scale, 6)
  expect_lte(gaussian$scale, 6 * (1 + 1e-12))
  # At (1, 1e-9) the classic Gaussian deviation is 6.47, and the exact curve's is 5.50.
  laplace <- dp_preview(count(dp_epsilon(1, 1e-9)), epsilon = 1)
  expect_lt(sqrt(2) * laplace$scale, 5.5)
})

test_that("Qrlew: a variance is the variance", {
  local_verbs()
  x <- rep(c(-sqrt(10), sqrt(10)), 5000) + 50
  table <- people_of(data.frame(x = x), x = dp_num(0, 100))
  out <- summarise(table, v = dp_var(x), s = dp_sd(x)) |> exact_release()
  expect_equal(c(out$v, out$s), c(10, sqrt(10)), tolerance = 1e-4)
})

test_that("Qrlew, SmartNoise: noise and row selection come from neither the engine nor R", {
  local_verbs()
  data <- data.frame(id = rep(1:50, each = 4), x = rep(1:4, 50))
  query <- people_of(data, x = dp_int(0, 4), unit = dp_unit(id = id)) |>
    dp_truncate(max_rows = 1) |> summarise(x = dp_sum(x))
  withr::local_seed(1)
  seed <- .Random.seed
  different <- function(epsilon) {
    values <- vapply(1:20, function(i) {
      set.seed(1)
      release(query, epsilon = epsilon)$x
    }, 1)
    length(unique(round(values)))
  }
  # Noise of scale 400, then only choices of fifty rows: fails with probability 1e-15 and 1e-20.
  expect_gt(different(0.01), 10)
  expect_gt(different(1e9), 1)
  expect_identical(.Random.seed, seed)
})

test_that("Tumult: private tables cannot be joined, whatever their caps", {
  local_verbs()
  table <- people_of(data.frame(id = 1, k = 1L), k = dp_int(0, 9), unit = dp_unit(id = id))
  capped <- dp_truncate(table, max_groups = 1, max_rows_per_group = 1, by = k)
  for (join in list(left_join, inner_join, semi_join, anti_join)) {
    expect_error(join(capped, capped, by = "k"), class = "dp_error_unsupported")
  }
})

test_that("OpenDP, SmartNoise: rows without an id are dropped, and people are not merged", {
  local_verbs()
  # Ids that are equal as doubles, or differ only in case, blanks or Unicode form.
  wide <- bit64::as.integer64("9007199254740992") + 0:1
  hostile <- list(
    c("a", "A"), c("a", "a "), c("\u00e9", "e\u0301"), c("1", "01"), c("NA", "na"), wide,
    c(1e15, 1e15 + 1)
  )
  for (ids in hostile) {
    data <- data.frame(row = 1:3)
    data$id <- c(ids, ids[NA_integer_])
    table <- people_of(data, row = dp_int(0, 9), unit = dp_unit(id = id))
    out <- dp_truncate(table, max_rows = 1) |> summarise(n = dp_count(), people = dp_n_ids()) |>
      exact_release()
    expect_equal(c(out$n, out$people), c(2, 2), tolerance = 1e-6)
  }
})

test_that("D_QRY_5 BigQuery: a failure refunds nothing, so it is no oracle", {
  local_verbs()
  query <- people_of(data.frame(x = 1), x = dp_int(0, 1), loss = dp_epsilon(1)) |>
    summarise(n = dp_count())
  asked <- dp_epsilon(0.25)
  prepared <- prepared_release(query, asked, 0.05, quote(release()))
  prepared$measurement <- function(arg) stop("the engine says 741.7")
  account <- account_of_queries(list(query), NULL, NULL, NULL, quote(release()))
  error <- expect_error(release_on(prepared, NULL, account), class = "dp_error_backend")
  expect_no_match(conditionMessage(error), "741")
  expect_identical(dp_spent(session_of(query))[["epsilon"]], 0.25)
})

test_that("Snowflake, SmartNoise: a batch has a known cost, and errors spend nothing", {
  local_verbs()
  table <- people_of(data.frame(x = 1), x = dp_int(0, 1), loss = dp_zcdp(1))
  session <- session_of(summarise(table, n = dp_count()))
  queries <- list(a = summarise(table, n = dp_count()), b = summarise(table, s = dp_sum(x)))
  plan <- do.call(dp_batch, c(list(session), queries))
  for (query in queries) expect_equal(sum(dp_preview(query, rho = 0.5)$loss), 0.5)
  expect_error(release(plan, rho = 1.01), class = "dp_error_budget")
  expect_identical(dp_spent(session)[["rho"]], 0)
  release(plan, rho = 1)
  expect_identical(dp_remaining(session)[["rho"]], 0)
})

# Bytes that R allocates for `code`.
allocated <- function(code) {
  file <- withr::local_tempfile()
  utils::Rprofmem(file)
  code
  utils::Rprofmem(NULL)
  sum(as.numeric(sub(" .*", "", grep("^[0-9]+ :", readLines(file), value = TRUE))))
}

test_that("OpenDP: the thousandth query of a session takes no more memory than the first", {
  local_verbs()
  query <- people_of(data.frame(x = 1), x = dp_int(0, 1)) |> summarise(n = dp_count())
  session <- session_of(query)
  twenty <- function() for (i in 1:20) small(release(query, epsilon = 1e-3))
  # R compiles a function after its second call.
  twenty()
  first <- allocated(twenty())
  for (i in 1:1000) dp_allocate(session, dp_epsilon(1e-6))
  late <- allocated(twenty())
  expect_lt(late, 1.1 * first)
})
