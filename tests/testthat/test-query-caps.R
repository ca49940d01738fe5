# What caps drop, and how to choose them.

skip_if_not_installed("dplyr", "1.0.10")

# Person i has i rows, which alternate between two groups.
visits_of <- function(people = 12) {
  id <- rep(seq_len(people), seq_len(people))
  data.frame(id = id, g = rep(c("a", "b"), length.out = length(id)), v = seq_along(id) %% 7)
}

visits_in <- function(data = visits_of(), session = plenty()) {
  dp_tbl(session, data, dp_unit(id = id),
    dp_domain(g = dp_levels("a", "b"), v = dp_num(0, 9))
  )
}

exact_caps <- function(query) {
  lapply(as.list(as.data.frame(exact_release(query))), function(x) {
    if (is.numeric(x)) round(x) else x
  })
}

test_that("aggregates of totals with wide bounds are told to be mostly noise", {
  local_verbs()
  rows <- data.frame(id = 1:4, x = 1)
  table <- dp_tbl(plenty(), rows, dp_unit(id = id), dp_domain(x = dp_num(0, 1)))
  expect_no_message(totals <- dp_per_unit(table, k = n(), t = sum(x), m = max(x)))
  told <- function(call) {
    expect_message(call, "is mostly noise: the bounds of a person's `n()` or `sum()` are too wide",
      fixed = TRUE, class = "dp_message_bounds"
    )
  }
  told(summarise(totals, dp_mean(k)))
  told(summarise(totals, dp_sum(t)))
  told(summarise(totals, dp_sd(2 * t + m)))
  told(totals |> rename(all = t) |> mutate(half = all / 2) |> summarise(dp_median(half)))
  # A cap on rows does not limit their sum.
  told(dp_truncate(table, max_rows = 2) |> dp_per_unit(t = sum(x)) |> summarise(dp_mean(t)))
  expect_message(summarise(totals, a = dp_sum(k), b = dp_mean(t), c = dp_mean(m)),
    "`dp_sum(k)` and `dp_mean(t)` are mostly noise", fixed = TRUE
  )
})

test_that("aggregates of totals within narrower bounds are released without a message", {
  local_verbs()
  rows <- data.frame(id = 1:4, x = 1, y = 1)
  table <- dp_tbl(plenty(), rows, dp_unit(id = id),
    dp_domain(x = dp_num(0, 1), y = dp_num(0, 1e12))
  )
  totals <- dp_per_unit(table, k = n(), t = sum(x), m = max(y))
  expect_no_message({
    summarise(totals, dp_mean(t, bounds = c(0, 3)), dp_median(k, at = c(1, 2, 3)))
    totals |> mutate(t = pmin(t, 3)) |> summarise(dp_mean(t), dp_mean(t > 2))
    totals |> filter(k <= 5) |> summarise(dp_sum(k), dp_mean(log1p(t)))
    # The total only decides which people count, or is covered by another column.
    totals |> filter(t > 2) |> summarise(dp_mean(m), dp_count())
    totals |> mutate(t = m) |> summarise(dp_mean(t))
    dp_suggest_caps(table, at_most = 4, epsilon = 1)
  })
})

test_that("capped people and dropped rows are counted", {
  local_verbs()
  counted <- visits_in() |>
    dp_truncate(max_rows = 4) |>
    summarise(
      n = dp_count(), capped = dp_n_capped(), dropped = dp_n_dropped(up_to = 50),
      few = dp_n_dropped(up_to = 3)
    ) |>
    exact_caps()
  lost <- pmax(1:12 - 4, 0)
  expect_identical(counted, list(
    n = sum(1:12 - lost), capped = sum(as.double(lost > 0)), dropped = sum(lost),
    few = sum(pmin(lost, 3))
  ))
})

test_that("rows that a filter removes before a cap are not dropped by it", {
  local_verbs()
  counted <- visits_in() |>
    filter(g == "a") |>
    dp_truncate(max_rows = 2) |>
    mutate(double = 2 * v) |>
    summarise(dropped = dp_n_dropped(up_to = 50), sum = dp_sum(double)) |>
    exact_caps()
  data <- visits_of()
  expect_identical(counted$dropped, sum(pmax(table(data$id[data$g == "a"]) - 2, 0)))
})

test_that("groups count the people who keep rows there, and all rows that they lose", {
  local_verbs()
  groups <- c("a", "a", "a", "b", "b", "b", "a", "a", "b")
  data <- data.frame(id = c(rep(1, 6), 2, 2, 3), g = groups, v = 1)
  counted <- visits_in(data) |>
    dp_truncate(max_groups = 2, max_rows_per_group = 1, by = g) |>
    group_by(g) |>
    summarise(people = dp_n_ids(), capped = dp_n_capped(), dropped = dp_n_dropped(up_to = 3)) |>
    exact_caps()
  expect_identical(counted, list(
    g = c("a", "b"), people = c(2, 2), capped = c(2, 1), dropped = c(4, 3)
  ))
})

test_that("one person changes capped people by 1 and dropped rows by `up_to`, in each group", {
  local_verbs()
  sensitivity <- function(query) as.data.frame(dp_preview(query, epsilon = 1))$sensitivity
  table <- visits_in()
  flat <- summarise(dp_truncate(table, max_rows = 4),
    capped = dp_n_capped(), dropped = dp_n_dropped(up_to = 50)
  )
  expect_identical(sensitivity(flat), c(1, 50))
  grouped <- dp_truncate(table, max_groups = 2, max_rows_per_group = 9, by = g) |>
    group_by(g) |>
    summarise(capped = dp_n_capped(), dropped = dp_n_dropped(up_to = 50))
  expect_identical(sensitivity(grouped), c(2, 100))
})

test_that("caps are counted only if truncation comes last, of people, with a public limit", {
  local_verbs()
  table <- visits_in()
  refused <- function(query, class = "dp_error_unsupported") {
    expect_error(release(query, epsilon = 1), class = class)
  }
  refused(summarise(table, n = dp_n_capped()))
  refused(table |> dp_truncate(max_rows = 2) |> dp_per_unit(v = max(v)) |>
    summarise(n = dp_n_capped()))
  expect_error(summarise(dp_truncate(table, max_rows = 2), n = dp_n_dropped()), "up_to",
    class = "dp_error_invalid_argument"
  )
  for (wrong in list(0, 1.5, NA, "2")) {
    expect_error(summarise(dp_truncate(table, max_rows = 2), n = dp_n_dropped(up_to = wrong)),
      class = "dp_error_invalid_argument"
    )
  }
  expect_error(summarise(people_to_plan(), n = dp_n_capped()), class = "dp_error_unsupported")
  query <- summarise(dp_truncate(table, max_rows = 2), n = dp_n_dropped(up_to = 5))
  expect_output(print(query), "dp_n_dropped(up_to = 5)", fixed = TRUE)
})

test_that("caps are suggested from a private quantile, which is charged", {
  local_verbs()
  data <- data.frame(id = rep(1:1000, rep(1:10, 100)), g = "a", v = 1)
  session <- plenty()
  suggested <- dp_suggest_caps(visits_in(data, session), at_most = 20, epsilon = 1e4)
  expect_identical(suggested$share, c(0.5, 0.75, 0.9, 0.95, 0.99))
  expect_identical(suggested$max_rows, c(5L, 8L, 9L, 10L, 10L))
  expect_equal(dp_spent(session)[["epsilon"]], 1e4)
  expect_identical(unique(suggested$mark), "")
  at_most <- dp_suggest_caps(visits_in(data), at_most = 4, shares = c(0.2, 0.9), epsilon = 1e4)
  expect_identical(at_most$max_rows, c(2L, 4L))
  # People can have more rows than the largest cap.
  expect_identical(at_most$mark, c("", "bound"))
  rho <- dp_suggest_caps(visits_in(data, plenty("rho")), at_most = 20, shares = 0.5, rho = 1e4)
  expect_identical(rho$max_rows, 5L)
})

test_that("caps are not suggested for groups, capped rows, or rows without people", {
  local_verbs()
  refused <- function(table) {
    expect_error(dp_suggest_caps(table, at_most = 9, epsilon = 1), class = "dp_error_unsupported")
  }
  refused(group_by(visits_in(), g))
  refused(dp_truncate(visits_in(), max_rows = 3))
  refused(people_to_plan())
  for (wrong in list(1, 2.5, NA)) {
    expect_error(dp_suggest_caps(visits_in(), at_most = wrong, epsilon = 1),
      class = "dp_error_invalid_argument"
    )
  }
  for (wrong in list(0, 1, numeric(), NA)) {
    expect_error(dp_suggest_caps(visits_in(), at_most = 9, shares = wrong, epsilon = 1),
      class = "dp_error_invalid_argument"
    )
  }
})

test_that("numbers of dropped rows are lower bounds wherever they are shown", {
  local_verbs()
  where <- file.path(withr::local_tempdir(), "visits.ledger")
  ledger <- create_ledger(where, "visits", dp_unit(id = id), dp_epsilon(100), version = "1")
  table <- visits_in(session = dp_session(ledger = ledger)) |>
    dp_truncate(max_rows = 4, keep = "first", order = v)
  query <- summarise(table,
    n = dp_count(), lost = dp_n_dropped(up_to = 3), share = dp_n_dropped(up_to = 3) / dp_count()
  )
  released <- suppressMessages(release(query, epsilon = 1))
  rules <- c(
    "counted: at most 4 rows of each id, the first by v",
    "lost: at least this many rows, because at most 3 dropped rows of each id count",
    "share: at most 3 dropped rows of each id count"
  )
  for (rule in rules) {
    expect_match(format(released), rule, fixed = TRUE, all = FALSE)
    expect_output(print(dp_receipt(released)), paste0("caps       ", rule), fixed = TRUE)
  }
  checks <- verify_release(dp_receipt(released), ledger, value = released)
  expect_true(all(checks$result[checks$check != "signature"] == "passed"))
  expect_identical(checks$detail[checks$check == "plan"],
    paste(c("the plan has the hash of the receipt", rules), collapse = "; ")
  )
  expect_identical(attr(suppressMessages(release(summarise(table, n = dp_count()), epsilon = 1)),
    "released")$caps, rules[[1]])
})
